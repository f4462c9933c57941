//! Branches and iterations that do not run, since something replaces them: a mock of the TestState API.
use super::iteration_input::iteration_input;
use crate::data::Data;
use crate::execution::error::StateError;
use crate::execution::evaluate::{InspectionEvent, MapRequest};
use crate::execution::machine::{ChildInputs, Next, Phase, StepResult, Turn};
use crate::execution::start::{MockedChildren, MockedOutcome};
use crate::program::MapState;
use serde_json::Value;
use std::sync::Arc;

/// Returns the mocks of the state's children, if the execution runs a single state.
pub(super) fn children<'t>(turn: &'t Turn<'_>) -> Option<&'t MockedChildren> {
    let start = turn.machine.start.at.as_ref();
    start.filter(|at| at.only)?.children.as_ref()
}

/// Returns true if an ItemReader is passed over.
pub(super) fn has_no_items_to_read(turn: &Turn<'_>) -> bool {
    children(turn).is_some_and(|mocked| !mocked.reads_items)
}

/// A Parallel State whose fields are evaluated.
pub(super) fn parallel(turn: &mut Turn<'_>) -> StepResult {
    outcome(turn).map_err(|mut error| {
        error.of_branch = true;
        error
    })
}

/// An inline Map State whose fields are evaluated.
pub(super) fn map(turn: &mut Turn<'_>, map: &MapState, request: &MapRequest) -> StepResult {
    select_items(turn, map, request)?;
    let length = u64::from(request.items.length);
    iterated(turn, request, length)
}

/// A Map Run whose items are there.
pub(super) fn map_run(
    turn: &mut Turn<'_>,
    map: &MapState,
    request: &MapRequest,
    inputs: ChildInputs,
) -> StepResult {
    let length = match inputs {
        ChildInputs::Items => {
            select_items(turn, map, request)?;
            u64::from(request.items.length)
        }
        ChildInputs::Batches {
            batch_input,
            mut batches,
        } => {
            let inputs = batches.iter_mut();
            let inputs: Value = inputs
                .map(|batch| batch.take_input(batch_input.as_ref()))
                .collect();
            turn.inspect(|| InspectionEvent::Field {
                field: "ItemBatcher",
                value: &inputs,
            });
            batches.len() as u64
        }
    };
    iterated(turn, request, length)
}

/// Evaluates ItemSelector for each item, and reports the results.
fn select_items(
    turn: &mut Turn<'_>,
    map: &MapState,
    request: &MapRequest,
) -> Result<(), Box<StateError>> {
    if map.item_selector.is_some() {
        for index in 0..request.items.length {
            let _told = iteration_input(turn, map, request, index)?;
        }
    }
    Ok(())
}

/// 2024 specification, Map State: above the threshold the state fails with an error of its own.
fn iterated(turn: &mut Turn<'_>, request: &MapRequest, count: u64) -> StepResult {
    turn.inspect(|| InspectionEvent::Iterations { count });
    let is_exceeded = match (children(turn), request.tolerated_failure) {
        (Some(mocked), Some(tolerated)) => {
            matches!(mocked.outcome, MockedOutcome::Succeeded(_))
                && tolerated.is_exceeded(mocked.failed_iterations, count)
        }
        _ => false,
    };
    if is_exceeded {
        return Err(Box::new(StateError::too_many_failures()));
    }
    outcome(turn)
}

fn outcome(turn: &mut Turn<'_>) -> StepResult {
    let profile = turn.program.profile();
    match children(turn).map(|mocked| mocked.outcome.clone()) {
        Some(MockedOutcome::Failed(error)) => Err(Box::new(StateError::reported(error, profile))),
        Some(MockedOutcome::Succeeded(result)) => Ok(succeeded(turn, result)),
        None => Ok(succeeded(turn, Arc::default())),
    }
}

fn succeeded(turn: &mut Turn<'_>, result: Arc<Value>) -> Next {
    let limits = &turn.machine.start.limits;
    let (result, weight) = Data::received(result, limits);
    turn.machine.memory.add(weight);
    Next::Again(Phase::Succeeded(result.into()))
}
