//! Errors of parsers: the rest of the text at the error, and a message.
use crate::ParseError;
use nom::{Err, IResult, error::ErrorKind};

pub(super) type PResult<'a, T> = IResult<&'a str, T, Fault<'a>>;

/// The expected content, and the text from the error on.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    at: &'a str,
    message: String,
}

impl<'a> Fault<'a> {
    /// Returns a fault that no other branch can fix.
    pub(super) fn new(at: &'a str, message: String) -> Err<Self> {
        Err::Failure(Self { at, message })
    }

    pub(super) fn fail<T>(at: &'a str, message: String) -> PResult<'a, T> {
        Err(Self::new(at, message))
    }

    pub(super) fn into_error(self, source: &str) -> ParseError {
        ParseError::new(source.len() - self.at.len(), self.message)
    }
}

impl<'a> nom::error::ParseError<&'a str> for Fault<'a> {
    fn from_error_kind(at: &'a str, _: ErrorKind) -> Self {
        Self {
            at,
            message: String::new(),
        }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a> From<Err<Self>> for Fault<'a> {
    fn from(error: Err<Self>) -> Self {
        match error {
            Err::Error(fault) | Err::Failure(fault) => fault,
            Err::Incomplete(_) => Self {
                at: "",
                message: "the text is incomplete".to_owned(),
            },
        }
    }
}

/// Returns the next character, for a message.
pub(super) fn describe_next(rest: &str) -> String {
    match rest.chars().next() {
        None => "the end".to_owned(),
        Some('\'') => "an apostrophe".to_owned(),
        Some(c) if c.is_control() => format!("'{}'", c.escape_default()),
        Some(c) => format!("'{c}'"),
    }
}
