//! Parses a call (2022 specification, Intrinsic Functions).
//!
//! ```text
//! call      = name "(" [ argument *( "," argument ) ] ")"
//! name      = 1*( ALPHA / DIGIT / "." / "_" )
//! argument  = string / number / "true" / "false" / "null" / path / call
//! ```
//!
//! White space may stand around arguments and at the end, not before or within a call's name.
mod fault;
mod literal;
mod path;
mod string;

use crate::{Argument, Call, Function, Misuse, ParseError, Template, function::Kind};
use asl_path::PatternBudget;
use asl_path::json::described;
use fault::{Fault, PResult, describe_next};
use nom::{
    Parser,
    bytes::complete::take_while1,
    character::complete::{char, multispace0},
};
use serde_json::Value;
use std::cell::RefCell;

/// Limits of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseLimits {
    /// Maximum nesting of calls. The default is 10, and the maximum is [`ParseLimits::GREATEST_NESTING`].
    pub max_nesting: usize,
}

impl ParseLimits {
    /// Largest effective limit on the nesting, because the parser recurses.
    pub const GREATEST_NESTING: usize = 128;
}

asl_path::with_methods! {
    impl ParseLimits {
        with_max_nesting(max_nesting: usize),
    }
}

impl Default for ParseLimits {
    /// Returns the limit of the service: ten nested calls.
    fn default() -> Self {
        Self { max_nesting: 10 }
    }
}

/// Parses a whole text: the call, and what makes it fail whenever it is evaluated.
pub(crate) fn parse(
    source: &str,
    limits: ParseLimits,
    patterns: &PatternBudget,
) -> Result<(Call, Vec<Misuse>), ParseError> {
    let max_nesting = limits.max_nesting.min(ParseLimits::GREATEST_NESTING);
    let misuses = RefCell::new(Vec::new());
    let scope = Scope {
        left: max_nesting,
        max: max_nesting,
        source,
        misuses: &misuses,
        patterns,
    };
    let call = parse_whole(source, scope)
        .map(|(_, call)| call)
        .map_err(|error| Fault::from(error).into_error(source))?;
    Ok((call, misuses.into_inner()))
}

/// The position of a call.
#[derive(Debug, Clone, Copy)]
struct Scope<'a> {
    /// Remaining nesting levels.
    left: usize,
    max: usize,
    source: &'a str,
    /// Arguments that do not suit their function, found so far.
    misuses: &'a RefCell<Vec<Misuse>>,
    /// Remaining budget for the regular expressions of paths.
    patterns: &'a PatternBudget,
}

impl Scope<'_> {
    /// Notes that what stands at the beginning of `rest` does not suit the function.
    #[cold]
    fn note(self, function: Function, rest: &str, message: String) {
        let error = ParseError::new(self.source.len() - rest.len(), message);
        let misuse = Misuse::new(error, function.ignores_arguments());
        self.misuses.borrow_mut().push(misuse);
    }
}

fn parse_whole<'a>(input: &'a str, scope: Scope<'_>) -> PResult<'a, Call> {
    if input.starts_with(char::is_whitespace) {
        return Fault::fail(
            input,
            "expected a function name, found white space; remove the white space".to_owned(),
        );
    }
    let (rest, call) = parse_call(input, scope)?;
    let (rest, _) = multispace0(rest)?;
    if rest.is_empty() {
        Ok((rest, call))
    } else {
        Fault::fail(
            rest,
            format!("expected the end, found {}", describe_next(rest)),
        )
    }
}

/// `call = name "(" [ argument *( "," argument ) ] ")"`
fn parse_call<'a>(input: &'a str, scope: Scope<'_>) -> PResult<'a, Call> {
    let (rest, function) = parse_name(input)?;
    let Some(left) = scope.left.checked_sub(1) else {
        return Fault::fail(
            input,
            format!("calls are nested more than {} deep", scope.max),
        );
    };
    let (rest, _) = char('(').parse(rest).map_err(|_: nom::Err<Fault<'_>>| {
        Fault::new(
            rest,
            format!(
                "expected '(' right after {function}, found {}",
                describe_next(rest)
            ),
        )
    })?;
    let (rest, arguments) = parse_arguments(rest, function, Scope { left, ..scope })?;
    Ok((
        rest,
        Call {
            function,
            arguments,
        },
    ))
}

/// `name = 1*( ALPHA / DIGIT / "." / "_" )`; only names of this language are known.
fn parse_name(input: &str) -> PResult<'_, Function> {
    let (rest, name) =
        take_while1(is_name_character)
            .parse(input)
            .map_err(|_: nom::Err<Fault<'_>>| {
                Fault::new(
                    input,
                    format!("expected a function name, found {}", describe_next(input)),
                )
            })?;
    match Function::from_name(name) {
        Some(function) => Ok((rest, function)),
        None => Fault::fail(input, unknown_function(name)),
    }
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '.' || c == '_'
}

fn unknown_function(name: &str) -> String {
    const LONGEST_SHOWN: usize = 60;
    // A name is ASCII: any offset is between two characters.
    let shown = match name.get(..LONGEST_SHOWN) {
        Some(start) if start.len() < name.len() => format!("{start}…"),
        _ => name.to_owned(),
    };
    match Function::nearest(name) {
        Some(meant) => format!("unknown function '{shown}'; did you mean '{meant}'?"),
        None if name.starts_with("States.") => format!("unknown function '{shown}'"),
        None => {
            format!("unknown function '{shown}'; the functions known here begin with 'States.'")
        }
    }
}

/// Parses the arguments and the closing parenthesis.
fn parse_arguments<'a>(
    input: &'a str,
    function: Function,
    scope: Scope<'_>,
) -> PResult<'a, Vec<Argument>> {
    let (mut rest, _) = multispace0(input)?;
    let mut arguments = Vec::new();
    while !arguments.is_empty() || !rest.starts_with(')') {
        let (after, argument) = parse_argument(rest, function, arguments.len(), scope)?;
        check_argument(&argument, rest, function, arguments.len(), scope);
        arguments.push(argument);
        (rest, _) = multispace0(after)?;
        match rest.strip_prefix(',') {
            Some(after) => (rest, _) = multispace0(after)?,
            None => break,
        }
    }
    let Some(after) = rest.strip_prefix(')') else {
        return Fault::fail(
            rest,
            format!("expected ',' or ')', found {}", describe_next(rest)),
        );
    };
    let signature = function.signature();
    if !signature.takes(arguments.len()) {
        let message = format!(
            "{function}{signature} takes {}, found {}",
            signature.count(),
            arguments.len()
        );
        scope.note(function, rest, message);
    }
    Ok((after, arguments))
}

/// Notes a literal that does not suit the parameter it is given to. The service takes such a definition, and fails when the
/// function is called (recorded from the service).
fn check_argument(
    argument: &Argument,
    input: &str,
    function: Function,
    index: usize,
    scope: Scope<'_>,
) {
    let signature = function.signature();
    match (argument, signature.kind(index)) {
        (Argument::Literal(value), Some(kind)) if !suits(kind, value) => scope.note(
            function,
            input,
            format!(
                "argument {} of {function}{signature} must be {}, found {}",
                index + 1,
                kind.described(),
                described(value)
            ),
        ),
        (
            Argument::Template(Template {
                fault: Some(fault), ..
            }),
            _,
        ) => scope.note(function, input, fault.to_string()),
        _ => {}
    }
}

/// `argument = string / number / "true" / "false" / "null" / path / call`
fn parse_argument<'a>(
    input: &'a str,
    function: Function,
    index: usize,
    scope: Scope<'_>,
) -> PResult<'a, Argument> {
    match input.chars().next() {
        Some('\'') if function == Function::Format && index == 0 => string::parse_template(input),
        Some('\'') => string::parse_string(input),
        Some('$') => path::parse_path(scope.patterns, input),
        Some('-' | '0'..='9') => literal::parse_number(input),
        Some(c) if c.is_ascii_alphabetic() => match literal::parse_word(input) {
            Ok(literal) => Ok(literal),
            Err(_) => parse_call(input, scope).map(|(rest, call)| (rest, Argument::Call(call))),
        },
        Some('"') => Fault::fail(
            input,
            "expected an argument, found '\"'; strings stand in apostrophes".to_owned(),
        ),
        _ => Fault::fail(
            input,
            format!("expected an argument, found {}", describe_next(input)),
        ),
    }
}

fn suits(kind: Kind, value: &Value) -> bool {
    match kind {
        Kind::Any => true,
        Kind::Array => value.is_array(),
        Kind::Number => value.is_number(),
        Kind::Object => value.is_object(),
        Kind::String => value.is_string(),
    }
}

#[cfg(test)]
mod tests;
