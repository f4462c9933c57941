//! Status changes of executions, for followers.
use super::{ExecutionOutcome, ListEntry};
use asl_engine::{ErrorOutput, Timestamp};
use serde::{Deserialize, Serialize};

/// A status change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FeedEntry {
    /// The execution with its new status.
    pub(crate) listed: ListEntry,
    pub(crate) error_output: ErrorOutput,
}

impl FeedEntry {
    /// Creates the change of an execution that starts or continues, or that ended.
    pub(crate) fn new(listed: ListEntry, ending: Option<&ExecutionOutcome>) -> Self {
        Self {
            listed,
            error_output: ending.map_or_else(ErrorOutput::default, |it| it.error_output.clone()),
        }
    }

    /// Returns the time of the change.
    pub(crate) fn at(&self) -> Timestamp {
        let ListEntry {
            stop_date,
            redrive_date,
            start_date,
            ..
        } = self.listed;
        stop_date.or(redrive_date).unwrap_or(start_date)
    }
}

/// Selects changes of a part of the feed.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct FeedQuery {
    /// The number of changes that are known already.
    pub(crate) after: u64,
    pub(crate) limit: usize,
}

/// Changes of a part of the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FeedPage {
    /// Number of the first change that is stored, from 0.
    pub(crate) first: u64,
    /// Number of the next change to come.
    pub(crate) next: u64,
    /// The changes in order, without gaps.
    pub(crate) entries: Vec<FeedEntry>,
}
