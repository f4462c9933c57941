//! What the time is: never earlier than it was, also over restarts.
use asl_engine::Timestamp;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The later of the system's time, and of the latest moment that was known when the store was opened plus the time since.
#[derive(Debug)]
pub(crate) struct StoreClock {
    opened: Instant,
    floor: Timestamp,
    was_behind: Duration,
    last: Mutex<Timestamp>,
}

impl StoreClock {
    /// A clock that goes on from `floor`.
    pub(crate) fn new(floor: Timestamp) -> Self {
        let wall = Timestamp::try_from(SystemTime::now()).unwrap_or(floor);
        Self {
            opened: Instant::now(),
            floor,
            was_behind: floor.duration_since(wall),
            last: Mutex::new(floor),
        }
    }

    /// How far the system's time was behind the latest moment that was known.
    pub(crate) fn was_behind(&self) -> Duration {
        self.was_behind
    }

    /// The present moment.
    pub(crate) fn now(&self) -> Timestamp {
        let since = self.floor.checked_add(self.opened.elapsed());
        let steady = since.unwrap_or(self.floor);
        let wall = Timestamp::try_from(SystemTime::now()).unwrap_or(steady);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = wall.max(steady).max(*last);
        *last
    }
}

/// Milliseconds since 1970; a fraction counts as a whole one where `up`.
pub(crate) fn milliseconds(moment: Timestamp, up: bool) -> i64 {
    let (_, nanoseconds): (i64, u32) = moment.into();
    let rest = up && nanoseconds % 1_000_000 > 0;
    asl_host::engine::milliseconds(moment).saturating_add(i64::from(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_ran_ahead_does_not_stand_still() {
        let year_3000 = Timestamp::from_milliseconds(32_503_680_000_000);
        let clock = StoreClock::new(year_3000);
        let first = clock.now();
        std::thread::sleep(Duration::from_millis(2));
        assert!(first >= year_3000 && clock.now() > first);
    }

    #[test]
    fn a_moment_is_rounded_so_that_nothing_is_due_too_early() {
        let moment = Timestamp::from_nanoseconds(1_000_001);
        assert_eq!(
            (milliseconds(moment, false), milliseconds(moment, true)),
            (1, 2)
        );
        let whole = Timestamp::from_milliseconds(7);
        assert_eq!(
            (milliseconds(whole, false), milliseconds(whole, true)),
            (7, 7)
        );
    }
}
