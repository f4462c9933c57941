//! Texts of definitions: JSON or YAML in, a tree, or places within the text, out.
//!
//! Both formats are read as one stream of events, so that the tree ([`tree`]) and the places of its parts
//! ([`source_map`]) are built once, without recursion.

mod document;
mod event;
mod indentation;
mod json;
mod line_counter;
mod line_index;
mod runs;
mod selection;
mod source_map;
mod string_place;
mod tree;
mod yaml;
mod yaml_1_1;

pub use document::Document;
pub use line_index::LineIndex;
pub use runs::Run;
pub use source_map::{SourceMap, locate};
pub(crate) use tree::{Duplicate, Tree, read};
pub use yaml_1_1::DifferentScalar;

use crate::{Position, Syntax};
use event::{Event, Events};

/// A syntax error in JSON or YAML, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextError {
    pub(crate) message: String,
    pub(crate) position: Position,
}

/// Returns a text as YAML, also if it is JSON.
#[cfg(test)]
pub(crate) fn read_as_yaml(text: &str) -> Option<serde_json::Value> {
    tree::build(
        &mut yaml::YamlEvents::new(text, Tags::Placeholders, Syntax::Yaml),
        1_000,
        0,
    )
    .ok()?
    .value
}

/// The treatment of CloudFormation short tags: `!Ref X`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Tags {
    /// `"${X}"`: a definition by itself.
    #[default]
    Placeholders,
    /// `{"Ref": "X"}`: a template that definitions are part of.
    Functions,
}

/// True if `${Name}` may stand for a value of a JSON text without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnquotedPlaceholders {
    Taken,
    Refused,
}

/// Returns the syntax of a text that definitions are part of: YAML, of which version says `syntax`.
pub(crate) fn document_syntax(syntax: Syntax) -> Syntax {
    match syntax {
        Syntax::CloudFormation => Syntax::CloudFormation,
        Syntax::Guessed | Syntax::Yaml | Syntax::Json => Syntax::Yaml,
    }
}

/// Returns a text without the mark of its byte order.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Options for parsing a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadOptions {
    pub(crate) unquoted: UnquotedPlaceholders,
    pub(crate) tags: Tags,
    pub(crate) syntax: Syntax,
}

impl ReadOptions {
    /// Options that accept as much as possible.
    const LENIENT: Self = Self {
        unquoted: UnquotedPlaceholders::Taken,
        tags: Tags::Placeholders,
        syntax: Syntax::Yaml,
    };
}

/// Returns true if a text starts with a brace, and is JSON. Other texts are YAML.
pub(crate) fn starts_with_brace(text: &str) -> bool {
    without_mark(text).trim_start().starts_with('{')
}

fn json_events(text: &str, reading: ReadOptions) -> json::JsonEvents<'_> {
    json::JsonEvents::new(without_mark(text), reading.unquoted)
}

fn yaml_events(text: &str, reading: ReadOptions) -> yaml::YamlEvents<'_> {
    yaml::YamlEvents::new(without_mark(text), reading.tags, reading.syntax)
}

/// Returns a JSON text without the mark of its byte order, and the byte of it at a position.
pub(crate) fn offset_in_json(text: &str, position: Position) -> Option<(&str, usize)> {
    let is_json = starts_with_brace(text);
    let text = without_mark(text);
    is_json.then(|| (text, LineIndex::new(text).offset(text, position)))
}

/// Returns the position of a byte of a text without the mark of its byte order.
pub(crate) fn position_of(text: &str, offset: usize) -> Position {
    let text = without_mark(text);
    LineIndex::new(text).position(text, offset)
}
