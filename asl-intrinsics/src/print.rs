//! Values as text, the way the service writes them: it runs on Java, and Java's numbers show.
use crate::error::Failure;
use asl_path::json;
use serde_json::{Number, Value, ser::Formatter};
use std::{fmt::Write, io};

/// Compact JSON.
pub(crate) fn json_text<'v>(value: &Value, max_depth: usize) -> Result<String, Failure<'v>> {
    if json::depth_within(value, max_depth).is_none() {
        return Err(too_deep(max_depth));
    }
    let mut bytes = Vec::with_capacity(64);
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, JavaNumbers);
    serde::Serialize::serialize(value, &mut serializer)
        .map_err(|error| Failure::arguments(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::arguments(error.to_string()))
}

struct JavaNumbers;

impl Formatter for JavaNumbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let mut text = String::with_capacity(24);
        push_float(&mut text, value);
        writer.write_all(text.as_bytes())
    }
}

/// Appends the natural text of a value: strings without quotation marks, and what Java prints for lists and maps, `{Arg1=1,
/// Arg2=[]}`.
pub(crate) fn push_natural<'v>(
    text: &mut String,
    value: &Value,
    max_depth: usize,
) -> Result<(), Failure<'v>> {
    let Some(left) = max_depth.checked_sub(usize::from(value.is_array() || value.is_object()))
    else {
        return Err(too_deep(max_depth));
    };
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => push_number(text, number),
        Value::String(string) => text.push_str(string),
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                push_natural(text, item, left)?;
            }
            text.push(']');
        }
        Value::Object(fields) => {
            text.push('{');
            for (index, (name, field)) in fields.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                text.push_str(name);
                text.push('=');
                push_natural(text, field, left)?;
            }
            text.push('}');
        }
    }
    Ok(())
}

fn too_deep<'v>(max_depth: usize) -> Failure<'v> {
    Failure::arguments(format!("the value is nested more than {max_depth} deep"))
}

fn push_number(text: &mut String, number: &Number) {
    match number.as_f64() {
        Some(float) if number.is_f64() => push_float(text, float),
        _ => {
            // Writing to a string cannot fail.
            let _ = write!(text, "{number}");
        }
    }
}

/// As Java's `Double.toString`: `1.0`, `0.001`, but `1.0E7` and `1.0E-4`.
fn push_float(text: &mut String, float: f64) {
    if float == 0.0 || (1e-3..1e7).contains(&float.abs()) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{float:?}");
        return;
    }
    let scientific = format!("{float:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    text.push_str(digits);
    text.push_str(if digits.contains('.') { "E" } else { ".0E" });
    text.push_str(exponent);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn natural(value: &Value) -> String {
        let mut text = String::new();
        push_natural(&mut text, value, 10).expect("shallow");
        text
    }

    #[test]
    fn floats_print_as_in_java() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-1.5, "-1.5"),
            (0.001, "0.001"),
            (0.000_999, "9.99E-4"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1.5e10, "1.5E10"),
            (-1e-5, "-1.0E-5"),
            (123_456_789.25, "1.2345678925E8"),
            (f64::MAX, "1.7976931348623157E308"),
        ];
        for (float, expected) in cases {
            assert_eq!(natural(&json!(float)), expected);
            assert_eq!(
                json_text(&json!([float]), 10).expect("shallow"),
                format!("[{expected}]")
            );
        }
    }

    #[test]
    fn collections_print_as_in_java() {
        let value = json!({"a": 1, "b": ["x", null, {"c": true}], "d": {}, "e": []});
        assert_eq!(natural(&value), "{a=1, b=[x, null, {c=true}], d={}, e=[]}");
    }

    #[test]
    fn depth_is_limited() {
        let value = json!([[[1]]]);
        assert!(push_natural(&mut String::new(), &value, 3).is_ok());
        assert!(push_natural(&mut String::new(), &value, 2).is_err());
    }
}
