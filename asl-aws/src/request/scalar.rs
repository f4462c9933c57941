//! Values without parts, as texts.
use super::parameters::wrong_type;
use crate::error::RequestError;
use crate::timestamp;
use asl_path::json::printed;
use asl_services::{Kind, Shape, TimestampFormat, Traits};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::borrow::Cow;

/// Returns the text of a value outside of JSON. `format` is that of timestamps without one.
pub(crate) fn text<'v>(
    shape: Shape<'_>,
    traits: &Traits,
    value: &'v Value,
    format: TimestampFormat,
) -> Result<Cow<'v, str>, RequestError> {
    Ok(match shape.kind() {
        Kind::Blob => STANDARD.encode(bytes(value).as_ref()).into(),
        Kind::Timestamp => {
            let format = timestamp_format(shape, traits).unwrap_or(format);
            timestamp::write(moment(value)?, format).into()
        }
        Kind::Integer | Kind::Long => number(value, "a whole number")?,
        Kind::Float | Kind::Double => number(value, "a number")?,
        Kind::Boolean => match boolean(value)? {
            true => "true".into(),
            false => "false".into(),
        },
        Kind::String | Kind::Document => plain_text(value),
        _ => return Err(wrong_type("a value without parts", value)),
    })
}

/// Returns the format that a model has for a timestamp: a member's own, or that of its shape.
pub(crate) fn timestamp_format(shape: Shape<'_>, traits: &Traits) -> Option<TimestampFormat> {
    let own = traits.timestamp_format();
    own.or_else(|| shape.traits().timestamp_format())
}

pub(crate) fn moment(value: &Value) -> Result<chrono::DateTime<chrono::Utc>, RequestError> {
    timestamp::read(value).ok_or_else(|| wrong_type("a timestamp", value))
}

/// Returns a text, or the JSON of any other value: Step Functions accepts both for a text.
pub(crate) fn plain_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => text.as_str().into(),
        other => printed(other).into(),
    }
}

/// Returns the bytes of a blob: those of its text.
pub(crate) fn bytes(value: &Value) -> Cow<'_, [u8]> {
    match plain_text(value) {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

pub(crate) fn boolean(value: &Value) -> Result<bool, RequestError> {
    match value {
        Value::Bool(value) => Ok(*value),
        Value::String(text) if text == "true" => Ok(true),
        Value::String(text) if text == "false" => Ok(false),
        other => Err(wrong_type("a boolean", other)),
    }
}

/// The numbers that JSON cannot express are texts.
const NO_NUMBERS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

fn number<'v>(value: &'v Value, expected: &'static str) -> Result<Cow<'v, str>, RequestError> {
    match value {
        Value::Number(number) => Ok(number.to_string().into()),
        Value::String(text) if is_number(text) => Ok(text.as_str().into()),
        other => Err(wrong_type(expected, other)),
    }
}

pub(crate) fn is_number(text: &str) -> bool {
    NO_NUMBERS.contains(&text) || serde_json::from_str::<serde_json::Number>(text).is_ok()
}
