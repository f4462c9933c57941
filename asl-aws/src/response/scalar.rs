//! Values without parts, from texts.
use super::document::invalid;
use super::form::ResultForm;
use crate::error::ResponseError;
use crate::timestamp;
use asl_services::{Kind, Shape};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value};

/// Returns the value of a text.
pub(crate) fn value(
    shape: Shape<'_>,
    text: &str,
    form: ResultForm,
) -> Result<Value, ResponseError> {
    let wrong = |expected: &str| invalid(format!("expected {expected}, found '{}'", excerpt(text)));
    Ok(match shape.kind() {
        Kind::Integer | Kind::Long => {
            let number = text.trim().parse::<i64>();
            number.map_err(|_| wrong("a whole number"))?.into()
        }
        Kind::Float | Kind::Double => number(text.trim()).ok_or_else(|| wrong("a number"))?,
        Kind::Boolean => match text.trim() {
            "true" => true.into(),
            "false" => false.into(),
            _ => return Err(wrong("true or false")),
        },
        Kind::Timestamp => {
            let moment = timestamp::parse(text).ok_or_else(|| wrong("a timestamp"))?;
            timestamp::value(moment, form.timestamps)
        }
        Kind::Blob => blob(text)?,
        _ => text.into(),
    })
}

/// A number that JSON cannot express remains a text.
fn number(text: &str) -> Option<Value> {
    if let "NaN" | "Infinity" | "-Infinity" = text {
        return Some(text.into());
    }
    let number = text.parse::<Number>().ok();
    number
        .or_else(|| Number::from_f64(text.parse().ok()?))
        .map(Value::Number)
}

/// Returns the text of a blob. Bytes that are not UTF-8 remain Base64.
pub(crate) fn blob(base64: &str) -> Result<Value, ResponseError> {
    let bytes = STANDARD.decode(base64.trim().as_bytes());
    let bytes =
        bytes.map_err(|_| invalid(format!("expected Base64, found '{}'", excerpt(base64))))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => base64.into(),
    })
}

/// Returns the text of a body. Bytes that are not UTF-8 become Base64.
pub(crate) fn body(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => STANDARD.encode(bytes).into(),
    }
}

fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}
