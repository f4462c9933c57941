//! Reading timestamps: the form is checked here, the calendar is chrono's.
//!
//! chrono's own reader takes other forms too, and 358 instructions for a timestamp where this takes 232: a Choice of 200
//! rules of which 40 compare timestamps would cost 4.5 % more.
use super::{SECOND, Timestamp};
use chrono::{FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

/// `2016-03-14T01:59:00` with a fraction or not, and a zone (2024 specification, Timestamps).
pub(super) fn date_time(text: &[u8]) -> Option<Timestamp> {
    let (local, rest) = text.split_first_chunk()?;
    let [
        y1,
        y2,
        y3,
        y4,
        b'-',
        m1,
        m2,
        b'-',
        d1,
        d2,
        b'T',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
    ] = *local
    else {
        return None;
    };
    let year = i32::try_from(number([y1, y2, y3, y4])?).ok()?;
    let date = NaiveDate::from_ymd_opt(year, number([m1, m2])?, number([d1, d2])?)?;
    let (nanoseconds, zone) = fraction(rest)?;
    let second = number([s1, s2])?;
    let is_leap = second == 60;
    // chrono counts a leap second's nanoseconds on from those of the second before it.
    let (second, nanoseconds) = match is_leap {
        true => (59, nanoseconds + SECOND),
        false => (second, nanoseconds),
    };
    let (hour, minute) = (number([h1, h2])?, number([n1, n2])?);
    let time = NaiveTime::from_hms_nano_opt(hour, minute, second, nanoseconds)?;
    let utc = match zone {
        b"Z" => date.and_time(time),
        zone => date.and_time(time).checked_sub_offset(offset(zone)?)?,
    };
    match is_leap {
        true => after_leap_second(utc),
        false => Some(Timestamp(utc.and_utc())),
    }
}

/// Leap seconds end a day in UTC; there are no others.
#[cold]
fn after_leap_second(utc: NaiveDateTime) -> Option<Timestamp> {
    (utc.hour() == 23 && utc.minute() == 59).then(|| utc.and_utc().into())
}

fn number<const DIGITS: usize>(digits: [u8; DIGITS]) -> Option<u32> {
    digits.into_iter().try_fold(0, |number, digit| {
        digit
            .is_ascii_digit()
            .then(|| number * 10 + u32::from(digit - b'0'))
    })
}

/// Returns the nanoseconds of `.123…`, if there, and what follows.
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

/// `+01:00`.
fn offset(zone: &[u8]) -> Option<FixedOffset> {
    let [sign, h1, h2, b':', m1, m2] = *zone else {
        return None;
    };
    let minutes = number([m1, m2]).filter(|minutes| *minutes < 60)?;
    let seconds = i32::try_from((number([h1, h2])? * 60 + minutes) * 60).ok()?;
    match sign {
        b'+' => FixedOffset::east_opt(seconds),
        b'-' => FixedOffset::west_opt(seconds),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    /// Each day of five centuries, one after the other: 1600 and 2000 have a leap day, the other centuries have none.
    #[test]
    fn days_follow_each_other() {
        let mut day = Timestamp::parse("1599-01-01T00:00:00Z").unwrap();
        assert_eq!(day.milliseconds(), -11_707_632_000_000);
        for year in 1599..2101 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if is_leap { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                let text = |day| format!("{year}-{month:02}-{day:02}T00:00:00Z");
                for date in 1..=length {
                    assert_eq!(Timestamp::parse(&text(date)), Some(day));
                    assert_eq!(day.to_rfc3339(), text(date));
                    day = day.plus_seconds(86_400);
                }
                assert_eq!(Timestamp::parse(&text(length + 1)), None);
            }
        }
    }

    #[test]
    fn nanoseconds_are_read_and_what_follows_cut_off() {
        let nanoseconds = |text| Timestamp::parse(text).map(Timestamp::nanoseconds);
        assert_eq!(nanoseconds("1970-01-01T00:00:00.5Z"), Some(500_000_000));
        assert_eq!(
            nanoseconds("1970-01-01T00:00:01.0000000019Z"),
            Some(1_000_000_001)
        );
    }

    /// Returns the form of a text, with `d` for each digit and one for all of a fraction.
    fn form(text: &str) -> String {
        let form: String = text
            .chars()
            .map(|c| if c.is_ascii_digit() { 'd' } else { c })
            .collect();
        match form.split_once('.') {
            Some((before, after)) => format!("{before}.d{}", after.trim_start_matches('d')),
            None => form,
        }
    }

    proptest! {
        #[test]
        fn offsets_are_taken_off(nanoseconds in any::<i64>(), hours in 0..24_i64, minutes in 0..60_i64, east in any::<bool>()) {
            let moment = Timestamp::from_nanoseconds(nanoseconds);
            let shift = (hours * 60 + minutes) * 60 * if east { 1 } else { -1 };
            let (seconds, rest) = moment.into();
            let local = Timestamp::try_from((seconds + shift, rest)).unwrap().to_rfc3339();
            let sign = if east { '+' } else { '-' };
            let text = local.replace('Z', &format!("{sign}{hours:02}:{minutes:02}"));
            prop_assert_eq!(Timestamp::parse(&text), Some(moment));
        }

        #[test]
        fn only_the_profile_is_read(text in "[0-9]{4}[-/]?[0-9]{2}-[0-9]{2}[Tt ][0-2][0-9]:[0-6][0-9]:?[0-6][0-9]([.,][0-9]{0,12})?([Zz ]|[-+−][0-2][0-9]:?[0-6][0-9])?") {
            const LOCAL: &str = "dddd-dd-ddTdd:dd:dd";
            let forms = ["Z", "+dd:dd", "-dd:dd", ".dZ", ".d+dd:dd", ".d-dd:dd"];
            if Timestamp::parse(&text).is_some() {
                let form = form(&text);
                prop_assert!(form.strip_prefix(LOCAL).is_some_and(|rest| forms.contains(&rest)), "{}", text);
            }
        }

        #[test]
        fn no_text_panics(text in "[0-9TZ:.+é-]{0,30}") {
            let _ = Timestamp::parse(&text);
        }
    }
}
