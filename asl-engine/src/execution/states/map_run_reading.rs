//! A dataset that is read while the children of its Map Run are running, since its items weigh too much to be held
//! ([`Limits::max_held_items_bytes`](crate::Limits)).
use super::distributed_map::call_storage;
use super::iteration_input::iteration_input;
use super::map_run::new_map_run;
use super::map_run_start::{add_item, fail, running};
use super::mocked;
use crate::Limits;
use crate::data::Items;
use crate::distributed::{
    Batcher, ItemReaderError, ItemReaderLimits, ItemReading, ReadingProgress,
};
use crate::error_names;
use crate::execution::error::StateError;
use crate::execution::evaluate::{InspectionEvent, MapRequest, batcher};
use crate::execution::input::StorageResult;
use crate::execution::machine::{
    ChildInputs, ItemSource, MapRun, Next, Phase, Stage, StepResult, Turn,
};
use crate::program::MapState;
use serde_json::Value;

/// Returns the limits of a reading.
pub(super) fn reader_limits(turn: &Turn<'_>) -> ItemReaderLimits {
    let limits = &turn.machine.start.limits;
    let room = turn.machine.memory.remaining();
    // Children that are mocked start none: their items are looked at together.
    let held = limits
        .max_held_items_bytes
        .filter(|_| mocked::children(turn).is_none());
    ItemReaderLimits {
        max_data_depth: limits.max_data_depth,
        max_file_bytes: ItemReaderLimits::default().max_file_bytes.min(room),
        max_weight: room,
        max_held_weight: held.unwrap_or(u64::MAX),
    }
}

/// Gives a result to a reading, and counts the data that the reading holds then.
pub(super) fn handle_result(
    turn: &mut Turn<'_>,
    reading: &mut ItemReading,
    result: StorageResult,
    limits: &ItemReaderLimits,
) -> Result<ReadingProgress, Box<StateError>> {
    let before = reading.held_weight();
    let progress = reading.handle_result(result, limits);
    let added = reading.held_weight().saturating_sub(before);
    turn.machine.memory.add(added);
    progress.map_err(|error| {
        Box::new(match &error {
            ItemReaderError::Failed(cause) => {
                StateError::new(error_names::ITEM_READER_FAILED, cause)
            }
            ItemReaderError::TooHeavy(_) => StateError::runtime(error.to_string()),
        })
    })
}

/// Starts the Map Run of a dataset whose items are counted.
pub(super) fn start_reading_again(
    turn: &mut Turn<'_>,
    map: &MapState,
    (map_run_arn, mut request): (String, MapRequest),
    reading: ItemReading,
) -> StepResult {
    let found = reading.found;
    let (Ok(length), Some(reading)) = (u32::try_from(found), reading.again()) else {
        let cause = format!(
            "the dataset has {found} items, more than the {} that a Map Run can have",
            u32::MAX
        );
        let error = StateError::new(error_names::ITEM_READER_FAILED, cause);
        return Err(fail(turn, Box::new(error)));
    };
    set_window(turn, &mut request, Vec::new(), (0, length));
    let (inputs, batcher) = match map.item_batcher.is_some() {
        false => (ChildInputs::Items, None),
        true => {
            let (batch_input, limits) =
                turn.evaluate(|evaluation, _| batcher(evaluation, map, &request.effective_input))?;
            let batcher = Batcher::new(limits, batch_input.as_ref());
            let batches = Vec::new();
            let inputs = ChildInputs::Batches {
                batch_input,
                batches,
            };
            (inputs, Some(batcher))
        }
    };
    let source = Box::new(ItemSource {
        reading,
        effect: None,
        batcher,
        max_running_weight: max_running_weight(&turn.machine.start.limits),
    });
    let limit = turn.machine.start.limits.max_child_executions;
    let run = Box::new(new_map_run(inputs, Some(source), &request, limit));
    let count = u64::from(length);
    turn.inspect(|| InspectionEvent::Iterations { count });
    Ok(Next::Again(running(
        map_run_arn,
        request,
        Stage::Running(run),
    )))
}

/// Returns the weight of the inputs of running children with which no more items are read.
pub(crate) fn max_running_weight(limits: &Limits) -> u64 {
    limits.max_held_items_bytes.unwrap_or(u64::MAX)
}

/// Requests the next part of the dataset.
pub(super) fn request_items(turn: &mut Turn<'_>, run: &mut MapRun) {
    if let Some(source) = &mut run.source {
        source.effect = Some(call_storage(turn, source.reading.call()));
    }
}

/// Handles the next part of the dataset.
pub(super) fn items_read(
    turn: &mut Turn<'_>,
    map: &MapState,
    (map_run_arn, mut request): (String, MapRequest),
    mut run: Box<MapRun>,
    result: StorageResult,
) -> StepResult {
    match add_items(turn, map, &mut request, &mut run, result) {
        Ok(()) => Ok(Next::Yield(running(
            map_run_arn,
            request,
            Stage::Running(run),
        ))),
        Err(error) => Ok(items_failed(turn, &run, error)),
    }
}

fn add_items(
    turn: &mut Turn<'_>,
    map: &MapState,
    request: &mut MapRequest,
    run: &mut MapRun,
    result: StorageResult,
) -> Result<(), Box<StateError>> {
    let limits = ItemReaderLimits {
        max_held_weight: u64::MAX,
        ..reader_limits(turn)
    };
    let Some(source) = &mut run.source else {
        return Ok(());
    };
    source.effect = None;
    let first = request.items.window_end();
    let progress = handle_result(turn, &mut source.reading, result, &limits)?;
    let items = source.reading.take_items();
    let length = request.items.length;
    check_count(source.reading.found, length, progress)?;
    set_window(turn, request, items, (first, length));
    let batcher = source.batcher.as_mut();
    if let (ChildInputs::Batches { batches, .. }, Some(batcher)) = (&mut run.inputs, batcher) {
        for index in first..request.items.window_end() {
            let item = iteration_input(turn, map, request, index)?.into_value();
            batches.extend(add_item(batcher, item)?);
        }
        let end = request.items.window_end();
        set_window(turn, request, Vec::new(), (end, length));
        if progress == ReadingProgress::Complete {
            batches.extend(batcher.end());
        }
    }
    if progress == ReadingProgress::Complete {
        run.source = None;
    }
    count_children(run, request);
    Ok(())
}

/// Checks that the second reading finds the items of the first.
fn check_count(found: u64, length: u32, progress: ReadingProgress) -> Result<(), Box<StateError>> {
    let expected = u64::from(length);
    let is_complete = progress == ReadingProgress::Complete;
    if found > expected || (is_complete && found < expected) {
        let cause = format!(
            "the dataset changed while it was read: expected {expected} items, found {found}"
        );
        let error = StateError::new(error_names::ITEM_READER_FAILED, cause);
        return Err(Box::new(error));
    }
    Ok(())
}

/// Makes these items the ones that start next.
fn set_window(
    turn: &Turn<'_>,
    request: &mut MapRequest,
    items: Vec<Value>,
    (first, length): (u32, u32),
) {
    let counts_bytes = turn.machine.start.limits.max_payload_bytes.is_some();
    request.items = Items::window(items, first, length, counts_bytes).into();
    request.item_weight = request.items.item_weight();
}

/// Counts the children whose items are there.
fn count_children(run: &mut MapRun, request: &MapRequest) {
    match &run.inputs {
        ChildInputs::Items => run.length = request.items.window_end(),
        ChildInputs::Batches { batches, .. } => {
            let length = u32::try_from(batches.len()).unwrap_or(u32::MAX);
            let more = u64::from(length.saturating_sub(run.length));
            run.length = length;
            run.counts.total += more;
            run.counts.pending += more;
        }
    }
}

/// Fails a Map Run whose items cannot be read: its children are stopped, and a redrive starts it anew.
pub(super) fn items_failed(turn: &mut Turn<'_>, run: &MapRun, error: Box<StateError>) -> Next {
    turn.machine.cancel_children(run);
    let error = fail(turn, error);
    Next::Yield(Phase::Failed(error))
}
