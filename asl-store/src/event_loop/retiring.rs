//! Executions that ended long ago are released from time to time: the first event loop sees to that.
use super::EventLoop;
use crate::Options;
use crate::clock::milliseconds;
use crate::database::operation::Operation;
use crate::database::retention::Retirement;
use asl_engine::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Between two looks at what ended long ago, of which each releases some.
const PAUSE: Duration = Duration::from_secs(1);
/// The same while there was more: than can end in that time, and answers come between.
const SHORT_PAUSE: Duration = Duration::from_millis(100);

/// Time of the last deletion of old executions, and whether more remain.
#[derive(Default)]
pub(super) struct RetentionProgress {
    last: Option<Timestamp>,
    has_more: Arc<AtomicBool>,
}

impl RetentionProgress {
    fn has_more(&self) -> bool {
        self.has_more.load(Ordering::Relaxed)
    }

    /// Returns when to look next; none for at once.
    fn next(&self) -> Option<Timestamp> {
        let pause = if self.has_more() { SHORT_PAUSE } else { PAUSE };
        self.last?.checked_add(pause)
    }

    /// Returns the time of the next deletion, if more executions remain.
    pub(super) fn wake(&self, now: Timestamp) -> Option<Timestamp> {
        let is_wanted = self.has_more() || self.last.is_none();
        is_wanted.then(|| self.next().unwrap_or(now))
    }

    /// Returns the deletion that is due.
    fn due(&mut self, options: &Options, now: Timestamp) -> Option<Retirement> {
        if self.next().is_some_and(|next| next > now) {
            return None;
        }
        self.last = Some(now);
        // It is said anew once this is written.
        self.has_more.store(false, Ordering::Relaxed);
        let retention = i64::try_from(options.retention.as_millis()).unwrap_or(i64::MAX);
        Some(Retirement {
            before: milliseconds(now, false).saturating_sub(retention),
            bytes: options.retention_bytes,
            has_more: Arc::clone(&self.has_more),
        })
    }
}

impl EventLoop {
    /// From time to time, releases what ended long ago.
    pub(super) fn retire(&mut self, now: Timestamp) {
        let Some(retiring) = &mut self.retiring else {
            return;
        };
        if let Some(retirement) = retiring.due(&self.shared.options, now) {
            self.outbox.operations.push(Operation::Retire(retirement));
        }
    }
}
