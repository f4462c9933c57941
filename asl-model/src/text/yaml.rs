//! YAML 1.2 as events, its plain scalars read by the core schema.
//!
//! Tags of CloudFormation are tolerated as strings that hold a placeholder: `!Ref X` and `!GetAtt X.Arn` are `${X}` and
//! `${X.Arn}`, the text of `!Sub` stays, and any other tag with all it applies to is `${Tag}`. Where templates are read, they are
//! the functions that they stand for.
use super::indentation::{IndentedCharacters, ShallowLine, shallow_lines};
use super::{Event, Events, Tags, TextError, yaml_1_1};
use crate::{Position, Syntax};
use asl_path::json::{self, Scalar};
use saphyr_parser::{
    BufferedInput, Event as YamlEvent, Marker, Parser, ScalarStyle, ScanError, Span, StrInput, Tag,
};
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::collections::VecDeque;

/// An open collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Open {
    expected: ExpectedNode,
    /// It is what a function of CloudFormation is applied to.
    is_argument: bool,
}

/// The next node that an open collection expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpectedNode {
    Element,
    Name,
    Value,
}

/// Reads a text, one event at a time.
pub(super) struct YamlEvents<'t> {
    source: Source<'t>,
    tags: Tags,
    /// Plain scalars are those of YAML 1.1.
    is_1_1: bool,
    /// Follow the event that was given last: an anchor and its value, a tag and its value come from one event of the parser.
    pending: VecDeque<Event<'t>>,
    open: Vec<Open>,
    position: Position,
    in_document: bool,
}

/// The origin of the events.
enum Source<'t> {
    AsWritten(Box<Parser<'t, StrInput<'t>>>),
    /// With spaces before some lines.
    Indented {
        parser: Box<Parser<'t, BufferedInput<IndentedCharacters<'t>>>>,
        lines: Vec<ShallowLine>,
    },
}

impl<'t> Source<'t> {
    fn new(text: &'t str) -> Self {
        let lines = shallow_lines(text);
        match lines.is_empty() {
            true => Self::AsWritten(Box::new(Parser::new_from_str(text))),
            false => Self::Indented {
                parser: Box::new(Parser::new_from_iter(IndentedCharacters::new(
                    text,
                    lines.clone(),
                ))),
                lines,
            },
        }
    }

    fn next(&mut self) -> Option<Result<(YamlEvent<'t>, Span), ScanError>> {
        match self {
            Self::AsWritten(parser) => parser.next_event(),
            Self::Indented { parser, .. } => parser.next_event(),
        }
    }

    /// Converts a marker to a position in the text as written.
    fn position(&self, marker: &Marker) -> Position {
        let (line, column) = (marker.line(), marker.col() + 1);
        let spaces = match self {
            Self::AsWritten(_) => 0,
            Self::Indented { lines, .. } => lines
                .binary_search_by_key(&line, |shallow| shallow.line)
                .map_or(0, |at| lines[at].spaces),
        };
        Position {
            line,
            column: column.saturating_sub(spaces).max(1),
        }
    }
}

impl<'t> YamlEvents<'t> {
    pub(super) fn new(text: &'t str, tags: Tags, syntax: Syntax) -> Self {
        Self {
            source: Source::new(text),
            tags,
            is_1_1: syntax == Syntax::CloudFormation,
            pending: VecDeque::new(),
            open: Vec::new(),
            position: Position { line: 1, column: 1 },
            in_document: false,
        }
    }

    fn next_of_parser(&mut self) -> Result<Option<YamlEvent<'t>>, TextError> {
        match self.source.next() {
            None => Ok(None),
            Some(Ok((event, span))) => {
                self.position = self.source.position(&span.start);
                Ok(Some(event))
            }
            Some(Err(error)) => Err(TextError {
                message: error.info().to_owned(),
                position: self.source.position(error.marker()),
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
        self.open
            .last()
            .is_some_and(|open| open.expected == ExpectedNode::Name)
    }

    /// Within an object, what comes next.
    fn expect(&mut self, next: ExpectedNode) {
        if let Some(open) = self.open.last_mut()
            && open.expected != ExpectedNode::Element
        {
            open.expected = next;
        }
    }

    /// Returns the first of some events; the others follow.
    fn all(&mut self, events: impl IntoIterator<Item = Event<'t>>) -> Option<Event<'t>> {
        self.pending.extend(events);
        self.pending.pop_front()
    }

    fn anchored(&mut self, anchor: usize, event: json::Event<'t>) -> Option<Event<'t>> {
        let anchor = (anchor != 0).then_some(Event::Anchor(anchor));
        self.all(anchor.into_iter().chain([event.into()]))
    }

    /// A value that the function of a tag is applied to; its end follows that of the value.
    fn applied(
        &mut self,
        tag: &Tag,
        anchor: usize,
        argument: json::Event<'t>,
    ) -> Option<Event<'t>> {
        let name = function_name(&tag.suffix);
        let started = self.anchored(anchor, json::Event::ObjectStart);
        let rest = [json::Event::Name(name), argument].map(Event::from);
        self.pending.extend(rest);
        started
    }

    fn name(&mut self, text: Cow<'t, str>, style: ScalarStyle) -> Event<'t> {
        self.expect(ExpectedNode::Value);
        if text == "<<" && style == ScalarStyle::Plain {
            Event::Merge
        } else {
            let plain =
                (self.is_1_1 && style == ScalarStyle::Plain).then(|| yaml_1_1::plain(&text));
            let name = match plain.flatten() {
                Some(scalar) => Value::from(scalar).to_string().into(),
                None => text,
            };
            json::Event::Name(name).into()
        }
    }

    fn value(&self, text: Cow<'t, str>, style: ScalarStyle, tag: Option<&Tag>) -> Scalar<'t> {
        let is_plain = style == ScalarStyle::Plain && tag.is_none();
        let older = (self.is_1_1 && is_plain).then(|| yaml_1_1::plain(&text));
        older.flatten().unwrap_or_else(|| scalar(text, style, tag))
    }

    fn scalar(
        &mut self,
        text: Cow<'t, str>,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Option<Event<'t>> {
        self.expect(ExpectedNode::Name);
        match tag.filter(|tag| self.is_function(tag)) {
            None => self.anchored(anchor, json::Event::Scalar(self.value(text, style, tag))),
            Some(tag) => {
                let argument = json::Event::Scalar(Scalar::String(text));
                let started = self.applied(tag, anchor, argument);
                self.pending.push_back(json::Event::ObjectEnd.into());
                started
            }
        }
    }

    fn collection(
        &mut self,
        expected: ExpectedNode,
        event: json::Event<'t>,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Result<Option<Event<'t>>, TextError> {
        if self.at_name() {
            return self.fault("expected a field name, found a collection");
        }
        let function = tag.filter(|tag| self.is_function(tag));
        self.expect(ExpectedNode::Name);
        if let (Some(tag), None) = (tag.filter(|tag| !tag.is_yaml_core_schema()), function) {
            self.skip_collection()?;
            let placeholder = Scalar::String(format!("${{{}}}", tag.suffix).into());
            return Ok(self.anchored(anchor, json::Event::Scalar(placeholder)));
        }
        self.open.push(Open {
            expected,
            is_argument: function.is_some(),
        });
        Ok(match function {
            Some(tag) => self.applied(tag, anchor, event),
            None => self.anchored(anchor, event),
        })
    }

    fn end(&mut self, event: json::Event<'t>) -> Option<Event<'t>> {
        let is_argument = self.open.pop().is_some_and(|open| open.is_argument);
        let function = is_argument.then_some(json::Event::ObjectEnd.into());
        self.all([event.into()].into_iter().chain(function))
    }

    fn is_function(&self, tag: &Tag) -> bool {
        self.tags == Tags::Functions && tag.handle == "!" && !tag.suffix.is_empty()
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
            YamlEvent::Scalar(text, style, ..) if self.at_name() => Some(self.name(text, style)),
            YamlEvent::Scalar(text, style, anchor, tag) => {
                self.scalar(text, style, anchor, tag.as_deref())
            }
            YamlEvent::Alias(_) if self.at_name() => {
                return self.fault("expected a field name, found an alias");
            }
            YamlEvent::Alias(anchor) => {
                self.expect(ExpectedNode::Name);
                Some(Event::Alias(anchor))
            }
            YamlEvent::SequenceStart(anchor, tag) => self.collection(
                ExpectedNode::Element,
                json::Event::ArrayStart,
                anchor,
                tag.as_deref(),
            )?,
            YamlEvent::MappingStart(anchor, tag) => self.collection(
                ExpectedNode::Name,
                json::Event::ObjectStart,
                anchor,
                tag.as_deref(),
            )?,
            YamlEvent::SequenceEnd => self.end(json::Event::ArrayEnd),
            YamlEvent::MappingEnd => self.end(json::Event::ObjectEnd),
            YamlEvent::Nothing
            | YamlEvent::StreamStart
            | YamlEvent::StreamEnd
            | YamlEvent::DocumentEnd => return Ok(None),
        };
        Ok(event)
    }
}

impl<'t> Events<'t> for YamlEvents<'t> {
    fn next(&mut self) -> Result<Option<Event<'t>>, TextError> {
        if let Some(event) = self.pending.pop_front() {
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

/// Returns the function that a tag of CloudFormation stands for.
fn function_name<'t>(suffix: &str) -> Cow<'t, str> {
    match suffix {
        "Ref" => "Ref".into(),
        "Condition" => "Condition".into(),
        other => format!("Fn::{other}").into(),
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

/// Returns a plain scalar (YAML 1.2.2, 10.3.2 Tag Resolution); infinities and "not a number" stay texts.
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
