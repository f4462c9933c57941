//! The visit that each event of a history belongs to. Events are linked to the ones before them; this is the only place that
//! follows the links.
mod attempts;
mod flows;
mod redrive;

use crate::account::StrandKind;
use crate::state_tree::StateTree;
use crate::visit::{Attempt, Holder, PreviousVisit, Visit};
use asl_engine::history::{EventDetails, HistoryEvent, StateType};
use flows::{Flow, Opening};
use redrive::Redrive;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Events remembered of a state that holds no others. Its events are linked to the ones right before them.
const MOST_EVENTS: usize = 16;

/// The flow of the execution itself.
const ROOT: u64 = 0;

/// Assigns events to visits, as the events arise or from a recorded history. Visits that ended are not remembered.
///
/// ```
/// use asl_engine::history::{EventDetails, HistoryEvent, StateType};
/// use asl_trace::{Spans, StateTree};
///
/// let mut spans = Spans::new(StateTree::default());
/// let event = |id, details| HistoryEvent { id, previous_event_id: id - 1, timestamp: Default::default(), details };
/// let (name, state_type) = ("Work".into(), StateType::Task);
/// spans.push(&event(1, EventDetails::StateEntered { state_type, name, input: Default::default(), input_text: None }));
/// let failed = spans.push(&event(2, EventDetails::LambdaFunctionFailed(Default::default())));
/// assert_eq!(&*failed.visit.unwrap().state, "Work");
/// ```
#[derive(Debug, Default)]
pub struct Spans {
    tree: StateTree,
    /// Holders of the execution itself.
    outer: Arc<[Holder]>,
    flows: BTreeMap<u64, Flow>,
    /// The flows of the events that others may be linked to.
    positions: HashMap<u64, u64>,
    /// The events that start branches and iterations.
    openings: HashMap<u64, Opening>,
    last_flow: u64,
    /// The visit that the last event ended.
    exited: Option<Visit>,
    redrive: Option<Redrive>,
}

/// The context of an event: its visit, and what ended with it.
#[derive(Debug)]
#[non_exhaustive]
pub struct EventContext<'s> {
    /// The visit that the event belongs to, as it is after the event. None for an event of the execution, or of an unknown
    /// state.
    pub visit: Option<&'s Visit>,
    /// The attempt that ended with the event.
    pub attempt: Option<Attempt>,
    /// Visits in branches and iterations that ended without an exit, because the enclosing state goes on.
    pub interrupted: Vec<Visit>,
}

/// The effect of an event.
#[derive(Default)]
struct Effect {
    /// The flow that the next event follows.
    flow: u64,
    /// True if the event belongs to the visit of the flow.
    is_of_visit: bool,
    attempt: Option<Attempt>,
    interrupted: Vec<Visit>,
}

impl Effect {
    fn of_visit(flow: u64) -> Self {
        Self {
            flow,
            is_of_visit: true,
            ..Self::default()
        }
    }

    fn of_execution(flow: u64) -> Self {
        Self {
            flow,
            ..Self::default()
        }
    }
}

impl Spans {
    /// Creates the spans of an execution of a definition. Without the definition, some histories are ambiguous: the start of a
    /// retried state among nested ones, and events after a redrive.
    pub fn new(tree: StateTree) -> Self {
        Self::within(tree, Arc::default())
    }

    /// Creates the spans of a child execution, with the [holders of a child](Self::holders_of_child).
    pub fn within(tree: StateTree, outer: Arc<[Holder]>) -> Self {
        Self {
            tree,
            outer,
            ..Self::default()
        }
    }

    /// Returns the holders of a child execution of a distributed Map State of this execution.
    pub fn holders_of_child(&self, state: &str, index: u64) -> Arc<[Holder]> {
        let visit = self.open().find(|visit| &*visit.state == state);
        let around = visit.map_or(&self.outer, |visit| &visit.holders);
        let child = Holder {
            state: state.into(),
            kind: StrandKind::Child,
            index,
        };
        around.iter().cloned().chain([child]).collect()
    }

    /// Returns the visits that have not ended, in the order of branches and iterations.
    pub fn open(&self) -> impl Iterator<Item = &Visit> {
        self.flows.values().filter_map(|flow| flow.visit.as_ref())
    }

    /// Returns the visit of the Parallel or Map State that contains another visit, if it has not ended.
    pub fn enclosing(&self, visit: &Visit) -> Option<&Visit> {
        self.visit(visit.flow_parent?.0)
    }

    /// Returns the visits that have not ended, in the order of their entries, and forgets all.
    pub fn finish(&mut self) -> Vec<Visit> {
        let flows = std::mem::take(&mut self.flows).into_values();
        let mut visits: Vec<Visit> = flows.filter_map(|flow| flow.visit).collect();
        visits.sort_by_key(|visit| visit.event_id);
        self.positions.clear();
        self.openings.clear();
        visits
    }

    /// Adds the next event.
    pub fn push(&mut self, event: &HistoryEvent) -> EventContext<'_> {
        self.exited = None;
        let before = self.positions.get(&event.previous_event_id);
        let before = before.copied().unwrap_or(ROOT);
        let effect = self.apply(event, before);
        self.remember(event.id, effect.flow);
        let open = self.exited.as_ref().or_else(|| self.visit(effect.flow));
        EventContext {
            visit: open.filter(|_| effect.is_of_visit),
            attempt: effect.attempt,
            interrupted: effect.interrupted,
        }
    }

    fn apply(&mut self, event: &HistoryEvent, before: u64) -> Effect {
        use EventDetails as E;
        match &event.details {
            E::StateEntered {
                state_type, name, ..
            } => self.enter(event, before, name, *state_type),
            E::StateExited { name, .. } => self.exit(event, before, name),
            E::ParallelStateStarted => self.start_holder(event, before, StateType::Parallel),
            E::MapStateStarted { .. } => self.start_holder(event, before, StateType::Map),
            E::ParallelStateSucceeded => self.end_holder(event, before, StateType::Parallel),
            E::MapStateSucceeded => self.end_holder(event, before, StateType::Map),
            E::ParallelStateFailed => self.fail_holder(event, before, StateType::Parallel),
            E::MapStateFailed => self.fail_holder(event, before, StateType::Map),
            E::MapIterationStarted { name, index } => {
                let parent = self.named(before, name);
                let iteration = Some(*index);
                self.openings
                    .insert(event.id, Opening { parent, iteration });
                Effect::of_visit(parent)
            }
            E::MapIterationSucceeded { name, index }
            | E::MapIterationFailed { name, index }
            | E::MapIterationAborted { name, index } => self.end_iteration(before, name, *index),
            E::MapRunStarted { .. } | E::MapRunRedriven { .. } | E::MapRunSucceeded => {
                Effect::of_visit(self.nearest(before, |visit| visit.state_type == StateType::Map))
            }
            E::MapRunFailed(_) => {
                let flow = self.nearest(before, |visit| visit.state_type == StateType::Map);
                self.fail(event, flow)
            }
            E::LambdaFunctionScheduled { .. }
            | E::ActivityScheduled { .. }
            | E::TaskScheduled { .. } => self.start_task(event, before),
            E::LambdaFunctionSucceeded { .. }
            | E::ActivitySucceeded { .. }
            | E::TaskSucceeded { .. } => self.end_attempt(event, before),
            E::EvaluationFailed { state, .. } => {
                let flow = self.named(before, state);
                self.fail(event, flow)
            }
            E::ExecutionFailed(_) => self.fail_execution(event, before),
            E::ExecutionTimedOut(_) | E::ExecutionAborted(_) => Effect::of_visit(before),
            E::ExecutionRedriven { .. } => self.redrive(event, before),
            E::ExecutionStarted { .. } | E::ExecutionSucceeded { .. } | E::StateAborted { .. } => {
                Effect::of_execution(before)
            }
            details => match details.error_output() {
                Some(_) => self.fail(event, before),
                None => Effect::of_visit(before),
            },
        }
    }

    fn enter(
        &mut self,
        event: &HistoryEvent,
        before: u64,
        name: &Arc<str>,
        state_type: StateType,
    ) -> Effect {
        let id = match self.openings.get(&event.previous_event_id).copied() {
            Some(opening) => self.start_flow(opening, name),
            None => self.flow_of_state(before, name),
        };
        let mut interrupted = self.end_inner(id);
        let outer = Arc::clone(&self.outer);
        let flow = self.flows.entry(id).or_insert_with(|| Flow::new(outer));
        for event in std::mem::take(&mut flow.events) {
            self.positions.remove(&event);
        }
        flow.branches = 0;
        let input = match &event.details {
            EventDetails::StateEntered { input, .. } => Arc::clone(input),
            _ => Arc::default(),
        };
        let visit = Visit {
            event_id: event.id,
            state: Arc::clone(name),
            state_type,
            holders: Arc::clone(&flow.holders),
            parent: None,
            previous: flow.previous.take(),
            entered: event.timestamp,
            input,
            attempt: None,
            failure: None,
            left: None,
            flow: id,
            flow_parent: flow.parent,
            has_given_up: false,
            inner_failure: None,
        };
        interrupted.extend(flow.visit.replace(visit));
        let parent = flow.parent.and_then(|(parent, _)| self.visit(parent));
        let parent = parent.map(|visit| visit.event_id);
        if let Some(visit) = self.visit_mut(id) {
            visit.parent = parent;
        }
        Effect {
            interrupted,
            ..Effect::of_visit(id)
        }
    }

    fn exit(&mut self, event: &HistoryEvent, before: u64, name: &str) -> Effect {
        let id = self.named(before, name);
        let interrupted = self.end_inner(id);
        let Some(flow) = self.flows.get_mut(&id) else {
            return Effect::of_execution(before);
        };
        let Some(mut visit) = flow.visit.take() else {
            return Effect::of_execution(id);
        };
        for event in std::mem::take(&mut flow.events) {
            self.positions.remove(&event);
            self.openings.remove(&event);
        }
        let attempt = visit.end_attempt(event.timestamp);
        visit.left = Some(event.timestamp);
        flow.previous = Some(PreviousVisit {
            state: Arc::clone(&visit.state),
            was_caught: visit.failure.is_some(),
        });
        self.exited = Some(visit);
        Effect {
            attempt,
            interrupted,
            ..Effect::of_visit(id)
        }
    }

    /// Remembers the flow of an event, for as long as other events may be linked to it.
    fn remember(&mut self, event: u64, flow: u64) {
        if let Some(flow) = self.flows.get_mut(&flow) {
            flow.events.insert(event);
            let holds = flow.visit.as_ref().is_some_and(Visit::holds_states);
            if !holds
                && flow.events.len() > MOST_EVENTS
                && let Some(oldest) = flow.events.pop_first()
            {
                self.positions.remove(&oldest);
            }
        }
        self.positions.insert(event, flow);
    }
}
