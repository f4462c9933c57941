//! Where and why parsing stopped.
use crate::ParseError;
use nom::error::ErrorKind;

/// A fault before `rest`, which is always a tail of the whole text.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    rest: &'a str,
    reason: Reason,
}

/// What to tell.
#[derive(Debug)]
enum Reason {
    /// Something else should be here.
    Expected(&'static str),
    /// A complete sentence.
    Other(String),
}

impl<'a> Fault<'a> {
    /// `what` should be at `rest`.
    pub(super) fn expected(what: &'static str, rest: &'a str) -> nom::Err<Self> {
        nom::Err::Failure(Self {
            rest,
            reason: Reason::Expected(what),
        })
    }

    /// What is wrong at `rest` cannot be said by what should be there.
    pub(super) fn other(message: impl Into<String>, rest: &'a str) -> nom::Err<Self> {
        nom::Err::Failure(Self {
            rest,
            reason: Reason::Other(message.into()),
        })
    }

    /// The public form; `text` is what was parsed.
    pub(super) fn in_text(fault: nom::Err<Self>, text: &str) -> ParseError {
        let (nom::Err::Error(fault) | nom::Err::Failure(fault)) = fault else {
            return ParseError::new(text.len(), "the path is not complete");
        };
        let position = text.len().saturating_sub(fault.rest.len());
        match fault.reason {
            Reason::Expected(what) => ParseError::new(
                position,
                format!("expected {what}, found {}", found(fault.rest)),
            ),
            Reason::Other(message) => ParseError::new(position, message),
        }
    }
}

impl<'a> nom::error::ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(rest: &'a str, kind: ErrorKind) -> Self {
        let what = match kind {
            ErrorKind::Char => "another character",
            _ => "something else",
        };
        Self {
            rest,
            reason: Reason::Expected(what),
        }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

fn found(rest: &str) -> String {
    match rest.chars().next() {
        None => "the end".to_owned(),
        Some('\'') => "a single quote".to_owned(),
        Some(character) if character.is_control() => format!("{character:?}"),
        Some(character) => format!("'{character}'"),
    }
}
