//! A state that one of its branches, iterations or child executions failed.
use crate::execution::error::StateError;
use crate::execution::machine::{Broken, FlowId, Next, Phase, Turn};
use crate::history::{EventDetails, StateType};
use std::sync::Arc;

/// Handles the failure of the child of this index: the others are cancelled, and the error is handled when
/// the flow is polled.
pub(super) fn broken(
    turn: &mut Turn<'_>,
    children: Phase,
    failed: u32,
    error: Box<StateError>,
) -> Next {
    record_aborted(turn, &children, failed);
    turn.machine.interrupt_children(&children);
    Next::Yield(Phase::Broken(Box::new(Broken { error, children })))
}

/// Records the events of the work in progress below a failed state: a task in a failed branch is aborted too. They all link
/// to the event of the failure (recorded from the service for Task States and iterations).
fn record_aborted(turn: &mut Turn<'_>, children: &Phase, failed: u32) {
    let previous = turn.flow.last_event_id;
    for details in aborted(turn, children, failed) {
        turn.machine.record(previous, || details);
    }
}

/// A branch, or an iteration of a Map State.
struct Child {
    id: FlowId,
    iteration: Option<Iteration>,
}

/// The result of an iteration, with its index and the name of its Map State.
struct Iteration {
    name: Arc<str>,
    index: u64,
    has_failed: bool,
}

impl Iteration {
    fn into_event(self) -> EventDetails {
        let Self { name, index, .. } = self;
        match self.has_failed {
            true => EventDetails::MapIterationFailed { name, index },
            false => EventDetails::MapIterationAborted { name, index },
        }
    }
}

/// Iterations come by their index, that which failed among them (measured); of branches the one that failed comes first. Each comes
/// before its own children.
fn aborted(turn: &Turn<'_>, children: &Phase, failed: u32) -> Vec<EventDetails> {
    let mut events = Vec::new();
    let mut open = children_of(children, &turn.state.name, Some(failed));
    while let Some(Child { id, iteration }) = open.pop() {
        let (Some(flow), Some(phase)) = (turn.machine.flows.get(id), turn.machine.flows.phase(id))
        else {
            continue;
        };
        events.extend(iteration.map(Iteration::into_event));
        let state = turn.program.state(flow.state);
        let state_type = state.state_type;
        if is_aborted(phase, state_type) {
            events.push(EventDetails::StateAborted { state_type });
        }
        open.extend(children_of(phase, &state.name, None));
    }
    events
}

/// Returns the last first.
fn children_of(phase: &Phase, name: &Arc<str>, failed: Option<u32>) -> Vec<Child> {
    let children: Vec<(u32, Child)> = match phase {
        Phase::Parallel(branches) => {
            let branch = |(index, id): (u32, &Option<FlowId>)| {
                let iteration = None;
                id.map(|id| (index, Child { id, iteration }))
            };
            let mut branches: Vec<_> = (0..).zip(&branches.flows).filter_map(branch).collect();
            branches.sort_by_key(|(index, _)| Some(*index) != failed);
            branches
        }
        Phase::Map(iterations) => {
            let iteration = |(index, id): (u32, &FlowId)| {
                let iteration = Some(Iteration {
                    name: Arc::clone(name),
                    index: u64::from(index),
                    has_failed: Some(index) == failed,
                });
                (index, Child { id: *id, iteration })
            };
            let mut iterations: Vec<_> = iterations.running.iter().map(iteration).collect();
            iterations.sort_by_key(|(index, _)| *index);
            iterations
        }
        _ => Vec::new(),
    };
    children.into_iter().rev().map(|(_, child)| child).collect()
}

/// Returns true if a state is recorded as aborted: a failed task, or any other state that was entered and waits.
fn is_aborted(phase: &Phase, state_type: StateType) -> bool {
    match phase {
        Phase::Entering => false,
        Phase::Interrupted(_) => state_type == StateType::Task,
        _ => matches!(
            state_type,
            StateType::Task | StateType::Wait | StateType::Parallel | StateType::Map
        ),
    }
}
