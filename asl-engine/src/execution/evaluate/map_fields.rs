//! The fields of a Map State that are evaluated before its first iteration (2024 specification, Map State).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::map_items::state_items;
use crate::data::{Data, Items};
use crate::distributed::ToleratedFailure;
use crate::program::{MapState, StateProgram};
use asl_model::ProcessorMode;
use serde_json::Value;
use std::sync::Arc;

/// A Map State's evaluated fields.
#[derive(Debug)]
pub(crate) struct MapRequest {
    pub(crate) items: Arc<Items>,
    /// Average weight of an item.
    pub(crate) item_weight: u64,
    /// Data for ItemSelector.
    pub(crate) effective_input: Arc<Value>,
    /// 0 for no limit.
    pub(crate) max_concurrency: u64,
    /// None if any failure of an inline iteration fails the state.
    pub(crate) tolerated_failure: Option<ToleratedFailure>,
}

/// Returns all but the tolerated failure, which is evaluated later.
pub(crate) fn map_request(
    evaluation: &mut Evaluation<'_>,
    state: &StateProgram,
    map: &MapState,
    raw: &mut Data,
) -> Result<MapRequest, EvaluationFault> {
    let effective = evaluation
        .selected_input(&state.processing, raw)?
        .unwrap_or_else(|| raw.duplicate());
    let input_measure = effective.measure;
    let effective_input = effective.into_shared();
    let max_concurrency = evaluation.whole(
        "MaxConcurrency",
        map.max_concurrency.as_ref(),
        &effective_input,
    )?;
    let items = match map.item_reader {
        // Its items are not known before they are read.
        Some(_) if map.mode == ProcessorMode::Distributed => Items::from_array(Vec::new(), false),
        _ => state_items(
            evaluation,
            (map, &state.processing),
            &effective_input,
            input_measure,
        )?,
    };
    Ok(MapRequest {
        item_weight: items.item_weight(),
        items: Arc::new(items),
        effective_input,
        max_concurrency: max_concurrency.unwrap_or(0),
        tolerated_failure: None,
    })
}

/// ToleratedFailureCount and ToleratedFailurePercentage.
pub(crate) fn tolerated_failure(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
) -> Result<Option<ToleratedFailure>, EvaluationFault> {
    let count = evaluation.whole(
        "ToleratedFailureCount",
        map.tolerated_failure_count.as_ref(),
        input,
    )?;
    let percentage = evaluation.percentage(
        "ToleratedFailurePercentage",
        map.tolerated_failure_percentage.as_ref(),
        input,
    )?;
    if count.is_none() && percentage.is_none() {
        return Ok(None);
    }
    ToleratedFailure::new(count, percentage)
        .map(Some)
        .map_err(|error| EvaluationFault::runtime(error.to_string()))
}
