//! Statistics of a store since it was opened.
use asl_engine::Outcome;
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
    /// Executions that succeeded; children of Map Runs not counted, as in the next three.
    pub succeeded: u64,
    /// Executions that failed.
    pub failed: u64,
    /// Executions that timed out.
    pub timed_out: u64,
    /// Executions that were stopped.
    pub aborted: u64,
    /// Executions in memory.
    pub in_memory: u64,
    /// Tasks and storage requests that the performer was given.
    pub performed: u64,
    /// Tasks and storage requests that are performed now.
    pub performing: u64,
    /// Tasks and storage requests that wait for [`Options::max_performing`](crate::Options::max_performing).
    pub waiting_to_perform: u64,
    /// Bytes of the [memory](crate::Options::max_memory) that executions, starts and histories take.
    pub memory_bytes: u64,
    /// Bytes that they may take.
    pub max_memory_bytes: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) started: AtomicU64,
    pub(crate) inputs: AtomicU64,
    pub(crate) journaled_bytes: AtomicU64,
    pub(crate) commits: AtomicU64,
    pub(crate) running: AtomicU64,
    pub(crate) in_memory: AtomicU64,
    pub(crate) performed: AtomicU64,
    pub(crate) waiting_to_perform: AtomicU64,
    succeeded: AtomicU64,
    failed: AtomicU64,
    timed_out: AtomicU64,
    aborted: AtomicU64,
}

impl Counters {
    /// One execution fewer runs.
    pub(crate) fn end_running(&self, outcome: &Outcome) {
        count(
            match outcome {
                Outcome::Succeeded(_) => &self.succeeded,
                Outcome::Failed(_) => &self.failed,
                Outcome::TimedOut => &self.timed_out,
                Outcome::Aborted(_) => &self.aborted,
            },
            1,
        );
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
            succeeded: read(&self.succeeded),
            failed: read(&self.failed),
            timed_out: read(&self.timed_out),
            aborted: read(&self.aborted),
            performed: read(&self.performed),
            waiting_to_perform: read(&self.waiting_to_perform),
            ..Statistics::default()
        }
    }
}

/// One more, or several.
pub(crate) fn count(counter: &AtomicU64, more: usize) {
    counter.fetch_add(more as u64, Ordering::Relaxed);
}
