//! Followers: those that wait for an execution, and those that wait for status changes.
use crate::database::operation::Operation;
use crate::database::{changes, executions};
use crate::shared::closing;
use crate::store::Store;
use asl_backend::{
    Backend as _, BackendError, FeedCursor, FollowError, FollowedEvents, StatusChanges,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

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
        loop {
            self.check_open()?;
            // A redrive gives a child another row.
            let Some(row) = self.read_here(|connection| executions::row_of(connection, &arn))?
            else {
                return Ok(None);
            };
            let follower = self.inner.shared.followers.add(row);
            let changed = follower.notify.notified();
            tokio::pin!(changed);
            // What happens from here on wakes it.
            changed.as_mut().enable();
            let status = self.read_here(|connection| executions::status(connection, &arn))?;
            let Some(status) = status else {
                return Ok(None);
            };
            let page = match FollowedEvents::query(after) {
                Some(query) => self.history(Arc::clone(&arn), query).await?,
                None => None,
            };
            if let Some(events) = FollowedEvents::new(status, page) {
                return Ok(Some(events));
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
