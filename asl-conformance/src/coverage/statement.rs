//! A normative statement of a specification.
use serde::Deserialize;

/// A sentence of a document, as `index.json` has it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Statement {
    pub(super) id: String,
    pub(super) document: String,
    pub(super) level: String,
    pub(super) text: String,
    #[serde(default)]
    pub(super) cases: Vec<String>,
    pub(super) superseded_by: Option<String>,
    pub(super) not_observable: Option<String>,
}
