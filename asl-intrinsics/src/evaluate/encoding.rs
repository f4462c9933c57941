//! `States.Base64Encode` and `States.Base64Decode` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use crate::error::Failure;
use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use serde_json::Value;
use std::borrow::Cow;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// `States.Base64Encode(text)`: one line, padded.
pub(super) fn base64_encode<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.short_string(0)?;
    Ok(Cow::Owned(Value::String(BASE64.encode(text.as_bytes()))))
}

/// `States.Base64Decode(text)`: padding may be missing, and lines may be broken, as the MIME scheme allows.
pub(super) fn base64_decode<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.short_string(0)?;
    let bytes = if text.contains(char::is_whitespace) {
        BASE64.decode(text.split_ascii_whitespace().collect::<String>())
    } else {
        BASE64.decode(text.as_bytes())
    };
    let bytes = bytes.map_err(|_| Failure::arguments(fault(&text)))?;
    let decoded = String::from_utf8(bytes)
        .map_err(|_| Failure::arguments("the decoded bytes are not UTF-8 text"))?;
    Ok(Cow::Owned(Value::String(decoded)))
}

fn fault(text: &str) -> String {
    let in_alphabet =
        |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "+/=".contains(c);
    match text.chars().find(|c| !in_alphabet(*c)) {
        Some(c) => format!("the text is not Base64: found '{c}'"),
        None => "the text is not Base64: its end is cut off or wrongly padded".to_owned(),
    }
}
