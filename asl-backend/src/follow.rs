//! The feed of what happens: events of one execution, and status changes of all.
use crate::{BackendError, ExecutionStatus, HistoryPage, HistoryQuery};
use asl_engine::{ErrorOutput, Timestamp};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::Arc;

/// Events of an execution after the ones that a follower knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct FollowedEvents {
    /// The next events in order, each as in [`HistoryPage::events`](crate::HistoryPage::events). Empty if nothing happened in
    /// time.
    pub events: Vec<Arc<str>>,
    /// True if the execution has ended and no event follows. A redrive can continue it.
    pub has_ended: bool,
}

/// Events of one answer.
const MOST_EVENTS: usize = 1_000;

impl FollowedEvents {
    /// Returns the query of the events after an id; None after the largest id, which no event follows.
    pub fn query(after: u64) -> Option<HistoryQuery> {
        Some(HistoryQuery {
            from: Some(after.checked_add(1)?),
            limit: MOST_EVENTS,
            is_reversed: false,
        })
    }

    /// Creates the answer from the status of an execution and the page of [its query](Self::query), which was read after the
    /// status. None if a follower has to wait.
    ///
    /// ```
    /// use asl_backend::{ExecutionStatus, FollowedEvents};
    ///
    /// assert_eq!(FollowedEvents::new(ExecutionStatus::Running, None), None);
    /// assert!(FollowedEvents::new(ExecutionStatus::Failed, None).unwrap().has_ended);
    /// ```
    pub fn new(status: ExecutionStatus, page: Option<HistoryPage>) -> Option<Self> {
        let (events, next) = page.map_or((Vec::new(), None), |page| (page.events, page.next));
        let has_ended = status.is_end() && next.is_none();
        (has_ended || !events.is_empty()).then_some(Self { events, has_ended })
    }
}

/// A position in the status changes of all executions. Followers store it to continue after a restart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FeedCursor(Arc<str>);

impl FeedCursor {
    /// Creates a cursor from the text of one.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// Returns the cursor as text, which only its backend can read.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FeedCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Status changes after a cursor.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct StatusChanges {
    /// The changes, those of each execution in order. Empty if nothing happened in time.
    pub changes: Vec<StatusChange>,
    /// The position after the last change.
    pub cursor: FeedCursor,
}

/// A change of the status of a Standard execution: its start, its end, or a redrive.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct StatusChange {
    /// ARN of the execution.
    pub arn: Arc<str>,
    /// The state machine, without version or alias; with the label of the Map State, of a child of a Map Run.
    pub state_machine_arn: Arc<str>,
    /// The Map Run that it is a child of.
    pub map_run_arn: Option<Arc<str>>,
    /// The new status.
    pub status: ExecutionStatus,
    /// Time of the change.
    pub at: Timestamp,
    /// Time of the start.
    pub start_date: Timestamp,
    /// Number of redrives before the change.
    pub redrive_count: u64,
    /// The error and cause, if the execution did not succeed.
    pub error_output: ErrorOutput,
    /// The position after this change.
    pub cursor: FeedCursor,
}

impl StatusChange {
    /// Returns the id of the change: the same each time that the change is read.
    ///
    /// ```
    /// use asl_backend::{ExecutionStatus, FeedCursor, StatusChange};
    ///
    /// let change = |status| StatusChange {
    ///     arn: "arn".into(), state_machine_arn: "machine".into(), map_run_arn: None, status, at: Default::default(),
    ///     start_date: Default::default(), redrive_count: 0, error_output: Default::default(), cursor: FeedCursor::new("1"),
    /// };
    /// let (started, ended) = (change(ExecutionStatus::Running), change(ExecutionStatus::Succeeded));
    /// assert_eq!(started.id().len(), 32);
    /// assert_ne!(started.id(), ended.id());
    /// ```
    pub fn id(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.redrive_count.to_be_bytes());
        hash.update(self.start_date.to_string());
        hash.update(self.status.word());
        hash.update(&*self.arn);
        let digest = hash.finalize();
        digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// Reasons why status changes cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// Changes after the cursor are no longer stored.
    #[error(
        "changes after the cursor '{0}' were deleted: follow from now on, and list what was missed"
    )]
    Expired(FeedCursor),
    /// The backend did not return this cursor.
    #[error("'{0}' is no cursor of this backend")]
    Unknown(FeedCursor),
    /// An error of the backend.
    #[error(transparent)]
    Backend(#[from] BackendError),
}
