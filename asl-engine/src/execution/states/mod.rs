//! What each state type does: one file a type. A function takes the turn of a flow and says what comes next.

mod broken;
mod choice;
mod distributed_map;
mod fail;
mod iteration_input;
mod map;
mod map_run;
mod map_run_begin;
mod map_run_children;
mod parallel;
mod pass;
mod succeed;
pub(super) mod task;
mod task_events;
mod wait;

pub(super) use distributed_map::{storage_failed, storage_succeeded};
pub(super) use map_run::{can_go_on, pending_child};
pub(super) use map_run_children::{child_ended, map_run_updated};

use super::error::StateError;
use super::machine::{MapIterations, Next, Phase, Resumption, Stepped, Turn};
use crate::data::Data;
use crate::history::EventDetails;
use crate::program::{Processing, ResultPath, StateAction};
use asl_model::ProcessorMode;

/// Does the work of the state that a flow is in, for the first time or again.
#[inline]
pub(super) fn attempt(turn: &mut Turn<'_>) -> Stepped {
    match &turn.state.action {
        StateAction::Pass(result) => pass::pass(turn, result.as_ref()),
        StateAction::Choice { rules, default } => choice::choice(turn, rules, *default),
        StateAction::Task(task) => task::invoke(turn, task),
        StateAction::Wait(duration) => wait::wait(turn, duration),
        StateAction::Succeed => succeed::succeed(turn),
        StateAction::Fail { error, cause } => fail::fail(turn, error.as_ref(), cause.as_ref()),
        StateAction::Parallel { branches, .. } => parallel::start(turn, branches),
        StateAction::Map(map) => map::start(turn, map),
    }
}

/// A Task, Parallel or Map State has a result: its fields are applied, and the state is left.
pub(super) fn settle(turn: &mut Turn<'_>, result: Data) -> Stepped {
    let last = turn.flow.last_event_id;
    let Some(succeeded) = record_success(turn) else {
        return apply(turn, result, last);
    };
    // The event may have been the last that the limit allows.
    if turn.machine.has_ended() {
        return Ok(Next::Wait(Phase::Interrupted(Resumption::Attempt)));
    }
    // Recorded: a fault of the state's own fields links to this event, the state's exit to what was before it.
    turn.flow.last_event_id = succeeded;
    apply(turn, result, last)
}

/// The events of a Parallel or Map State that has its result: which is the last of them.
fn record_success(turn: &mut Turn<'_>) -> Option<u64> {
    let last = turn.flow.last_event_id;
    let machine = &mut *turn.machine;
    match &turn.state.action {
        StateAction::Parallel { .. } => {
            Some(machine.record(last, || EventDetails::ParallelStateSucceeded))
        }
        StateAction::Map(map) if map.mode == ProcessorMode::Distributed => {
            let succeeded = machine.record(last, || EventDetails::MapRunSucceeded);
            Some(machine.record(succeeded, || EventDetails::MapStateSucceeded))
        }
        StateAction::Map(_) => Some(machine.record(last, || EventDetails::MapStateSucceeded)),
        _ => None,
    }
}

/// Applies the state's fields to its result, and leaves it; the event of that links to `last`.
fn apply(turn: &mut Turn<'_>, result: Data, last: u64) -> Stepped {
    let own = std::mem::replace(&mut turn.flow.last_event_id, last);
    let settled = combine(turn, result, own, last);
    if settled.is_err() && turn.flow.last_event_id == last {
        turn.flow.last_event_id = own;
    }
    settled
}

fn combine(turn: &mut Turn<'_>, result: Data, own: u64, last: u64) -> Stepped {
    let state = turn.state;
    if turn.is_plain() {
        match &state.processing {
            Processing::JsonPath(processing) if processing.result_selector.is_none() => {
                return turn.combine(&processing.result_path, result);
            }
            Processing::Jsonata(processing) if processing.output.is_none() => {
                return turn.combine(&ResultPath::Replace, result);
            }
            _ => {}
        }
    }
    turn.flow.last_event_id = own;
    let output = turn.evaluate(|evaluation, raw| evaluation.resulted(state, raw, result))?;
    turn.flow.last_event_id = last;
    turn.leave(output)
}

/// A Wait State is over.
pub(super) fn waited(turn: &mut Turn<'_>) -> Stepped {
    wait::waited(turn)
}

/// An inline Map State goes on with its iterations.
pub(super) fn iterate(turn: &mut Turn<'_>, iterations: Box<MapIterations>) -> Stepped {
    match &turn.state.action {
        StateAction::Map(map) => map::start_iteration(turn, map, iterations),
        _ => Ok(Next::Wait(Phase::Map(iterations))),
    }
}

/// A distributed Map State goes on with its children.
pub(super) fn run_children(
    turn: &mut Turn<'_>,
    distributed: Box<super::machine::DistributedMap>,
) -> Stepped {
    match &turn.state.action {
        StateAction::Map(map) => map_run_children::go_on(turn, map, distributed),
        _ => Ok(Next::Wait(Phase::DistributedMap(distributed))),
    }
}

/// A branch or an iteration of the state reached its end with `output`.
pub(super) fn child_succeeded(
    turn: &mut Turn<'_>,
    phase: Phase,
    index: u32,
    last_event_id: u64,
    output: Data,
) -> Stepped {
    match phase {
        Phase::Parallel(branches) => {
            parallel::branch_succeeded(turn, branches, index, last_event_id, output)
        }
        Phase::Map(iterations) => {
            map::iteration_succeeded(turn, iterations, index, last_event_id, output)
        }
        other => Ok(Next::Wait(other)),
    }
}

/// A branch or an iteration of the state failed.
pub(super) fn child_failed(
    turn: &mut Turn<'_>,
    phase: Phase,
    index: u32,
    last_event_id: u64,
    error: Box<StateError>,
) -> Stepped {
    match phase {
        Phase::Parallel(branches) => {
            parallel::branch_failed(turn, branches, index, last_event_id, error)
        }
        Phase::Map(iterations) => {
            map::iteration_failed(turn, iterations, index, last_event_id, error)
        }
        other => Ok(Next::Wait(other)),
    }
}
