//! The catalogue, and definitions.
use asl_backend::Definition;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An entry, without the kind and the scope that its object is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EntryMessage {
    pub(crate) name: Arc<str>,
    pub(crate) version: u64,
    pub(crate) value: Arc<str>,
}

/// Writes an entry, if it still has the version that was read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EntryWrite {
    pub(crate) name: Arc<str>,
    pub(crate) expected: Option<u64>,
    pub(crate) value: Option<Arc<str>>,
}

/// Selects entries of a list.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EntryList {
    pub(crate) after: Option<Arc<str>>,
    pub(crate) limit: usize,
}

/// A definition as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptDefinition {
    pub(crate) text: Arc<str>,
    pub(crate) profile: String,
    pub(crate) state_machine_type: String,
}

impl From<&Definition> for KeptDefinition {
    fn from(definition: &Definition) -> Self {
        Self {
            text: Arc::clone(&definition.text),
            profile: definition.profile_word().to_owned(),
            state_machine_type: definition.type_word().to_owned(),
        }
    }
}

impl From<KeptDefinition> for Definition {
    fn from(kept: KeptDefinition) -> Self {
        Self::from_words(kept.text, &kept.profile, &kept.state_machine_type)
    }
}
