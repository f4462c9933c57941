//! From text to segments. The dialect is Jayway's: what it refuses is refused here.
//!
//! One `parse_…` function per production. A production that has begun never tries another way: a fault is final, so the
//! time is linear in the text.

mod bracket;
mod fault;
mod name;
mod path;
mod reference_path;

pub(crate) use path::parse_json_path;
pub(crate) use reference_path::parse_reference_path;

use fault::Fault;

/// What every production answers: the rest of the text and what it stands for.
type PResult<'a, T> = nom::IResult<&'a str, T, Fault<'a>>;

/// Where a production is.
#[derive(Debug, Clone, Copy)]
struct Scope {
    /// What may follow a path.
    place: Place,
    /// Levels of nesting still allowed.
    nesting: usize,
}

/// What may follow a path, and so where its names end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing: the path is the whole text.
    Whole,
}

/// Blanks within brackets and filters: Jayway passes over spaces, not over tabs and line ends.
fn blanks(input: &str) -> &str {
    input.trim_start_matches(' ')
}
