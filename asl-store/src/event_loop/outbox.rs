//! Operations of an event loop, and actions after their commit.
use super::link::Link;
use crate::database::operation::Operation;
use crate::database::row::RowId;
use asl_engine::EffectId;
use asl_engine::runtime::Request;
use std::collections::VecDeque;
use std::sync::Arc;

/// Batches on their way to the disk, before which the loop waits for one of them.
const MOST_COMMITTING: usize = 8;

/// Pending operations, and actions after their commit.
#[derive(Default)]
pub(super) struct Outbox {
    /// Room for a record while it is encoded.
    pub(super) encoding: Vec<u8>,
    pub(super) operations: Vec<Operation>,
    pub(super) post_commit: Vec<PostCommit>,
    /// Actions of batches that are being committed.
    pub(super) committing: VecDeque<(u64, Vec<PostCommit>)>,
    /// The number of the batch that is collected.
    pub(super) batch: u64,
}

/// Actions that run after a batch is committed.
pub(super) enum PostCommit {
    /// Performs an effect, unless it was cancelled.
    Spawn(Request, Arc<Link>),
    /// An effect is offered to the workers of its activity, answered by a test case, or requested again.
    Perform(RowId, EffectId),
    /// Sends a notification.
    Tell(Box<dyn FnOnce() + Send>),
}

impl Outbox {
    /// Returns true if there is nothing to write or to do.
    pub(super) fn is_empty(&self) -> bool {
        self.operations.is_empty() && self.post_commit.is_empty()
    }

    /// Returns true if so much is on its way to the disk that nothing new is taken on.
    pub(super) fn is_full(&self) -> bool {
        self.committing.len() >= MOST_COMMITTING
    }

    /// Returns true if a batch is durable.
    pub(super) fn is_durable(&self, batch: u64) -> bool {
        self.committing
            .front()
            .is_none_or(|(first, _)| batch < *first)
            && batch < self.batch
    }

    /// Sends a notification after all earlier operations are durable.
    pub(super) fn notify(&mut self, tell: impl FnOnce() + Send + 'static) {
        self.post_commit.push(PostCommit::Tell(Box::new(tell)));
    }
}
