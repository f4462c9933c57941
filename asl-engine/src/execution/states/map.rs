//! Map States: inline iterations (2024 specification, Map State).
use super::broken::broken;
use super::distributed_map;
use super::iteration_input::iteration_input;
use super::mocked;
use crate::data::{Data, Measure};
use crate::execution::error::StateError;
use crate::execution::evaluate::{InspectionEvent, MapRequest, map_request, tolerated_failure};
use crate::execution::machine::{
    Broken, FLOW, MapIterations, Next, Owner, Phase, Resumption, StepResult, Turn,
};
use crate::history::EventDetails;
use crate::program::MapState;
use crate::row::Row;
use asl_model::ProcessorMode;
use serde_json::Value;
use std::hint::cold_path;
use std::sync::Arc;

pub(super) fn start(turn: &mut Turn<'_>, map: &MapState) -> StepResult {
    let state = turn.state;
    let mut request = turn.evaluate(|evaluation, raw| map_request(evaluation, state, map, raw))?;
    let length = u64::from(request.items.length);
    let started = turn.record(|| EventDetails::MapStateStarted { length });
    // Recorded: a wrong threshold shows after the state has started, a wrong concurrency before.
    request.tolerated_failure = turn
        .evaluate(|evaluation, _| tolerated_failure(evaluation, map, &request.effective_input))?;
    if turn.machine.has_ended() {
        return Ok(Next::Wait(Phase::Interrupted(Resumption::Attempt)));
    }
    if turn.machine.inspector.is_some() {
        report_limits(turn, &request);
    }
    if map.mode == ProcessorMode::Distributed {
        return distributed_map::start(turn, map, request);
    }
    if mocked::children(turn).is_some() {
        return mocked::map(turn, map, &request);
    }
    turn.inspect(|| InspectionEvent::Iterations { count: length });
    let limit = turn.machine.start.limits.max_inline_iterations;
    request.max_concurrency = at_a_time(request.max_concurrency, limit);
    let iterations = MapIterations {
        outputs: Vec::new(),
        request,
        next: 0,
        running: Row::default(),
        freed_by_event_id: started,
        queued: false,
        failures: 0,
        outputs_measure: Measure::EMPTY_ARRAY,
    };
    let started = start_iteration(turn, map, Box::new(iterations));
    // The first iteration begins with the state: either is undone with the other.
    turn.undone_phase = None;
    started
}

#[cold]
fn report_limits(turn: &mut Turn<'_>, request: &MapRequest) {
    let tolerated = request.tolerated_failure.unwrap_or_default();
    let fields = [
        ("MaxConcurrency", Some(Value::from(request.max_concurrency))),
        ("ToleratedFailureCount", tolerated.count().map(Value::from)),
        (
            "ToleratedFailurePercentage",
            tolerated.percentage().map(Value::from),
        ),
    ];
    for (field, value) in fields {
        if let Some(value) = &value {
            turn.inspect(|| InspectionEvent::Field { field, value });
        }
    }
}

/// Returns the maximum number of concurrent iterations; 0 for no limit.
fn at_a_time(max_concurrency: u64, limit: Option<u64>) -> u64 {
    match (max_concurrency, limit) {
        (wanted, None) => wanted,
        (0, Some(limit)) => limit.max(1),
        (wanted, Some(limit)) => wanted.min(limit.max(1)),
    }
}

/// Starts the next iteration if the limit allows it, and returns for the following one.
pub(super) fn start_iteration(
    turn: &mut Turn<'_>,
    map: &MapState,
    mut iterations: Box<MapIterations>,
) -> StepResult {
    iterations.queued = false;
    if !iterations.has_room() {
        return Ok(if iterations.running.is_empty() {
            finish(*iterations)
        } else {
            Next::Wait(Phase::Map(iterations))
        });
    }
    let index = iterations.next;
    let charged = turn.charge(FLOW);
    let input = charged.and_then(|()| iteration_input(turn, map, &iterations.request, index));
    let input = match input {
        Ok(input) => input,
        Err(error) if turn.is_abandoned() => {
            cold_path();
            iterations.queued = true;
            turn.undone_phase = Some(Phase::Map(iterations));
            return Err(error);
        }
        Err(error) => {
            cold_path();
            let children = Phase::Map(iterations);
            turn.machine.interrupt_children(&children);
            let broken = Broken { error, children };
            return Ok(Next::Again(Phase::Broken(Box::new(broken))));
        }
    };
    let name = &turn.state.name;
    let started = turn.machine.record(iterations.freed_by_event_id, || {
        EventDetails::MapIterationStarted {
            name: Arc::clone(name),
            index: u64::from(index),
        }
    });
    // The event may have been the last that the limit allows.
    if turn.machine.has_ended() {
        cold_path();
        return Ok(Next::Wait(Phase::Map(iterations)));
    }
    iterations.next += 1;
    iterations.outputs.push(None);
    let owner = Owner {
        flow: turn.id,
        index,
    };
    let machine = &mut *turn.machine;
    let first = turn.program.start_of(map.scope);
    let child = machine.flows.start(Some(owner), first, input, started);
    iterations.running.insert(index, child);
    iterations.queued = iterations.has_room();
    if iterations.queued {
        machine.ready.push_back(turn.id);
    }
    machine.ready.push_front(child);
    Ok(Next::Wait(Phase::Map(iterations)))
}

/// Handles the end of an iteration.
pub(super) fn iteration_succeeded(
    turn: &mut Turn<'_>,
    mut iterations: Box<MapIterations>,
    index: u32,
    last_event_id: u64,
    output: Data,
) -> StepResult {
    iterations.running.remove(index);
    iterations.freed_by_event_id = last_event_id;
    iterations.outputs_measure = iterations.outputs_measure.with_element(output.measure);
    if let Some(place) = iterations.outputs.get_mut(index as usize) {
        *place = Some(output.into_value());
    }
    let name = &turn.state.name;
    let succeeded = turn
        .machine
        .record(last_event_id, || EventDetails::MapIterationSucceeded {
            name: Arc::clone(name),
            index: u64::from(index),
        });
    Ok(iteration_ended(turn, iterations, succeeded))
}

/// Handles the failure of an iteration.
pub(super) fn iteration_failed(
    turn: &mut Turn<'_>,
    mut iterations: Box<MapIterations>,
    index: u32,
    last_event_id: u64,
    mut error: Box<StateError>,
) -> StepResult {
    let total = u64::from(iterations.request.items.length);
    match iterations.request.tolerated_failure {
        // 2024 specification, Map State: above the threshold the state fails with an error of its own.
        Some(tolerated) if error.is_catchable() => {
            if !tolerated.is_exceeded(iterations.failures + 1, total) {
                iterations.failures += 1;
                iterations.freed_by_event_id = last_event_id;
                let name = &turn.state.name;
                turn.machine
                    .record(last_event_id, || EventDetails::MapIterationFailed {
                        name: Arc::clone(name),
                        index: u64::from(index),
                    });
                if let Some(failed) = iterations.running.remove(index) {
                    turn.machine.release_flow(failed);
                }
                return Ok(iteration_ended(turn, iterations, last_event_id));
            }
            *error = StateError::too_many_failures();
        }
        // What leaves an iteration is no branch's error any more.
        _ => error.of_branch = false,
    }
    turn.flow.last_event_id = last_event_id;
    Ok(broken(turn, Phase::Map(iterations), index, error))
}

/// The Map State continues with its next iteration, or to its end.
fn iteration_ended(turn: &mut Turn<'_>, mut iterations: Box<MapIterations>, event_id: u64) -> Next {
    turn.flow.last_event_id = event_id;
    let goes_on = iterations.has_room() || iterations.running.is_empty();
    if goes_on && !iterations.queued {
        iterations.queued = true;
        return Next::Yield(Phase::Map(iterations));
    }
    Next::Wait(Phase::Map(iterations))
}

fn finish(iterations: MapIterations) -> Next {
    let outputs: Vec<Value> = iterations.outputs.into_iter().flatten().collect();
    let result = Data::new(Value::Array(outputs), iterations.outputs_measure);
    Next::Again(Phase::Succeeded(result.into()))
}
