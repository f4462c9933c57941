//! YAML 1.2 as events, its plain scalars read by the core schema.
//!
//! Tags of CloudFormation are tolerated as strings that hold a placeholder: `!Ref X` and `!GetAtt X.Arn` are `${X}` and
//! `${X.Arn}`, the text of `!Sub` stays, and any other tag with all it applies to is `${Tag}`.
use super::{Event, Events, TextError};
use crate::Position;
use asl_path::json::{self, Scalar};
use saphyr_parser::{Event as YamlEvent, Marker, Parser, ScalarStyle, StrInput, Tag};
use serde_json::Number;
use std::borrow::Cow;

/// What an open collection holds next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Array,
    ObjectAtName,
    ObjectAtValue,
}

/// Reads a text, one event at a time.
pub(super) struct YamlEvents<'t> {
    parser: Parser<'t, StrInput<'t>>,
    /// Follows the event that was given last: an anchor and its value come from one event of the parser.
    pending: Option<Event<'t>>,
    open: Vec<Open>,
    position: Position,
    in_document: bool,
}

impl<'t> YamlEvents<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            parser: Parser::new_from_str(text),
            pending: None,
            open: Vec::new(),
            position: Position { line: 1, column: 1 },
            in_document: false,
        }
    }

    fn next_of_parser(&mut self) -> Result<Option<YamlEvent<'t>>, TextError> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok((event, span))) => {
                self.position = position(&span.start);
                Ok(Some(event))
            }
            Some(Err(error)) => Err(TextError {
                message: error.info().to_owned(),
                position: position(error.marker()),
            }),
        }
    }

    fn fault<T>(&self, message: &str) -> Result<T, TextError> {
        Err(TextError {
            message: message.to_owned(),
            position: self.position,
        })
    }

    fn at_name(&self) -> bool {
        self.open.last() == Some(&Open::ObjectAtName)
    }

    /// A value was read: within an object a name comes next.
    fn after_value(&mut self) {
        if let Some(open @ Open::ObjectAtValue) = self.open.last_mut() {
            *open = Open::ObjectAtName;
        }
    }

    fn anchored(&mut self, anchor: usize, event: json::Event<'t>) -> Event<'t> {
        if anchor == 0 {
            return event.into();
        }
        self.pending = Some(event.into());
        Event::Anchor(anchor)
    }

    fn name(&mut self, text: Cow<'t, str>, style: ScalarStyle) -> Event<'t> {
        if let Some(open) = self.open.last_mut() {
            *open = Open::ObjectAtValue;
        }
        if text == "<<" && style == ScalarStyle::Plain {
            Event::Merge
        } else {
            json::Event::Name(text).into()
        }
    }

    fn collection(
        &mut self,
        open: Open,
        event: json::Event<'t>,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Result<Event<'t>, TextError> {
        if self.at_name() {
            return self.fault("expected a field name, found a collection");
        }
        if let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema()) {
            self.skip_collection()?;
            self.after_value();
            let placeholder = Scalar::String(format!("${{{}}}", tag.suffix).into());
            return Ok(self.anchored(anchor, json::Event::Scalar(placeholder)));
        }
        self.after_value();
        self.open.push(open);
        Ok(self.anchored(anchor, event))
    }

    /// To the end of the collection that has just begun.
    fn skip_collection(&mut self) -> Result<(), TextError> {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.next_of_parser()? {
                Some(YamlEvent::MappingStart(..) | YamlEvent::SequenceStart(..)) => depth += 1,
                Some(YamlEvent::MappingEnd | YamlEvent::SequenceEnd) => depth -= 1,
                Some(_) => {}
                None => return self.fault("a collection without an end"),
            }
        }
        Ok(())
    }

    fn event(&mut self, event: YamlEvent<'t>) -> Result<Option<Event<'t>>, TextError> {
        let event = match event {
            YamlEvent::DocumentStart(_) if self.in_document => {
                return self.fault("expected one document, found a second");
            }
            YamlEvent::DocumentStart(_) => {
                self.in_document = true;
                return Ok(None);
            }
            YamlEvent::Scalar(text, style, ..) if self.at_name() => self.name(text, style),
            YamlEvent::Scalar(text, style, anchor, tag) => {
                self.after_value();
                let value = scalar(text, style, tag.as_deref());
                self.anchored(anchor, json::Event::Scalar(value))
            }
            YamlEvent::Alias(_) if self.at_name() => {
                return self.fault("expected a field name, found an alias");
            }
            YamlEvent::Alias(anchor) => {
                self.after_value();
                Event::Alias(anchor)
            }
            YamlEvent::SequenceStart(anchor, tag) => {
                self.collection(Open::Array, json::Event::ArrayStart, anchor, tag.as_deref())?
            }
            YamlEvent::MappingStart(anchor, tag) => self.collection(
                Open::ObjectAtName,
                json::Event::ObjectStart,
                anchor,
                tag.as_deref(),
            )?,
            YamlEvent::SequenceEnd => {
                self.open.pop();
                json::Event::ArrayEnd.into()
            }
            YamlEvent::MappingEnd => {
                self.open.pop();
                json::Event::ObjectEnd.into()
            }
            YamlEvent::Nothing
            | YamlEvent::StreamStart
            | YamlEvent::StreamEnd
            | YamlEvent::DocumentEnd => return Ok(None),
        };
        Ok(Some(event))
    }
}

impl<'t> Events<'t> for YamlEvents<'t> {
    fn next(&mut self) -> Result<Option<Event<'t>>, TextError> {
        if let Some(event) = self.pending.take() {
            return Ok(Some(event));
        }
        while let Some(event) = self.next_of_parser()? {
            if let Some(event) = self.event(event)? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    fn position(&mut self) -> Position {
        self.position
    }
}

fn position(marker: &Marker) -> Position {
    Position {
        line: marker.line(),
        column: marker.col() + 1,
    }
}

fn scalar<'t>(text: Cow<'t, str>, style: ScalarStyle, tag: Option<&Tag>) -> Scalar<'t> {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "str" => Scalar::String(text),
        Some(tag) if tag.is_yaml_core_schema() => plain(text),
        Some(tag) if tag.handle == "!" => match tag.suffix.as_str() {
            "" | "Sub" => Scalar::String(text),
            "Ref" | "GetAtt" => Scalar::String(format!("${{{text}}}").into()),
            suffix => Scalar::String(format!("${{{suffix}}}").into()),
        },
        _ if style == ScalarStyle::Plain => plain(text),
        _ => Scalar::String(text),
    }
}

/// A plain scalar (YAML 1.2.2, 10.3.2 Tag Resolution); infinities and "not a number" stay texts.
fn plain(text: Cow<'_, str>) -> Scalar<'_> {
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        number => match plain_number(number) {
            Some(number) => Scalar::Number(number),
            None => Scalar::String(text),
        },
    }
}

fn plain_number(text: &str) -> Option<Number> {
    if let Some(octal) = text.strip_prefix("0o") {
        return unsigned(octal, 8);
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return unsigned(hexadecimal, 16);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let first = digits.strip_prefix('.').unwrap_or(digits).bytes().next()?;
    let allowed = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'-' | b'+');
    if !first.is_ascii_digit() || !digits.bytes().all(allowed) {
        return None;
    }
    if let Ok(integer) = text.parse::<i64>() {
        return Some(integer.into());
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Some(integer.into());
    }
    Number::from_f64(text.parse().ok()?)
}

fn unsigned(digits: &str, radix: u32) -> Option<Number> {
    let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let number = u64::from_str_radix(digits, radix).ok()?;
    plain.then(|| number.into())
}
