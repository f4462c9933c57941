//! Plain scalars of YAML 1.1, by which CloudFormation and SAM read templates (YAML 1.1, Language-Independent Types for Values).
//!
//! `y` and `n` stay texts and timestamps too, as in the parsers that are in use.
use asl_path::json::Scalar;
use serde_json::{Number, Value};

/// Returns the value of a plain scalar whose value in YAML 1.1 may differ from the one in YAML 1.2.
pub(super) fn plain(text: &str) -> Option<Scalar<'static>> {
    Some(match text {
        "yes" | "Yes" | "YES" | "on" | "On" | "ON" => Scalar::Bool(true),
        "no" | "No" | "NO" | "off" | "Off" | "OFF" => Scalar::Bool(false),
        // Octal numbers begin with a zero alone.
        octal if octal.starts_with("0o") => Scalar::String(octal.to_owned().into()),
        text if is_zero_filled(text) => Scalar::String(text.to_owned().into()),
        number => Scalar::Number(whole(number).or_else(|| fraction(number))?),
    })
}

/// Returns true for digits behind a zero that are no octal number, as in the number of an account.
fn is_zero_filled(text: &str) -> bool {
    let is_digits = text.len() > 1 && text.bytes().all(|b| b.is_ascii_digit());
    is_digits && text.starts_with('0') && text.contains(['8', '9'])
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Reads a whole number: `0b1`, `017`, `0xF`, `1_000` or `12:30:45` in base 60.
fn whole(text: &str) -> Option<Number> {
    let (is_negative, text) = sign(text);
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    let radix = |digits: &str, radix| i64::from_str_radix(digits, radix).ok();
    let number = match digits.as_bytes() {
        [b'0', b'b', ..] => radix(&digits[2..], 2)?,
        [b'0', b'x', ..] => radix(&digits[2..], 16)?,
        [b'0', _, ..] => radix(&digits[1..], 8)?,
        _ if digits.contains(':') => sexagesimal(&digits)?,
        _ => digits.parse().ok()?,
    };
    Some(
        if is_negative {
            number.checked_neg()?
        } else {
            number
        }
        .into(),
    )
}

/// Reads parts in base 60; all but the first are below 60.
fn sexagesimal(digits: &str) -> Option<i64> {
    let mut parts = digits.split(':').map(|part| {
        let is_short = part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit());
        (part.parse::<i64>().ok(), is_short)
    });
    let first = parts.next()?.0?;
    parts.try_fold(first, |number, (part, is_short)| {
        let part = part.filter(|part| is_short && *part < 60)?;
        number.checked_mul(60)?.checked_add(part)
    })
}

/// Reads a fraction whose digits are grouped by underscores.
fn fraction(text: &str) -> Option<Number> {
    let begins = sign(text)
        .1
        .starts_with(|first: char| first.is_ascii_digit());
    let is_grouped = begins && text.contains('_') && text.contains('.');
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    Number::from_f64(digits.parse().ok().filter(|_| is_grouped)?)
}

/// A plain scalar that YAML 1.1 and 1.2 read differently.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferentScalar {
    /// JSON pointer to the value, or to the field that is named by the scalar.
    pub pointer: String,
    /// True for the name of a field.
    pub is_name: bool,
    /// The value by YAML 1.1, as JSON.
    pub meaning: String,
    /// The value by YAML 1.2, as JSON.
    pub newer: String,
}

/// Compares a text read as YAML 1.1 with the same text read as YAML 1.2.
pub(super) fn differences(newer: &Value, older: &Value) -> Vec<DifferentScalar> {
    let mut found = Vec::new();
    let mut open = vec![(newer, older, String::new())];
    while let Some((newer, older, pointer)) = open.pop() {
        match (newer, older) {
            (Value::Array(newer), Value::Array(older)) => {
                let pairs = newer.iter().zip(older).enumerate();
                open.extend(
                    pairs.map(|(at, (newer, older))| (newer, older, format!("{pointer}/{at}"))),
                );
            }
            (Value::Object(newer), Value::Object(older)) => {
                for ((name, newer), (read, older)) in newer.iter().zip(older) {
                    let pointer = format!("{pointer}/{}", crate::escaped_segment(read));
                    if name != read {
                        found.push(DifferentScalar {
                            pointer: pointer.clone(),
                            is_name: true,
                            meaning: read.clone(),
                            newer: Value::from(name.as_str()).to_string(),
                        });
                    }
                    open.push((newer, older, pointer));
                }
            }
            (newer, older) if newer != older => found.push(DifferentScalar {
                pointer,
                is_name: false,
                meaning: older.to_string(),
                newer: newer.to_string(),
            }),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_read_as_yaml_1_1_has_them() {
        let read = |text: &str| plain(text).map(|scalar| Value::from(scalar).to_string());
        for (text, expected) in [
            ("Yes", "true"),
            ("off", "false"),
            ("010", "8"),
            ("-010", "-8"),
            ("0b101", "5"),
            ("0x1F", "31"),
            ("1_000", "1000"),
            ("12:30:45", "45045"),
            ("1_0.5", "10.5"),
            ("0o10", "\"0o10\""),
            ("0", "0"),
            ("012345678901", "\"012345678901\""),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "y",
            "N",
            "12:60",
            "1:2:x",
            "text",
            "",
            "2024-01-01",
            "a_b",
            "1.2.3",
            "0x",
            "_1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
