//! Reference Paths: fields and indexes only (2022 specification, Reference Paths).
use super::bracket::parse_bracket;
use super::name::unescape_dot_name;
use super::{Fault, PResult, Place, Scope};
use crate::ast::{Quote, Segment};
use crate::{ParseError, PatternBudget};
use std::cell::Cell;

const ONE_NODE: &str = "a reference path names one node, so it has no";

/// Parses a whole text to segments that are fields and indexes only. Spaces at the end do not count.
pub(crate) fn parse_reference_path(source: &str) -> Result<Vec<Segment>, ParseError> {
    let text = without_blanks_at_end(source);
    match parse_steps(text) {
        Ok((_, steps)) => Ok(steps),
        Err(fault) => Err(Fault::in_text(fault, text)),
    }
}

/// Returns the text up to the spaces at its end; one after an open backslash belongs to the name.
fn without_blanks_at_end(source: &str) -> &str {
    let text = source.trim_end_matches(' ');
    let backslashes = text.len() - text.trim_end_matches('\\').len();
    let escaped = backslashes % 2;
    source.get(..text.len() + escaped).unwrap_or(text)
}

fn parse_steps(text: &str) -> PResult<'_, Vec<Segment>> {
    let Some(mut input) = text.strip_prefix('$') else {
        return Err(Fault::expected("'$' at the beginning", text));
    };
    let mut steps = Vec::new();
    while !input.is_empty() {
        let (rest, step) = parse_step(input)?;
        steps.push(step);
        input = rest;
    }
    Ok((input, steps))
}

fn parse_step(input: &str) -> PResult<'_, Segment> {
    if let Some(rest) = input.strip_prefix('.') {
        return if rest.starts_with('[') {
            parse_bracket_step(rest)
        } else {
            parse_dot_step(rest)
        };
    }
    if input.starts_with('[') {
        return parse_bracket_step(input);
    }
    Err(Fault::expected("'.' or '['", input))
}

/// `name`, where `\` takes the meaning from the character after it, and `\u0041` is that character.
fn parse_dot_step(input: &str) -> PResult<'_, Segment> {
    let end = end_of_dot_name(input);
    let (name, rest) = input.split_at(end);
    let refused = match rest.chars().next() {
        Some('.') if name.is_empty() => "'..'",
        Some('@') => "'@'",
        Some(',') => "','",
        Some(':') => "':'",
        Some('?') => "'?'",
        Some('*') => "'*'",
        Some('(' | ')') => "function",
        Some(' ' | ']' | '\'' | '"') => {
            return Err(Fault::other(
                "such a character must follow a '\\', or the name be in brackets and quotes",
                rest,
            ));
        }
        _ if name.is_empty() => return Err(Fault::expected("a name or '['", rest)),
        _ => {
            let name = unescape_dot_name(name)?;
            let quote = Quote::Single;
            return Ok((rest, Segment::Field { name, quote }));
        }
    };
    Err(Fault::other(
        format!("{ONE_NODE} {refused}; put '\\' before it, or the name in brackets and quotes"),
        rest,
    ))
}

fn end_of_dot_name(input: &str) -> usize {
    let mut escaped = false;
    for (at, character) in input.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '.' | '[' | ']' | '@' | ',' | ':' | '?' | '*' | '(' | ')' | ' ' | '\'' | '"' => {
                return at;
            }
            _ => {}
        }
    }
    input.len()
}

/// `['name']` or `[0]`.
fn parse_bracket_step(input: &str) -> PResult<'_, Segment> {
    let (slots, patterns) = (Cell::new(0), PatternBudget::default());
    let scope = Scope::new(Place::Whole, 0, &slots, &patterns);
    let content = input.get(1..).unwrap_or_default();
    let refused = match content.trim_start_matches(' ').chars().next() {
        Some('*') => "'*'",
        Some('?') => "'?'",
        _ => match parse_bracket(scope, content)? {
            (rest, step @ (Segment::Field { .. } | Segment::Index(_))) => return Ok((rest, step)),
            (_, Segment::Slice { .. }) => "':'",
            _ => "','",
        },
    };
    Err(Fault::other(format!("{ONE_NODE} {refused}"), content))
}
