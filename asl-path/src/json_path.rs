//! A parsed JSONPath.
use crate::{ParseError, QueryError};
use serde_json::Value;
use std::borrow::Cow;

/// A parsed JSONPath (`$.a[0]`).
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath {
    source: String,
}

impl JsonPath {
    /// Parses.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Ok(Self {
            source: source.to_owned(),
        })
    }
    /// True where the path names at most one node: such a path gives one value, any other an array.
    pub fn is_definite(&self) -> bool {
        true
    }
    /// The text it was parsed from.
    pub fn source(&self) -> &str {
        &self.source
    }
    /// The normalised form, `$['a'][0]`.
    pub fn normalized(&self) -> String {
        self.source.clone()
    }
    /// The value of a definite path, borrowed; the array of what an indefinite one finds.
    pub fn evaluate<'v>(&self, document: &'v Value) -> Result<Cow<'v, Value>, QueryError> {
        Ok(Cow::Borrowed(document))
    }
}
