//! Distributed Map States: what a Map Run reads and writes, and how it ends (2022 specification, Map State).
//!
//! A Map Run reads its items, runs a child execution for each item or batch, and writes their results. The rules
//! of each step are in [`crate::distributed`]; here is what happens when.
use super::map_run::outputs;
use super::map_run_reading::{
    handle_result, items_failed, items_read, reader_limits, start_reading_again,
};
use super::map_run_start::{fail, running, start_children};
use super::mocked;
use crate::data::{Data, Items};
use crate::distributed::{ItemReading, ReadingProgress, StorageCall};
use crate::error_names;
use crate::execution::error::StateError;
use crate::execution::evaluate::{
    MapRequest, MaxItems, item_reader_request, reader_max_items, result_writer_parameters,
    written_results,
};
use crate::execution::input::StorageResult;
use crate::execution::machine::{
    Broken, DistributedMap, MapRun, Next, Phase, ResultExport, Resumption, Stage, StepResult, Turn,
};
use crate::execution::output::{EffectId, Output, StorageOperation, StorageRequest};
use crate::history::EventDetails;
use crate::program::MapState;
use serde_json::Value;
use std::collections::VecDeque;

/// Starts the Map Run of a state whose fields are evaluated.
pub(super) fn start(turn: &mut Turn<'_>, map: &MapState, request: MapRequest) -> StepResult {
    let reads = map.item_reader.is_some() && !mocked::has_no_items_to_read(turn);
    // Recorded: a number that is none ends the execution before the Map Run starts.
    let max_items = match reads {
        true => Some(turn.evaluate(|evaluation, _| {
            reader_max_items(evaluation, map, &request.effective_input)
        })?),
        false => None,
    };
    let map_run_arn = map_run_arn(turn, map);
    let arn = map_run_arn.clone();
    turn.record(|| EventDetails::MapRunStarted { map_run_arn: arn });
    // The event may have been the last that the limit allows.
    if turn.machine.has_ended() {
        return Ok(Next::Wait(Phase::Interrupted(Resumption::Attempt)));
    }
    let max_items = match max_items {
        None => return start_children(turn, map, map_run_arn, request),
        Some(MaxItems::Unlimited) => None,
        Some(MaxItems::Limit(limit)) => Some(limit),
        Some(MaxItems::Negative) => {
            let cause = "field MaxItems must be positive";
            let error = StateError::new(error_names::ITEM_READER_FAILED, cause);
            return Err(fail(turn, Box::new(error)));
        }
    };
    read_items(turn, map, (map_run_arn, request), max_items)
}

/// Returns `…:mapRun:STATE_MACHINE/LABEL:ID`, with an id instead of a missing label.
fn map_run_arn(turn: &mut Turn<'_>, map: &MapState) -> String {
    let machine = &mut *turn.machine;
    let label = match &map.label {
        Some(label) => label.clone(),
        None => machine.random.uuid(),
    };
    let state_machine_arn = machine.start.identity.state_machine_arn();
    let prefix = state_machine_arn.replacen(":stateMachine:", ":mapRun:", 1);
    format!("{prefix}/{label}:{}", machine.random.uuid())
}

fn read_items(
    turn: &mut Turn<'_>,
    map: &MapState,
    (map_run_arn, request): (String, MapRequest),
    max_items: Option<u64>,
) -> StepResult {
    let reader = turn.evaluate(|evaluation, _| {
        item_reader_request(evaluation, map, &request.effective_input, max_items)
    })?;
    match reader.start() {
        Ok(reading) => {
            let effect = call_storage(turn, reading.call());
            let reading = Box::new(reading);
            Ok(Next::Wait(running(
                map_run_arn,
                request,
                Stage::Reading { effect, reading },
            )))
        }
        Err(error) => {
            let error = StateError::new(error_names::ITEM_READER_FAILED, error.to_string());
            Err(fail(turn, Box::new(error)))
        }
    }
}

pub(super) fn call_storage(turn: &mut Turn<'_>, call: StorageCall) -> EffectId {
    let StorageCall { bucket, operation } = call;
    let id = turn.machine.effects.add(turn.id);
    let request = StorageRequest {
        id,
        bucket,
        operation,
    };
    turn.machine.emit(Output::Storage(Box::new(request)));
    id
}

/// Handles the result of the object store.
pub(crate) fn storage_succeeded(
    turn: &mut Turn<'_>,
    map: &MapState,
    effect: EffectId,
    distributed: DistributedMap,
    result: StorageResult,
) -> StepResult {
    turn.machine.effects.remove(effect);
    let DistributedMap {
        map_run_arn,
        request,
        stage,
    } = distributed;
    match stage {
        Stage::Reading { reading, .. } => {
            continue_reading(turn, map, (map_run_arn, request), reading, result)
        }
        Stage::Writing(writing) => Ok(write_next(turn, map_run_arn, request, *writing)),
        Stage::Running(run) => items_read(turn, map, (map_run_arn, request), run, result),
    }
}

fn continue_reading(
    turn: &mut Turn<'_>,
    map: &MapState,
    (map_run_arn, mut request): (String, MapRequest),
    mut reading: Box<ItemReading>,
    result: StorageResult,
) -> StepResult {
    let limits = reader_limits(turn);
    match handle_result(turn, &mut reading, result, &limits) {
        Ok(ReadingProgress::Complete) => {
            let started = match reading.counts_only {
                true => start_reading_again(turn, map, (map_run_arn, request), *reading),
                false => {
                    let counts_bytes = turn.machine.start.limits.max_payload_bytes.is_some();
                    request.items = Items::from_array(reading.take_items(), counts_bytes).into();
                    request.item_weight = request.items.item_weight();
                    start_children(turn, map, map_run_arn, request)
                }
            };
            match started {
                Ok(Next::Again(phase)) => Ok(Next::Yield(phase)),
                Ok(next) => Ok(next),
                Err(error) => Ok(Next::Yield(settled(error))),
            }
        }
        Ok(ReadingProgress::Continues) => {
            let effect = call_storage(turn, reading.call());
            let stage = Stage::Reading { effect, reading };
            Ok(Next::Wait(running(map_run_arn, request, stage)))
        }
        Err(error) => Ok(Next::Yield(settled(fail(turn, error)))),
    }
}

/// An error that is handled when the flow is polled.
fn settled(error: Box<StateError>) -> Phase {
    Phase::Failed(error)
}

/// Handles a request that the object store refused or failed.
pub(crate) fn storage_failed(
    turn: &mut Turn<'_>,
    effect: EffectId,
    distributed: DistributedMap,
    cause: String,
) -> StepResult {
    turn.machine.effects.remove(effect);
    let name = match &distributed.stage {
        Stage::Writing(_) => error_names::RESULT_WRITER_FAILED,
        Stage::Reading { .. } | Stage::Running(_) => error_names::ITEM_READER_FAILED,
    };
    let error = Box::new(StateError::new(name, cause));
    if let Stage::Running(run) = &distributed.stage {
        return Ok(items_failed(turn, run, error));
    }
    let error = fail(turn, error);
    Ok(Next::Yield(settled(error)))
}

/// Ends a Map whose children all ended, or of whom too many failed: the results are written, or are the state's result.
pub(super) fn finish(
    turn: &mut Turn<'_>,
    map: &MapState,
    (map_run_arn, request): (String, MapRequest),
    run: Box<MapRun>,
    error: Option<Box<StateError>>,
) -> StepResult {
    let Some(writer) = &map.result_writer else {
        return Ok(match error {
            Some(error) => fail_run(turn, map_run_arn, request, run, error),
            None => succeed(turn, outputs(*run)),
        });
    };
    let parameters = turn.evaluate(|evaluation, _| {
        result_writer_parameters(evaluation, map, &request.effective_input)
    });
    if turn.is_abandoned() {
        // Without an error it is found again that all children ended; with one, nothing is abandoned.
        let children = running(map_run_arn, request, Stage::Running(run));
        turn.undone_phase = Some(children);
        return parameters.map(|_| Next::Wait(Phase::Attempting));
    }
    let parameters = parameters?;
    match written_results(writer, parameters.as_ref(), &map_run_arn, &run.results) {
        Err(cause) => {
            let error = StateError::new(error_names::RESULT_WRITER_FAILED, cause);
            Err(fail(turn, Box::new(error)))
        }
        Ok((bucket, later, result)) => {
            let result = error.map_or(Ok(result), Err);
            let (first, later) = first_of(later);
            match first {
                None => Ok(end(turn, (map_run_arn, request), run, result)),
                Some(operation) => {
                    let effect = write(turn, &bucket, &operation);
                    let writing = ResultExport {
                        effect,
                        bucket,
                        operation,
                        later,
                        result,
                        run,
                    };
                    let stage = Stage::Writing(Box::new(writing));
                    Ok(Next::Wait(running(map_run_arn, request, stage)))
                }
            }
        }
    }
}

fn write(turn: &mut Turn<'_>, bucket: &str, operation: &StorageOperation) -> EffectId {
    let call = StorageCall {
        bucket: bucket.to_owned(),
        operation: operation.clone(),
    };
    call_storage(turn, call)
}

fn first_of<T>(mut queue: VecDeque<T>) -> (Option<T>, VecDeque<T>) {
    (queue.pop_front(), queue)
}

/// Writes the next file, or ends the Map Run after the last.
fn write_next(
    turn: &mut Turn<'_>,
    map_run_arn: String,
    request: MapRequest,
    mut writing: ResultExport,
) -> Next {
    match writing.later.pop_front() {
        Some(operation) => {
            writing.effect = write(turn, &writing.bucket, &operation);
            writing.operation = operation;
            let stage = Stage::Writing(Box::new(writing));
            Next::Wait(running(map_run_arn, request, stage))
        }
        None => match end(turn, (map_run_arn, request), writing.run, writing.result) {
            Next::Again(phase) => Next::Yield(phase),
            next => next,
        },
    }
}

fn end(
    turn: &mut Turn<'_>,
    (map_run_arn, request): (String, MapRequest),
    run: Box<MapRun>,
    result: Result<Value, Box<StateError>>,
) -> Next {
    match result {
        Ok(value) => succeed(turn, value),
        Err(error) => fail_run(turn, map_run_arn, request, run, error),
    }
}

fn succeed(turn: &mut Turn<'_>, result: Value) -> Next {
    let result = Data::measured(result, &turn.machine.start.limits);
    Next::Again(Phase::Succeeded(result.into()))
}

/// Fails the Map Run, and keeps its data for a redrive.
fn fail_run(
    turn: &mut Turn<'_>,
    map_run_arn: String,
    request: MapRequest,
    run: Box<MapRun>,
    error: Box<StateError>,
) -> Next {
    let error = fail(turn, error);
    let children = running(map_run_arn, request, Stage::Running(run));
    Next::Again(Phase::Broken(Box::new(Broken { error, children })))
}
