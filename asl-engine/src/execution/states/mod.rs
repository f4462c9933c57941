//! State types, one file each. A function receives the turn of a flow, and returns the next step.

mod broken;
mod choice;
mod distributed_map;
mod fail;
mod iteration_input;
mod map;
mod map_run;
mod map_run_children;
mod map_run_reading;
mod map_run_start;
mod mocked;
mod parallel;
mod pass;
mod succeed;
pub(super) mod task;
mod task_events;
mod wait;

pub(super) use distributed_map::{storage_failed, storage_succeeded};
pub(super) use map_run::{can_go_on, pending_child};
pub(super) use map_run_children::{child_ended, map_run_updated};
pub(super) use map_run_reading::max_running_weight;

use super::error::StateError;
use super::machine::{MapIterations, Next, Phase, Resumption, StepResult, Turn};
use crate::data::Data;
use crate::history::EventDetails;
use crate::program::{Processing, ResultPath, StateAction};
use asl_model::ProcessorMode;
use std::hint::cold_path;

/// Does the work of the state that a flow is in, for the first time or again.
#[inline]
pub(super) fn attempt(turn: &mut Turn<'_>) -> StepResult {
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

/// Applies the fields of a Task, Parallel or Map State to its result, and leaves the state.
pub(super) fn settle(turn: &mut Turn<'_>, mut result: Data) -> StepResult {
    let before = turn.flow.last_event_id;
    record_success(turn);
    // The event may have been the last that the limit allows.
    if turn.machine.has_ended() {
        cold_path();
        return Ok(Next::Wait(Phase::Interrupted(Resumption::Attempt)));
    }
    // Recorded: a fault of the state's own fields links to its success, its exit to what was before that.
    let success = turn.flow.last_event_id;
    let state = turn.state;
    let settled = match plain_result_path(turn) {
        Some(path) => {
            turn.flow.last_event_id = before;
            turn.combine(path, result)
        }
        None => {
            let output =
                turn.evaluate(|evaluation, raw| evaluation.result_output(state, raw, &mut result));
            if turn.is_abandoned() {
                turn.undone_phase = Some(Phase::Succeeded(result.into()));
            }
            let output = output?;
            turn.flow.last_event_id = before;
            turn.leave(output)
        }
    };
    if settled.is_err() && turn.flow.last_event_id == before {
        turn.flow.last_event_id = success;
    }
    settled
}

/// The events of a Parallel or Map State that has its result.
fn record_success(turn: &mut Turn<'_>) {
    match &turn.state.action {
        StateAction::Parallel { .. } => {
            turn.record(|| EventDetails::ParallelStateSucceeded);
        }
        StateAction::Map(map) => {
            if map.mode == ProcessorMode::Distributed {
                turn.record(|| EventDetails::MapRunSucceeded);
            }
            turn.record(|| EventDetails::MapStateSucceeded);
        }
        _ => {}
    }
}

/// Returns the ResultPath of a state that has no other output processing.
fn plain_result_path<'t>(turn: &Turn<'t>) -> Option<&'t ResultPath> {
    if !turn.is_plain() {
        return None;
    }
    match &turn.state.processing {
        Processing::JsonPath(processing) if processing.result_selector.is_none() => {
            Some(&processing.result_path)
        }
        Processing::Jsonata(processing) if processing.output.is_none() => {
            Some(&ResultPath::Replace)
        }
        _ => None,
    }
}

/// A Wait State is over.
pub(super) fn waited(turn: &mut Turn<'_>) -> StepResult {
    wait::waited(turn)
}

/// An inline Map State continues with its iterations.
pub(super) fn iterate(turn: &mut Turn<'_>, iterations: Box<MapIterations>) -> StepResult {
    match &turn.state.action {
        StateAction::Map(map) => map::start_iteration(turn, map, iterations),
        _ => Ok(Next::Wait(Phase::Map(iterations))),
    }
}

/// A distributed Map State continues with its children.
pub(super) fn run_children(
    turn: &mut Turn<'_>,
    distributed: Box<super::machine::DistributedMap>,
) -> StepResult {
    match &turn.state.action {
        StateAction::Map(map) => map_run_children::start_next_child(turn, map, distributed),
        _ => Ok(Next::Wait(Phase::DistributedMap(distributed))),
    }
}

/// Handles the end of a branch or an iteration of the state, with its output.
pub(super) fn child_succeeded(
    turn: &mut Turn<'_>,
    phase: Phase,
    index: u32,
    last_event_id: u64,
    output: Data,
) -> StepResult {
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

/// Handles the failure of a branch or an iteration of the state.
pub(super) fn child_failed(
    turn: &mut Turn<'_>,
    phase: Phase,
    index: u32,
    last_event_id: u64,
    error: Box<StateError>,
) -> StepResult {
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
