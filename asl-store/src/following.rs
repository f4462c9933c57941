//! Followers: those that wait for an execution, and those that wait for status changes.
use crate::database::operation::Operation;
use crate::database::{changes, executions};
use crate::history;
use crate::shared::closing;
use crate::store::Store;
use asl_backend::{
    BackendError, FeedCursor, FollowError, FollowedEvents, HistoryQuery, StatusChanges,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Events of one answer.
const MOST_EVENTS: usize = 1_000;
/// Status changes of one answer.
const MOST_CHANGES: usize = 10_000;

/// Returns the time at which a wait ends; None for never.
fn deadline(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}

/// Waits for a signal until a time; whether it came.
async fn signalled(signal: impl Future<Output = ()>, deadline: Option<Instant>) -> bool {
    match deadline {
        Some(deadline) => tokio::time::timeout_at(deadline, signal).await.is_ok(),
        None => {
            signal.await;
            true
        }
    }
}

impl Store {
    pub(crate) async fn follow_events(
        &self,
        arn: Arc<str>,
        after: u64,
        timeout: Duration,
    ) -> Result<Option<FollowedEvents>, BackendError> {
        let deadline = deadline(timeout);
        let of = Arc::clone(&arn);
        let row = self.read_here(move |connection| executions::row_of(connection, &of))?;
        let Some(row) = row else {
            return Ok(None);
        };
        let follower = self.inner.shared.followers.add(row);
        loop {
            let changed = follower.notify.notified();
            tokio::pin!(changed);
            // What happens from here on wakes it.
            changed.as_mut().enable();
            self.check_open()?;
            let of = Arc::clone(&arn);
            let status = self.read_here(move |connection| executions::status(connection, &of))?;
            let Some(status) = status else {
                return Ok(None);
            };
            let (events, is_last) = self.events_after(&arn, after).await?;
            let has_ended = status.is_end() && is_last;
            if !events.is_empty() || has_ended {
                return Ok(Some(FollowedEvents { events, has_ended }));
            }
            if !signalled(changed, deadline).await {
                return Ok(Some(FollowedEvents::default()));
            }
        }
    }

    fn check_open(&self) -> Result<(), BackendError> {
        match self.inner.shared.health.is_closing() {
            true => Err(closing()),
            false => Ok(()),
        }
    }

    /// Reads events after one; whether they are the last so far.
    async fn events_after(
        &self,
        arn: &Arc<str>,
        after: u64,
    ) -> Result<(Vec<Arc<str>>, bool), BackendError> {
        let Some(from) = after.checked_add(1) else {
            return Ok((Vec::new(), true));
        };
        let query = HistoryQuery {
            from: Some(from),
            limit: MOST_EVENTS,
            is_reversed: false,
        };
        let page = history::page::page(&self.inner.histories, Arc::clone(arn), query).await?;
        Ok(page.map_or((Vec::new(), true), |page| {
            (page.events, page.next.is_none())
        }))
    }

    pub(crate) async fn follow_changes(
        &self,
        after: Option<FeedCursor>,
        limit: usize,
        timeout: Duration,
    ) -> Result<StatusChanges, FollowError> {
        let shared = &self.inner.shared;
        let Some(after) = after else {
            if !self.read_here(changes::is_started)? {
                shared.write(vec![Operation::FollowStatuses]).await?;
            }
            let last = self.read_here(changes::last)?;
            return Ok(StatusChanges {
                changes: Vec::new(),
                cursor: changes::cursor(last),
            });
        };
        let deadline = deadline(timeout);
        let limit = limit.clamp(1, MOST_CHANGES);
        loop {
            let changed = shared.followers.changes.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            self.check_open()?;
            let of = after.clone();
            let read = self.read(move |connection| changes::read(connection, &of, limit));
            let changes = read.await??;
            let is_last = changes.is_empty() && !signalled(changed, deadline).await;
            if !changes.is_empty() || is_last {
                let last = changes.last().map(|change| change.cursor.clone());
                return Ok(StatusChanges {
                    cursor: last.unwrap_or(after),
                    changes,
                });
            }
        }
    }
}
