//! Position and reason of a parse error.
use crate::ParseError;
use nom::error::ErrorKind;

/// A fault before `rest`, which is always a part of the whole text, though not always its tail: what stands between
/// brackets is parsed by itself.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    rest: &'a str,
    reason: Reason,
}

/// Reasons of a parse error.
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

    /// Creates an error at `rest` that an expected token cannot describe.
    pub(super) fn other(message: impl Into<String>, rest: &'a str) -> nom::Err<Self> {
        nom::Err::Failure(Self {
            rest,
            reason: Reason::Other(message.into()),
        })
    }

    /// Converts to the public form; `text` is the parsed text.
    pub(super) fn in_text(fault: nom::Err<Self>, text: &str) -> ParseError {
        let (nom::Err::Error(fault) | nom::Err::Failure(fault)) = fault else {
            return ParseError::new(text.len(), "the path is not complete");
        };
        let position = offset(fault.rest, text);
        match fault.reason {
            Reason::Expected(what) => ParseError::new(
                position,
                format!("expected {what}, found {}", describe_next(fault.rest)),
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

/// Returns the offset of `rest` in `text`.
fn offset(rest: &str, text: &str) -> usize {
    let offset = rest.as_ptr().addr().checked_sub(text.as_ptr().addr());
    offset.map_or(text.len(), |offset| offset.min(text.len()))
}

fn describe_next(rest: &str) -> String {
    match rest.chars().next() {
        None => "the end".to_owned(),
        Some('\'') => "a single quote".to_owned(),
        Some(character) if character.is_control() => format!("{character:?}"),
        Some(character) => format!("'{character}'"),
    }
}

#[cfg(test)]
mod tests {
    use crate::JsonPath;

    #[test]
    fn a_fault_between_brackets_is_placed_where_it_stands() {
        for (text, position) in [
            ("$[0:2é].a", 5),
            ("$.é[1, x]", 8),
            ("$[x]é", 2),
            ("$.a[0", 5),
        ] {
            let error = JsonPath::parse(text).unwrap_err();
            assert_eq!(error.position(), position, "{text}: {error}");
        }
    }
}
