//! Start of a Map Run after its items are read, and its failure (2022 specification, Map State).
use super::iteration_input::iteration_input;
use super::map_run::new_map_run;
use super::mocked;
use crate::distributed::{Batch, Batcher};
use crate::execution::error::StateError;
use crate::execution::evaluate::{InspectionEvent, MapRequest, batcher};
use crate::execution::machine::{
    ChildInputs, DistributedMap, Next, Phase, Stage, StepResult, Turn,
};
use crate::history::EventDetails;
use crate::program::MapState;
use serde_json::Value;

/// The items are there: their inputs are made, and children started.
pub(super) fn start_children(
    turn: &mut Turn<'_>,
    map: &MapState,
    map_run_arn: String,
    request: MapRequest,
) -> StepResult {
    match child_inputs(turn, map, &request) {
        Ok(inputs) if mocked::children(turn).is_some() => {
            mocked::map_run(turn, map, &request, inputs)
        }
        Ok(inputs) => {
            let limit = turn.machine.start.limits.max_child_executions;
            let run = Box::new(new_map_run(inputs, None, &request, limit));
            let count = run.counts.total;
            turn.inspect(|| InspectionEvent::Iterations { count });
            Ok(Next::Again(running(
                map_run_arn,
                request,
                Stage::Running(run),
            )))
        }
        Err(error) => Err(fail(turn, error)),
    }
}

/// Without batches, inputs are made when their children start.
fn child_inputs(
    turn: &mut Turn<'_>,
    map: &MapState,
    request: &MapRequest,
) -> Result<ChildInputs, Box<StateError>> {
    if map.item_batcher.is_none() {
        return Ok(ChildInputs::Items);
    }
    let mut items = Vec::with_capacity(request.items.length as usize);
    for index in 0..request.items.length {
        items.push(iteration_input(turn, map, request, index)?.into_value());
    }
    let (batch_input, limits) =
        turn.evaluate(|evaluation, _| batcher(evaluation, map, &request.effective_input))?;
    let mut batcher = Batcher::new(limits, batch_input.as_ref());
    let mut batches = Vec::new();
    for item in items {
        batches.extend(add_item(&mut batcher, item)?);
    }
    batches.extend(batcher.end());
    Ok(ChildInputs::Batches {
        batch_input,
        batches,
    })
}

/// Adds an item. Returns the batch before it, if the item begins another.
pub(super) fn add_item(
    batcher: &mut Batcher,
    item: Value,
) -> Result<Option<Batch>, Box<StateError>> {
    let added = batcher.add(item);
    added.map_err(|error| Box::new(StateError::data_limit(error.to_string())))
}

pub(super) fn running(map_run_arn: String, request: MapRequest, stage: Stage) -> Phase {
    Phase::DistributedMap(Box::new(DistributedMap {
        map_run_arn,
        request,
        stage,
    }))
}

/// Returns the event of a Map Run that failed, and the error for the state.
pub(super) fn fail(turn: &mut Turn<'_>, error: Box<StateError>) -> Box<StateError> {
    let error_output = error.error_output.clone();
    turn.record(|| EventDetails::MapRunFailed(error_output));
    error
}
