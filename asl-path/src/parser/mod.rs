//! The parser. The dialect is Jayway's: text that Jayway refuses is refused here.
//!
//! One `parse_…` function per production. A production that has begun never tries another way: a fault is final, so the
//! time is linear in the text.

mod bracket;
mod expression;
mod fault;
mod function;
mod literal;
mod name;
mod path;
mod pattern;
mod reference_path;
#[cfg_attr(not(feature = "regex"), path = "without_regex.rs")]
mod regex;
#[cfg(test)]
mod round_trip;

pub(crate) use path::{ParsedPath, parse_json_path};
pub(crate) use reference_path::parse_reference_path;
pub(crate) use regex::Regex;

use crate::PatternBudget;
use fault::Fault;
use nom::Parser;
use nom::bytes::complete::take_while;
use nom::character::complete::char;
use std::cell::Cell;

/// The result of a production: the rest of the text, and the parsed value.
type PResult<'a, T> = nom::IResult<&'a str, T, Fault<'a>>;

/// Dialects of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The dialect of Jayway.
    Jayway,
    /// Besides that an unquoted word on the right of a comparison, `[?(@.a == word)]`. Published definitions have it, and
    /// Jayway fails when it comes to use such a path.
    BareWords,
}

/// The position of a production.
#[derive(Debug, Clone, Copy)]
struct Scope<'s> {
    place: Place,
    dialect: Dialect,
    /// Levels of nesting still allowed.
    nesting: usize,
    max_nesting: usize,
    /// Number of paths from `$` in the filters so far.
    slots: &'s Cell<usize>,
    /// Remaining budget for regular expressions.
    patterns: &'s PatternBudget,
}

impl<'s> Scope<'s> {
    fn new(
        place: Place,
        max_nesting: usize,
        slots: &'s Cell<usize>,
        patterns: &'s PatternBudget,
    ) -> Self {
        Self {
            place,
            dialect: Dialect::Jayway,
            nesting: max_nesting,
            max_nesting,
            slots,
            patterns,
        }
    }

    /// Returns the next nesting level, which starts at `input`.
    fn inner(self, input: &str) -> Result<Self, nom::Err<Fault<'_>>> {
        match self.nesting.checked_sub(1) {
            Some(nesting) => Ok(Self { nesting, ..self }),
            None => Err(Fault::other(
                format!("nested deeper than the limit of {}", self.max_nesting),
                input,
            )),
        }
    }

    fn with_dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    fn next_slot(self) -> usize {
        self.slots.replace(self.slots.get() + 1)
    }
}

/// The characters that may follow a path, and end its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing: the path is the whole text.
    Whole,
    /// An operator, a blank or a closing parenthesis.
    Filter,
    /// A comma or a closing parenthesis.
    Argument,
}

impl Place {
    /// True for what ends a path here.
    fn is_end(self, character: char) -> bool {
        match self {
            Self::Whole => false,
            Self::Filter => matches!(character, ' ' | ')' | '<' | '>' | '=' | '~' | '!'),
            Self::Argument => matches!(character, ',' | ')'),
        }
    }
}

/// Blanks within brackets and filters: Jayway passes over spaces, not over tabs and line ends.
fn blanks(input: &str) -> &str {
    input.trim_start_matches(' ')
}

/// [`blanks`] as a production.
fn parse_blanks(input: &str) -> PResult<'_, &str> {
    take_while(|character| character == ' ').parse(input)
}

/// Blanks and then this character, or a fault that says what should be here.
fn parse_sign<'a>(sign: char, what: &'static str, input: &'a str) -> PResult<'a, char> {
    let (input, _) = parse_blanks(input)?;
    char(sign)
        .parse(input)
        .map_err(|_: nom::Err<Fault<'a>>| Fault::expected(what, input))
}
