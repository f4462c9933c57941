//! `$base64encode`, `$base64decode` and the functions on URLs.
use super::arguments::only;
use super::json_text::quoted;
use crate::evaluate::{Arguments, Evaluation, Outcome, failure};
use crate::value::Value;
use base64::{Engine, prelude::BASE64_STANDARD};

/// Applies a function to a text; the result has at most so many bytes per byte.
fn map<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
    growth: usize,
    convert: impl FnOnce(&str) -> Outcome<String>,
) -> Outcome<Value<'a>> {
    let value = only(arguments);
    let Some(text) = value.as_text() else {
        return Ok(Value::Undefined);
    };
    evaluation.charge_text(text.len().saturating_mul(growth))?;
    Ok(Value::text(convert(text)?))
}

/// `$base64encode(text)`: of the low byte of each UTF-16 unit, so that only characters up to U+00FF survive.
pub(super) fn base64_encode<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    map(evaluation, arguments, 2, |text| {
        let bytes: Vec<u8> = text.encode_utf16().map(|unit| unit as u8).collect();
        Ok(BASE64_STANDARD.encode(bytes))
    })
}

/// `$base64decode(text)`: each byte becomes a character up to U+00FF. Invalid characters are skipped, and `=` is the end.
pub(super) fn base64_decode<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    map(evaluation, arguments, 2, |text| Ok(from_base64(text)))
}

fn from_base64(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let (mut bits, mut count) = (0_u32, 0);
    for c in text.bytes().take_while(|c| *c != b'=') {
        let Some(digit) = base64_digit(c) else {
            continue;
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            decoded.push(char::from((bits >> count) as u8));
        }
    }
    decoded
}

/// Of the usual alphabet and of the one for URLs.
fn base64_digit(c: u8) -> Option<u8> {
    Some(match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Characters that `$encodeUrlComponent` leaves as they are.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte)
}

/// Characters that have a meaning in a URL: `$encodeUrl` leaves them, `$decodeUrl` does not make them.
fn is_reserved(byte: u8) -> bool {
    b";/?:@&=+$,#".contains(&byte)
}

fn escaped(text: &str, keeps: impl Fn(u8) -> bool) -> String {
    let digit = |nibble: u8| {
        char::from_digit(u32::from(nibble), 16)
            .unwrap_or('0')
            .to_ascii_uppercase()
    };
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if keeps(byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte & 0xF)]);
        }
    }
    encoded
}

/// `$encodeUrlComponent(text)`.
pub(super) fn encode_url_component<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    map(evaluation, arguments, 3, |text| {
        Ok(escaped(text, is_unreserved))
    })
}

/// `$encodeUrl(text)`.
pub(super) fn encode_url<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    let keeps = |byte| is_unreserved(byte) || is_reserved(byte);
    map(evaluation, arguments, 3, |text| Ok(escaped(text, keeps)))
}

/// `$decodeUrlComponent(text)`.
pub(super) fn decode_url_component<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    map(evaluation, arguments, 1, |text| {
        unescaped(text, |_| false).ok_or_else(|| malformed("decodeUrlComponent", text))
    })
}

/// `$decodeUrl(text)`.
pub(super) fn decode_url<'a>(
    evaluation: &mut Evaluation<'a, '_>,
    arguments: Arguments<'a>,
) -> Outcome<Value<'a>> {
    map(evaluation, arguments, 1, |text| {
        unescaped(text, is_reserved).ok_or_else(|| malformed("decodeUrl", text))
    })
}

fn malformed(function: &str, text: &str) -> Box<crate::EvaluationError> {
    let text = quoted(text);
    failure(
        "D3140",
        format!("Malformed URL passed to ${function}(): {text}"),
    )
}

/// Returns the text with its escapes read, but for those of the bytes that `keeps` names. None if an escape is no two
/// digits, or bytes are no UTF-8.
fn unescaped(text: &str, keeps: impl Fn(u8) -> bool) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        if *byte != b'%' {
            decoded.push(*byte);
            rest = after;
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        let value = digits.iter().try_fold(0_u8, |value, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(value << 4 | digit as u8)
        })?;
        if keeps(value) {
            decoded.push(b'%');
            decoded.extend(digits);
        } else {
            decoded.push(value);
        }
        rest = after;
    }
    // The text between the escapes is UTF-8, so escaped bytes cannot complete it.
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_digit_is_passed_over() {
        assert_eq!(from_base64("a G\nVs*bG8"), "hello");
        assert_eq!(from_base64("aGVs=bG8"), "hel", "but for the end");
    }

    proptest! {
        #[test]
        fn encoded_urls_are_decoded(text in ".*") {
            let component = escaped(&text, is_unreserved);
            prop_assert_eq!(unescaped(&component, |_| false), Some(text.clone()));
            let url = escaped(&text, |byte| is_unreserved(byte) || is_reserved(byte));
            prop_assert_eq!(unescaped(&url, |_| false), Some(text));
        }

        #[test]
        fn base64_keeps_characters_of_one_byte(text in "[\\x00-\u{ff}]*") {
            let bytes: Vec<u8> = text.encode_utf16().map(|unit| unit as u8).collect();
            prop_assert_eq!(from_base64(&BASE64_STANDARD.encode(bytes)), text);
        }

        #[test]
        fn any_text_is_decoded_or_refused(text in "[%0-9a-fé=_ -]*") {
            let _ = unescaped(&text, is_reserved);
            let _ = from_base64(&text);
        }
    }
}
