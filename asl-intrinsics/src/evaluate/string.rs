//! `States.StringSplit` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use crate::error::Failure;
use serde_json::Value;
use std::borrow::Cow;

/// `States.StringSplit(text, delimiters)`: every character of the second argument divides; empty pieces are dropped.
pub(super) fn string_split<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.string(0)?;
    let delimiters = arguments.string(1)?;
    let pieces = match single_character(&delimiters) {
        Some(delimiter) => pieces(arguments, text.split(delimiter))?,
        None => {
            let delimiters: std::collections::BTreeSet<char> = delimiters.chars().collect();
            pieces(arguments, text.split(|c| delimiters.contains(&c)))?
        }
    };
    Ok(Cow::Owned(Value::Array(pieces)))
}

fn single_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.as_str().is_empty())
}

fn pieces<'v, 't>(
    arguments: &mut Arguments<'v, '_, '_>,
    pieces: impl Iterator<Item = &'t str>,
) -> Result<Vec<Value>, Failure<'v>> {
    let pieces = pieces.filter(|piece| !piece.is_empty());
    let copied = pieces.map(|piece| {
        arguments.scope.charge_text(piece.len())?;
        Ok(Value::String(piece.to_owned()))
    });
    copied.collect()
}
