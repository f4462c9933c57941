//! A path as a whole: its root and the segments after it.
use super::bracket::parse_bracket;
use super::function::{parse_function, scan_as_argument};
use super::{Dialect, Fault, PResult, Place, Scope};
use crate::ast::{Origin, Query, Quote, Segment, Segments};
use crate::{ParseError, ParseLimits, PatternBudget};
use std::cell::Cell;

/// A parsed path and how many values of paths from `$` its filters keep.
pub(crate) struct ParsedPath {
    pub(crate) segments: Segments,
    pub(crate) slots: usize,
}

/// Parses a whole text, `$` and all that follows. Spaces at the end do not count.
pub(crate) fn parse_json_path(
    source: &str,
    limits: ParseLimits,
    dialect: Dialect,
    patterns: &PatternBudget,
) -> Result<ParsedPath, ParseError> {
    let text = source.trim_end_matches(' ');
    let slots = Cell::new(0);
    let scope =
        Scope::new(Place::Whole, limits.max_nesting, &slots, patterns).with_dialect(dialect);
    match parse_whole(scope, text) {
        Ok((_, segments)) => Ok(ParsedPath {
            segments,
            slots: slots.get(),
        }),
        Err(fault) => Err(Fault::in_text(fault, text)),
    }
}

fn parse_whole<'a>(scope: Scope<'_>, text: &'a str) -> PResult<'a, Segments> {
    match text.strip_prefix('$') {
        Some(rest) => parse_segments(scope, rest),
        None => Err(Fault::expected("'$' at the beginning", text)),
    }
}

/// `@…` or `$…` within a filter.
pub(super) fn parse_query<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Query> {
    let scope = scope.at(Place::Filter);
    let (origin, rest) = match (input.strip_prefix('@'), input.strip_prefix('$')) {
        (Some(rest), _) => (Origin::Item, rest),
        (_, Some(rest)) => (
            Origin::Document {
                slot: scope.next_slot(),
            },
            rest,
        ),
        _ => return Err(Fault::expected("a path that begins with '@' or '$'", input)),
    };
    let (rest, segments) = parse_segments(scope, rest)?;
    Ok((rest, Query { origin, segments }))
}

/// Returns all segments up to what ends a path at this place.
pub(super) fn parse_segments<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Segments> {
    let mut segments = Vec::new();
    let mut functions = scope;
    let mut input = input;
    while !is_end(scope.place, input, segments.is_empty()) {
        let dots = input.len() - input.trim_start_matches('.').len();
        match dots {
            0 if segments.is_empty() && !input.starts_with('[') => {
                return Err(Fault::expected("'.' or '[' after the root", input));
            }
            0 | 1 => {}
            2 => segments.push(Segment::Scan),
            _ => return Err(Fault::expected("a name, '*' or '['", &input[2..])),
        }
        let (rest, segment) = parse_segment(scope, &input[dots..])?;
        if matches!(segment, Segment::Function(_)) {
            functions = functions.inner(input)?;
        }
        segments.push(segment);
        input = rest;
    }
    Ok((input, Segments::new(scan_as_argument(segments))))
}

fn is_end(place: Place, input: &str, first: bool) -> bool {
    match input.chars().next() {
        None => true,
        // Jayway takes a path for finished when one character is left, whatever it is.
        Some(last) if place == Place::Whole && input.len() == last.len_utf8() => {
            !first && last != '.'
        }
        Some(next) => place.is_end(next),
    }
}

/// Returns a segment without the dots before it.
fn parse_segment<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Segment> {
    if let Some(rest) = input.strip_prefix('[') {
        return parse_bracket(scope, rest);
    }
    if let Some(rest) = input.strip_prefix('*') {
        return Ok((rest, Segment::Wildcard));
    }
    parse_dot_name(scope, input)
}

/// Returns a name without quotes, which has no escapes, or a function.
fn parse_dot_name<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Segment> {
    let ends =
        |character| matches!(character, ' ' | '.' | '[' | '(') || scope.place.is_end(character);
    let (name, rest) = input.split_at(input.find(ends).unwrap_or(input.len()));
    if name.is_empty() {
        return Err(Fault::expected("a name, '*' or '['", input));
    }
    if let Some(arguments) = rest.strip_prefix('(') {
        return parse_function(scope, name, arguments);
    }
    if rest.starts_with(' ') && !scope.place.is_end(' ') {
        return Err(Fault::other(
            "a name with a blank must be in brackets and quotes: ['my name']",
            rest,
        ));
    }
    Ok((
        rest,
        Segment::Field {
            name: name.to_owned(),
            quote: Quote::Single,
        },
    ))
}
