//! Conversions of timestamps, and their serialized form.
use super::{SECOND, Timestamp};
use chrono::{DateTime, Utc};
use std::fmt;
use std::time::{Duration, SystemTime};

impl From<DateTime<Utc>> for Timestamp {
    /// Converts a moment. A leap second becomes the first second after it.
    fn from(moment: DateTime<Utc>) -> Self {
        let Some(nanoseconds) = moment.timestamp_subsec_nanos().checked_sub(SECOND) else {
            return Self(moment);
        };
        DateTime::from_timestamp(moment.timestamp() + 1, nanoseconds).map_or(Self::MAX, Self)
    }
}

impl From<Timestamp> for DateTime<Utc> {
    fn from(timestamp: Timestamp) -> Self {
        timestamp.0
    }
}

/// Converts from seconds and nanoseconds since the epoch.
impl TryFrom<(i64, u32)> for Timestamp {
    type Error = TimestampError;

    fn try_from((seconds, nanoseconds): (i64, u32)) -> Result<Self, TimestampError> {
        seconds
            .checked_add(i64::from(nanoseconds / SECOND))
            .and_then(|seconds| DateTime::from_timestamp(seconds, nanoseconds % SECOND))
            .map(Self)
            .ok_or(TimestampError {
                seconds,
                holder: Holder::Timestamp,
            })
    }
}

impl From<Timestamp> for (i64, u32) {
    fn from(timestamp: Timestamp) -> Self {
        (
            timestamp.0.timestamp(),
            timestamp.0.timestamp_subsec_nanos(),
        )
    }
}

impl TryFrom<SystemTime> for Timestamp {
    type Error = TimestampError;

    fn try_from(time: SystemTime) -> Result<Self, TimestampError> {
        let seconds = |duration: Duration| i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => (seconds(since), since.subsec_nanos()).try_into(),
            Err(error) => {
                let before = error.duration();
                match before.subsec_nanos() {
                    0 => (-seconds(before), 0).try_into(),
                    part => (-1 - seconds(before), SECOND - part).try_into(),
                }
            }
        }
    }
}

impl TryFrom<Timestamp> for SystemTime {
    type Error = TimestampError;

    /// Fails where the system's time does not go so far: on Windows, before the year 1601.
    fn try_from(timestamp: Timestamp) -> Result<Self, TimestampError> {
        let (seconds, nanoseconds) = timestamp.into();
        let whole = Duration::from_secs(seconds.unsigned_abs());
        let time = match seconds < 0 {
            true => Self::UNIX_EPOCH.checked_sub(whole),
            false => Self::UNIX_EPOCH.checked_add(whole),
        };
        time.and_then(|time| time.checked_add(Duration::from_nanos(nanoseconds.into())))
            .ok_or(TimestampError {
                seconds,
                holder: Holder::SystemTime,
            })
    }
}

/// A time is outside the range of the target type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct TimestampError {
    /// Since the epoch.
    seconds: i64,
    holder: Holder,
}

/// Values that cannot hold a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    Timestamp,
    SystemTime,
}

impl fmt::Display for TimestampError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.holder {
            Holder::Timestamp => {
                let (first, last) = (Timestamp::MIN, Timestamp::MAX);
                write!(f, "expected a moment from {first} to {last}")?;
            }
            Holder::SystemTime => {
                f.write_str("expected a moment that the system's clock can show")?
            }
        }
        let side = if self.seconds < 0 { "before" } else { "after" };
        write!(
            f,
            ", found one {} s {side} 1970-01-01T00:00:00Z",
            self.seconds.unsigned_abs()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::NaiveDate;
    use proptest::prelude::*;

    #[test]
    fn leap_seconds_of_chrono_are_the_seconds_after_them() {
        let leap = |date: NaiveDate| {
            date.and_hms_nano_opt(23, 59, 59, 1_500_000_000)
                .unwrap()
                .and_utc()
        };
        let next = Timestamp::parse("2017-01-01T00:00:00.5Z").unwrap();
        let last = NaiveDate::from_ymd_opt(2016, 12, 31).unwrap();
        assert_eq!(Timestamp::from(leap(last)), next);
        assert_eq!(Timestamp::from(leap(NaiveDate::MAX)), Timestamp::MAX);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let last = (8_210_266_876_799, 999_999_999);
        assert_eq!(Timestamp::try_from(last), Ok(Timestamp::MAX));
        assert_eq!(
            Timestamp::try_from((last.0 + 1, 0))
                .unwrap_err()
                .to_string(),
            "expected a moment from -262143-01-01T00:00:00.000Z to +262142-12-31T23:59:59.999Z, \
             found one 8210266876800 s after 1970-01-01T00:00:00Z"
        );
        assert!(Timestamp::try_from((i64::MAX, u32::MAX)).is_err());
        let first = -8_334_601_228_800;
        assert_eq!(Timestamp::try_from((first, 0)), Ok(Timestamp::MIN));
        assert_eq!(
            serde_json::from_str::<Timestamp>(&format!("[{}, 0]", first - 1))
                .unwrap_err()
                .to_string(),
            "expected a moment from -262143-01-01T00:00:00.000Z to +262142-12-31T23:59:59.999Z, \
             found one 8334601228801 s before 1970-01-01T00:00:00Z"
        );
    }

    #[test]
    fn it_is_saved_as_seconds_and_nanoseconds() {
        let saved =
            |nanoseconds| serde_json::to_string(&Timestamp::from_nanoseconds(nanoseconds)).unwrap();
        assert_eq!(saved(1_500_000_000), "[1,500000000]");
        assert_eq!(saved(-1), "[-1,999999999]");
        let carried: Timestamp = serde_json::from_str("[1,1500000000]").unwrap();
        assert_eq!(carried, Timestamp::from_nanoseconds(2_500_000_000));
    }

    #[test]
    fn the_clock_of_the_system_is_understood() {
        let before = SystemTime::UNIX_EPOCH - Duration::from_millis(1_500);
        assert_eq!(
            Timestamp::try_from(before),
            Ok(Timestamp::from_milliseconds(-1_500))
        );
        let far = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(i64::MAX as u64));
        if let Some(far) = far {
            assert!(Timestamp::try_from(far).is_err());
        }
    }

    proptest! {
        #[test]
        fn every_form_keeps_the_moment(seconds in -8_334_601_228_800_i64..=8_210_266_876_799, nanoseconds in 0..SECOND) {
            let moment = Timestamp::try_from((seconds, nanoseconds)).unwrap();
            prop_assert_eq!(<(i64, u32)>::from(moment), (seconds, nanoseconds));
            prop_assert_eq!(Timestamp::from(DateTime::from(moment)), moment);
            let saved = serde_json::to_string(&moment).unwrap();
            prop_assert_eq!(serde_json::from_str::<Timestamp>(&saved).unwrap(), moment);
        }

        #[test]
        fn the_clock_of_the_system_keeps_the_moment(milliseconds in -11_644_473_600_000_i64..253_402_300_800_000) {
            let moment = Timestamp::from_milliseconds(milliseconds);
            let time = SystemTime::try_from(moment).unwrap();
            prop_assert_eq!(Timestamp::try_from(time), Ok(moment));
        }
    }
}
