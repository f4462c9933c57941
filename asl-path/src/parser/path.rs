//! A path as a whole: its root and the segments after it.
use super::bracket::parse_bracket;
use super::{Fault, PResult, Place, Scope};
use crate::ast::{Quote, Segment};
use crate::{ParseError, ParseLimits};

/// Parses a whole text, `$` and all that follows. Spaces at the end do not count.
pub(crate) fn parse_json_path(
    source: &str,
    limits: ParseLimits,
) -> Result<Vec<Segment>, ParseError> {
    let text = source.trim_end_matches(' ');
    let scope = Scope {
        place: Place::Whole,
        nesting: limits.max_nesting,
    };
    match parse_whole(scope, text) {
        Ok((_, segments)) => Ok(segments),
        Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => Err(fault.in_text(text)),
        Err(nom::Err::Incomplete(_)) => {
            Err(ParseError::new(text.len(), "the path is not complete"))
        }
    }
}

fn parse_whole(scope: Scope, text: &str) -> PResult<'_, Vec<Segment>> {
    let Some(rest) = text.strip_prefix('$') else {
        return Err(Fault::expected("'$' at the beginning", text));
    };
    if !(rest.is_empty() || rest.starts_with(['.', '['])) {
        return Err(Fault::expected("'.' or '[' after '$'", rest));
    }
    if rest.ends_with('.') {
        return Err(Fault::expected("a name after '.'", &rest[rest.len()..]));
    }
    parse_segments(scope, rest)
}

/// All segments up to what ends a path at this place.
fn parse_segments(scope: Scope, input: &str) -> PResult<'_, Vec<Segment>> {
    let mut segments = Vec::new();
    let mut input = input;
    while !input.is_empty() && (segments.is_empty() || !is_last_character(input)) {
        if let Some(rest) = input.strip_prefix("..") {
            segments.push(Segment::Scan);
            input = rest;
        } else if let Some(rest) = input.strip_prefix('.') {
            input = rest;
        }
        let (rest, segment) = parse_segment(scope, input)?;
        segments.push(segment);
        input = rest;
    }
    Ok(("", segments))
}

/// Jayway takes a path for finished when one character is left, whatever it is.
fn is_last_character(input: &str) -> bool {
    input.chars().nth(1).is_none()
}

/// A segment without the dots before it.
fn parse_segment(scope: Scope, input: &str) -> PResult<'_, Segment> {
    if let Some(rest) = input.strip_prefix('[') {
        return parse_bracket(scope, rest);
    }
    if let Some(rest) = input.strip_prefix('*') {
        return Ok((rest, Segment::Wildcard));
    }
    parse_dot_name(scope, input)
}

/// A name without quotes; it has no escapes.
fn parse_dot_name(scope: Scope, input: &str) -> PResult<'_, Segment> {
    let _ = scope;
    let end = input.find([' ', '.', '[', '(']).unwrap_or(input.len());
    let (name, rest) = input.split_at(end);
    if name.is_empty() {
        return Err(Fault::expected("a name, '*' or '['", input));
    }
    match rest.chars().next() {
        Some(' ') => Err(Fault::other(
            "a name with a blank must be in brackets and quotes: ['my name']",
            rest,
        )),
        _ => Ok((
            rest,
            Segment::Field {
                name: name.to_owned(),
                quote: Quote::Single,
            },
        )),
    }
}
