//! Seals to write: event loops add them, and the sealing thread takes them.
use crate::database::row::RowId;
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Says that there is something to seal.
#[derive(Clone, Default)]
pub(crate) struct SealSignal(Arc<Inner>);

#[derive(Default)]
struct Inner {
    waiting: Mutex<WaitingSeals>,
    arrived: Condvar,
}

#[derive(Default)]
struct WaitingSeals {
    /// True if some have ended since they were looked up.
    has_ended: bool,
    /// Those that run, of which there is a new snapshot.
    parts: BTreeSet<RowId>,
    is_closed: bool,
}

/// A job of the sealing thread.
pub(crate) enum Job {
    Part(RowId),
    /// Those that ended.
    Ended,
}

impl SealSignal {
    /// Some have ended, and that is durable.
    pub(crate) fn notify(&self) {
        self.waiting().has_ended = true;
        self.0.arrived.notify_one();
    }

    /// There is a new snapshot of one that runs.
    pub(crate) fn add_part(&self, row: RowId) {
        self.waiting().parts.insert(row);
        self.0.arrived.notify_one();
    }

    pub(crate) fn close(&self) {
        self.waiting().is_closed = true;
        self.0.arrived.notify_all();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.waiting().is_closed
    }

    /// Returns the next job; None after the queue is closed.
    pub(crate) fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting();
        loop {
            if waiting.is_closed {
                return None;
            }
            if let Some(row) = waiting.parts.pop_first() {
                return Some(Job::Part(row));
            }
            if std::mem::take(&mut waiting.has_ended) {
                return Some(Job::Ended);
            }
            let woken = self.0.arrived.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingSeals> {
        self.0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
