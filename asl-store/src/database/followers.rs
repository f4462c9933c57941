//! The followers that wait for commits.
use crate::database::operation::Operation;
use crate::database::row::RowId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The followers that wait.
#[derive(Default)]
pub(crate) struct Followers {
    executions: Mutex<HashMap<RowId, Waiting>>,
    /// Their number, which is read after each commit.
    count: AtomicUsize,
    pub(crate) changes: Notify,
}

/// The followers of one execution.
#[derive(Default)]
struct Waiting {
    notify: Arc<Notify>,
    count: usize,
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
        let mut executions = self.executions();
        let waiting = executions.entry(execution).or_default();
        waiting.count += 1;
        self.count.fetch_add(1, Ordering::SeqCst);
        Follower {
            followers: self,
            execution,
            notify: Arc::clone(&waiting.notify),
        }
    }

    /// Wakes those that wait for what was committed. A follower registers before it reads: it either reads the commit, or is
    /// found here.
    pub(crate) fn notify<'o>(&self, committed: impl Iterator<Item = &'o Operation> + Clone) {
        if committed.clone().any(Operation::changes_status) {
            self.changes.notify_waiters();
        }
        if self.count.load(Ordering::SeqCst) == 0 {
            return;
        }
        let executions = self.executions();
        for execution in committed.filter_map(Operation::execution) {
            if let Some(waiting) = executions.get(&execution) {
                waiting.notify.notify_waiters();
            }
        }
    }

    /// Wakes all, so that they find the store closed.
    pub(crate) fn close(&self) {
        self.changes.notify_waiters();
        for waiting in self.executions().values() {
            waiting.notify.notify_waiters();
        }
    }

    fn executions(&self) -> MutexGuard<'_, HashMap<RowId, Waiting>> {
        self.executions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Follower<'_> {
    fn drop(&mut self) {
        let mut executions = self.followers.executions();
        self.followers.count.fetch_sub(1, Ordering::SeqCst);
        if let Some(waiting) = executions.get_mut(&self.execution) {
            waiting.count -= 1;
            if waiting.count == 0 {
                executions.remove(&self.execution);
            }
        }
    }
}
