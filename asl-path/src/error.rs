//! What can go wrong with a path: parsing, querying, writing.

/// Why a text is not a path, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at offset {position}")]
pub struct ParseError {
    position: usize,
    message: String,
}

impl ParseError {
    /// Byte offset of the fault in the text.
    pub fn position(&self) -> usize {
        self.position
    }
    /// What was expected and what was found.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// Why a path that parsed has no value in a document. Texts are those of Jayway.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    message: String,
}

/// Why a value could not be written at a reference path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WriteError {
    message: String,
}
