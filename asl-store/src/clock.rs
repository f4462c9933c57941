//! The store's time: it never goes back, even across restarts.
use asl_engine::Timestamp;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The system's time as long as that goes forward. A system clock that is set back changes nothing: from there on the time that
/// passes is added to the latest moment that was known.
#[derive(Debug)]
pub(crate) struct StoreClock {
    /// The latest moment that was known, and when that was.
    latest: Mutex<(Timestamp, Instant)>,
    was_behind: Duration,
}

impl StoreClock {
    /// A clock that continues from `floor`.
    pub(crate) fn new(floor: Timestamp) -> Self {
        let wall = Timestamp::try_from(SystemTime::now()).unwrap_or(floor);
        Self {
            latest: Mutex::new((floor, Instant::now())),
            was_behind: floor.duration_since(wall),
        }
    }

    /// Returns how far the system clock was behind the latest stored time.
    pub(crate) fn was_behind(&self) -> Duration {
        self.was_behind
    }

    /// Returns the present moment.
    pub(crate) fn now(&self) -> Timestamp {
        self.now_by(SystemTime::now(), Instant::now())
    }

    fn now_by(&self, wall: SystemTime, instant: Instant) -> Timestamp {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let (moment, known_at) = *latest;
        let passed = instant.saturating_duration_since(known_at);
        let steady = moment.checked_add(passed).unwrap_or(moment);
        let now = Timestamp::try_from(wall).unwrap_or(steady).max(steady);
        *latest = (now, instant.max(known_at));
        now
    }
}

/// Milliseconds since 1970; a fraction counts as a whole one where `up`.
pub(crate) fn milliseconds(moment: Timestamp, up: bool) -> i64 {
    let (_, nanoseconds): (i64, u32) = moment.into();
    let rest = up && nanoseconds % 1_000_000 > 0;
    asl_backend::milliseconds(moment).saturating_add(i64::from(rest))
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
    fn a_clock_that_is_set_back_goes_on() {
        let (wall, instant) = (SystemTime::now(), Instant::now());
        let clock = StoreClock::new(Timestamp::try_from(wall).unwrap());
        let at = |wall, seconds| clock.now_by(wall, instant + Duration::from_secs(seconds));
        let day = Duration::from_secs(24 * 60 * 60);
        let first = at(wall, 1);
        assert_eq!(at(wall - day, 3), first.plus_seconds(2));
        // A clock that is set forward is followed at once. Set back again, time continues from there.
        let later = Timestamp::try_from(wall + day).unwrap();
        assert_eq!(at(wall + day, 4), later);
        assert_eq!(at(wall, 9), later.plus_seconds(5));
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
