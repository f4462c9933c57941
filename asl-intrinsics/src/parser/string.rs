//! Strings in apostrophes, and the escapes in them (2022 specification, Intrinsic Functions, rule 6).
use super::fault::{Fault, PResult, describe_next};
use crate::{
    Argument, Template,
    ast::{LoneBrace, is_reserved},
};
use serde_json::Value;

/// `string = "'" *( character / "\" reserved ) "'"`
pub(super) fn parse_string(input: &str) -> PResult<'_, Argument> {
    let (rest, raw) = parse_quoted(input)?;
    Ok((rest, Argument::Literal(Value::String(unescaped(raw)))))
}

/// Returns a string whose `{}` are places to fill.
pub(super) fn parse_template(input: &str) -> PResult<'_, Argument> {
    let (rest, raw) = parse_quoted(input)?;
    Ok((rest, Argument::Template(Template::parse(raw))))
}

/// Parses the text between two apostrophes, including escapes. A backslash before any character except a reserved one is
/// "open", and the service refuses it in a definition.
fn parse_quoted(input: &str) -> PResult<'_, &str> {
    let content = input.strip_prefix('\'').unwrap_or(input);
    let mut rest = content;
    while let Some(at) = rest.find(['\'', '\\']) {
        let (_, from) = rest.split_at(at);
        if let Some(after) = from.strip_prefix('\'') {
            let raw = content.strip_suffix(from).unwrap_or(content);
            return Ok((after, raw));
        }
        let escape = from.strip_prefix('\\').unwrap_or(from);
        rest = match escape.strip_prefix(is_reserved) {
            Some(after) => after,
            None => {
                let message = format!(
                    "expected one of ' {{ }} \\ after a backslash, found {}; write \\\\ for a backslash",
                    describe_next(escape)
                );
                return Fault::fail(from, message);
            }
        };
    }
    Fault::fail(
        input,
        "the string that begins here has no closing apostrophe".to_owned(),
    )
}

fn unescaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        let (plain, from) = rest.split_at(at);
        text.push_str(plain);
        rest = push_escape(&mut text, from);
    }
    text.push_str(rest);
    text
}

/// Pushes what the escape at the start of `from` stands for; returns what follows it.
fn push_escape<'a>(text: &mut String, from: &'a str) -> &'a str {
    let escape = from.strip_prefix('\\').unwrap_or(from);
    match escape.chars().next() {
        Some(c) if is_reserved(c) => {
            text.push(c);
            escape.strip_prefix(c).unwrap_or(escape)
        }
        _ => {
            text.push('\\');
            escape
        }
    }
}

impl Template {
    /// Finds the places of a template. A backslash that escapes nothing is a plain character: a template may come from
    /// unchecked data.
    pub(crate) fn parse(raw: &str) -> Self {
        let (mut texts, fault) = match texts_around_places(raw) {
            Ok(texts) => (texts, None),
            Err(fault) => (vec![raw.to_owned()], Some(fault)),
        };
        let head = texts.remove(0);
        Self {
            head,
            tails: texts,
            fault,
        }
    }
}

/// Returns the texts before, between and after the places: at least one text.
fn texts_around_places(raw: &str) -> Result<Vec<String>, LoneBrace> {
    let mut texts = Vec::new();
    let mut text = String::new();
    let mut rest = raw;
    while let Some(at) = rest.find(['{', '}', '\\']) {
        let (plain, from) = rest.split_at(at);
        text.push_str(plain);
        rest = if let Some(after) = from.strip_prefix("{}") {
            texts.push(std::mem::take(&mut text));
            after
        } else if from.starts_with('{') {
            return Err(LoneBrace::Opening);
        } else if from.starts_with('}') {
            return Err(LoneBrace::Closing);
        } else {
            push_escape(&mut text, from)
        };
    }
    text.push_str(rest);
    texts.push(text);
    Ok(texts)
}
