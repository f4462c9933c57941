//! Map Runs and their children.
use super::{Context, Outcome, equal, text};
use crate::{ExecutionFilter, ExecutionParent, ExecutionStatus};
use serde_json::json;
use std::sync::Arc;

pub(super) async fn a_map_run_is_described(context: &Context<'_>) -> Outcome {
    let processor = json!({
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true}}});
    let map = json!({"Type": "Map", "MaxConcurrency": 2, "ItemProcessor": processor, "End": true});
    let definition = json!({"StartAt": "Each", "States": {"Each": map}});
    let started = context.start("mapped", definition, "[1,2,3]").await?;
    let ended = context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    equal("the output", &ended.output.as_deref(), &Some("[1,2,3]"))?;
    let runs = context.backend.map_runs(Arc::clone(&started.arn)).await;
    let runs = runs.map_err(text)?.ok_or("there is no list of Map Runs")?;
    let [run] = &*runs else {
        return Err(format!("{} Map Runs are listed, expected 1", runs.len()));
    };
    let found = context.backend.map_run(Arc::clone(&run.arn)).await;
    let run = found.map_err(text)?.ok_or("the Map Run is not described")?;
    equal("the status", &run.status, &ExecutionStatus::Succeeded)?;
    equal("its execution", &run.execution_arn, &started.arn)?;
    equal("its concurrency", &run.max_concurrency, &2)?;
    equal("the items that succeeded", &run.items.succeeded, &3)?;
    equal("all items", &run.items.total, &3)?;
    let filter = ExecutionFilter {
        parent: ExecutionParent::MapRun(run.arn),
        status: None,
        is_redriven: None,
    };
    let pages = context.list(&filter, 10, 3).await?;
    let sizes: Vec<usize> = pages.iter().map(Vec::len).collect();
    equal("the number of listed children", &sizes, &vec![3])
}
