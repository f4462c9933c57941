//! The moment at which a performer gets a task: its timeouts count from then, not from the request.
use asl_model::Timestamp;
use std::sync::atomic::{AtomicU8, Ordering};

/// Time from the request of a task to its beginning that its timeouts may lack, in nanoseconds.
const UNNOTICED: u64 = 5_000_000;

/// Stage of a task that waits for its performer.
const WAITING: u8 = 0;
/// Stage of a task that still waited when a timeout was over, which counts anew.
const POSTPONED: u8 = 1;
/// Stage of a task whose performer has begun, with a notice to the event loop on its way.
const ANNOUNCED: u8 = 2;
/// Stage of a task whose performer has begun.
const BEGUN: u8 = 3;

/// The way of a task from the event loop to its performer.
#[derive(Debug, Default)]
pub(super) struct Handover {
    /// Time of the request, if the task has timeouts.
    requested: Option<Timestamp>,
    stage: AtomicU8,
}

impl Handover {
    /// Begins the way of a task with timeouts that count from `requested`.
    pub(super) fn from_request(requested: Timestamp) -> Self {
        Self {
            requested: Some(requested),
            stage: AtomicU8::new(WAITING),
        }
    }

    /// Records that the performer begins; returns true if the event loop must be notified.
    pub(super) fn begin(&self, now: impl FnOnce() -> Timestamp) -> bool {
        let Some(requested) = self.requested else {
            return false;
        };
        let is_soon = now() < requested.plus_nanoseconds(UNNOTICED);
        let change = |to| {
            let order = (Ordering::AcqRel, Ordering::Acquire);
            let changed = self.stage.compare_exchange(WAITING, to, order.0, order.1);
            changed.is_ok()
        };
        if is_soon && change(BEGUN) {
            return false;
        }
        self.stage.store(ANNOUNCED, Ordering::Release);
        true
    }

    /// Records that the event loop received the notice.
    pub(super) fn finish(&self) {
        self.stage.store(BEGUN, Ordering::Release);
    }

    /// Returns true if the performer has not begun, as far as the event loop knows: its timeouts start anew.
    pub(super) fn postpone(&self) -> bool {
        if self.requested.is_none() {
            return false;
        }
        let order = (Ordering::AcqRel, Ordering::Acquire);
        let changed = self
            .stage
            .compare_exchange(WAITING, POSTPONED, order.0, order.1);
        changed.is_ok() || self.stage.load(Ordering::Acquire) != BEGUN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    #[test]
    fn only_a_late_or_postponed_beginning_is_told() {
        let handover = Handover::from_request(at(0));
        assert!(!handover.begin(|| at(4)));
        assert!(!handover.postpone());
        let handover = Handover::from_request(at(0));
        assert!(handover.begin(|| at(5)));
        assert!(handover.postpone(), "the event loop has not heard of it");
        handover.finish();
        assert!(!handover.postpone());
        let handover = Handover::from_request(at(0));
        assert!(handover.postpone() && handover.postpone());
        assert!(handover.begin(|| at(1)));
    }

    #[test]
    fn a_task_without_timeouts_is_never_postponed() {
        let handover = Handover::default();
        assert!(!handover.postpone());
        assert!(!handover.begin(|| at(1_000)));
    }
}
