//! Errors in a test file.
use asl_model::{Position, SourceMap};
use std::fmt;
use std::path::{Path, PathBuf};

/// A problem of a test file, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The expected and the actual content.
    pub message: String,
    /// JSON pointer (RFC 6901); empty for the whole file.
    pub pointer: String,
    /// True if it is the field's name that is wrong, and not its value.
    pub(crate) is_name: bool,
    /// The line and column, where the file has them.
    pub position: Option<Position>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column }) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)?;
        match self.pointer.as_str() {
            "" => Ok(()),
            pointer => write!(f, " (at {pointer})"),
        }
    }
}

/// All errors of a test file that cannot be run. `{:?}` prints the same text as `{}`, so that an error that leaves a test
/// through `?` is readable.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct TestFileError {
    /// The file, if the text was read from one.
    pub path: Option<PathBuf>,
    /// Problems in the order of the file; at least one.
    pub faults: Vec<Fault>,
    /// The files that were looked at before; itself where nothing else is known.
    pub(crate) files: Vec<PathBuf>,
}

impl TestFileError {
    pub(crate) fn new(path: Option<&Path>, faults: Vec<Fault>) -> Self {
        Self {
            path: path.map(Path::to_owned),
            faults,
            files: path.map(Path::to_owned).into_iter().collect(),
        }
    }

    /// Returns all files whose change may make it one that can be run.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Creates an error about the file as a whole.
    pub(crate) fn whole(path: Option<&Path>, message: impl fmt::Display) -> Self {
        let fault = Fault {
            message: message.to_string(),
            pointer: String::new(),
            is_name: false,
            position: None,
        };
        Self::new(path, vec![fault])
    }

    /// Adds the positions of the errors in `text`.
    pub(crate) fn located_in(mut self, text: &str) -> Self {
        let map = SourceMap::new(text);
        for fault in &mut self.faults {
            fault.position = match fault.is_name {
                true => map.locate_name(&fault.pointer),
                false => map.locate(&fault.pointer),
            };
        }
        self
    }
}

impl fmt::Display for TestFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{} cannot be run as a test file", path.display())?,
            None => f.write_str("this test file cannot be run")?,
        }
        for fault in &self.faults {
            write!(f, "\n  {fault}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for TestFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
