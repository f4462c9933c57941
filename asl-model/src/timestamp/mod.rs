//! Timestamps: RFC 3339 with an uppercase `T`, and an uppercase `Z` or a numeric offset (2024 specification, Timestamps).
mod convert;
mod parse;

pub use convert::TimestampError;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use std::fmt;
use std::time::Duration;

/// In nanoseconds.
const SECOND: u32 = 1_000_000_000;

/// A moment in UTC, exact to the nanosecond: any that [`chrono`] has, from [`Timestamp::MIN`] to [`Timestamp::MAX`].
///
/// It is saved as whole seconds since 1970-01-01T00:00:00Z, rounded down, and nanoseconds.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(try_from = "(i64, u32)", into = "(i64, u32)")]
pub struct Timestamp(
    /// Never within a leap second, so that each moment is there once.
    DateTime<Utc>,
);

impl Timestamp {
    /// The first moment: the beginning of the year -262143.
    pub const MIN: Self = Self(DateTime::<Utc>::MIN_UTC);
    /// The last moment: the end of the year 262142.
    pub const MAX: Self = Self(DateTime::<Utc>::MAX_UTC);

    /// Creates a timestamp from nanoseconds since the epoch.
    pub const fn from_nanoseconds(nanoseconds: i64) -> Self {
        Self(DateTime::from_timestamp_nanos(nanoseconds))
    }

    /// Converts milliseconds since the epoch; values out of range become the first or last timestamp.
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        match DateTime::from_timestamp_millis(milliseconds) {
            Some(moment) => Self(moment),
            None if milliseconds < 0 => Self::MIN,
            None => Self::MAX,
        }
    }

    /// Nanoseconds since the epoch (saturating: the years 1677 to 2262 fit).
    pub const fn nanoseconds(self) -> i64 {
        match self.0.timestamp_nanos_opt() {
            Some(nanoseconds) => nanoseconds,
            None if self.0.timestamp() < 0 => i64::MIN,
            None => i64::MAX,
        }
    }

    /// Milliseconds since the epoch, rounded down.
    pub const fn milliseconds(self) -> i64 {
        self.0.timestamp_millis()
    }

    /// Adds seconds; a result out of range is the last timestamp.
    #[must_use]
    pub fn plus_seconds(self, seconds: u64) -> Self {
        self.plus(Duration::from_secs(seconds))
    }

    /// Adds nanoseconds; a result out of range is the last timestamp.
    #[must_use]
    pub fn plus_nanoseconds(self, nanoseconds: u64) -> Self {
        self.plus(Duration::from_nanos(nanoseconds))
    }

    fn plus(self, duration: Duration) -> Self {
        self.checked_add(duration).unwrap_or(Self::MAX)
    }

    /// Adds a duration; `None` if the result is out of range.
    ///
    /// ```
    /// use asl_model::Timestamp;
    /// use std::time::Duration;
    /// let start = Timestamp::default();
    /// assert_eq!(start.checked_add(Duration::from_secs(1)), Some(start.plus_seconds(1)));
    /// assert_eq!(start.checked_add(Duration::MAX), None);
    /// ```
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        let delta = TimeDelta::from_std(duration).ok()?;
        self.0.checked_add_signed(delta).map(Self)
    }

    /// Returns the duration since `earlier`; zero if `earlier` is later.
    ///
    /// ```
    /// use asl_model::Timestamp;
    /// use std::time::Duration;
    /// let start = Timestamp::default();
    /// assert_eq!(start.plus_seconds(1).duration_since(start), Duration::from_secs(1));
    /// assert_eq!(start.duration_since(start.plus_seconds(1)), Duration::ZERO);
    /// ```
    #[must_use]
    pub fn duration_since(self, earlier: Self) -> Duration {
        self.0
            .signed_duration_since(earlier.0)
            .to_std()
            .unwrap_or_default()
    }

    /// Parses the profile of RFC 3339 that the specification requests. A leap second, 23:59:60 in UTC, is read as the first
    /// second of the next day; digits beyond nanoseconds are cut off.
    ///
    /// ```
    /// use asl_model::Timestamp;
    /// let moment = Timestamp::parse("2016-03-14T02:59:00.5+01:00").unwrap();
    /// assert_eq!(moment.to_string(), "2016-03-14T01:59:00.500Z");
    /// assert_eq!(Timestamp::parse("2016-03-14 01:59:00Z"), None);
    /// assert_eq!(Timestamp::parse("2016-03-14T01:59:00"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        parse::date_time(text.as_bytes())
    }

    /// Formats the timestamp in UTC, without trailing zeros of the fraction: `2016-03-14T01:59:00Z`. Years of more than four
    /// digits have a sign, as in ISO 8601.
    ///
    /// ```
    /// use asl_model::Timestamp;
    /// assert_eq!(Timestamp::from_nanoseconds(1_500_000_000).to_rfc3339(), "1970-01-01T00:00:01.5Z");
    /// ```
    pub fn to_rfc3339(self) -> String {
        let text = self.0.to_rfc3339_opts(SecondsFormat::Nanos, true);
        let significant = text.trim_end_matches(['0', 'Z']).trim_end_matches('.');
        format!("{significant}Z")
    }
}

/// Milliseconds and `Z`, as the Context Object has it: `2016-03-14T01:59:00.000Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_rfc3339_opts(SecondsFormat::Millis, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn far_years_compare() {
        let parse = |text| Timestamp::parse(text).unwrap();
        assert!(parse("1500-01-01T00:00:00Z") < parse("1677-01-01T00:00:00Z"));
        assert!(parse("2262-12-31T00:00:00Z") < parse("9999-12-31T00:00:00Z"));
        assert_eq!(parse("9999-12-31T23:59:59Z").nanoseconds(), i64::MAX);
        assert_eq!(parse("0001-01-01T00:00:00Z").nanoseconds(), i64::MIN);
    }

    #[test]
    fn milliseconds_are_shown() {
        let shown = |milliseconds| Timestamp::from_milliseconds(milliseconds).to_string();
        assert_eq!(shown(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(shown(-1), "1969-12-31T23:59:59.999Z");
        assert_eq!(shown(-62_135_596_800_000), "0001-01-01T00:00:00.000Z");
        assert_eq!(shown(253_402_300_800_000), "+10000-01-01T00:00:00.000Z");
        assert_eq!(shown(-62_167_219_200_001), "-0001-12-31T23:59:59.999Z");
    }

    #[test]
    fn zeros_at_the_end_of_a_second_are_left_out() {
        let shown = |nanoseconds| Timestamp::from_nanoseconds(nanoseconds).to_rfc3339();
        assert_eq!(shown(0), "1970-01-01T00:00:00Z");
        assert_eq!(shown(100), "1970-01-01T00:00:00.0000001Z");
        assert_eq!(shown(10_000_000_000), "1970-01-01T00:00:10Z");
    }

    #[test]
    fn time_is_added() {
        let start = Timestamp::from_milliseconds(1_500);
        assert_eq!(start.plus_seconds(2).milliseconds(), 3_500);
        assert_eq!(start.plus_nanoseconds(1_500_000_000).milliseconds(), 3_000);
        let far = Timestamp::parse("9999-12-31T23:59:59Z").unwrap();
        assert_eq!(far.plus_seconds(1).milliseconds(), 253_402_300_800_000);
    }

    #[test]
    fn what_is_beyond_the_ends_is_the_end() {
        let start = Timestamp::default();
        assert_eq!(start.plus_seconds(u64::MAX), Timestamp::MAX);
        assert_eq!(start.plus_seconds(i64::MAX as u64), Timestamp::MAX);
        assert_eq!(Timestamp::MAX.plus_nanoseconds(1), Timestamp::MAX);
        assert_eq!(Timestamp::from_milliseconds(i64::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::from_milliseconds(i64::MIN), Timestamp::MIN);
        assert_eq!(Timestamp::MAX.nanoseconds(), i64::MAX);
        assert_eq!(Timestamp::MIN.nanoseconds(), i64::MIN);
        assert!(Timestamp::MIN < start && start < Timestamp::MAX);
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(seconds in -62_167_219_200_i64..253_402_300_800, nanoseconds in 0..SECOND) {
            let moment = Timestamp::try_from((seconds, nanoseconds)).unwrap();
            prop_assert_eq!(Timestamp::parse(&moment.to_rfc3339()), Some(moment));
            let shown = Timestamp::parse(&moment.to_string());
            let whole = Timestamp::try_from((seconds, nanoseconds / 1_000_000 * 1_000_000)).unwrap();
            prop_assert_eq!(shown, Some(whole));
            prop_assert_eq!(Timestamp::from_milliseconds(moment.milliseconds()), whole);
        }

        #[test]
        fn order_is_kept(a in any::<i64>(), b in any::<i64>()) {
            let (left, right) = (Timestamp::from_nanoseconds(a), Timestamp::from_nanoseconds(b));
            prop_assert_eq!(left.cmp(&right), a.cmp(&b));
            prop_assert_eq!(left.nanoseconds(), a);
        }

        #[test]
        fn sums_are_those_of_numbers(start in any::<i64>(), nanoseconds in any::<u64>(), seconds in 0..10_000_000_u64) {
            let moment = Timestamp::from_nanoseconds(start);
            let in_nanoseconds = |moment: Timestamp| {
                let (seconds, nanoseconds): (i64, u32) = moment.into();
                i128::from(seconds) * i128::from(SECOND) + i128::from(nanoseconds)
            };
            let sum = i128::from(start) + i128::from(nanoseconds);
            prop_assert_eq!(in_nanoseconds(moment.plus_nanoseconds(nanoseconds)), sum);
            let sum = i128::from(start) + i128::from(seconds) * i128::from(SECOND);
            prop_assert_eq!(in_nanoseconds(moment.plus_seconds(seconds)), sum);
        }
    }
}
