//! Syntax trees of texts.
mod analysis;
mod errors;
mod grammar;
mod paths;
mod printer;
mod properties;
mod shortcuts;

use super::{Symbols, Syntax};
use crate::Dialect;
use crate::ParseError;

fn parse(text: &str) -> Result<Syntax, ParseError> {
    Syntax::parse(
        text,
        200,
        Symbols::new(Dialect::Jsonata),
        &mut crate::Patterns::default(),
    )
}

/// Returns the tree of a text, with marks.
fn tree(text: &str) -> String {
    match parse(text) {
        Ok(syntax) => printer::marked(&syntax),
        Err(error) => format!("{error} at {}", error.position),
    }
}

#[track_caller]
fn assert_trees(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(tree(text), *expected, "{text}");
    }
}
