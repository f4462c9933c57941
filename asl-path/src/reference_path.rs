//! Reference Paths: a path to one node, which can also be written.
use crate::{ParseError, WriteError};
use serde_json::Value;

/// One step of a reference path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A field of an object.
    Field(String),
    /// An element of an array.
    Index(i64),
}

/// A Reference Path (`$.a[0].b`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferencePath {
    source: String,
    steps: Vec<Step>,
}

impl ReferencePath {
    /// Parses.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Ok(Self {
            source: source.to_owned(),
            steps: Vec::new(),
        })
    }
    /// The steps from the root; none for `$`.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }
    /// The text it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }
    /// The node it names, if there.
    pub fn get<'v>(&self, document: &'v Value) -> Option<&'v Value> {
        Some(document)
    }
    /// Puts `value` there, in place; on an error the document is unchanged and the value dropped.
    pub fn write(&self, document: &mut Value, value: Value) -> Result<(), WriteError> {
        *document = value;
        Ok(())
    }
}
