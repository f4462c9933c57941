//! JSON as events (RFC 8259).
use super::line_counter::LineCounter;
use super::{Event, Events, TextError};
use crate::Position;
use serde_json::Value;
use std::borrow::Cow;

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    ValueOrArrayEnd,
    Name,
    NameOrObjectEnd,
    CommaOrEnd,
    Nothing,
}

/// Reads a text, one event at a time.
#[derive(Debug)]
pub(super) struct JsonEvents<'t> {
    text: &'t str,
    offset: usize,
    start: usize,
    expected: Expected,
    /// For each open array or object whether it is an object.
    open: Vec<bool>,
    counter: LineCounter,
}

impl<'t> JsonEvents<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            offset: 0,
            start: 0,
            expected: Expected::Value,
            open: Vec::new(),
            counter: LineCounter::default(),
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn skip_whitespace(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.offset += 1;
        }
    }

    fn fault(&mut self, offset: usize, message: String) -> TextError {
        let mut counter = LineCounter::default();
        TextError {
            message,
            position: counter.position(self.text, offset),
        }
    }

    fn expected(&mut self, what: &str) -> TextError {
        let offset = self.offset;
        let found = match self.text.get(offset..).and_then(|rest| rest.chars().next()) {
            Some(character) => format!("`{}`", character.escape_debug()),
            None => "the end of the text".to_owned(),
        };
        self.fault(offset, format!("expected {what}, found {found}"))
    }

    /// After a value: what its surroundings ask for.
    fn after_value(&mut self) {
        self.expected = if self.open.is_empty() {
            Expected::Nothing
        } else {
            Expected::CommaOrEnd
        };
    }

    fn close(&mut self) -> Event<'t> {
        self.offset += 1;
        let event = match self.open.pop() {
            Some(true) => Event::ObjectEnd,
            _ => Event::ArrayEnd,
        };
        self.after_value();
        event
    }

    fn read_name(&mut self) -> Result<Event<'t>, TextError> {
        if self.byte() != Some(b'"') {
            return Err(self.expected("a field name in double quotes"));
        }
        let name = self.read_string()?;
        self.skip_whitespace();
        if self.byte() != Some(b':') {
            return Err(self.expected("`:` after the field name"));
        }
        self.offset += 1;
        self.expected = Expected::Value;
        Ok(Event::Name(name))
    }

    fn read_value(&mut self) -> Result<Event<'t>, TextError> {
        let event = match self.byte() {
            Some(b'{') => return Ok(self.open(true)),
            Some(b'[') => return Ok(self.open(false)),
            Some(b'"') => Event::Scalar(Value::String(self.read_string()?.into_owned())),
            Some(b'-' | b'0'..=b'9') => Event::Scalar(self.read_number()?),
            Some(b't') => self.read_literal("true", Value::Bool(true))?,
            Some(b'f') => self.read_literal("false", Value::Bool(false))?,
            Some(b'n') => self.read_literal("null", Value::Null)?,
            _ => return Err(self.expected("a value")),
        };
        self.after_value();
        Ok(event)
    }

    fn open(&mut self, object: bool) -> Event<'t> {
        self.offset += 1;
        self.open.push(object);
        if object {
            self.expected = Expected::NameOrObjectEnd;
            Event::ObjectStart
        } else {
            self.expected = Expected::ValueOrArrayEnd;
            Event::ArrayStart
        }
    }

    fn read_literal(&mut self, literal: &str, value: Value) -> Result<Event<'t>, TextError> {
        let rest = self.text.get(self.offset..).unwrap_or_default();
        if !rest.starts_with(literal) {
            return Err(self.expected("a value"));
        }
        self.offset += literal.len();
        Ok(Event::Scalar(value))
    }

    fn read_number(&mut self) -> Result<Value, TextError> {
        let start = self.offset;
        while matches!(
            self.byte(),
            Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')
        ) {
            self.offset += 1;
        }
        let text = self.text.get(start..self.offset).unwrap_or_default();
        match text.parse::<serde_json::Number>() {
            Ok(number) => Ok(Value::Number(number)),
            Err(_) => Err(self.fault(start, format!("`{text}` is not a number"))),
        }
    }

    fn read_string(&mut self) -> Result<Cow<'t, str>, TextError> {
        let start = self.offset + 1;
        let bytes = self.text.as_bytes();
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'"' => {
                    self.offset = end + 1;
                    return Ok(Cow::Borrowed(self.text.get(start..end).unwrap_or_default()));
                }
                b'\\' => return self.read_escaped_string(start, end).map(Cow::Owned),
                0..0x20 => break,
                _ => end += 1,
            }
        }
        Err(self.unfinished_string(end))
    }

    fn unfinished_string(&mut self, end: usize) -> TextError {
        self.offset = end;
        self.expected("`\"` at the end of the string")
    }

    /// The rest of a string from its first backslash on.
    fn read_escaped_string(&mut self, start: usize, backslash: usize) -> Result<String, TextError> {
        let bytes = self.text.as_bytes();
        let mut content = self
            .text
            .get(start..backslash)
            .unwrap_or_default()
            .to_owned();
        let mut plain = backslash;
        let mut end = backslash;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'"' => {
                    content.push_str(self.text.get(plain..end).unwrap_or_default());
                    self.offset = end + 1;
                    return Ok(content);
                }
                b'\\' => {
                    content.push_str(self.text.get(plain..end).unwrap_or_default());
                    self.offset = end;
                    content.push(self.read_escape()?);
                    end = self.offset;
                    plain = end;
                }
                0..0x20 => break,
                _ => end += 1,
            }
        }
        Err(self.unfinished_string(end))
    }

    fn read_escape(&mut self) -> Result<char, TextError> {
        let start = self.offset;
        self.offset += 2;
        let character = match self.text.as_bytes().get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.read_unicode_escape(start),
            _ => return Err(self.fault(start, "a backslash that escapes nothing".to_owned())),
        };
        Ok(character)
    }

    fn read_unicode_escape(&mut self, start: usize) -> Result<char, TextError> {
        let high = self.read_hex(start)?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high)
                .ok_or_else(|| self.fault(start, "half of a surrogate pair".to_owned()));
        }
        let rest = self.text.as_bytes().get(self.offset..).unwrap_or_default();
        if !rest.starts_with(b"\\u") {
            return Err(self.fault(start, "half of a surrogate pair".to_owned()));
        }
        self.offset += 2;
        let low = self.read_hex(start)?;
        let pair = low
            .checked_sub(0xdc00)
            .filter(|low| *low < 0x400)
            .and_then(|low| char::from_u32(0x10000 + ((high - 0xd800) << 10) + low));
        pair.ok_or_else(|| self.fault(start, "half of a surrogate pair".to_owned()))
    }

    fn read_hex(&mut self, start: usize) -> Result<u32, TextError> {
        let digits = self.text.get(self.offset..self.offset + 4);
        let code = digits
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        self.offset += 4;
        code.ok_or_else(|| self.fault(start, "expected four hexadecimal digits".to_owned()))
    }

    fn comma_or_end(&mut self) -> Result<Option<Event<'t>>, TextError> {
        let object = self.open.last().copied().unwrap_or_default();
        match (self.byte(), object) {
            (Some(b'}'), true) | (Some(b']'), false) => {
                self.start = self.offset;
                Ok(Some(self.close()))
            }
            (Some(b','), _) => {
                self.offset += 1;
                self.expected = if object {
                    Expected::Name
                } else {
                    Expected::Value
                };
                Ok(None)
            }
            (_, true) => Err(self.expected("`,` or `}`")),
            (_, false) => Err(self.expected("`,` or `]`")),
        }
    }
}

impl<'t> Events<'t> for JsonEvents<'t> {
    fn next(&mut self) -> Result<Option<Event<'t>>, TextError> {
        self.skip_whitespace();
        if self.expected == Expected::CommaOrEnd {
            if let Some(end) = self.comma_or_end()? {
                return Ok(Some(end));
            }
            self.skip_whitespace();
        }
        self.start = self.offset;
        match self.expected {
            Expected::NameOrObjectEnd if self.byte() == Some(b'}') => Ok(Some(self.close())),
            Expected::ValueOrArrayEnd if self.byte() == Some(b']') => Ok(Some(self.close())),
            Expected::Name | Expected::NameOrObjectEnd => self.read_name().map(Some),
            Expected::Value | Expected::ValueOrArrayEnd => self.read_value().map(Some),
            Expected::CommaOrEnd | Expected::Nothing if self.byte().is_none() => Ok(None),
            Expected::CommaOrEnd | Expected::Nothing => {
                Err(self.expected("nothing after the definition"))
            }
        }
    }

    fn position(&mut self) -> Position {
        self.counter.position(self.text, self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (String, usize, usize) {
        let mut events = JsonEvents::new(text);
        loop {
            match events.next() {
                Ok(Some(_)) => {}
                Ok(None) => return ("none".to_owned(), 0, 0),
                Err(e) => return (e.message, e.position.line, e.position.column),
            }
        }
    }

    #[test]
    fn says_what_was_expected_and_where() {
        for (text, message, line, column) in [
            (
                "{\"a\" 1}",
                "expected `:` after the field name, found `1`",
                1,
                6,
            ),
            (
                "{\"a\": 1,\n \"é\": 2 3}",
                "expected `,` or `}`, found `3`",
                2,
                9,
            ),
            ("{\"a\": [1 2]}", "expected `,` or `]`, found `2`", 1, 10),
            (
                "{a: 1}",
                "expected a field name in double quotes, found `a`",
                1,
                2,
            ),
            (
                "{\"a\": 1,}",
                "expected a field name in double quotes, found `}`",
                1,
                9,
            ),
            ("{\"a\": [1,]}", "expected a value, found `]`", 1, 10),
            ("{\"a\": tru}", "expected a value, found `t`", 1, 7),
            ("{\"a\": 01}", "`01` is not a number", 1, 7),
            (
                "{\"a\": \"x",
                "expected `\"` at the end of the string, found the end of the text",
                1,
                9,
            ),
            ("{\"a\": \"\\x\"}", "a backslash that escapes nothing", 1, 8),
            ("{\"a\": \"\\ud800\"}", "half of a surrogate pair", 1, 8),
            (
                "{\"a\": \"\\u12x4\"}",
                "expected four hexadecimal digits",
                1,
                8,
            ),
            (
                "{} x",
                "expected nothing after the definition, found `x`",
                1,
                4,
            ),
            (
                "{",
                "expected a field name in double quotes, found the end of the text",
                1,
                2,
            ),
        ] {
            assert_eq!(fault(text), (message.to_owned(), line, column), "{text}");
        }
    }
}
