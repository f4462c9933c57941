//! Dates in milliseconds since 1970 (ECMA-262, Time Values and Time Range) in the Gregorian calendar, which is chrono's.
use chrono::{DateTime, Datelike, NaiveDate, Timelike, Utc, Weekday};

/// In milliseconds.
pub(in crate::functions) const DAY: f64 = 86_400_000.0;

/// The last moment, in either direction, that is a date.
const LAST: f64 = 8.64e15;

/// After so many years, and days, the calendar repeats itself, weekdays included. The last date is one of the year 275760,
/// which is beyond those of chrono.
const CYCLE_YEARS: i32 = 400;
const CYCLE_DAYS: f64 = 146_097.0;

/// A moment as a calendar and a clock show it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Date {
    /// The like of it in the years 1970 to 2369.
    like: DateTime<Utc>,
    /// Number of years after that.
    years: i32,
}

impl Date {
    /// None if no date is so far away.
    pub(super) fn from_time(time: f64) -> Option<Self> {
        const CYCLE: f64 = CYCLE_DAYS * DAY;
        let time = clipped(time);
        let milliseconds = time.rem_euclid(CYCLE);
        let cycles = (time - milliseconds) / CYCLE;
        if cycles.is_nan() {
            return None;
        }
        Some(Self {
            like: DateTime::from_timestamp_millis(milliseconds as i64)?,
            years: cycles as i32 * CYCLE_YEARS,
        })
    }

    /// From 0 to 11.
    pub(super) fn month(self) -> f64 {
        self.like.month0().into()
    }

    pub(super) fn day(self) -> f64 {
        self.like.day().into()
    }

    fn number(self, component: char) -> Option<f64> {
        let like = self.like;
        let number = match component {
            'Y' => return Some((like.year() + self.years).into()),
            'M' => like.month(),
            'D' => like.day(),
            'd' => like.ordinal(),
            'F' => like.weekday().number_from_monday(),
            'W' => like.iso_week().week(),
            'w' => self.thursday()?.day().div_ceil(7),
            'X' => return Some((like.iso_week().year() + self.years).into()),
            'x' => self.thursday()?.month(),
            'H' => like.hour(),
            'h' => like.hour12().1,
            'm' => like.minute(),
            's' => like.second(),
            'f' => like.timestamp_subsec_millis(),
            _ => return None,
        };
        Some(number.into())
    }

    /// Returns the day of its week that decides of which month and year the week is.
    fn thursday(self) -> Option<NaiveDate> {
        let week = self.like.iso_week();
        NaiveDate::from_isoywd_opt(week.year(), week.week(), Weekday::Thu)
    }
}

/// Whole milliseconds; no number beyond the last date (ECMA-262, TimeClip).
fn clipped(time: f64) -> f64 {
    if time.abs() <= LAST {
        time.trunc()
    } else {
        f64::NAN
    }
}

/// Returns the time of date components. A year from 0 to 99 is in the twentieth century, and overflow is carried (ECMA-262,
/// Date.UTC).
pub(in crate::functions) fn time_of(year: f64, month: f64, day: f64, milliseconds: f64) -> f64 {
    let year = year.trunc();
    let year = if (0.0..=99.0).contains(&year) {
        year + 1900.0
    } else {
        year
    };
    clipped((days(year, month.trunc()) + day.trunc() - 1.0) * DAY + milliseconds)
}

/// The day on which a month begins, counted from the first of January 1970. No number far beyond all dates.
pub(in crate::functions) fn days(year: f64, month: f64) -> f64 {
    const FAR: f64 = 400_000.0;
    let year = year + (month / 12.0).floor();
    let month = month.rem_euclid(12.0);
    if !(year.abs() <= FAR && month.is_finite()) {
        return f64::NAN;
    }
    let years = f64::from(CYCLE_YEARS);
    let (cycles, year) = ((year / years).floor(), year.rem_euclid(years));
    match NaiveDate::from_ymd_opt(year as i32, month as u32 + 1, 1) {
        Some(first) => f64::from(first.to_epoch_days()) + cycles * CYCLE_DAYS,
        None => f64::NAN,
    }
}

/// The part of a date that a component of a picture shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shown {
    Number(f64),
    Text(&'static str),
    Nothing,
}

/// Returns the value of a component, NaN if there is no date; time zones are printed elsewhere.
pub(super) fn show_component(date: Option<Date>, component: char) -> Shown {
    match component {
        'P' if date.is_some_and(|date| date.like.hour() >= 12) => Shown::Text("pm"),
        'P' => Shown::Text("am"),
        'C' | 'E' => Shown::Text("ISO"),
        'Y' | 'M' | 'D' | 'd' | 'F' | 'W' | 'w' | 'X' | 'x' | 'H' | 'h' | 'm' | 's' | 'f' => {
            let number = date.and_then(|date| date.number(component));
            Shown::Number(number.unwrap_or(f64::NAN))
        }
        _ => Shown::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(time: f64, component: char) -> f64 {
        match show_component(Date::from_time(time), component) {
            Shown::Number(number) => number,
            other => panic!("{component} is {other:?}"),
        }
    }

    fn is_leap(year: i32) -> bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Each day of four centuries and more, one after the other.
    #[test]
    fn days_follow_each_other() {
        let mut time = time_of(1599.0, 0.0, 1.0, 0.0);
        let mut weekday = number(time, 'F');
        assert_eq!(weekday, 5.0, "1599 began on a Friday");
        for year in 1599..2101 {
            let february = if is_leap(year) { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            let mut of_year = 0.0;
            for (month, length) in (1_i32..).zip(lengths) {
                for day in 1..=length {
                    of_year += 1.0;
                    let found = ['Y', 'M', 'D', 'd', 'F'].map(|component| number(time, component));
                    let expected = [year, month, day].map(f64::from);
                    assert_eq!(found[..3], expected);
                    assert_eq!(found[3..], [of_year, weekday]);
                    time += DAY;
                    weekday = weekday % 7.0 + 1.0;
                }
            }
        }
    }

    /// A week is of the month, and of the year, in which its Thursday is.
    #[test]
    fn weeks_follow_each_other() {
        let mut time = time_of(1599.0, 0.0, 4.0, 0.0);
        assert_eq!(number(time, 'F'), 1.0);
        let shown = |time| ['X', 'W', 'x', 'w'].map(|component| number(time, component));
        let mut last = [1598.0, 53.0, 12.0, 5.0];
        while number(time, 'Y') < 2101.0 {
            let thursday = time + 3.0 * DAY;
            let [year, week, month, of_month] = shown(time);
            assert_eq!(
                [year, month],
                ['Y', 'M'].map(|component| number(thursday, component))
            );
            assert_eq!(week, if year == last[0] { last[1] + 1.0 } else { 1.0 });
            assert_eq!(of_month, if month == last[2] { last[3] + 1.0 } else { 1.0 });
            for day in 1..7 {
                let end = time + (f64::from(day) + 1.0) * DAY - 1.0;
                assert_eq!(shown(end), shown(time));
            }
            last = shown(time);
            time += 7.0 * DAY;
        }
    }

    #[test]
    fn what_is_too_much_is_carried_over() {
        assert_eq!(
            time_of(2017.0, 13.0, 1.0, 0.0),
            time_of(2018.0, 1.0, 1.0, 0.0)
        );
        assert_eq!(
            time_of(2017.0, 1.0, 31.0, 0.0),
            time_of(2017.0, 2.0, 3.0, 0.0)
        );
        assert_eq!(
            time_of(70.0, 0.0, 1.0, 0.0),
            0.0,
            "a year of two digits is of the twentieth century"
        );
        assert!(time_of(f64::NAN, 0.0, 1.0, 0.0).is_nan());
        assert!(time_of(1e300, 0.0, 1.0, 0.0).is_nan());
    }

    #[test]
    fn dates_end_where_those_of_ecmascript_do() {
        assert_eq!(number(LAST, 'Y'), 275_760.0);
        assert_eq!(number(-LAST, 'Y'), -271_821.0);
        assert_eq!(number(LAST, 'F'), 6.0);
        assert!(number(LAST + 1.0, 'Y').is_nan());
        assert!(number(f64::NAN, 'w').is_nan());
        assert_eq!(show_component(None, 'P'), Shown::Text("am"));
    }

    proptest! {
        #[test]
        fn a_moment_is_told_from_its_date(time in -8_640_000_000_000_000_i64..=8_640_000_000_000_000) {
            let time = time as f64;
            let [year, month, day] = ['Y', 'M', 'D'].map(|component| number(time, component));
            prop_assume!(!(0.0..=99.0).contains(&year));
            let [hours, minutes, seconds, part] = ['H', 'm', 's', 'f'].map(|component| number(time, component));
            let within = ((hours * 60.0 + minutes) * 60.0 + seconds) * 1_000.0 + part;
            prop_assert_eq!(time_of(year, month - 1.0, day, within), time);
            prop_assert_eq!(number(time, 'h') % 12.0, hours % 12.0);
        }

        #[test]
        fn four_centuries_later_the_calendar_is_the_same(time in -8_640_000_000_000_000_i64..8_627_000_000_000_000) {
            let (time, later) = (time as f64, time as f64 + CYCLE_DAYS * DAY);
            for component in "MDdFWwxHhmsf".chars() {
                prop_assert_eq!(number(time, component), number(later, component));
            }
            for component in ['Y', 'X'] {
                prop_assert_eq!(number(time, component) + 400.0, number(later, component));
            }
        }
    }
}
