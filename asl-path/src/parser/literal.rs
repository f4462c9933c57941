//! Literals in a filter: texts, numbers, `true`, `false`, `null`, arrays, objects, patterns.
use super::name::parse_quoted;
use super::pattern::parse_pattern;
use super::{Fault, PResult, Scope, parse_sign};
use crate::ast::{Operand, Quote};
use crate::number::decimal;
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::character::complete::{char, multispace0};
use nom::combinator::{opt, value};
use nom::multi::separated_list1;
use serde_json::{Map, Value};

const OPERAND: &str =
    "a path, a text in quotes, a number, true, false, null, an array, an object or a pattern";

/// Any literal.
pub(super) fn parse_literal<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Operand> {
    if input.starts_with('/') {
        let (rest, pattern) = parse_pattern(scope.patterns, input)?;
        return Ok((rest, Operand::Pattern(pattern)));
    }
    let (rest, value) = parse_value(scope, input)?;
    Ok((rest, Operand::Literal(value)))
}

fn parse_value<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Value> {
    match input.chars().next() {
        Some('[') => parse_array(scope.inner(input)?, &input[1..]),
        Some('{') => parse_object(scope.inner(input)?, &input[1..]),
        Some('\'') => parse_text(Quote::Single, input),
        Some('"') => parse_text(Quote::Double, input),
        _ => parse_word(input),
    }
}

fn parse_text(quote: Quote, input: &str) -> PResult<'_, Value> {
    let (rest, text) = parse_quoted(quote, input)?;
    Ok((rest, Value::String(text)))
}

/// Returns a number or one of the three names.
fn parse_word(input: &str) -> PResult<'_, Value> {
    let named = alt((
        value(Value::Bool(true), tag("true")),
        value(Value::Bool(false), tag("false")),
        value(Value::Null, tag("null")),
    ));
    if let (rest, Some(value)) = opt(named).parse(input)? {
        return Ok((rest, value));
    }
    let is_part = |character| matches!(character, '0'..='9' | '-' | '.' | 'e' | 'E');
    let (rest, text): (&str, &str) = take_while(is_part).parse(input)?;
    match decimal(text) {
        Some(number) => Ok((rest, Value::Number(number))),
        None if text.is_empty() => Err(Fault::expected(OPERAND, input)),
        None => Err(Fault::other(
            format!("expected a number, found '{text}'"),
            input,
        )),
    }
}

/// `1, 'a']`
fn parse_array<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Value> {
    let (rest, elements) = parse_members(']', |input| parse_member(scope, input), input)?;
    let (rest, _) = parse_sign(']', "',' or ']' in an array", rest.trim_start())?;
    Ok((rest, Value::Array(elements)))
}

/// `'a': 1, b: 2}`
fn parse_object<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Value> {
    let (rest, fields) = parse_members('}', |input| parse_field(scope, input), input)?;
    let (rest, _) = parse_sign('}', "',' or '}' in an object", rest.trim_start())?;
    Ok((
        rest,
        Value::Object(fields.into_iter().collect::<Map<_, _>>()),
    ))
}

/// Parses members separated by commas; none if the end follows immediately.
fn parse_members<'a, T>(
    end: char,
    member: impl FnMut(&'a str) -> PResult<'a, T>,
    input: &'a str,
) -> PResult<'a, Vec<T>> {
    let input = input.trim_start();
    if input.starts_with(end) {
        return Ok((input, Vec::new()));
    }
    separated_list1((multispace0, char(','), multispace0), member).parse(input)
}

fn parse_field<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, (String, Value)> {
    let (rest, name) = parse_field_name(input)?;
    let (rest, _) = parse_sign(':', "':' after a field name", rest.trim_start())?;
    let (rest, value) = parse_member(scope, rest.trim_start())?;
    Ok((rest, (name, value)))
}

fn parse_field_name(input: &str) -> PResult<'_, String> {
    match input.chars().next() {
        Some('\'') => parse_quoted(Quote::Single, input),
        Some('"') => parse_quoted(Quote::Double, input),
        _ => parse_bare(input).map(|(rest, name)| (rest, name.to_owned())),
    }
}

/// Returns a value within an array or an object; a text needs no quotes there.
fn parse_member<'a>(scope: Scope<'_>, input: &'a str) -> PResult<'a, Value> {
    if input.starts_with(['[', '{', '\'', '"']) {
        return parse_value(scope, input);
    }
    let (rest, text) = parse_bare(input)?;
    let value = match parse_word(text) {
        Ok(("", value)) => value,
        _ => Value::String(text.to_owned()),
    };
    Ok((rest, value))
}

fn parse_bare(input: &str) -> PResult<'_, &str> {
    let (text, rest) = input.split_at(
        input
            .find([',', ':', ']', '}', '[', '{', '\'', '"'])
            .unwrap_or(input.len()),
    );
    match text.trim_end() {
        "" => Err(Fault::expected("a value", input)),
        text => Ok((rest, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::*;
    use crate::PatternBudget;
    use serde_json::json;
    use std::cell::Cell;

    fn literal(input: &str) -> Option<Value> {
        let slots = Cell::new(0);
        match parse_literal(
            Scope::new(Place::Filter, 4, &slots, &PatternBudget::default()),
            input,
        ) {
            Ok(("", Operand::Literal(value))) => Some(value),
            _ => None,
        }
    }

    #[test]
    fn simple_literals() {
        assert_eq!(literal(r"'it\'s'"), Some(json!("it's")));
        assert_eq!(literal(r#""\u0041""#), Some(json!("A")));
        assert_eq!(literal("-1"), Some(json!(-1)));
        assert_eq!(literal("1e-2"), Some(json!(0.01)));
        assert_eq!(literal("true"), Some(json!(true)));
        assert_eq!(literal("null"), Some(Value::Null));
        for input in ["", "1e", "--1", "1.2.3", "truth", "'a", "abc", "1e+2"] {
            assert_eq!(literal(input), None, "{input}");
        }
    }

    #[test]
    fn arrays_and_objects_are_read_leniently() {
        assert_eq!(
            literal("[1, 'a', \"b\", c d, true, []]"),
            Some(json!([1, "a", "b", "c d", true, []]))
        );
        assert_eq!(
            literal("{'a': 1, \"b\": {c: null}}"),
            Some(json!({"a": 1, "b": {"c": null}}))
        );
        for input in ["[", "[1", "[1,]", "[1 'a']", "{1}", "{a:}", "{'a':1"] {
            assert_eq!(literal(input), None, "{input}");
        }
    }

    #[test]
    fn nesting_is_limited() {
        assert!(literal("[[[[1]]]]").is_some());
        assert!(literal("[[[[[1]]]]]").is_none());
    }
}
