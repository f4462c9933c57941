//! A text as a stream of events.
use super::{JsonError, TooDeep};
use serde_json::{Number, Value};
use std::borrow::Cow;

/// A part of a JSON text, in text order.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "JSON has no others")]
pub enum Event<'t> {
    /// An object begins.
    ObjectStart,
    /// The innermost object ends.
    ObjectEnd,
    /// The start of an array.
    ArrayStart,
    /// The end of the innermost array.
    ArrayEnd,
    /// The name of a field; its value follows.
    Name(Cow<'t, str>),
    /// A value that holds no others.
    Scalar(Scalar<'t>),
}

/// A string, number, boolean or null.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Scalar<'t> {
    /// A string, borrowed from the text where that has no escapes in it.
    String(Cow<'t, str>),
    /// A number: an integer if it fits into 64 bits, otherwise in double precision.
    Number(Number),
    /// True or false.
    Bool(bool),
    /// Null.
    Null,
}

impl From<Scalar<'_>> for Value {
    fn from(scalar: Scalar<'_>) -> Self {
        match scalar {
            Scalar::String(text) => Self::String(text.into_owned()),
            Scalar::Number(number) => Self::Number(number),
            Scalar::Bool(truth) => Self::Bool(truth),
            Scalar::Null => Self::Null,
        }
    }
}

/// Reads a text (RFC 8259) event by event, without building a value. The first error ends it.
///
/// ```
/// use asl_path::json::{Event, Events};
///
/// let mut events = Events::new(r#"{"a": 1, "a": 2}"#, 10);
/// let mut names = Vec::new();
/// while let Some(event) = events.next().transpose()? {
///     if let Event::Name(name) = event {
///         names.push((name, events.offset()));
///     }
/// }
/// assert_eq!(names, [("a".into(), 1), ("a".into(), 9)]);
/// # Ok::<(), asl_path::json::JsonError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Events<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Start of the last event.
    start: usize,
    expected: ExpectedToken,
    open: Vec<Open>,
    max_depth: usize,
    takes_placeholders: bool,
}

/// An open array or object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Array,
    Object,
}

/// The next expected token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpectedToken {
    Value,
    FirstElement,
    FirstField,
    CommaInArray,
    CommaInObject,
    EndOfText,
    Nothing,
}

// Inlined into the loop that reads on, an event is taken apart where it is made: a tenth of reading's time.
impl<'t> Iterator for Events<'t> {
    type Item = Result<Event<'t>, JsonError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let event = self.event().transpose();
        if let Some(Err(_)) = event {
            self.expected = ExpectedToken::Nothing;
        }
        event
    }
}

impl<'t> Events<'t> {
    /// Creates a reader at the start of a text that allows `max_depth` levels of arrays and objects.
    pub fn new(text: &'t str, max_depth: usize) -> Self {
        Self {
            text,
            at: 0,
            start: 0,
            expected: ExpectedToken::Value,
            open: Vec::new(),
            max_depth,
            takes_placeholders: false,
        }
    }

    /// Accepts `${Name}` without quotes as a value, and returns it as a string: a text is not JSON before a tool has replaced its
    /// placeholders.
    ///
    /// ```
    /// use asl_path::json::{Event, Events, Scalar};
    ///
    /// let mut events = Events::new("[${Seconds}]", 1).with_placeholders();
    /// assert_eq!(events.nth(1), Some(Ok(Event::Scalar(Scalar::String("${Seconds}".into())))));
    /// ```
    pub fn with_placeholders(self) -> Self {
        Self {
            takes_placeholders: true,
            ..self
        }
    }

    /// Returns the offset of the last event in the text, in bytes.
    pub fn offset(&self) -> usize {
        self.start
    }

    #[inline(always)]
    fn event(&mut self) -> Result<Option<Event<'t>>, JsonError> {
        let sign = self.next_sign();
        match (self.expected, sign) {
            (ExpectedToken::CommaInObject, Some(b',')) => {
                self.at += 1;
                let sign = self.next_sign();
                self.name(sign).map(Some)
            }
            (ExpectedToken::CommaInArray, Some(b',')) => {
                self.at += 1;
                let sign = self.next_sign();
                self.value(sign).map(Some)
            }
            (ExpectedToken::FirstElement | ExpectedToken::CommaInArray, Some(b']'))
            | (ExpectedToken::FirstField | ExpectedToken::CommaInObject, Some(b'}')) => {
                Ok(Some(self.close()))
            }
            (ExpectedToken::Value | ExpectedToken::FirstElement, _) => self.value(sign).map(Some),
            (ExpectedToken::FirstField, _) => self.name(sign).map(Some),
            (ExpectedToken::CommaInArray, _) => Err(self.expected("',' or ']' in an array")),
            (ExpectedToken::CommaInObject, _) => Err(self.expected("',' or '}' in an object")),
            (ExpectedToken::EndOfText, Some(_)) => Err(self.expected("the end of the text")),
            (ExpectedToken::EndOfText, None) | (ExpectedToken::Nothing, _) => Ok(None),
        }
    }

    /// `"name":`
    #[inline(always)]
    fn name(&mut self, sign: Option<u8>) -> Result<Event<'t>, JsonError> {
        self.start = self.at;
        if sign != Some(b'"') {
            return Err(self.expected("a field name in double quotes"));
        }
        let name = self.string()?;
        if self.next_sign() != Some(b':') {
            return Err(self.expected("':' after a field name"));
        }
        self.at += 1;
        self.expected = ExpectedToken::Value;
        Ok(Event::Name(name))
    }

    /// Returns a simple value, or the beginning of an array or an object.
    #[inline(always)]
    fn value(&mut self, sign: Option<u8>) -> Result<Event<'t>, JsonError> {
        self.start = self.at;
        let scalar = match sign {
            Some(b'"') => Scalar::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Scalar::Number(self.number()?),
            Some(b'[') => {
                self.open(Open::Array, ExpectedToken::FirstElement)?;
                return Ok(Event::ArrayStart);
            }
            Some(b'{') => {
                self.open(Open::Object, ExpectedToken::FirstField)?;
                return Ok(Event::ObjectStart);
            }
            Some(b't') => self.word("true", Scalar::Bool(true))?,
            Some(b'f') => self.word("false", Scalar::Bool(false))?,
            Some(b'n') => self.word("null", Scalar::Null)?,
            _ => self.placeholder()?,
        };
        self.after_value();
        Ok(Event::Scalar(scalar))
    }

    #[inline]
    fn open(&mut self, open: Open, expected: ExpectedToken) -> Result<(), JsonError> {
        if self.open.len() == self.max_depth {
            return Err(self.too_deep());
        }
        self.open.push(open);
        self.at += 1;
        self.expected = expected;
        Ok(())
    }

    #[inline]
    fn close(&mut self) -> Event<'t> {
        self.start = self.at;
        self.at += 1;
        let closed = self.open.pop();
        self.after_value();
        match closed {
            Some(Open::Object) => Event::ObjectEnd,
            _ => Event::ArrayEnd,
        }
    }

    #[inline]
    fn after_value(&mut self) {
        self.expected = match self.open.last() {
            Some(Open::Array) => ExpectedToken::CommaInArray,
            Some(Open::Object) => ExpectedToken::CommaInObject,
            None => ExpectedToken::EndOfText,
        };
    }

    fn word(&mut self, word: &str, value: Scalar<'t>) -> Result<Scalar<'t>, JsonError> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.expected("a value"));
        }
        self.at += word.len();
        Ok(value)
    }

    #[cold]
    fn placeholder(&mut self) -> Result<Scalar<'t>, JsonError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.strip_prefix("${").and_then(|name| name.find('}'));
        match end.and_then(|end| rest.get(..end + "${}".len())) {
            // A name has something in it, and is on one line.
            Some(placeholder)
                if self.takes_placeholders
                    && placeholder.len() > 3
                    && !placeholder.contains('\n') =>
            {
                self.at += placeholder.len();
                Ok(Scalar::String(placeholder.into()))
            }
            _ => Err(self.expected("a value")),
        }
    }

    /// The first byte that is no white space.
    #[inline]
    fn next_sign(&mut self) -> Option<u8> {
        loop {
            let byte = self.byte()?;
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(super) fn rest(&self) -> &'t [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[cold]
    pub(super) fn expected(&self, what: &str) -> JsonError {
        let found = match self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        {
            None => "the end of the text".to_owned(),
            Some(character) if character.is_control() => format!("{character:?}"),
            Some(character) => format!("'{character}'"),
        };
        self.fault(format!("expected {what}, found {found}"))
    }

    #[cold]
    pub(super) fn fault(&self, message: impl Into<String>) -> JsonError {
        JsonError::at(self.text, self.at, message.into())
    }

    #[cold]
    fn too_deep(&self) -> JsonError {
        self.fault(TooDeep(self.max_depth).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn events_come_in_the_order_of_the_text_with_their_places() {
        let text = r#" {"é": [1, "\n"], "é" :null} "#;
        let mut events = Events::new(text, 2);
        let mut found = Vec::new();
        while let Some(event) = events.next() {
            found.push((event.unwrap(), events.offset()));
        }
        let expected = [
            (Event::ObjectStart, 1),
            (Event::Name("é".into()), 2),
            (Event::ArrayStart, 8),
            (Event::Scalar(Scalar::Number(1.into())), 9),
            (Event::Scalar(Scalar::String("\n".into())), 12),
            (Event::ArrayEnd, 16),
            (Event::Name("é".into()), 19),
            (Event::Scalar(Scalar::Null), 25),
            (Event::ObjectEnd, 29),
        ];
        assert_eq!(found, expected);
        assert!(matches!(&found[1].0, Event::Name(Cow::Borrowed(_))));
    }

    #[test]
    fn placeholders_are_taken_where_they_are_asked_for() {
        let read = |text| {
            let events = Events::new(text, 2).with_placeholders();
            events.collect::<Result<Vec<_>, _>>()
        };
        let found = read(r#"{"a": ${A::B}, "b": [${C}]}"#).unwrap();
        let strings = found.iter().filter_map(|event| match event {
            Event::Scalar(Scalar::String(text)) => Some(&**text),
            _ => None,
        });
        assert_eq!(strings.collect::<Vec<_>>(), ["${A::B}", "${C}"]);
        for text in ["[${}]", "[${A]", "[$A]", "[${A\n}]", "[1${A}]", "{${A}: 1}"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(parse("[${A}]", 1).is_err());
    }

    #[test]
    fn the_first_fault_is_the_end() {
        let mut events = Events::new("[1 2 3]", 1);
        assert!(
            events
                .by_ref()
                .take(3)
                .last()
                .is_some_and(|last| last.is_err())
        );
        assert_eq!(events.next(), None);
    }

    #[test]
    fn faults_say_what_and_where() {
        let fault = |text| parse(text, 10).unwrap_err().to_string();
        assert_eq!(
            fault("{\n  \"é\": ]\n}"),
            "expected a value, found ']' at line 2 column 8"
        );
        assert_eq!(
            fault(""),
            "expected a value, found the end of the text at line 1 column 1"
        );
        assert_eq!(
            fault("1 2"),
            "expected the end of the text, found '2' at line 1 column 3"
        );
        assert_eq!(
            fault("[1 2]"),
            "expected ',' or ']' in an array, found '2' at line 1 column 4"
        );
        assert_eq!(
            fault("[1,]"),
            "expected a value, found ']' at line 1 column 4"
        );
        assert_eq!(
            fault("{\"a\":1"),
            "expected ',' or '}' in an object, found the end of the text at line 1 column 7"
        );
        assert_eq!(
            fault("{a:1}"),
            "expected a field name in double quotes, found 'a' at line 1 column 2"
        );
        assert_eq!(
            fault("{\"a\" 1}"),
            "expected ':' after a field name, found '1' at line 1 column 6"
        );
        assert_eq!(
            fault("nul"),
            "expected a value, found 'n' at line 1 column 1"
        );
    }
}
