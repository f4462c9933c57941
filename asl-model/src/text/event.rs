//! What a text of either format consists of.
use super::TextError;
use crate::Position;
use serde_json::Value;
use std::borrow::Cow;

/// One part of a text, in its order.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event<'t> {
    /// An object begins.
    ObjectStart,
    /// The innermost object ends.
    ObjectEnd,
    /// An array begins.
    ArrayStart,
    /// The innermost array ends.
    ArrayEnd,
    /// The name of a field; its value follows.
    Name(Cow<'t, str>),
    /// A string, number, boolean or null.
    Scalar(Value),
    /// The value that follows can be repeated by this number (YAML).
    Anchor(usize),
    /// The value with this number again (YAML).
    Alias(usize),
    /// The value of the field that follows is merged into the object (YAML's `<<`).
    Merge,
}

/// A stream of events.
pub(super) trait Events<'t> {
    /// The next one; None at the end of the text.
    fn next(&mut self) -> Result<Option<Event<'t>>, TextError>;
    /// Where the last one begins. Asked in the order of the text only, so that lines are counted once.
    fn position(&mut self) -> Position;
}
