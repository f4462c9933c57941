//! Things that are under way, and who waits for the last of them.
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Notify;

/// A count of pending work.
#[derive(Debug, Default)]
pub(crate) struct PendingCount {
    count: AtomicUsize,
    ended: Notify,
}

impl PendingCount {
    /// One more begins.
    pub(crate) fn start(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
    }

    /// One has ended.
    pub(crate) fn end(&self) {
        self.count.fetch_sub(1, Ordering::SeqCst);
        self.ended.notify_waiters();
    }

    /// Returns the number of pending operations.
    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    /// Waits until none is.
    pub(crate) async fn finish(&self) {
        loop {
            let ended = self.ended.notified();
            if self.count() == 0 {
                return;
            }
            ended.await;
        }
    }
}
