//! Function calls at the end of or within a path: `.length()`, `.append(1, $.a)`.
use super::path::parse_segments;
use super::{Fault, PResult, Place, Scope};
use crate::ast::{Argument, Function, Segment, Segments};
use serde_json::Value;

/// Returns the arguments and the closing parenthesis, from after the opening one. A name that is no function is a fault only
/// when the path is evaluated, as in Jayway.
pub(super) fn parse_function<'a>(
    scope: Scope<'_>,
    name: &str,
    input: &'a str,
) -> PResult<'a, Segment> {
    let function = |arguments| {
        Segment::Function(Box::new(Function {
            name: name.to_owned(),
            arguments,
        }))
    };
    if let Some(rest) = input.strip_prefix(')') {
        return match rest.chars().next() {
            Some(next) if !scope.place.is_end(next) => Err(Fault::other(
                "nothing may follow a function that has no arguments",
                rest,
            )),
            _ => Ok((rest, function(Vec::new()))),
        };
    }
    if scope.place == Place::Filter {
        return Err(Fault::expected(
            "')': a function in a filter takes no arguments",
            input,
        ));
    }
    let scope = scope.inner(input)?.at(Place::Argument);
    let mut arguments = Vec::new();
    let mut input = input;
    loop {
        let (rest, argument) = parse_argument(scope, input.trim_start())?;
        arguments.extend(argument);
        let rest = rest.trim_start();
        if let Some(rest) = rest.strip_prefix(')') {
            return Ok((rest, function(arguments)));
        }
        match rest.strip_prefix(',') {
            Some(rest) => input = rest,
            None => return Err(Fault::expected("',' or ')' after an argument", rest)),
        }
    }
}

/// Returns a path or a JSON text. Other text is skipped, as Jayway does: `concat('a')` has no argument.
fn parse_argument<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Option<Argument>> {
    match input.chars().next() {
        Some('$' | '@') => {
            let (rest, segments) = parse_segments(scope, &input[1..])?;
            Ok((rest, Some(Argument::Path(segments))))
        }
        Some('{' | '"' | '-' | '0'..='9') => {
            let (rest, value) = parse_json(input, scope.nesting)?;
            Ok((rest, Some(Argument::Json(value))))
        }
        _ => Ok((&input[end_of_argument(input)..], None)),
    }
}

fn parse_json(input: &str, nesting: usize) -> PResult<'_, Value> {
    let (text, rest) = input.split_at(end_of_argument(input));
    match crate::json::parse(text, nesting) {
        Ok(value) => Ok((rest, value)),
        Err(error) => Err(Fault::other(
            format!(
                "an argument must be a path or a JSON text: {}",
                error.message
            ),
            input,
        )),
    }
}

/// Returns the end of an argument: a comma or a closing bracket that does not belong to it.
fn end_of_argument(input: &str) -> usize {
    let mut open = 0_usize;
    let mut quoted = false;
    let mut escaped = false;
    for (at, byte) in input.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' | b'(' => open += 1,
            b']' | b'}' | b')' if open > 0 => open -= 1,
            b',' | b')' | b']' | b'}' if open == 0 => return at,
            _ => {}
        }
    }
    input.len()
}

/// `$..a.length()` means `$.length($..a)`: a function takes all that a scan finds at once.
pub(super) fn scan_as_argument(mut segments: Vec<Segment>) -> Vec<Segment> {
    if !matches!(segments.first(), Some(Segment::Scan))
        || !matches!(segments.last(), Some(Segment::Function(_)))
    {
        return segments;
    }
    let Some(at) = segments
        .iter()
        .position(|segment| matches!(segment, Segment::Function(_)))
    else {
        return segments;
    };
    let mut calls = segments.split_off(at);
    if let Some(Segment::Function(function)) = calls.first_mut() {
        function.arguments = vec![Argument::Path(Segments::new(segments))];
    }
    calls
}
