//! Lists of executions, the newest first: from the objects of the index that hold some, five minutes after another.
use crate::client::Client;
use crate::messages::{IndexPage, IndexQuery, PartQuery};
use crate::services::names::{INDEX, INDEX_DAY, INDEX_DAYS};
use crate::services::{Spot, day_key, slot_of};
use asl_backend::{BackendError, ExecutionFilter, ExecutionPage, ExecutionParent, ExecutionStatus};
use futures::future::try_join_all;
use std::sync::Arc;

/// Objects that are asked at once, at the end; a few more where those of the same five minutes are among them.
const MOST_AT_ONCE: usize = 64;

fn arn_of(parent: ExecutionParent) -> Arc<str> {
    match parent {
        ExecutionParent::StateMachine(arn)
        | ExecutionParent::Version(arn)
        | ExecutionParent::Alias(arn)
        | ExecutionParent::MapRun(arn) => arn,
    }
}

/// Returns the days on which executions of a parent started, the last first, up to one.
async fn days(
    client: &Client,
    parent: &str,
    until: Option<&str>,
) -> Result<Vec<String>, BackendError> {
    let mut days: Vec<String> = client.query((INDEX_DAYS, parent, "days")).await?;
    days.retain(|day| until.is_none_or(|until| &**day <= until));
    Ok(days)
}

pub(super) async fn executions(
    client: &Client,
    filter: ExecutionFilter,
    after: Option<Arc<str>>,
    limit: usize,
) -> Result<ExecutionPage, BackendError> {
    let query = IndexQuery {
        before: after.as_deref().map(str::to_owned),
        status: filter.status.map(|status| status.word().to_owned()),
        is_redriven: filter.is_redriven,
        limit: limit.saturating_add(1),
    };
    let parent = arn_of(filter.parent);
    let until = after.as_deref().and_then(Spot::last_of);
    let last_day = until.as_ref().map(|spot| &*spot.day);
    let mut found = IndexPage::new();
    for day in days(client, &parent, last_day).await? {
        let until = until.as_ref().filter(|spot| spot.day == day);
        let parts = PartQuery {
            mark: query.mark(),
            until: until.map(|spot| spot.part.clone()),
        };
        for parts in batches(parts_of(client, &parent, &day, &parts).await?) {
            if found.len() > limit {
                break;
            }
            found.extend(of_parts(client, &parent, &day, parts, &query).await?);
        }
        if found.len() > limit {
            break;
        }
    }
    Ok(page(found, limit))
}

/// The parts of a day's index that a query is about, the newest first.
async fn parts_of(
    client: &Client,
    parent: &str,
    day: &str,
    query: &PartQuery,
) -> Result<Vec<String>, BackendError> {
    let key = day_key(parent, day);
    Ok(client.call((INDEX_DAY, &key, "parts"), query).await?)
}

/// Parts that are asked at once: all of the same five minutes together, since only they are in the order of the starts among
/// themselves. The first are few, since most pages are full then, and the next twice as many.
fn batches(parts: Vec<String>) -> Vec<Vec<String>> {
    let mut batches: Vec<Vec<String>> = Vec::new();
    let mut at_once = 1;
    for part in parts {
        let goes_on = |batch: &&mut Vec<String>| {
            let last = batch.last().map(|last| slot_of(last));
            batch.len() < at_once || last == Some(slot_of(&part))
        };
        match batches.last_mut().filter(goes_on) {
            Some(batch) => batch.push(part),
            None => {
                let last = batches.last().map(Vec::len).unwrap_or_default();
                at_once = (2 * last).clamp(1, MOST_AT_ONCE);
                batches.push(vec![part]);
            }
        }
    }
    batches
}

/// Executions of some parts, the newest first.
async fn of_parts(
    client: &Client,
    parent: &str,
    day: &str,
    parts: Vec<String>,
    query: &IndexQuery,
) -> Result<IndexPage, BackendError> {
    let listed = parts.into_iter().map(|part| async {
        let key = key_of(parent, day, part);
        let listed: IndexPage = client.call((INDEX, &key, "list"), query).await?;
        Ok::<_, BackendError>(listed)
    });
    let mut listed = try_join_all(listed).await?.concat();
    listed.sort_unstable_by(|(first, _), (second, _)| second.cmp(first));
    Ok(listed)
}

fn key_of(parent: &str, day: &str, part: String) -> String {
    let day = day.to_owned();
    Spot { day, part }.key(parent)
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

/// Returns a lower bound of the running executions of a state machine: it counts up to the first objects that have some.
pub(super) async fn running(client: &Client, parent: Arc<str>) -> Result<u64, BackendError> {
    let query = PartQuery {
        mark: Some(ExecutionStatus::Running.word().into()),
        until: None,
    };
    for day in days(client, &parent, None).await? {
        for parts in batches(parts_of(client, &parent, &day, &query).await?) {
            let counts = parts.into_iter().map(|part| async {
                let key = key_of(&parent, &day, part);
                let count: u64 = client.query((INDEX, &key, "running")).await?;
                Ok::<_, BackendError>(count)
            });
            let running: u64 = try_join_all(counts).await?.into_iter().sum();
            if running > 0 {
                return Ok(running);
            }
        }
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_of_the_same_five_minutes_is_asked_at_once() {
        let part = |slot: usize| (0..16).map(move |shard| format!("{slot:03}-{shard:x}"));
        let parts: Vec<String> = (0..5).rev().flat_map(part).collect();
        let sizes = |parts: &[String]| {
            let batches = batches(parts.to_vec());
            batches.iter().map(Vec::len).collect::<Vec<_>>()
        };
        // Never in the middle of them.
        assert_eq!(sizes(&parts), [16, 32, 32]);
        assert_eq!(sizes(&parts[15..]), [1, 16, 32, 16]);
        let sparse: Vec<String> = (0..100).rev().map(|slot| format!("{slot:03}-0")).collect();
        assert_eq!(sizes(&sparse), [1, 2, 4, 8, 16, 32, 37]);
        assert!(sizes(&[]).is_empty());
    }
}
