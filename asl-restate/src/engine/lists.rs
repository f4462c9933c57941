//! Lists of executions, the newest first, from all shards of a day after another.
use crate::client::Client;
use crate::messages::{IndexPage, IndexQuery};
use crate::services::names::{INDEX, INDEX_DAYS};
use crate::services::{days_key, place_after, shard_keys};
use asl_host::engine::{EngineError, ExecutionFilter, ExecutionPage, ExecutionParent};
use futures::future::try_join_all;
use std::sync::Arc;

fn arn_of(parent: ExecutionParent) -> Arc<str> {
    match parent {
        ExecutionParent::StateMachine(arn)
        | ExecutionParent::Version(arn)
        | ExecutionParent::Alias(arn)
        | ExecutionParent::MapRun(arn) => arn,
    }
}

/// The days on which executions of a parent started, the last first, up to one.
async fn days(
    client: &Client,
    parent: &str,
    until: Option<&str>,
) -> Result<Vec<String>, EngineError> {
    let key = days_key(parent);
    let mut days: Vec<String> = client.ask((INDEX_DAYS, &key, "days")).await?;
    days.retain(|day| until.is_none_or(|until| &**day <= until));
    Ok(days)
}

pub(super) async fn executions(
    client: &Client,
    filter: ExecutionFilter,
    after: Option<Arc<str>>,
    limit: usize,
) -> Result<ExecutionPage, EngineError> {
    let none = ExecutionPage {
        executions: Vec::new(),
        next: None,
    };
    // There are no redrives yet.
    if filter.is_redriven == Some(true) {
        return Ok(none);
    }
    let query = IndexQuery {
        before: after.as_deref().map(str::to_owned),
        status: filter.status.map(|status| status.word().to_owned()),
        limit: limit.saturating_add(1),
    };
    let parent = arn_of(filter.parent);
    let until = after.as_deref().and_then(place_after);
    let mut found = IndexPage::new();
    for day in days(client, &parent, until.as_deref()).await? {
        if found.len() > limit {
            break;
        }
        found.extend(of_day(client, &parent, &day, &query).await?);
    }
    Ok(page(found, limit))
}

/// Executions of a day, the newest first.
async fn of_day(
    client: &Client,
    parent: &str,
    day: &str,
    query: &IndexQuery,
) -> Result<IndexPage, EngineError> {
    let shards = shard_keys(parent, day).map(|key| async move {
        let listed: IndexPage = client.call((INDEX, &key, "list"), query).await?;
        Ok::<_, EngineError>(listed)
    });
    let mut listed = try_join_all(shards).await?.concat();
    listed.sort_unstable_by(|(first, _), (second, _)| second.cmp(first));
    Ok(listed)
}

fn page(mut found: IndexPage, limit: usize) -> ExecutionPage {
    let has_more = found.len() > limit;
    found.truncate(limit);
    let last = found.last().filter(|_| has_more);
    ExecutionPage {
        next: last.map(|(place, _)| place.as_str().into()),
        executions: found.into_iter().map(|(_, it)| it.into()).collect(),
    }
}

/// How many executions of a state machine run.
pub(super) async fn running(client: &Client, parent: Arc<str>) -> Result<u64, EngineError> {
    let mut running = 0;
    for day in days(client, &parent, None).await? {
        let shards = shard_keys(&parent, &day).map(|key| async move {
            let count: u64 = client.ask((INDEX, &key, "running")).await?;
            Ok::<_, EngineError>(count)
        });
        running += try_join_all(shards).await?.into_iter().sum::<u64>();
    }
    Ok(running)
}
