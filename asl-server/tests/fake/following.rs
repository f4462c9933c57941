//! Following executions of the tests' backend.
use super::kept::{FakeState, FakeStore};
use asl_backend::*;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

impl FakeStore {
    /// Records the status of an execution, as it is now.
    pub(super) fn record_change(&mut self, arn: &str) {
        let Some(execution) = self.execution(arn) else {
            return;
        };
        let (summary, error_output) = (execution.summary(), execution.error_output());
        let at = summary.stop_date.or(summary.redrive_date);
        let cursor = FeedCursor::new((self.changes.len() + 1).to_string());
        self.changes.push(StatusChange {
            arn: summary.arn,
            state_machine_arn: summary.state_machine_arn,
            map_run_arn: summary.map_run_arn,
            status: summary.status,
            at: at.unwrap_or(summary.start_date),
            start_date: summary.start_date,
            redrive_count: summary.redrive_count,
            error_output,
            cursor,
        });
    }
}

impl FakeState {
    /// Waits until there is a result.
    pub(super) async fn wait_for<T>(&self, mut look: impl FnMut() -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if let Some(found) = look() {
                return found;
            }
            changed.await;
        }
    }

    pub(super) async fn follow(
        &self,
        arn: Arc<str>,
        after: u64,
        longest: Duration,
    ) -> Option<FollowedEvents> {
        let look = || {
            let mut kept = self.kept();
            let Some(execution) = kept.execution(&arn) else {
                return Some(None);
            };
            let skipped = usize::try_from(after).unwrap_or(usize::MAX);
            let events: Vec<_> = execution.events.iter().skip(skipped).cloned().collect();
            let has_ended = execution.ended.is_some();
            (has_ended || !events.is_empty()).then_some(Some(FollowedEvents { events, has_ended }))
        };
        let found = timeout(longest, self.wait_for(look)).await;
        found.unwrap_or_else(|_| Some(FollowedEvents::default()))
    }

    pub(super) async fn follow_statuses(
        &self,
        after: Option<FeedCursor>,
        limit: usize,
        longest: Duration,
    ) -> Result<StatusChanges, FollowError> {
        let count = self.kept().changes.len();
        let Some(after) = after else {
            return Ok(StatusChanges {
                changes: Vec::new(),
                cursor: FeedCursor::new(count.to_string()),
            });
        };
        let position = after.as_str().parse().ok().filter(|at| *at <= count);
        let Some(position) = position else {
            return Err(FollowError::Unknown(after));
        };
        let look = || {
            let kept = self.kept();
            let next = kept.changes.iter().skip(position).take(limit);
            let changes: Vec<StatusChange> = next.cloned().collect();
            let cursor = changes.last()?.cursor.clone();
            Some(StatusChanges { changes, cursor })
        };
        let found = timeout(longest, self.wait_for(look)).await;
        Ok(found.unwrap_or_else(|_| StatusChanges {
            changes: Vec::new(),
            cursor: after,
        }))
    }
}
