//! Arrays and sequences.
use super::Value;
use super::release::{PendingValues, nests, release};
use serde_json::Value as Json;

/// The treatment of an array as the value of an expression, and as the result of a step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArrayKind {
    /// Of the data, or made by `[…]`: it stays an array, and a step flattens it into its result.
    Plain,
    /// Made by `[…]` as a step of a path: no step flattens it.
    Constructed,
    /// A sequence of results: empty it is undefined, of one item it is that item.
    Sequence,
    /// A sequence that stays an array with one item (`[]` after an expression).
    KeptSequence,
    /// The sequence of one item around an input that is an array, so that the input is one context.
    Input,
    /// The tuples of a path, each an item with its bindings.
    Tuples,
}

impl ArrayKind {
    pub(crate) fn is_sequence(self) -> bool {
        matches!(self, Self::Sequence | Self::KeptSequence | Self::Input)
    }
}

/// An array that an evaluation made.
pub(crate) struct Array<'a> {
    kind: ArrayKind,
    items: Vec<Value<'a>>,
}

impl<'a> Array<'a> {
    pub(crate) fn new(kind: ArrayKind, items: Vec<Value<'a>>) -> Self {
        Self { kind, items }
    }

    pub(crate) fn kind(&self) -> ArrayKind {
        self.kind
    }

    pub(crate) fn items(&self) -> &[Value<'a>] {
        &self.items
    }

    pub(super) fn give(&mut self, pending: &mut PendingValues<'a>) {
        pending.extend(std::mem::take(&mut self.items));
    }
}

impl Drop for Array<'_> {
    fn drop(&mut self) {
        if self.items.iter().any(nests) {
            release(|pending| self.give(pending));
        }
    }
}

/// The items of an array, wherever it lives.
#[derive(Clone, Copy)]
pub(crate) enum Items<'v, 'a> {
    Json(&'a [Json]),
    Made(&'v [Value<'a>]),
}

impl<'v, 'a> Items<'v, 'a> {
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Json(items) => items.len(),
            Self::Made(items) => items.len(),
        }
    }

    pub(crate) fn get(self, index: usize) -> Option<Value<'a>> {
        match self {
            Self::Json(items) => items.get(index).map(Value::Json),
            Self::Made(items) => items.get(index).cloned(),
        }
    }

    pub(crate) fn iter(self) -> ItemsIterator<'v, 'a> {
        match self {
            Self::Json(items) => ItemsIterator::Json(items.iter()),
            Self::Made(items) => ItemsIterator::Made(items.iter()),
        }
    }
}

impl<'v, 'a> IntoIterator for Items<'v, 'a> {
    type Item = Value<'a>;
    type IntoIter = ItemsIterator<'v, 'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Each item, as a value of its own.
pub(crate) enum ItemsIterator<'v, 'a> {
    Json(std::slice::Iter<'a, Json>),
    Made(std::slice::Iter<'v, Value<'a>>),
}

impl<'a> Iterator for ItemsIterator<'_, 'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Value<'a>> {
        match self {
            Self::Json(items) => items.next().map(Value::Json),
            Self::Made(items) => items.next().cloned(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Json(items) => items.size_hint(),
            Self::Made(items) => items.size_hint(),
        }
    }
}

impl ExactSizeIterator for ItemsIterator<'_, '_> {}
