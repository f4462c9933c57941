//! The followers that wait for commits.
use crate::database::operation::Operation;
use crate::database::row::RowId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The followers that wait.
#[derive(Default)]
pub(crate) struct Followers {
    executions: Mutex<HashMap<RowId, Arc<Notify>>>,
    pub(crate) changes: Notify,
}

/// A follower of an execution, as long as it waits.
pub(crate) struct Follower<'f> {
    followers: &'f Followers,
    execution: RowId,
    pub(crate) notify: Arc<Notify>,
}

impl Followers {
    /// Registers a follower of an execution, until it is dropped.
    pub(crate) fn add(&self, execution: RowId) -> Follower<'_> {
        let notify = Arc::clone(self.executions().entry(execution).or_default());
        Follower {
            followers: self,
            execution,
            notify,
        }
    }

    /// Wakes those that wait for what was committed. A follower registers before it reads: it either reads the commit, or is
    /// found here.
    pub(crate) fn notify<'o>(&self, committed: impl Iterator<Item = &'o Operation> + Clone) {
        if committed.clone().any(Operation::changes_status) {
            self.changes.notify_waiters();
        }
        let executions = self.executions();
        if executions.is_empty() {
            return;
        }
        for execution in committed.flat_map(Operation::executions) {
            if let Some(notify) = executions.get(&execution) {
                notify.notify_waiters();
            }
        }
    }

    /// Wakes all, so that they find the store closed.
    pub(crate) fn close(&self) {
        self.changes.notify_waiters();
        for notify in self.executions().values() {
            notify.notify_waiters();
        }
    }

    fn executions(&self) -> MutexGuard<'_, HashMap<RowId, Arc<Notify>>> {
        self.executions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Follower<'_> {
    fn drop(&mut self) {
        let mut executions = self.followers.executions();
        // One is of the map, and one of the last follower.
        if Arc::strong_count(&self.notify) <= 2 {
            executions.remove(&self.execution);
        }
    }
}
