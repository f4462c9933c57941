//! Functions on dates, and those with picture strings.
use super::arguments::take;
use super::json_text::quoted;
use super::picture::format_date_time::format_date_time;
use super::picture::integer::IntegerPicture;
use super::picture::number::format_number as format_with_picture;
use super::picture::parse_date_time::parse_date_time;
use super::signature::unusable_argument;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::Value;

/// `$millis()`: when the evaluation began.
pub(super) fn millis<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    _: Arguments<'a>,
) -> Outcome<Value<'a>> {
    Ok(Value::Number(evaluation.now() as f64))
}

/// `$now(picture, timezone)`.
pub(super) fn now<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [picture, zone] = take(arguments);
    let now = evaluation.now() as f64;
    format_date_time(evaluation, now, picture.as_text(), zone.as_text()).map(Value::text)
}

/// `$fromMillis(number, picture, timezone)`.
pub(super) fn from_millis<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [time, picture, zone] = take(arguments);
    let Some(time) = time.as_number() else {
        return Ok(Value::Undefined);
    };
    format_date_time(evaluation, time, picture.as_text(), zone.as_text()).map(Value::text)
}

/// `$toMillis(timestamp, picture)`.
pub(super) fn to_millis<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [timestamp, picture] = take(arguments);
    let Some(text) = timestamp.as_text() else {
        return Ok(Value::Undefined);
    };
    if let Some(picture) = picture.as_text() {
        let time = parse_date_time(evaluation, text, picture)?;
        return Ok(time.map_or(Value::Undefined, Value::Number));
    }
    evaluation.charge_scan(text.len())?;
    match Timestamp::read(text) {
        Some(timestamp) => Ok(Value::Number(timestamp.time().unwrap_or(f64::NAN))),
        None => {
            evaluation.charge_text(text.len())?;
            let text = quoted(text);
            let message = format!(
                "The argument of the toMillis function must be an ISO 8601 formatted timestamp. Given {text}"
            );
            Err(failure("D3110", message))
        }
    }
}

/// A timestamp of ISO 8601 in its parts, as digits.
#[derive(Debug, Default, PartialEq, Eq)]
struct Timestamp<'t> {
    year: &'t str,
    /// `-` and two digits each: months, then days. More than one of each is no date.
    months: Vec<&'t str>,
    days: Vec<&'t str>,
    /// `hh:mm:ss` each; more than one is no date.
    times: Vec<&'t str>,
    fraction: Option<&'t str>,
    zone: Option<&'t str>,
}

/// Takes what has the form of `form` from the start of a text: digits up to the one given, or the character itself.
fn form<'t>(rest: &mut &'t str, form: &str) -> Option<&'t str> {
    let mut bytes = rest.bytes();
    for expected in form.bytes() {
        let found = bytes.next()?;
        let fits = if expected.is_ascii_digit() {
            found.is_ascii_digit() && found <= expected
        } else {
            found == expected
        };
        if !fits {
            return None;
        }
    }
    let (taken, after) = rest.split_at_checked(form.len())?;
    *rest = after;
    Some(taken)
}

impl<'t> Timestamp<'t> {
    /// Returns the form that the reference checks: each part may be there several times, or not at all.
    fn read(text: &'t str) -> Option<Self> {
        let mut rest = text;
        let mut timestamp = Self {
            year: form(&mut rest, "9999")?,
            ..Self::default()
        };
        while let Some(month) = form(&mut rest, "-19") {
            timestamp.months.push(month);
        }
        while let Some(day) = form(&mut rest, "-39") {
            timestamp.days.push(day);
        }
        while let Some(time) = form(&mut rest, "T29:59:59") {
            timestamp.times.push(time);
        }
        if let Some(after) = rest.strip_prefix('.') {
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            timestamp.fraction = Some(after.get(..digits).filter(|digits| !digits.is_empty())?);
            rest = after.get(digits..)?;
        }
        let zones = ["Z", "+29:59", "+2959", "-29:59", "-2959"];
        if !rest.is_empty() {
            timestamp.zone = Some(zones.iter().find_map(|zone| form(&mut rest, zone))?);
        }
        rest.is_empty().then_some(timestamp)
    }

    /// Milliseconds since 1970: a time without a zone is of UTC. None if it is no date.
    fn time(&self) -> Option<f64> {
        let number = |text: &str, range: std::ops::RangeInclusive<f64>| {
            let number: f64 = text.parse().ok()?;
            range.contains(&number).then_some(number)
        };
        // The first two are a month and a day whatever their digits.
        let date: Vec<&str> = self.months.iter().chain(&self.days).copied().collect();
        let (month, day) = match date.as_slice() {
            [] => ("-01", "-01"),
            [month] => (*month, "-01"),
            [month, day] => (*month, *day),
            _ => return None,
        };
        let month = number(month.get(1..)?, 1.0..=12.0)?;
        let day = number(day.get(1..)?, 1.0..=31.0)?;
        let within = match self.times.as_slice() {
            [] if self.fraction.is_some() || self.zone.is_some_and(|zone| zone != "Z") => {
                return None;
            }
            [] => 0.0,
            [time] => self.within_day(time)?,
            _ => return None,
        };
        let zone = match self.zone {
            None | Some("Z") => 0.0,
            Some(zone) => {
                let sign = if zone.starts_with('-') { -1.0 } else { 1.0 };
                let hours = number(zone.get(1..3)?, 0.0..=23.0)?;
                let minutes = number(zone.get(zone.len() - 2..)?, 0.0..=59.0)?;
                sign * (hours * 60.0 + minutes)
            }
        };
        // Years before 100 are what they are here.
        let year: f64 = self.year.parse().ok()?;
        let days = super::picture::calendar::days(year, month - 1.0) + day - 1.0;
        Some(days * super::picture::calendar::DAY + within - zone * 60_000.0)
    }

    /// Milliseconds since midnight; the end of a day may be 24:00.
    fn within_day(&self, time: &str) -> Option<f64> {
        let part = |from: usize| time.get(from..from + 2)?.parse::<f64>().ok();
        let (hours, minutes, seconds) = (part(1)?, part(4)?, part(7)?);
        let milliseconds: String = self
            .fraction
            .unwrap_or_default()
            .chars()
            .chain("000".chars())
            .take(3)
            .collect();
        let within = hours * 3_600_000.0
            + minutes * 60_000.0
            + seconds * 1_000.0
            + milliseconds.parse::<f64>().ok()?;
        (within <= super::picture::calendar::DAY).then_some(within)
    }
}

/// `$formatInteger(number, picture)`.
pub(super) fn format_integer<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [number, picture] = take(arguments);
    let Some(number) = number.as_number() else {
        return Ok(Value::Undefined);
    };
    let picture = integer_picture(evaluation, &picture, "formatInteger")?;
    picture.format(evaluation, number.floor()).map(Value::text)
}

/// `$parseInteger(text, picture)`.
pub(super) fn parse_integer<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [text, picture] = take(arguments);
    let Some(text) = text.as_text() else {
        return Ok(Value::Undefined);
    };
    let picture = integer_picture(evaluation, &picture, "parseInteger")?;
    picture.parse(evaluation, text).map(Value::Number)
}

fn integer_picture<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    picture: &Value<'a>,
    function: &'static str,
) -> Outcome<IntegerPicture> {
    let picture = picture
        .as_text()
        .ok_or_else(|| unusable_argument(function, 2))?;
    evaluation.charge_text(picture.len().saturating_mul(8))?;
    IntegerPicture::read(picture)
}

/// `$formatNumber(number, picture, options)`.
pub(super) fn format_number<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let [number, picture, options] = take(arguments);
    let Some(number) = number.as_number() else {
        return Ok(Value::Undefined);
    };
    let picture = picture
        .as_text()
        .ok_or_else(|| unusable_argument("formatNumber", 2))?;
    format_with_picture(evaluation, number, picture, &options).map(Value::text)
}
