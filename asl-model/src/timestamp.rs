//! Timestamps: RFC 3339 with an uppercase `T`, and an uppercase `Z` or a numeric offset (specification, Timestamps).
use std::fmt;

const NANOSECONDS: i128 = 1_000_000_000;
const SECONDS_OF_DAY: i64 = 86_400;

/// A moment: nanoseconds since 1970-01-01T00:00:00Z, for any year from 0000 to 9999 and far beyond.
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
#[serde(from = "(i64, u32)", into = "(i64, u32)")]
pub struct Timestamp {
    /// Whole seconds since the epoch, rounded down.
    seconds: i64,
    /// 0 to 999,999,999.
    nanoseconds: u32,
}

impl Timestamp {
    /// From nanoseconds since the epoch.
    pub const fn from_nanoseconds(nanoseconds: i64) -> Self {
        Self {
            seconds: nanoseconds.div_euclid(1_000_000_000),
            nanoseconds: nanoseconds.rem_euclid(1_000_000_000) as u32,
        }
    }
    /// From milliseconds since the epoch.
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        Self {
            seconds: milliseconds.div_euclid(1_000),
            nanoseconds: milliseconds.rem_euclid(1_000) as u32 * 1_000_000,
        }
    }
    /// Nanoseconds since the epoch (saturating: the years 1677 to 2262 fit).
    pub const fn nanoseconds(self) -> i64 {
        let exact = self.seconds as i128 * NANOSECONDS + self.nanoseconds as i128;
        if exact > i64::MAX as i128 {
            i64::MAX
        } else if exact < i64::MIN as i128 {
            i64::MIN
        } else {
            exact as i64
        }
    }
    /// Milliseconds since the epoch, rounded down (saturating).
    pub const fn milliseconds(self) -> i64 {
        self.seconds
            .saturating_mul(1_000)
            .saturating_add((self.nanoseconds / 1_000_000) as i64)
    }
    /// This moment and `seconds` later (saturating).
    #[must_use]
    pub const fn plus_seconds(self, seconds: u64) -> Self {
        Self {
            seconds: self.seconds.saturating_add_unsigned(seconds),
            nanoseconds: self.nanoseconds,
        }
    }
    /// Parses the profile of RFC 3339 that the specification asks for. A leap second, 23:59:60 in UTC, is read as
    /// the first second of the next day; digits beyond nanoseconds are cut off.
    ///
    /// ```
    /// use asl_model::Timestamp;
    /// let moment = Timestamp::parse("2016-03-14T02:59:00.5+01:00").unwrap();
    /// assert_eq!(moment.to_string(), "2016-03-14T01:59:00.500Z");
    /// assert_eq!(Timestamp::parse("2016-03-14 01:59:00Z"), None);
    /// assert_eq!(Timestamp::parse("2016-03-14T01:59:00"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let date = date(bytes.get(..10)?)?;
        let time = bytes.get(10..19)?;
        let [b'T', h1, h2, b':', m1, m2, b':', s1, s2] = *time else {
            return None;
        };
        let hour = number(&[h1, h2]).filter(|hour| *hour < 24)?;
        let minute = number(&[m1, m2]).filter(|minute| *minute < 60)?;
        let second = number(&[s1, s2]).filter(|second| *second <= 60)?;
        let (nanoseconds, zone) = fraction(bytes.get(19..)?)?;
        let local = date * SECONDS_OF_DAY + hour * 3_600 + minute * 60 + second;
        let seconds = local - offset(zone)?;
        let leap = second == 60;
        (!leap || seconds % SECONDS_OF_DAY == 0).then_some(Self {
            seconds,
            nanoseconds,
        })
    }
    /// In UTC with all nine digits of a second that are not zeros at its end: `2016-03-14T01:59:00Z`.
    ///
    /// ```
    /// use asl_model::Timestamp;
    /// assert_eq!(Timestamp::from_nanoseconds(1_500_000_000).to_rfc3339(), "1970-01-01T00:00:01.5Z");
    /// ```
    pub fn to_rfc3339(self) -> String {
        let fraction = format!("{:09}", self.nanoseconds);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{}{point}{fraction}Z", self.to_seconds())
    }
    /// `2016-03-14T01:59:00`, in UTC.
    fn to_seconds(self) -> String {
        let (year, month, day) = civil(self.seconds.div_euclid(SECONDS_OF_DAY));
        let second = self.seconds.rem_euclid(SECONDS_OF_DAY);
        format!(
            "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}",
            second / 3_600,
            second / 60 % 60,
            second % 60
        )
    }
}

/// Milliseconds and `Z`, as the Context Object has it: `2016-03-14T01:59:00.000Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = self.nanoseconds / 1_000_000;
        write!(f, "{}.{milliseconds:03}Z", self.to_seconds())
    }
}

impl From<(i64, u32)> for Timestamp {
    fn from((seconds, nanoseconds): (i64, u32)) -> Self {
        Self {
            seconds: seconds.saturating_add(i64::from(nanoseconds / 1_000_000_000)),
            nanoseconds: nanoseconds % 1_000_000_000,
        }
    }
}

impl From<Timestamp> for (i64, u32) {
    fn from(timestamp: Timestamp) -> Self {
        (timestamp.seconds, timestamp.nanoseconds)
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |number, digit| {
        digit
            .is_ascii_digit()
            .then(|| number * 10 + i64::from(digit - b'0'))
    })
}

/// Days since the epoch of `2016-03-14`.
fn date(text: &[u8]) -> Option<i64> {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text else {
        return None;
    };
    let (year, month) = (number(&[y1, y2, y3, y4])?, number(&[m1, m2])?);
    let day = number(&[d1, d2])?;
    if !(1..=12).contains(&month) || day < 1 || day > days_of_month(year, month) {
        return None;
    }
    Some(days(year, month, day))
}

fn days_of_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since the epoch, counted in years that begin in March so that a leap day is a year's last.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let century = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    century * 146_097 + day_of_era - 719_468
}

/// Year, month and day of a number of days since the epoch: the inverse of [`days`].
const fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

/// The nanoseconds of `.123…`, if there, and what follows.
fn fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let Some((b'.', digits)) = text.split_first() else {
        return Some((0, text));
    };
    let length = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, rest) = digits.split_at_checked(length).filter(|_| length > 0)?;
    let mut nanoseconds = 0;
    for place in 0..9 {
        let digit = digits.get(place).map_or(0, |digit| u32::from(digit - b'0'));
        nanoseconds = nanoseconds * 10 + digit;
    }
    Some((nanoseconds, rest))
}

/// The seconds east of UTC of `Z` or `+01:00`.
fn offset(text: &[u8]) -> Option<i64> {
    let (sign, [h1, h2, b':', m1, m2]) = (match *text {
        [b'Z'] => return Some(0),
        [b'+', ref rest @ ..] => (1, rest),
        [b'-', ref rest @ ..] => (-1, rest),
        _ => return None,
    }) else {
        return None;
    };
    let hours = number(&[*h1, *h2]).filter(|hours| *hours < 24)?;
    let minutes = number(&[*m1, *m2]).filter(|minutes| *minutes < 60)?;
    Some(sign * (hours * 3_600 + minutes * 60))
}

#[cfg(test)]
mod tests {
    use super::Timestamp;
    use chrono::{DateTime, SecondsFormat, Utc};
    use proptest::prelude::*;

    #[test]
    fn the_profile_is_strict() {
        for text in [
            "2016-03-14T01:59:00Z",
            "2016-03-14T01:59:00.123456789123Z",
            "2016-03-14T01:59:00-23:59",
            "2016-02-29T00:00:00+00:00",
            "0000-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
        ] {
            assert!(Timestamp::parse(text).is_some(), "{text}");
        }
        for text in [
            "",
            "2016-03-14t01:59:00Z",
            "2016-03-14T01:59:00z",
            "2016-03-14 01:59:00Z",
            "2016-03-14T01:59:00",
            "2016-03-14T01:59Z",
            "2016-03-14T01:59:00.Z",
            "2016-03-14T01:59:00,5Z",
            "2016-03-14T24:00:00Z",
            "2016-03-14T01:60:00Z",
            "2016-03-14T01:59:61Z",
            "2016-13-14T01:59:00Z",
            "2016-00-14T01:59:00Z",
            "2015-02-29T00:00:00Z",
            "2016-04-31T00:00:00Z",
            "2016-03-00T00:00:00Z",
            "2016-03-14T01:59:00+1:00",
            "2016-03-14T01:59:00+0100",
            "2016-03-14T01:59:00+24:00",
            "2016-03-14T01:59:00Z ",
            "14-03-2016T01:59:00Z",
            "20160314T015900Z",
            "２016-03-14T01:59:00Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_leap_second_ends_a_day() {
        let next = Timestamp::parse("2017-01-01T00:00:00Z");
        assert_eq!(Timestamp::parse("2016-12-31T23:59:60Z"), next);
        assert_eq!(Timestamp::parse("2017-01-01T00:59:60+01:00"), next);
        assert_eq!(Timestamp::parse("2016-12-31T12:59:60Z"), None);
    }

    #[test]
    fn far_years_compare() {
        let parse = |text| Timestamp::parse(text).unwrap();
        assert!(parse("1500-01-01T00:00:00Z") < parse("1677-01-01T00:00:00Z"));
        assert!(parse("2262-12-31T00:00:00Z") < parse("9999-12-31T00:00:00Z"));
        assert_eq!(parse("9999-12-31T23:59:59Z").nanoseconds(), i64::MAX);
        assert_eq!(
            parse("0001-01-01T00:00:00Z").to_string(),
            "0001-01-01T00:00:00.000Z"
        );
        assert_eq!(
            parse("1969-12-31T23:59:59.999Z"),
            Timestamp::from_milliseconds(-1)
        );
    }

    #[test]
    fn seconds_are_added() {
        let start = Timestamp::from_milliseconds(1_500);
        assert_eq!(start.plus_seconds(2).milliseconds(), 3_500);
        assert_eq!(start.plus_seconds(u64::MAX).nanoseconds(), i64::MAX);
    }

    proptest! {
        #[test]
        fn agrees_with_chrono(seconds in -62_167_219_200_i64..253_402_300_800, nanoseconds in 0..1_000_000_000_u32) {
            let text = DateTime::<Utc>::from_timestamp(seconds, nanoseconds).unwrap();
            let text = text.to_rfc3339_opts(SecondsFormat::Nanos, true);
            let parsed = Timestamp::parse(&text).unwrap();
            prop_assert_eq!(parsed, Timestamp::from((seconds, nanoseconds)));
            prop_assert_eq!(Timestamp::parse(&parsed.to_rfc3339()), Some(parsed));
            prop_assert_eq!(parsed.to_string(), format!("{}Z", &text[..23]));
        }

        #[test]
        fn offsets_are_taken_off(nanoseconds in any::<i64>(), hours in 0..24_i64, minutes in 0..60_i64, east in any::<bool>()) {
            let moment = Timestamp::from_nanoseconds(nanoseconds);
            prop_assert_eq!(moment.nanoseconds(), nanoseconds);
            let shift = (hours * 60 + minutes) * 60 * if east { 1 } else { -1 };
            let (seconds, rest) = moment.into();
            let local = Timestamp::from((seconds + shift, rest)).to_rfc3339();
            let sign = if east { '+' } else { '-' };
            let text = local.replace('Z', &format!("{sign}{hours:02}:{minutes:02}"));
            prop_assert_eq!(Timestamp::parse(&text), Some(moment));
        }

        #[test]
        fn order_is_kept(a in any::<i64>(), b in any::<i64>()) {
            let (left, right) = (Timestamp::from_nanoseconds(a), Timestamp::from_nanoseconds(b));
            prop_assert_eq!(left.cmp(&right), a.cmp(&b));
        }

        #[test]
        fn no_text_panics(text in "[0-9TZ:.+é-]{0,30}") {
            let _ = Timestamp::parse(&text);
        }

        #[test]
        fn saving_keeps_it(seconds in any::<i64>(), nanoseconds in 0..1_000_000_000_u32) {
            let moment = Timestamp::from((seconds, nanoseconds));
            let saved = serde_json::to_string(&moment).unwrap();
            prop_assert_eq!(serde_json::from_str::<Timestamp>(&saved).unwrap(), moment);
        }
    }
}
