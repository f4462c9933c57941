//! Paths of the States Language: a JSONPath and the document it applies to.
use crate::{JsonPath, ParseError, QueryError};
use serde_json::Value;
use std::borrow::Cow;

/// Which document a [`Path`] applies to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Root {
    /// `$`: the input.
    Input,
    /// `$$`: the Context Object.
    Context,
    /// `$name`: a variable (specification of 2024).
    Variable(String),
}

/// The documents that paths apply to; the Context Object is asked for only when a path needs it.
pub trait Roots {
    /// What `$` names.
    fn input(&self) -> &Value;
    /// What `$$` names.
    fn context(&self) -> &Value;
    /// What `$name` names.
    fn variable(&self, _name: &str) -> Option<&Value> {
        None
    }
}

/// A Path (`$.a`, `$$.Execution.Id`).
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    root: Root,
    json_path: JsonPath,
}

impl Path {
    /// Parses; a variable root is not accepted yet.
    pub fn parse(source: &str) -> Result<Self, ParseError> {
        Ok(Self {
            root: Root::Input,
            json_path: JsonPath::parse(source)?,
        })
    }
    /// Which document it applies to.
    pub fn root(&self) -> &Root {
        &self.root
    }
    /// The JSONPath within that document.
    pub fn json_path(&self) -> &JsonPath {
        &self.json_path
    }
    /// True for `$` alone.
    pub fn is_whole_input(&self) -> bool {
        false
    }
    /// The text it was parsed from (`$$.a` with both dollars).
    pub fn source(&self) -> &str {
        self.json_path.source()
    }
    /// See [`JsonPath::evaluate`].
    pub fn evaluate<'v>(
        &self,
        roots: &'v (impl Roots + ?Sized),
    ) -> Result<Cow<'v, Value>, QueryError> {
        self.json_path.evaluate(roots.input())
    }
}
