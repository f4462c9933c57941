//! Errors of definitions.
use crate::CompileError;
use asl_model::Diagnostics;
use std::fmt;

/// The reason why a text is not a program. It prints all problems of the text, with locations and hints. `{:?}` prints the
/// same, so that an error that leaves `main` through `?` is readable.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// The text is not a valid definition.
    Refused(Diagnostics),
    /// The definition cannot be compiled.
    Compile(CompileError),
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(diagnostics) => fmt::Debug::fmt(diagnostics, f),
            Self::Compile(error) => fmt::Display::fmt(error, f),
        }
    }
}

debug_as_display!(DefinitionError);

impl From<Diagnostics> for DefinitionError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Refused(diagnostics)
    }
}

impl From<CompileError> for DefinitionError {
    fn from(error: CompileError) -> Self {
        Self::Compile(error)
    }
}
