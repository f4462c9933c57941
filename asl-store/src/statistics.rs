//! Statistics of a store since it was opened.
use std::sync::atomic::{AtomicU64, Ordering};

/// Statistics of a store since it was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// Executions that were started; children of Map Runs not counted.
    pub started: u64,
    /// Inputs that were journaled.
    pub inputs: u64,
    /// Bytes of these.
    pub journaled_bytes: u64,
    /// Transactions.
    pub commits: u64,
    /// Executions that run, children of Map Runs not counted.
    pub running: u64,
    /// Executions in memory.
    pub in_memory: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) started: AtomicU64,
    pub(crate) inputs: AtomicU64,
    pub(crate) journaled_bytes: AtomicU64,
    pub(crate) commits: AtomicU64,
    pub(crate) running: AtomicU64,
    pub(crate) in_memory: AtomicU64,
}

impl Counters {
    /// One execution fewer runs.
    pub(crate) fn end_running(&self) {
        let fewer = |running: u64| running.checked_sub(1);
        // There is one.
        let _ = self
            .running
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }

    pub(crate) fn read(&self) -> Statistics {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Statistics {
            started: read(&self.started),
            inputs: read(&self.inputs),
            journaled_bytes: read(&self.journaled_bytes),
            commits: read(&self.commits),
            running: read(&self.running),
            in_memory: read(&self.in_memory),
        }
    }
}

/// One more, or several.
pub(crate) fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}
