//! Dates as ECMAScript counts them: milliseconds since 1970 in the Gregorian calendar without end.

pub(in crate::functions) const DAY: f64 = 86_400_000.0;

/// The last moment, in either direction, that is a date.
const LAST: f64 = 8.64e15;

/// A moment as a date shows it; every part is no number where the moment is no date.
#[derive(Debug, Clone, Copy)]
pub(super) struct Date {
    pub(super) time: f64,
    pub(super) year: f64,
    /// From 0 to 11.
    pub(super) month: f64,
    pub(super) day: f64,
    pub(super) hours: f64,
    pub(super) minutes: f64,
    pub(super) seconds: f64,
    pub(super) milliseconds: f64,
    /// From 1, Monday, to 7, Sunday.
    pub(super) weekday: f64,
}

impl Date {
    pub(super) fn of(time: f64) -> Self {
        let time = clipped(time);
        let days = (time / DAY).floor();
        let within = time - days * DAY;
        let (year, month, day) = civil(days);
        Self {
            time,
            year,
            month,
            day,
            hours: (within / 3_600_000.0).floor(),
            minutes: (within / 60_000.0).floor() % 60.0,
            seconds: (within / 1_000.0).floor() % 60.0,
            milliseconds: within % 1_000.0,
            // The first of January 1970 was a Thursday.
            weekday: (days + 3.0).rem_euclid(7.0) + 1.0,
        }
    }

    /// Its day at midnight.
    pub(super) fn midnight(&self) -> f64 {
        time_of(self.year, self.month, self.day, 0.0)
    }
}

/// TimeClip of ECMAScript: whole milliseconds; no number beyond the last date.
fn clipped(time: f64) -> f64 {
    if time.abs() <= LAST {
        time.trunc()
    } else {
        f64::NAN
    }
}

/// Date.UTC of ECMAScript: a year from 0 to 99 is one of the twentieth century, and what is too much is carried over.
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
    // Years begin in March, so that the day of a leap year is the last one.
    let (year, month) = if month < 2.0 {
        (year - 1.0, month + 10.0)
    } else {
        (year, month - 2.0)
    };
    let leap_days = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
    let day_of_year = ((153.0 * month + 2.0) / 5.0).floor();
    year * 365.0 + leap_days + day_of_year - 719_468.0
}

/// Year, month (from 0) and day of a day counted from the first of January 1970.
fn civil(day: f64) -> (f64, f64, f64) {
    const CYCLE: f64 = 146_097.0;
    let day = day + 719_468.0;
    let cycle = (day / CYCLE).floor();
    let of_cycle = day - cycle * CYCLE;
    let leap_days = (of_cycle / 1_460.0).floor() - (of_cycle / 36_524.0).floor()
        + (of_cycle / 146_096.0).floor();
    let year = ((of_cycle - leap_days) / 365.0).floor();
    let of_year = of_cycle - (365.0 * year + (year / 4.0).floor() - (year / 100.0).floor());
    let month = ((5.0 * of_year + 2.0) / 153.0).floor();
    let day = of_year - ((153.0 * month + 2.0) / 5.0).floor() + 1.0;
    let year = year + cycle * 400.0;
    if month >= 10.0 {
        (year + 1.0, month - 10.0, day)
    } else {
        (year, month + 2.0, day)
    }
}

/// When the first week of a month, or of a year, begins: the one with its first Thursday, on Monday.
fn first_week(year: f64, month: f64) -> f64 {
    let first = time_of(year, month, 1.0, 0.0);
    let weekday = Date::of(first).weekday;
    if weekday > 4.0 {
        first + (8.0 - weekday) * DAY
    } else {
        first - (weekday - 1.0) * DAY
    }
}

/// A year or a month, and the ones around it.
struct Period {
    previous: (f64, f64),
    this: (f64, f64),
    next: (f64, f64),
    /// A week after this one may be of the next period.
    weeks: f64,
}

impl Period {
    fn year(date: &Date) -> Self {
        Self {
            previous: (date.year - 1.0, 0.0),
            this: (date.year, 0.0),
            next: (date.year + 1.0, 0.0),
            weeks: 52.0,
        }
    }

    fn month(date: &Date) -> Self {
        let (year, month) = (date.year, date.month);
        Self {
            previous: if month == 0.0 {
                (year - 1.0, 11.0)
            } else {
                (year, month - 1.0)
            },
            this: (year, month),
            next: if month == 11.0 {
                (year + 1.0, 0.0)
            } else {
                (year, month + 1.0)
            },
            weeks: 4.0,
        }
    }

    /// The number of the week of a day.
    fn week(&self, today: f64) -> f64 {
        let since =
            |(year, month): (f64, f64)| (today - first_week(year, month)) / (DAY * 7.0) + 1.0;
        let week = since(self.this);
        if week > self.weeks && today >= first_week(self.next.0, self.next.1) {
            1.0
        } else if week < 1.0 {
            since(self.previous).floor()
        } else {
            week.floor()
        }
    }

    /// The period that the week of a moment is of.
    fn of_week(&self, time: f64) -> (f64, f64) {
        if time < first_week(self.this.0, self.this.1) {
            self.previous
        } else if time >= first_week(self.next.0, self.next.1) {
            self.next
        } else {
            self.this
        }
    }
}

/// What a component of a picture shows of a date.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shown {
    Number(f64),
    Text(&'static str),
    Nothing,
}

/// The value of a component; time zones are shown elsewhere.
pub(super) fn shown(date: &Date, component: char) -> Shown {
    Shown::Number(match component {
        'Y' => date.year,
        'M' => date.month + 1.0,
        'D' => date.day,
        'd' => (date.midnight() - time_of(date.year, 0.0, 1.0, 0.0)) / DAY + 1.0,
        'F' => date.weekday,
        'W' => Period::year(date).week(date.midnight()),
        'w' => Period::month(date).week(date.midnight()),
        'X' => Period::year(date).of_week(date.time).0,
        'x' => Period::month(date).of_week(date.time).1 + 1.0,
        'H' => date.hours,
        'h' if date.hours % 12.0 == 0.0 => 12.0,
        'h' => date.hours % 12.0,
        'm' => date.minutes,
        's' => date.seconds,
        'f' => date.milliseconds,
        'P' => return Shown::Text(if date.hours >= 12.0 { "pm" } else { "am" }),
        'C' | 'E' => return Shown::Text("ISO"),
        _ => return Shown::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_leap(year: i32) -> bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Each day of four centuries and more, one after the other.
    #[test]
    fn days_follow_each_other() {
        let mut time = time_of(1599.0, 0.0, 1.0, 0.0);
        let mut weekday = Date::of(time).weekday;
        assert_eq!(weekday, 5.0, "1599 began on a Friday");
        for year in 1599..2101 {
            let february = if is_leap(year) { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (0_i32..).zip(lengths) {
                for day in 1..=length {
                    let date = Date::of(time);
                    let found = (date.year, date.month, date.day, date.weekday);
                    assert_eq!(
                        found,
                        (f64::from(year), f64::from(month), f64::from(day), weekday)
                    );
                    time += DAY;
                    weekday = weekday % 7.0 + 1.0;
                }
            }
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
        assert!(Date::of(8.64e15 + 1.0).year.is_nan());
    }

    proptest! {
        #[test]
        fn a_moment_is_told_from_its_date(time in -62_000_000_000_000_i64..8_640_000_000_000_000) {
            let date = Date::of(time as f64);
            prop_assume!(date.year >= 100.0);
            let within = ((date.hours * 60.0 + date.minutes) * 60.0 + date.seconds) * 1_000.0 + date.milliseconds;
            prop_assert_eq!(time_of(date.year, date.month, date.day, within), time as f64);
        }

        #[test]
        fn weeks_are_in_their_ranges(time in -8_640_000_000_000_000_i64..=8_640_000_000_000_000) {
            let date = Date::of(time as f64);
            prop_assume!(!(0.0..=100.0).contains(&date.year) && date.year.abs() < 270_000.0);
            for (component, most) in [('W', 53.0), ('w', 5.0), ('x', 12.0), ('d', 366.0), ('F', 7.0)] {
                let Shown::Number(number) = shown(&date, component) else {
                    panic!("{component} is a number");
                };
                prop_assert!((1.0..=most).contains(&number), "{} is {}", component, number);
            }
        }
    }
}
