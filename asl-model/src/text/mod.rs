//! Texts of definitions: JSON or YAML in, a tree, or places within the text, out.
//!
//! Both formats are read as one stream of events, so that the tree ([`tree`]) and the places of its parts
//! ([`source_map`]) are built once, without recursion.

mod event;
mod json;
mod line_counter;
mod source_map;
mod string_place;
mod tree;
mod yaml;

pub use source_map::{SourceMap, locate};
pub(crate) use tree::{Duplicate, Tree, read};

use event::{Event, Events};

/// Why a text is not JSON or YAML, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextError {
    pub(crate) message: String,
    pub(crate) position: crate::Position,
}

/// A text as YAML, also where it is JSON.
#[cfg(test)]
pub(crate) fn read_as_yaml(text: &str) -> Option<serde_json::Value> {
    tree::build(&mut yaml::YamlEvents::new(text), 1_000, 0)
        .ok()?
        .value
}

/// Whether `${Name}` may stand for a value of a JSON text without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unquoted {
    Taken,
    Refused,
}

/// A text without the mark of its byte order.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The events of a text, by its format: JSON where it begins with a brace, else YAML (of which most JSON is a part).
enum Format<'t> {
    Json(json::JsonEvents<'t>),
    Yaml(Box<yaml::YamlEvents<'t>>),
}

impl<'t> Format<'t> {
    fn from_text(text: &'t str, placeholders: Unquoted) -> Self {
        let text = without_mark(text);
        if text.trim_start().starts_with('{') {
            Self::Json(json::JsonEvents::new(text, placeholders))
        } else {
            Self::Yaml(Box::new(yaml::YamlEvents::new(text)))
        }
    }
}
