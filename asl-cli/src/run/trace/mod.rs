//! `--trace`: each state's way through the data, for a person who watches.

mod columns;
mod data;
mod lines;
mod spinner;

use crate::durations::elapsed;
use crate::explain::Text;
use crate::terminal::{self, ERROR, FAINT, STRONG, SUCCESS};
use asl_engine::HistoryEvent;
use asl_engine::runtime::{EndedExecution, ExecutionId, RunningExecution};
use asl_model::StateMachine;
use asl_trace::{Holder, Spans, StateTree, Step};
use columns::Columns;
use data::Part;
use lines::{Lines, TracedExecution};
use serde_json::Value;
pub(crate) use spinner::PERIOD;
use spinner::Spinner;
use std::collections::HashMap;

/// Writes a line for each thing that happens.
pub(crate) struct Trace {
    columns: Columns,
    tree: StateTree,
    executions: HashMap<ExecutionId, TracedExecution>,
    /// Spans of a parent that has ended.
    ended: Spans,
    spinner: Spinner,
    clock_is_virtual: bool,
    /// True if states are shown by [`step`](Self::step), and not by their events.
    is_full: bool,
}

impl Trace {
    /// Begins with the execution's name and input.
    pub(crate) fn new(
        machine: &StateMachine,
        name: &str,
        input: &Value,
        clock_is_virtual: bool,
        is_full: bool,
    ) -> Self {
        let clock = if clock_is_virtual {
            "virtual clock"
        } else {
            "real clock"
        };
        let used = terminal::text_width(name) + clock.len() + 5;
        let room = terminal::width().saturating_sub(used).max(24);
        let (input, _) = data::render(&[Part::Value(input)], room);
        terminal::error_line(&format!(
            "{STRONG}▶ {name}{STRONG:#} {FAINT}{clock}{FAINT:#}  {input}"
        ));
        Self {
            columns: Columns::from_machine(machine),
            tree: StateTree::new(machine),
            executions: HashMap::new(),
            ended: Spans::default(),
            spinner: Spinner::new(),
            clock_is_virtual,
            is_full,
        }
    }

    /// Shows a state that was left, where everything is to be shown.
    pub(crate) fn step(&mut self, holders: &[Holder], step: &Step) {
        self.spinner.clear();
        for line in Text::on_stderr(true).step(holders, step) {
            terminal::error_line(&line);
        }
    }

    /// Shows an event, if there is something to show of it.
    pub(crate) fn event(&mut self, execution: &RunningExecution, event: &HistoryEvent) {
        if !self.executions.contains_key(&execution.id) {
            let traced = self.trace_execution(execution);
            self.executions.insert(execution.id, traced);
        }
        let Some(traced) = self.executions.get_mut(&execution.id) else {
            return;
        };
        let lines = Lines {
            columns: &self.columns,
            clock_is_virtual: self.clock_is_virtual,
            is_child: execution.is_child(),
        }
        .event(traced, event);
        if self.is_full {
            return;
        }
        self.spinner.clear();
        for line in lines {
            terminal::error_line(&line);
        }
    }

    /// A child of a distributed Map stands among the states of its Map.
    fn trace_execution(&self, execution: &RunningExecution) -> TracedExecution {
        let outer = execution.child.as_ref().map(|child| {
            let parent = self.executions.get(&child.parent);
            // A child may be at work when its parent has ended.
            let spans = parent.map_or(&self.ended, |parent| &parent.spans);
            spans.holders_of_child(&child.state, child.index)
        });
        TracedExecution {
            spans: Spans::within(self.tree.clone(), outer.unwrap_or_default()),
            choices: HashMap::new(),
            last_failure: None,
        }
    }

    /// Shows that it is still alive, where a terminal waits.
    pub(crate) fn tick(&mut self) {
        let open = self
            .executions
            .values()
            .flat_map(|traced| traced.spans.open());
        self.spinner
            .draw(open.filter(|visit| !visit.holds_states()));
    }

    /// Makes room for another line.
    pub(crate) fn clear(&mut self) {
        self.spinner.clear();
    }

    /// An execution says no more.
    pub(crate) fn forget(&mut self, execution: ExecutionId) {
        self.executions.remove(&execution);
    }

    /// Prints the end of the execution.
    pub(crate) fn end(&mut self, ended: &EndedExecution) {
        self.spinner.clear();
        let style = match ended.outcome.output() {
            Some(_) => SUCCESS,
            None => ERROR,
        };
        let status = ended.outcome.status();
        let transitions = terminal::count_noun(
            usize::try_from(ended.transitions).unwrap_or(usize::MAX),
            "transition",
        );
        let took = match elapsed(ended.start_date, ended.stop_date) {
            Some(took) if self.clock_is_virtual => format!(", {took} of virtual time"),
            Some(took) => format!(", {took}"),
            None => String::new(),
        };
        terminal::error_line(&format!(
            "{style}■ {status}{style:#} {FAINT}{transitions}{took}{FAINT:#}"
        ));
    }
}
