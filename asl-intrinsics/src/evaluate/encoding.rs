//! `States.Base64Encode` and `States.Base64Decode` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;
use std::borrow::Cow;

/// `States.Base64Encode(text)`: one line, padded.
pub(super) fn base64_encode<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.short_string(0)?;
    arguments.scope.charge_text(2 * text.len())?;
    Ok(Cow::Owned(Value::String(STANDARD.encode(text.as_bytes()))))
}

/// `States.Base64Decode(text)`: invalid characters are skipped, and missing padding is accepted (recorded from the service:
/// it accepts `!!!invalid!!!`, `abc` and `ab==cd`).
pub(super) fn base64_decode<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.short_string(0)?;
    arguments.scope.charge_text(2 * text.len())?;
    let decoded = match String::from_utf8(decoded(&text)) {
        Ok(decoded) => decoded,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    Ok(Cow::Owned(Value::String(decoded)))
}

/// Returns the bytes that the digits up to the first `=` stand for; bits that make no byte are dropped.
fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for digit in text
        .bytes()
        .take_while(|byte| *byte != b'=')
        .filter_map(sextet)
    {
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// Returns the six bits of a digit, of the alphabet for URLs too.
fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}
