//! Nodes still to visit.
use super::element;
use super::expression::terms;
use crate::ast::Expression;
use serde_json::Value;
use serde_json::map::Values;
use std::iter::Chain;
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
    /// Elements of an array that hold others.
    Branches(Iter<'v, Value>),
    /// The values of an object that hold others.
    MemberBranches(Values<'v>),
    /// The two parts of a slice.
    Slice(Chain<Iter<'v, Value>, Iter<'v, Value>>),
    /// The elements of an array at some indexes.
    At(&'v [Value], Iter<'p, i32>),
    /// The fields of an object that have some names.
    Named(&'v Value, Iter<'p, String>),
    /// Elements of an array that a filter has to accept.
    Candidates(Iter<'v, Value>, &'p Expression),
}

/// The next step of the walk.
pub(super) enum Next<'p, 'v> {
    Node(&'v Value),
    /// A node, if the filter accepts it.
    Candidate(&'v Value, &'p Expression),
    /// A named field that this object does not have.
    Missing(&'v Value),
    End,
}

impl<'p, 'v> Nodes<'p, 'v> {
    /// Returns the children of a node, if it can have any.
    pub(super) fn children(node: &'v Value) -> Option<Self> {
        match node {
            Value::Array(elements) => Some(Self::Elements(elements.iter())),
            Value::Object(fields) => Some(Self::Members(fields.values())),
            _ => None,
        }
    }

    /// Returns the cost of visiting the children.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Elements(elements) | Self::Branches(elements) => elements.len(),
            Self::Members(values) | Self::MemberBranches(values) => values.len(),
            Self::Slice(elements) => elements.size_hint().0,
            Self::At(_, indexes) => indexes.len(),
            Self::Named(_, names) => names.len(),
            Self::Candidates(elements, filter) => elements.len().saturating_mul(1 + terms(filter)),
        }
    }

    pub(super) fn next(&mut self) -> Next<'p, 'v> {
        let node = match self {
            Self::Elements(elements) => elements.next(),
            Self::Members(values) => values.next(),
            Self::Branches(elements) => elements.find(|element| is_branch(element)),
            Self::MemberBranches(values) => values.find(|value| is_branch(value)),
            Self::Slice(elements) => elements.next(),
            Self::At(elements, indexes) => indexes.find_map(|index| element(elements, *index)),
            Self::Named(object, names) => match names.next() {
                None => None,
                Some(name) => return object.get(name).map_or(Next::Missing(object), Next::Node),
            },
            Self::Candidates(elements, filter) => match elements.next() {
                None => None,
                Some(element) => return Next::Candidate(element, filter),
            },
        };
        node.map_or(Next::End, Next::Node)
    }
}

fn is_branch(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}
