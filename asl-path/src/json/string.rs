//! Strings and their escapes.
use super::{Events, JsonError};
use std::borrow::Cow;

impl<'t> Events<'t> {
    /// A string that begins here.
    #[inline]
    pub(super) fn string(&mut self) -> Result<Cow<'t, str>, JsonError> {
        self.at += 1;
        let plain = self.plain();
        if self.byte() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        self.escaped_string(plain).map(Cow::Owned)
    }

    /// Parses the rest of a string that contains escapes, after its plain start.
    fn escaped_string(&mut self, plain: &str) -> Result<String, JsonError> {
        let mut text = plain.to_owned();
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                    text.push_str(self.plain());
                }
                None | Some(b'\n' | b'\r') => {
                    return Err(self.expected("'\"' at the end of a string"));
                }
                Some(_) => {
                    return Err(self.fault("a control character in a string must be escaped"));
                }
            }
        }
    }

    /// Returns the text before a quote, a backslash or a control character.
    #[inline]
    fn plain(&mut self) -> &'t str {
        let start = self.at;
        self.at += plain_length(self.rest());
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Parses the text after a backslash.
    fn escape(&mut self) -> Result<char, JsonError> {
        let character = match self.byte() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.expected("one of \" \\ / b f n r t u after '\\'")),
        };
        self.at += 1;
        Ok(character)
    }

    /// `uXXXX`, or two of them for a character outside the basic plane.
    fn unicode_escape(&mut self) -> Result<char, JsonError> {
        let start = self.at;
        let first = self.unit()?;
        let mut second = None;
        if (0xd800..0xdc00).contains(&first) && self.rest().starts_with(b"\\u") {
            self.at += 1;
            second = Some(self.unit()?);
        }
        let mut characters = char::decode_utf16([first].into_iter().chain(second));
        match characters.next() {
            Some(Ok(character)) => Ok(character),
            _ => {
                self.at = start;
                Err(self.fault("half of a surrogate pair is no character"))
            }
        }
    }

    fn unit(&mut self) -> Result<u16, JsonError> {
        let digits = self.text.get(self.at + 1..self.at + 5).unwrap_or_default();
        if digits.len() != 4 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(self.fault("expected four hexadecimal digits after \\u"));
        }
        self.at += 5;
        u16::from_str_radix(digits, 16)
            .map_err(|_| self.fault("expected four hexadecimal digits after \\u"))
    }
}

/// Returns the number of bytes before a quote, a backslash or a control character; it reads eight at a time.
fn plain_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(<[u8; 8]>::try_from(chunk).unwrap_or_default());
        let special = special_bytes(word);
        if special != 0 {
            return length + (special.trailing_zeros() / 8) as usize;
        }
        length += 8;
    }
    let rest = chunks.remainder();
    length
        + rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))
            .unwrap_or(rest.len())
}

/// Sets the high bit of the first byte that is a quote, a backslash or below a space; those after it may be wrong.
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (control | zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))))
        & HIGH
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn plain_length_is_that_of_a_simple_loop() {
        let mut bytes = vec![b'a'; 40];
        for special in [b'"', b'\\', 0, 0x1f, b'\n'] {
            for at in 0..bytes.len() {
                bytes[at] = special;
                assert_eq!(plain_length(&bytes), at);
                bytes[at] = 0xc3;
            }
            assert_eq!(plain_length(&bytes), 40);
        }
        for byte in 0..=u8::MAX {
            let expected = if matches!(byte, b'"' | b'\\' | 0..=0x1f) {
                3
            } else {
                8
            };
            assert_eq!(
                plain_length(&[b' ', 0x7f, 0x80, byte, b'!', 0xff, b'#', b'z']),
                expected,
                "{byte}"
            );
        }
    }

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(
            parse(r#""a\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, 0).unwrap(),
            "a\"\\/\u{8}\u{c}\n\r\té😀"
        );
        assert_eq!(parse(r#""\n""#, 0).unwrap(), "\n");
    }

    #[test]
    fn broken_strings_are_refused() {
        for text in [
            r#"""#,
            r#""a"#,
            r#""\"#,
            r#""\x""#,
            r#""\u12""#,
            r#""\u12é4""#,
            r#""\uD800""#,
            r#""\uD800\u0041""#,
            r#""\uDC00""#,
            "\"\n\"",
        ] {
            assert!(parse(text, 0).is_err(), "{text}");
        }
        assert_eq!(
            parse("\"a\tb\"", 0).unwrap_err().to_string(),
            "a control character in a string must be escaped at line 1 column 3"
        );
        assert_eq!(
            parse("[\"a\n]", 1).unwrap_err().to_string(),
            "expected '\"' at the end of a string, found '\\n' at line 1 column 4"
        );
    }
}
