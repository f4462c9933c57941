//! `States.StringSplit` (2022 specification, Appendix B).
use super::{Arguments, Outcome};
use serde_json::Value;
use std::borrow::Cow;

/// `States.StringSplit(text, delimiters)`: every character of the second argument divides; empty pieces are dropped.
pub(super) fn string_split<'v>(arguments: &mut Arguments<'v, '_, '_>) -> Outcome<'v> {
    let text = arguments.string(0)?;
    let delimiters = arguments.string(1)?;
    let pieces = match single_character(&delimiters) {
        Some(delimiter) => pieces(text.split(delimiter)),
        None => {
            let delimiters: std::collections::BTreeSet<char> = delimiters.chars().collect();
            pieces(text.split(|c| delimiters.contains(&c)))
        }
    };
    Ok(Cow::Owned(Value::Array(pieces)))
}

fn single_character(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.as_str().is_empty())
}

fn pieces<'t>(pieces: impl Iterator<Item = &'t str>) -> Vec<Value> {
    pieces
        .filter(|piece| !piece.is_empty())
        .map(|piece| Value::String(piece.to_owned()))
        .collect()
}
