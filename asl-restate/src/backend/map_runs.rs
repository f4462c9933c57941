//! Map Runs, as the workflow of their execution keeps them.
use crate::messages::{CommandAnswer, CommandReply, MapRunsOf};
use crate::node::Node;
use crate::services::names::{EXECUTION, MAP_RUN};
use asl_backend::{BackendError, MapRunDescription};
use asl_engine::MapRunUpdate;
use std::sync::Arc;

/// Returns the Map Runs of an execution; none where no such execution.
pub(super) async fn of_execution(
    node: &Node,
    execution_arn: &str,
) -> Result<Option<Vec<MapRunDescription>>, BackendError> {
    let place = (EXECUTION, execution_arn, "map_runs");
    let found: Option<MapRunsOf> = node.client.query(place).await?;
    Ok(found.map(Vec::from))
}

pub(super) async fn one(
    node: &Node,
    arn: Arc<str>,
) -> Result<Option<MapRunDescription>, BackendError> {
    let Some(execution_arn) = execution_of(node, &arn).await? else {
        return Ok(None);
    };
    let runs = of_execution(node, &execution_arn).await?;
    let mut runs = runs.unwrap_or_default().into_iter();
    Ok(runs.find(|run| run.arn == arn))
}

/// Gives a Map Run other limits; whether it is under way.
pub(super) async fn update(node: &Node, update: MapRunUpdate) -> Result<bool, BackendError> {
    let Some(execution_arn) = execution_of(node, &update.map_run_arn).await? else {
        return Ok(false);
    };
    let command = CommandReply::UpdateMapRun(update);
    let answer = node.command(&execution_arn, command).await?;
    Ok(matches!(answer, Some(CommandAnswer::Updated(true))))
}

/// The execution that a Map Run is of.
async fn execution_of(node: &Node, arn: &str) -> Result<Option<String>, BackendError> {
    Ok(node.client.query((MAP_RUN, arn, "execution")).await?)
}
