//! `States.Hash` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use crate::{error::Failure, print};
use md5::Md5;
use serde_json::Value;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};
use std::borrow::Cow;

/// `States.Hash(data, algorithm)`: hexadecimal digits of the digest of a string, or of the natural text of another value
/// (recorded from the service: it accepts numbers and objects).
pub(super) fn hash<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = hashed_text(arguments)?;
    let algorithm = arguments.string(1)?;
    match digest(&algorithm, &text) {
        Some(digits) => Ok(Cow::Owned(Value::String(digits))),
        None => Err(Failure::arguments(format!(
            "the algorithm must be MD5, SHA-1, SHA-256, SHA-384 or SHA-512, found '{algorithm}'"
        ))),
    }
}

fn hashed_text<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Result<Cow<'v, str>, Failure<'v>> {
    let max_depth = arguments.limits().max_depth;
    match arguments.value(0)? {
        Cow::Borrowed(Value::String(text)) => arguments.short(0, Cow::Borrowed(text)),
        Cow::Owned(Value::String(text)) => arguments.short(0, Cow::Owned(text)),
        other if other.is_null() => Err(Failure::arguments("argument 1 must not be null")),
        other => {
            let mut text = String::new();
            print::push_natural(&mut text, &other, max_depth)?;
            arguments.short(0, Cow::Owned(text))
        }
    }
}

/// Returns the hash of a text in hexadecimal digits. None if there is no such algorithm.
///
/// ```
/// use asl_intrinsics::digest;
/// assert_eq!(digest("MD5", "").as_deref(), Some("d41d8cd98f00b204e9800998ecf8427e"));
/// assert_eq!(digest("CRC-32", ""), None);
/// ```
pub fn digest(algorithm: &str, text: &str) -> Option<String> {
    Some(match algorithm {
        "MD5" => hexadecimal(&Md5::digest(text.as_bytes())),
        "SHA-1" => hexadecimal(&Sha1::digest(text.as_bytes())),
        "SHA-256" => hexadecimal(&Sha256::digest(text.as_bytes())),
        "SHA-384" => hexadecimal(&Sha384::digest(text.as_bytes())),
        "SHA-512" => hexadecimal(&Sha512::digest(text.as_bytes())),
        _ => return None,
    })
}

/// Two lower-case digits a byte.
fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |nibble: u8| {
        char::from(if nibble < 10 {
            b'0' + nibble
        } else {
            b'a' + nibble - 10
        })
    };
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        digits.push(digit(byte >> 4));
        digits.push(digit(byte & 0xF));
    }
    digits
}
