//! Map Runs.
use super::{date, members, nothing, read, text};
use crate::api::{Api, Call};
use crate::arn::Arn;
use crate::page::{Pages, cut, page_size};
use crate::protocol::ApiError;
use asl_backend::{ExecutionStatus, ItemCounts, MapRunDescription};
use asl_engine::MapRunUpdate;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct List {
    execution_arn: String,
    max_results: Option<usize>,
    next_token: Option<String>,
}

pub(super) async fn list(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: List = read(call.request)?;
    let arn = Arn::execution(&request.execution_arn)?;
    let pages = Pages {
        list: &["ListMapRuns", arn],
        now: api.backend.now(),
    };
    let after = pages.cursor(request.next_token.as_deref())?;
    let runs = api.backend.map_runs(arn.into()).await?;
    let runs = runs.ok_or_else(|| ApiError::no_execution(arn))?;
    let begin = match &after {
        None => 0,
        Some(after) => runs
            .iter()
            .position(|run| *run.arn == **after)
            .map_or(runs.len(), |index| index + 1),
    };
    let size = page_size(request.max_results);
    let mut listed: Vec<&MapRunDescription> = runs.iter().skip(begin).collect();
    let next = cut(&mut listed, size).map(|last| pages.token(&last.arn));
    let entry = |run: &&MapRunDescription| {
        members([
            ("executionArn", text(Some(&run.execution_arn))),
            ("mapRunArn", text(Some(&run.arn))),
            ("startDate", Some(date(run.start_date))),
            ("stateMachineArn", text(Some(&run.state_machine_arn))),
            ("stopDate", run.stop_date.map(date)),
        ])
    };
    let entries: Vec<Value> = listed.iter().map(entry).collect();
    Ok(members([
        ("mapRuns", Some(entries.into())),
        ("nextToken", text(next)),
    ]))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MapRunRequest {
    map_run_arn: String,
}

pub(super) async fn describe(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: MapRunRequest = read(call.request)?;
    let run = find(api, &request.map_run_arn).await?;
    Ok(members([
        ("executionArn", text(Some(&run.execution_arn))),
        ("executionCounts", Some(counts(&run.executions))),
        ("itemCounts", Some(counts(&run.items))),
        ("mapRunArn", text(Some(&run.arn))),
        ("maxConcurrency", Some(run.max_concurrency.into())),
        ("redriveCount", Some(run.redrive_count.into())),
        ("redriveDate", run.redrive_date.map(date)),
        ("startDate", Some(date(run.start_date))),
        ("status", Some(run.status.word().into())),
        ("stopDate", run.stop_date.map(date)),
        (
            "toleratedFailureCount",
            Some(run.tolerated_failure_count.into()),
        ),
        (
            "toleratedFailurePercentage",
            Some(run.tolerated_failure_percentage.into()),
        ),
    ]))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Update {
    map_run_arn: String,
    max_concurrency: Option<u64>,
    tolerated_failure_count: Option<u64>,
    tolerated_failure_percentage: Option<f64>,
}

pub(super) async fn update(api: &Arc<Api>, call: Call) -> Result<Value, ApiError> {
    let request: Update = read(call.request)?;
    let run = find(api, &request.map_run_arn).await?;
    let ended = || ApiError {
        reason: Some("CANNOT_UPDATE_COMPLETED_MAP_RUN"),
        ..ApiError::validation(format!(
            "Map Run cannot be updated because it has ended: '{}'",
            run.arn
        ))
    };
    if run.status != ExecutionStatus::Running {
        return Err(ended());
    }
    let update = MapRunUpdate {
        map_run_arn: request.map_run_arn,
        max_concurrency: request.max_concurrency,
        tolerated_failure_count: request.tolerated_failure_count,
        tolerated_failure_percentage: request.tolerated_failure_percentage,
    };
    match api.backend.update_map_run(update).await? {
        true => Ok(nothing()),
        false => Err(ended()),
    }
}

async fn find(api: &Arc<Api>, text: &str) -> Result<MapRunDescription, ApiError> {
    let arn = Arn::map_run(text)?;
    let run = api.backend.map_run(arn.into()).await?;
    run.ok_or_else(|| ApiError::no_resource(arn))
}

fn counts(counts: &ItemCounts) -> Value {
    json!({
        "aborted": counts.aborted,
        "failed": counts.failed,
        "pending": counts.pending,
        "resultsWritten": counts.results_written,
        "running": counts.running,
        "succeeded": counts.succeeded,
        "timedOut": counts.timed_out,
        "total": counts.total,
    })
}
