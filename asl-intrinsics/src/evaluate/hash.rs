//! `States.Hash` (2022 spec, Appendix B).
use super::{Arguments, Outcome};
use crate::error::Failure;
use md5::Md5;
use serde_json::Value;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};
use std::borrow::Cow;

/// `States.Hash(text, algorithm)`: in hexadecimal digits.
pub(super) fn hash<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.short_string(0)?;
    let algorithm = arguments.string(1)?;
    let digits = match &*algorithm {
        "MD5" => hexadecimal(&Md5::digest(text.as_bytes())),
        "SHA-1" => hexadecimal(&Sha1::digest(text.as_bytes())),
        "SHA-256" => hexadecimal(&Sha256::digest(text.as_bytes())),
        "SHA-384" => hexadecimal(&Sha384::digest(text.as_bytes())),
        "SHA-512" => hexadecimal(&Sha512::digest(text.as_bytes())),
        other => {
            return Err(Failure::arguments(format!(
                "the algorithm must be MD5, SHA-1, SHA-256, SHA-384 or SHA-512, found '{other}'"
            )));
        }
    };
    Ok(Cow::Owned(Value::String(digits)))
}

/// Two lower-case digits a byte.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
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
