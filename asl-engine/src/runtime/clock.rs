//! The clocks a runtime can go by.
use asl_model::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;

/// The clock of a runtime. Clones share the same time.
///
/// ```
/// use asl_engine::runtime::Clock;
/// use asl_model::Timestamp;
///
/// let clock = Clock::virtual_from(Timestamp::from_milliseconds(1_000));
/// assert_eq!(clock.now(), Timestamp::from_milliseconds(1_000));
/// assert!(clock.is_virtual());
/// ```
#[derive(Debug, Clone)]
pub struct Clock(Arc<Kind>);

#[derive(Debug)]
enum Kind {
    Real(RealClock),
    Virtual(VirtualClock),
}

#[derive(Debug)]
struct RealClock {
    /// Initial time of the clock.
    origin: Timestamp,
    /// Time of the system clock at that moment, in nanoseconds since the epoch.
    system_origin: i64,
    /// The most nanoseconds that it showed since: the system's clock may be set back, this one never goes back.
    latest: AtomicI64,
}

#[derive(Debug)]
struct VirtualClock {
    /// It jumps with this locked: once a hold is taken, no jump is under way.
    hand: Mutex<Hand>,
    released: Notify,
}

#[derive(Debug)]
struct Hand {
    now: Timestamp,
    /// Number of holds that keep the clock from jumping.
    holds: usize,
}

/// Keeps a virtual clock from jumping while it lives; see [`Clock::hold`].
#[derive(Debug)]
pub struct ClockHold(Clock);

impl Clock {
    /// Creates the system's clock.
    pub fn real() -> Self {
        Self::real_from(Timestamp::from_nanoseconds(system_nanoseconds()))
    }

    /// Creates a clock that shows `now` at this moment and continues as the system's does.
    pub fn real_from(now: Timestamp) -> Self {
        Self(Arc::new(Kind::Real(RealClock {
            origin: now,
            system_origin: system_nanoseconds(),
            latest: AtomicI64::new(0),
        })))
    }

    /// Creates a clock that starts at `now` and jumps to the next moment at which something is due whenever nothing can
    /// continue and no task handler is at work: a Wait of a year ends at once, and in the right order among all executions.
    pub fn virtual_from(now: Timestamp) -> Self {
        Self(Arc::new(Kind::Virtual(VirtualClock {
            hand: Mutex::new(Hand { now, holds: 0 }),
            released: Notify::new(),
        })))
    }

    /// Returns the present moment; never before one it showed earlier.
    pub fn now(&self) -> Timestamp {
        match &*self.0 {
            Kind::Real(real) => {
                let passed = system_nanoseconds().saturating_sub(real.system_origin);
                let passed = passed.max(real.latest.fetch_max(passed, Ordering::Relaxed));
                real.origin.plus_nanoseconds(passed.unsigned_abs())
            }
            Kind::Virtual(clock) => clock.lock().now,
        }
    }

    /// Returns true if it jumps.
    pub fn is_virtual(&self) -> bool {
        matches!(*self.0, Kind::Virtual(_))
    }

    /// Keeps a virtual clock from jumping until the hold is dropped, so that several executions can be started, or
    /// task tokens returned, at one virtual moment. No effect on a real clock.
    #[must_use = "the clock goes on as soon as the hold is dropped"]
    pub fn hold(&self) -> ClockHold {
        if let Kind::Virtual(clock) = &*self.0 {
            clock.lock().holds += 1;
        }
        ClockHold(self.clone())
    }

    /// Returns true if it is a virtual clock that may jump now.
    pub(super) fn may_jump(&self) -> bool {
        match &*self.0 {
            Kind::Real(_) => false,
            Kind::Virtual(clock) => clock.lock().holds == 0,
        }
    }

    /// Jumps forward to `moment` if it is a virtual clock without holds; returns true if it moved.
    pub(super) fn jump_to(&self, moment: Timestamp) -> bool {
        let Kind::Virtual(clock) = &*self.0 else {
            return false;
        };
        let mut hand = clock.lock();
        let moves = hand.holds == 0 && hand.now < moment;
        if moves {
            hand.now = moment;
        }
        moves
    }

    /// Returns the time to sleep until `moment`; `None` if sleeping does not help.
    pub(super) fn time_until(&self, moment: Timestamp) -> Option<Duration> {
        if self.is_virtual() {
            return None;
        }
        let [now, moment] = [self.now(), moment].map(SystemTime::try_from);
        Some(match (now, moment) {
            // One that has passed is due.
            (Ok(now), Ok(moment)) => moment.duration_since(now).unwrap_or_default(),
            _ => Duration::MAX,
        })
    }

    /// Ready when the last hold was dropped; never for a real clock.
    pub(super) async fn released(&self) {
        match &*self.0 {
            Kind::Real(_) => std::future::pending().await,
            Kind::Virtual(clock) => clock.released.notified().await,
        }
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::real()
    }
}

impl Drop for ClockHold {
    fn drop(&mut self) {
        if let Kind::Virtual(clock) = &*self.0.0 {
            let mut hand = clock.lock();
            hand.holds -= 1;
            if hand.holds == 0 {
                clock.released.notify_one();
            }
        }
    }
}

impl VirtualClock {
    fn lock(&self) -> MutexGuard<'_, Hand> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn system_nanoseconds() -> i64 {
    match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |n| -n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_clock_moves_only_by_jumps_and_never_back() {
        let clock = Clock::virtual_from(Timestamp::from_milliseconds(5));
        assert!(clock.jump_to(Timestamp::from_milliseconds(9)));
        assert!(!clock.jump_to(Timestamp::from_milliseconds(7)));
        assert!(!clock.jump_to(Timestamp::from_milliseconds(9)));
        assert_eq!(clock.now(), Timestamp::from_milliseconds(9));
        assert_eq!(clock.time_until(Timestamp::from_milliseconds(99)), None);
    }

    #[test]
    fn a_held_clock_may_not_jump_before_every_hold_is_gone() {
        let clock = Clock::virtual_from(Timestamp::default());
        let later = Timestamp::default().plus_seconds(1);
        let (first, second) = (clock.hold(), clock.hold());
        drop(first);
        assert!(!clock.may_jump() && !clock.jump_to(later));
        assert_eq!(clock.now(), Timestamp::default());
        drop(second);
        assert!(clock.may_jump() && clock.jump_to(later));
        assert_eq!(clock.now(), later);
        assert!(!Clock::real().may_jump());
    }

    #[test]
    fn a_real_clock_goes_on_from_where_it_was_set() {
        let start = Timestamp::from_milliseconds(0);
        let clock = Clock::real_from(start);
        let shown = clock.now();
        assert!(shown >= start && shown < start.plus_seconds(60));
        assert!(clock.now() >= shown);
        let left = clock.time_until(shown.plus_seconds(3600)).unwrap();
        assert!(left <= Duration::from_secs(3600) && left > Duration::from_secs(3000));
        let long_ago = Timestamp::from_nanoseconds(i64::MIN);
        assert_eq!(clock.time_until(long_ago), Some(Duration::ZERO));
    }

    #[test]
    fn clocks_show_every_moment_that_there_is() {
        let far = Timestamp::parse("9999-12-31T23:59:59.5Z").unwrap();
        let clock = Clock::virtual_from(Timestamp::default());
        assert!(clock.jump_to(far) && clock.now() == far);
        let real = Clock::real_from(far);
        assert!(real.now() >= far && real.now() < far.plus_seconds(60));
        assert!(real.time_until(far.plus_seconds(100)).unwrap() > Duration::from_secs(40));
    }
}
