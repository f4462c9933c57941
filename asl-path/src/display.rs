//! Segments as text.
use crate::ast::{Quote, Segment};
use std::fmt::{self, Display, Formatter, Write};

/// Returns the segments as Jayway's own texts show them: filters as `[?]`, names without escapes.
pub(crate) fn jayway_text(segments: &[Segment]) -> impl Display {
    Text {
        segments,
        form: Form::Jayway,
    }
}

/// The same, names escaped so that the text of a definite path can be parsed again.
pub(crate) fn normalized_text(segments: &[Segment]) -> impl Display {
    Text {
        segments,
        form: Form::Normalized,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Jayway,
    Normalized,
}

struct Text<'a> {
    segments: &'a [Segment],
    form: Form,
}

impl Display for Text<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.segments
            .iter()
            .try_for_each(|segment| write_segment(segment, self.form, out))
    }
}

fn write_segment(segment: &Segment, form: Form, out: &mut Formatter<'_>) -> fmt::Result {
    match segment {
        Segment::Field { name, quote } => {
            write_names(std::slice::from_ref(name), *quote, form, out)
        }
        Segment::Fields { names, quote } => write_names(names, *quote, form, out),
        Segment::Index(index) => write!(out, "[{index}]"),
        Segment::Indexes(indexes) => {
            out.write_char('[')?;
            write_list(indexes, out, |index, out| write!(out, "{index}"))?;
            out.write_char(']')
        }
        Segment::Slice { from, to } => {
            let bound =
                |index: &Option<i32>| index.map(|index| index.to_string()).unwrap_or_default();
            write!(out, "[{}:{}]", bound(from), bound(to))
        }
        Segment::Wildcard => out.write_str("[*]"),
        Segment::Scan => out.write_str(".."),
        Segment::Filter(_) => out.write_str("[?]"),
        Segment::Function(function) => {
            let arguments = if function.arguments.is_empty() {
                ""
            } else {
                "..."
            };
            write!(out, ".{}({arguments})", function.name)
        }
    }
}

fn write_names(names: &[String], quote: Quote, form: Form, out: &mut Formatter<'_>) -> fmt::Result {
    out.write_char('[')?;
    write_list(names, out, |name, out| write_quoted(name, quote, form, out))?;
    out.write_char(']')
}

fn write_list<T>(
    items: &[T],
    out: &mut Formatter<'_>,
    write: impl Fn(&T, &mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.write_char(',')?;
        }
        write(item, out)?;
    }
    Ok(())
}

fn write_quoted(name: &str, quote: Quote, form: Form, out: &mut Formatter<'_>) -> fmt::Result {
    out.write_char(quote.char())?;
    for character in name.chars() {
        if form != Form::Jayway && (character == quote.char() || character == '\\') {
            out.write_char('\\')?;
        }
        out.write_char(character)?;
    }
    out.write_char(quote.char())
}
