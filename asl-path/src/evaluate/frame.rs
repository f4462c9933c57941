//! Nodes still to visit.
use serde_json::Value;
use serde_json::map::Values;
use std::slice::Iter;

/// Children of one node and the segment that applies to each of them.
pub(super) struct Frame<'p, 'v> {
    pub(super) segment: usize,
    pub(super) nodes: Nodes<'p, 'v>,
}

/// Nodes in order.
pub(super) enum Nodes<'p, 'v> {
    /// Elements of an array.
    Elements(Iter<'v, Value>),
    /// The values of an object.
    Members(Values<'v>),
    /// The elements of an array at some indexes.
    At(&'v [Value], Iter<'p, i32>),
    /// The fields of an object that have some names.
    Named(&'v Value, Iter<'p, String>),
}

impl<'v> Nodes<'_, 'v> {
    /// The children of a node, where it can have any.
    pub(super) fn children(node: &'v Value) -> Option<Self> {
        match node {
            Value::Array(elements) => Some(Self::Elements(elements.iter())),
            Value::Object(fields) => Some(Self::Members(fields.values())),
            _ => None,
        }
    }
}

/// What comes next.
pub(super) enum Next<'v> {
    Node(&'v Value),
    /// A named field that is not there.
    Missing,
    End,
}

impl<'v> Nodes<'_, 'v> {
    pub(super) fn next(&mut self) -> Next<'v> {
        let node = match self {
            Self::Elements(elements) => elements.next(),
            Self::Members(values) => values.next(),
            Self::At(elements, indexes) => {
                indexes.find_map(|index| super::element(elements, *index))
            }
            Self::Named(object, names) => match names.next() {
                None => None,
                Some(name) => return object.get(name).map_or(Next::Missing, Next::Node),
            },
        };
        node.map_or(Next::End, Next::Node)
    }
}
