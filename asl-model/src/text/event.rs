//! Events of a text in either format.
use super::TextError;
use crate::Position;
use asl_path::json;

/// One part of a text, in its order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event<'t> {
    /// Events that both formats have.
    Json(json::Event<'t>),
    /// The value that follows can be repeated by this number (YAML).
    Anchor(usize),
    /// The value with this number again (YAML).
    Alias(usize),
    /// The value of the field that follows is merged into the object (YAML's `<<`).
    Merge,
}

impl<'t> From<json::Event<'t>> for Event<'t> {
    fn from(event: json::Event<'t>) -> Self {
        Self::Json(event)
    }
}

/// A stream of events.
pub(super) trait Events<'t> {
    /// Returns the next one; None at the end of the text.
    fn next(&mut self) -> Result<Option<Event<'t>>, TextError>;
    /// Returns the position of the last event. Call it only in the order of the text, so that lines are counted once.
    fn position(&mut self) -> Position;
}
