//! Pages of histories.
use super::{Context, Outcome, equal, pass, text};
use crate::{ExecutionStatus, HistoryQuery};
use serde_json::Value;
use std::sync::Arc;

pub(super) async fn a_history_is_read_in_both_directions(context: &Context<'_>) -> Outcome {
    let started = context.start("history", pass(), "{}").await?;
    context
        .wait(&started.arn, ExecutionStatus::Succeeded)
        .await?;
    let forward = read(context, &started.arn, false).await?;
    equal("the ids", &ids(&forward)?, &vec![1, 2, 3, 4])?;
    let mut backward = read(context, &started.arn, true).await?;
    backward.reverse();
    equal("the history backwards", &backward, &forward)
}

/// Reads a whole history in pages of two.
async fn read(
    context: &Context<'_>,
    arn: &Arc<str>,
    is_reversed: bool,
) -> Result<Vec<Arc<str>>, String> {
    let (mut events, mut from) = (Vec::new(), None);
    loop {
        let query = HistoryQuery {
            from,
            limit: 2,
            is_reversed,
        };
        let page = context.backend.history(Arc::clone(arn), query).await;
        let page = page.map_err(text)?.ok_or("there is no history")?;
        events.extend(page.events);
        from = page.next;
        if from.is_none() {
            return Ok(events);
        }
    }
}

/// Returns the ids of events.
pub(super) fn ids(events: &[Arc<str>]) -> Result<Vec<u64>, String> {
    let id = |event: &Arc<str>| {
        let event: Value = serde_json::from_str(event).map_err(text)?;
        event["id"]
            .as_u64()
            .ok_or_else(|| format!("{event} has no id"))
    };
    events.iter().map(id).collect()
}
