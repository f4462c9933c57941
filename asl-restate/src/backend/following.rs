//! Followers. Restate sends no notifications out of its services, so a waiting follower repeats its request, after pauses that grow.
use super::{executions, history};
use crate::messages::{FeedEntry, FeedPage, FeedQuery};
use crate::node::Node;
use crate::pauses::Pauses;
use crate::services::FEED_PARTS;
use crate::services::names::FEED;
use asl_backend::{
    BackendError, ExecutionSummary, FeedCursor, FollowError, FollowedEvents, StatusChange,
    StatusChanges,
};
use futures::future::try_join_all;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Status changes of one answer.
const MOST_CHANGES: usize = 1_000;
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A wait that repeats a request from time to time.
struct Patience {
    deadline: Option<Instant>,
    pauses: Pauses,
}

impl Patience {
    fn new(timeout: Duration) -> Self {
        Self {
            deadline: Instant::now().checked_add(timeout),
            pauses: Pauses::new(FIRST_PAUSE, LONGEST_PAUSE),
        }
    }

    /// Waits before the next request; false if the time is over.
    async fn wait(&mut self) -> bool {
        let next = Instant::now() + self.pauses.next_pause();
        if self.deadline.is_some_and(|deadline| next > deadline) {
            return false;
        }
        tokio::time::sleep_until(next).await;
        true
    }
}

pub(super) async fn follow(
    node: &Node,
    arn: Arc<str>,
    after: u64,
    timeout: Duration,
) -> Result<Option<FollowedEvents>, BackendError> {
    let mut patience = Patience::new(timeout);
    loop {
        let Some(described) = executions::describe(node, Arc::clone(&arn)).await? else {
            return Ok(None);
        };
        let page = match FollowedEvents::query(after) {
            Some(query) => history::page(node, Arc::clone(&arn), query).await?,
            None => None,
        };
        if let Some(events) = FollowedEvents::new(described.summary.status, page) {
            return Ok(Some(events));
        }
        if !patience.wait().await {
            return Ok(Some(FollowedEvents::default()));
        }
    }
}

/// The number of known changes of each part of the feed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Positions([u64; FEED_PARTS]);

impl Positions {
    fn parse(cursor: &FeedCursor) -> Option<Self> {
        let numbers = cursor.as_str().split('.').map(|number| number.parse().ok());
        let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
        numbers.try_into().ok().map(Self)
    }

    fn cursor(&self) -> FeedCursor {
        let numbers: Vec<String> = self.0.iter().map(u64::to_string).collect();
        FeedCursor::new(numbers.join("."))
    }
}

pub(super) async fn follow_statuses(
    node: &Node,
    after: Option<FeedCursor>,
    limit: usize,
    timeout: Duration,
) -> Result<StatusChanges, FollowError> {
    let Some(after) = after else {
        node.start_feed().await.map_err(BackendError::from)?;
        let pages = read(node, &[u64::MAX; FEED_PARTS], 0).await?;
        let positions = Positions(pages.map(|page| page.next));
        return Ok(StatusChanges {
            changes: Vec::new(),
            cursor: positions.cursor(),
        });
    };
    let unknown = || FollowError::Unknown(after.clone());
    let positions = Positions::parse(&after).ok_or_else(unknown)?;
    let mut patience = Patience::new(timeout);
    loop {
        let pages = read(node, &positions.0, limit.clamp(1, MOST_CHANGES)).await?;
        let parts = || pages.iter().zip(positions.0);
        if parts().any(|(page, known)| known > page.next) {
            return Err(unknown());
        }
        if parts().any(|(page, known)| known < page.first) {
            return Err(FollowError::Expired(after));
        }
        let found = merge(pages, &positions, limit);
        if !found.changes.is_empty() || !patience.wait().await {
            return Ok(found);
        }
    }
}

async fn read(
    node: &Node,
    known: &[u64; FEED_PARTS],
    limit: usize,
) -> Result<[FeedPage; FEED_PARTS], BackendError> {
    let pages = known.iter().enumerate().map(|(part, after)| async move {
        let query = FeedQuery {
            after: *after,
            limit,
        };
        let part = part.to_string();
        let page: FeedPage = node.client.call((FEED, &part, "read"), &query).await?;
        Ok::<_, BackendError>(page)
    });
    let pages = try_join_all(pages).await?.try_into();
    pages.map_err(|_| BackendError::Broken("a part of the feed is missing".to_owned()))
}

/// Puts the changes of all parts in the order of their times, as far as the order within each part allows.
fn merge(pages: [FeedPage; FEED_PARTS], after: &Positions, limit: usize) -> StatusChanges {
    let mut positions = after.clone();
    let mut waiting = pages.map(|page| VecDeque::from(page.entries));
    let mut changes = Vec::new();
    while changes.len() < limit.max(1) {
        let parts = waiting.iter_mut().zip(&mut positions.0);
        let first = parts
            .filter(|(entries, _)| !entries.is_empty())
            .min_by_key(|(entries, _)| entries.front().map(FeedEntry::at));
        let Some((entries, position)) = first else {
            break;
        };
        let Some(entry) = entries.pop_front() else {
            break;
        };
        *position += 1;
        changes.push(change(entry, positions.cursor()));
    }
    StatusChanges {
        changes,
        cursor: positions.cursor(),
    }
}

fn change(entry: FeedEntry, cursor: FeedCursor) -> StatusChange {
    let at = entry.at();
    let summary = ExecutionSummary::from(entry.listed);
    StatusChange {
        arn: summary.arn,
        state_machine_arn: summary.state_machine_arn,
        map_run_arn: summary.map_run_arn,
        status: summary.status,
        at,
        start_date: summary.start_date,
        redrive_count: summary.redrive_count,
        error_output: entry.error_output,
        cursor,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_engine::{ErrorOutput, Timestamp};

    fn entry(arn: &str, start: i64) -> FeedEntry {
        let listed = serde_json::from_value(serde_json::json!({
            "arn": arn, "name": arn, "state_machine_arn": "m", "status": "RUNNING",
            "start_date": Timestamp::from_milliseconds(start),
        }));
        FeedEntry {
            listed: listed.unwrap(),
            error_output: ErrorOutput::default(),
        }
    }

    #[test]
    fn a_cursor_is_the_numbers_of_all_parts() {
        let positions = Positions(std::array::from_fn(|part| part as u64));
        let cursor = positions.cursor();
        assert_eq!(cursor.as_str(), "0.1.2.3.4.5.6.7.8.9.10.11.12.13.14.15");
        assert_eq!(Positions::parse(&cursor), Some(positions));
        for other in ["", "1", "0.1.2.x", "no cursor"] {
            assert_eq!(Positions::parse(&FeedCursor::new(other)), None);
        }
    }

    #[test]
    fn parts_are_merged_by_time_and_continue_after_the_limit() {
        let mut pages: [FeedPage; FEED_PARTS] = std::array::from_fn(|_| FeedPage::default());
        pages[3].entries = vec![entry("b", 2), entry("d", 4)];
        pages[9].entries = vec![entry("a", 1), entry("c", 3)];
        let found = merge(pages, &Positions([5; FEED_PARTS]), 3);
        let arns: Vec<&str> = found.changes.iter().map(|it| &*it.arn).collect();
        assert_eq!(arns, ["a", "b", "c"]);
        let mut expected = Positions([5; FEED_PARTS]);
        (expected.0[3], expected.0[9]) = (6, 7);
        assert_eq!(found.cursor, expected.cursor());
        assert_eq!(found.changes[2].cursor, found.cursor);
    }
}
