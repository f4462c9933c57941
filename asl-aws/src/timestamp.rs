//! Timestamps of requests and responses.
use asl_services::TimestampFormat;
use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
use serde_json::{Number, Value};

/// The form of timestamps in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers choose")]
pub enum TimestampForm {
    /// Seconds since 1970, with a fraction.
    Seconds,
    /// Milliseconds since 1970.
    Milliseconds,
    /// `2026-01-31T12:00:00Z`, with as many digits of the second as there are.
    Iso8601,
}

const HTTP_DATE: &str = "%a, %d %b %Y %H:%M:%S GMT";

/// Returns the text of a timestamp in a request. A number is in seconds since 1970.
pub(crate) fn write(moment: DateTime<Utc>, format: TimestampFormat) -> String {
    match format {
        TimestampFormat::Seconds => seconds(moment).to_string(),
        TimestampFormat::Iso8601 => moment.to_rfc3339_opts(SecondsFormat::AutoSi, true),
        TimestampFormat::HttpDate => moment.format(HTTP_DATE).to_string(),
    }
}

/// Returns the seconds since 1970: a whole number, or one with a fraction.
pub(crate) fn seconds(moment: DateTime<Utc>) -> Number {
    let millis = moment.timestamp_millis();
    if millis % 1_000 == 0 {
        return Number::from(moment.timestamp());
    }
    let whole = Number::from(moment.timestamp());
    Number::from_f64(millis as f64 / 1_000.0).unwrap_or(whole)
}

/// Reads a timestamp in any of the forms that services and states use.
pub(crate) fn read(value: &Value) -> Option<DateTime<Utc>> {
    match value {
        Value::Number(number) => from_seconds(number.as_f64()?),
        Value::String(text) => parse(text),
        _ => None,
    }
}

/// Reads the text of a timestamp: in seconds, of ISO 8601, or of HTTP (RFC 9110, section 5.6.7).
pub(crate) fn parse(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return from_seconds(seconds);
    }
    let utc = |moment: DateTime<chrono::FixedOffset>| moment.with_timezone(&Utc);
    let iso = DateTime::parse_from_rfc3339(text).map(utc);
    iso.or_else(|_| DateTime::parse_from_rfc2822(text).map(utc))
        .or_else(|_| {
            NaiveDateTime::parse_from_str(text, "%a, %d %b %Y %H:%M:%S%.f GMT")
                .map(|it| it.and_utc())
        })
        .ok()
}

fn from_seconds(seconds: f64) -> Option<DateTime<Utc>> {
    let millis = (seconds * 1_000.0).round();
    // Chrono refuses what lies outside of its years.
    let in_range = millis.abs() < 9.0e15;
    in_range.then(|| DateTime::from_timestamp_millis(millis as i64))?
}

#[cfg(feature = "client")]
pub(crate) fn now() -> DateTime<Utc> {
    std::time::SystemTime::now().into()
}

/// Returns a timestamp as a result has it.
pub(crate) fn value(moment: DateTime<Utc>, form: TimestampForm) -> Value {
    match form {
        TimestampForm::Seconds => Value::Number(seconds(moment)),
        TimestampForm::Milliseconds => Value::from(moment.timestamp_millis()),
        TimestampForm::Iso8601 => moment.to_rfc3339_opts(SecondsFormat::AutoSi, true).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn forms_are_read_and_written() {
        let moment = parse("2019-12-16T23:48:18Z").unwrap();
        for text in [
            "1576540098",
            "1576540098.0",
            "Mon, 16 Dec 2019 23:48:18 GMT",
            "2019-12-17T00:48:18+01:00",
        ] {
            assert_eq!(parse(text), Some(moment), "{text}");
        }
        assert_eq!(
            write(moment, TimestampFormat::HttpDate),
            "Mon, 16 Dec 2019 23:48:18 GMT"
        );
        assert_eq!(
            write(moment, TimestampFormat::Iso8601),
            "2019-12-16T23:48:18Z"
        );
        assert_eq!(write(moment, TimestampFormat::Seconds), "1576540098");
        assert_eq!(
            value(moment, TimestampForm::Milliseconds),
            json!(1_576_540_098_000_i64)
        );
    }

    #[test]
    fn fractions_are_kept() {
        let moment = parse("2000-01-02T20:34:56.123Z").unwrap();
        assert_eq!(parse("946845296.123"), Some(moment));
        assert_eq!(parse("Sun, 02 Jan 2000 20:34:56.123 GMT"), Some(moment));
        assert_eq!(
            value(moment, TimestampForm::Iso8601),
            json!("2000-01-02T20:34:56.123Z")
        );
        assert_eq!(
            value(moment, TimestampForm::Seconds),
            json!(946_845_296.123)
        );
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in ["", "now", "NaN", "inf", "1e300", "2019-13-01T00:00:00Z"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
