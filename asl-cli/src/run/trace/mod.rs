//! `--trace`: each state's way through the data, for a person who watches.

mod columns;
mod data;
mod flow;
mod spinner;

use crate::durations::elapsed;
use crate::explain::Text;
use crate::terminal::{self, ERROR, FAINT, STRONG, SUCCESS, WARNING};
use asl_engine::runtime::{EndedExecution, ExecutionId, RunningExecution};
use asl_engine::{ErrorOutput, EventDetails, HistoryEvent};
use asl_explain::{Holder, Step};
use asl_model::{StateMachine, StateType, Timestamp};
use columns::{Columns, Row};
use data::{Change, Part};
use flow::{ChoiceExit, Entry, Flow};
use serde_json::Value;
pub(crate) use spinner::PERIOD;
use spinner::Spinner;
use std::collections::HashMap;
use std::sync::Arc;

/// Writes a line for each thing that happens.
pub(crate) struct Trace {
    columns: Columns,
    flows: HashMap<ExecutionId, Flow>,
    /// Number of children.
    children: usize,
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
            flows: HashMap::new(),
            children: 0,
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
        let children = &mut self.children;
        let flow = self.flows.entry(execution.id).or_insert_with(|| {
            // A child of a distributed Map stands among the states of its Map.
            let label = execution.is_child().then(|| {
                *children += 1;
                format!("#{}", *children - 1)
            });
            Flow::new(label)
        });
        let lines = Lines {
            columns: &self.columns,
            clock_is_virtual: self.clock_is_virtual,
            is_child: execution.is_child(),
        }
        .event(flow, event);
        if self.is_full {
            return;
        }
        self.spinner.clear();
        for line in lines {
            terminal::error_line(&line);
        }
    }

    /// Shows that it is still alive, where a terminal waits.
    pub(crate) fn tick(&mut self) {
        let waiting = self.flows.values().flat_map(Flow::waiting);
        self.spinner.draw(waiting);
    }

    /// Makes room for another line.
    pub(crate) fn clear(&mut self) {
        self.spinner.clear();
    }

    /// An execution says no more.
    pub(crate) fn forget(&mut self, execution: ExecutionId) {
        self.flows.remove(&execution);
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

/// Makes lines of events.
struct Lines<'t> {
    columns: &'t Columns,
    clock_is_virtual: bool,
    is_child: bool,
}

impl Lines<'_> {
    fn event(&self, flow: &mut Flow, event: &HistoryEvent) -> Vec<String> {
        let choice = flow.chosen(event).map(|chosen| {
            let next = match &event.details {
                EventDetails::StateEntered { name, .. } => Some(&**name),
                _ => None,
            };
            self.choice(&chosen, next)
        });
        choice
            .into_iter()
            .chain(self.describe_event(flow, event))
            .collect()
    }

    fn describe_event(&self, flow: &mut Flow, event: &HistoryEvent) -> Vec<String> {
        let now = event.timestamp;
        let line = match &event.details {
            EventDetails::StateEntered {
                state_type,
                name,
                input,
                ..
            } => {
                let entry = flow.enter(event, *state_type, name, input);
                entry.holds_states().then(|| self.opening(entry))
            }
            EventDetails::StateExited {
                name,
                output,
                assigned_variables,
                ..
            } => match flow.exit(event, name) {
                Some(entry) if entry.state_type == StateType::Choice => {
                    flow.choose(event, entry, assigned_variables);
                    None
                }
                entry => entry.map(|entry| self.exit(&entry, output, assigned_variables, now)),
            },
            EventDetails::ParallelStateStarted => {
                flow.open(event, None);
                None
            }
            EventDetails::MapIterationStarted { index, .. } => {
                flow.open(event, Some(format!("#{index}")));
                None
            }
            EventDetails::LambdaFunctionScheduled { .. }
            | EventDetails::TaskScheduled { .. }
            | EventDetails::ActivityScheduled { .. } => {
                let entry = flow.follow(event);
                entry.and_then(|entry| self.attempt(entry, now))
            }
            EventDetails::LambdaFunctionFailed(error_output)
            | EventDetails::LambdaFunctionTimedOut(error_output)
            | EventDetails::ActivityFailed(error_output)
            | EventDetails::ActivityTimedOut(error_output)
            | EventDetails::TaskFailed { error_output, .. }
            | EventDetails::TaskTimedOut { error_output, .. } => {
                let entry = flow.follow(event);
                let told = describe_error(error_output);
                entry.map(|entry| self.failure(entry, &told, now))
            }
            EventDetails::ExecutionFailed(error_output) => {
                let told = describe_error(error_output);
                return self.end_of_execution(flow, &told, now);
            }
            _ => {
                flow.follow(event);
                None
            }
        };
        line.into_iter().collect()
    }

    fn opening(&self, entry: &Entry) -> String {
        self.columns.row(&Row {
            entry,
            sign: ' ',
            kind: entry.state_type.as_str(),
            data: &entry.new_input(),
            note: "",
            took: None,
        })
    }

    fn choice(&self, chosen: &ChoiceExit, next: Option<&str>) -> String {
        let entry = &chosen.entry;
        let mut data = entry.new_input();
        data.extend(next.map(Part::Next));
        data.extend(assignments(&chosen.assigned));
        self.columns.row(&Row {
            entry,
            sign: ' ',
            kind: entry.state_type.as_str(),
            data: &data,
            note: "",
            took: elapsed(entry.entered, chosen.left),
        })
    }

    fn exit(
        &self,
        entry: &Entry,
        output: &Value,
        assigned: &[(Arc<str>, Arc<Value>)],
        now: Timestamp,
    ) -> String {
        let holds = entry.holds_states();
        let change = Change::compare(&entry.input, output);
        let note = match (entry.state_type, &change) {
            _ if entry.failed_at.is_some() => "caught",
            (StateType::Succeed | StateType::Wait, _) => "",
            (_, Change::Unchanged) if assigned.is_empty() => "unchanged",
            _ => "",
        };
        let mut data = match change {
            Change::Replaced if holds => vec![Part::Output(output)],
            Change::Replaced => vec![Part::Replaced(&entry.input, output)],
            Change::Unchanged if holds => Vec::new(),
            Change::Unchanged => entry.new_input(),
            Change::Fields(fields) if holds => fields,
            Change::Fields(fields) => [entry.new_input(), fields].concat(),
        };
        data.extend(assignments(assigned));
        let took = elapsed(entry.entered, now).map(|took| {
            match self.clock_is_virtual && entry.state_type == StateType::Wait {
                true => format!("{took} skipped"),
                false => took,
            }
        });
        self.columns.row(&Row {
            entry,
            sign: if holds { '└' } else { ' ' },
            kind: if holds { "" } else { entry.state_type.as_str() },
            data: &data,
            note,
            took,
        })
    }

    /// Returns a further attempt, after a failure.
    fn attempt(&self, entry: &mut Entry, now: Timestamp) -> Option<String> {
        entry.attempts += 1;
        let failed_at = entry.failed_at.take()?;
        let retry = entry.attempts - 1;
        let waited = match (elapsed(failed_at, now), self.clock_is_virtual) {
            (Some(waited), true) => format!(", {waited} skipped"),
            (Some(waited), false) => format!(" after {waited}"),
            (None, _) => String::new(),
        };
        Some(
            self.columns
                .remark(entry, WARNING, &format!("↻ retry {retry}{waited}")),
        )
    }

    fn failure(&self, entry: &mut Entry, told: &str, now: Timestamp) -> String {
        entry.failed_at = Some(now);
        self.columns.remark(entry, ERROR, &format!("✗ {told}"))
    }

    /// Returns the states that have not ended, innermost last; the error of a task is already printed.
    fn end_of_execution(&self, flow: &mut Flow, told: &str, now: Timestamp) -> Vec<String> {
        let mut lines = Vec::new();
        for entry in flow.unfinished() {
            if entry.failed_at.is_none() && entry.holds_states() {
                continue;
            }
            lines.push(self.columns.row(&Row {
                entry: &entry,
                sign: ' ',
                kind: entry.state_type.as_str(),
                data: &[Part::Value(&entry.input)],
                note: if entry.failed_at.is_some() {
                    "failed"
                } else {
                    ""
                },
                took: elapsed(entry.entered, now),
            }));
            if entry.failed_at.is_none() {
                lines.push(self.columns.remark(&entry, ERROR, &format!("✗ {told}")));
            }
        }
        if lines.is_empty() && self.is_child {
            lines.push(format!("{ERROR}✗ {told}{ERROR:#}"));
        }
        lines
    }
}

fn assignments(assigned: &[(Arc<str>, Arc<Value>)]) -> impl Iterator<Item = Part<'_>> {
    assigned
        .iter()
        .map(|(name, value)| Part::Assigned(name, value))
}

fn describe_error(output: &ErrorOutput) -> String {
    match (&output.error, &output.cause) {
        (Some(error), Some(cause)) => format!("{error}: {cause}"),
        (Some(text), None) | (None, Some(text)) => text.clone(),
        (None, None) => "failed".to_owned(),
    }
}
