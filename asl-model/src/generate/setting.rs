//! The position of a generated state.
use super::Tape;
use crate::QueryLanguage;

/// The query languages of a definition's states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Languages {
    /// JSONPath alone.
    JsonPath,
    /// A JSONPath state machine with some JSONata states.
    Both,
    /// JSONata alone.
    Jsonata,
}

impl Languages {
    /// Returns the language of a state.
    pub(super) fn choose(self, tape: &mut Tape<'_>) -> QueryLanguage {
        match self {
            Self::Both if tape.below(3) > 0 => QueryLanguage::JSONata,
            Self::JsonPath | Self::Both => QueryLanguage::JSONPath,
            Self::Jsonata => QueryLanguage::JSONata,
        }
    }

    /// That of states that do not say.
    pub(super) fn default_language(self) -> QueryLanguage {
        match self {
            Self::JsonPath | Self::Both => QueryLanguage::JSONPath,
            Self::Jsonata => QueryLanguage::JSONata,
        }
    }
}

/// The position of a state, and its possible targets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'n> {
    pub(super) language: QueryLanguage,
    /// Number of enclosing scopes; variables of different depths have different names.
    pub(super) depth: usize,
    /// The state after it, unless it is the last.
    pub(super) next: Option<&'n str>,
    /// Any state of its scope.
    pub(super) any: &'n str,
}

impl Setting<'_> {
    pub(super) fn is_jsonata(&self) -> bool {
        self.language == QueryLanguage::JSONata
    }
}
