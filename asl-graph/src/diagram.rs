//! A diagram: states and edges, without positions.
use super::EdgeKind;
use asl_model::StateType;
use std::collections::HashMap;

/// A scope of states: the machine, a branch of a Parallel State, the processor of a Map State.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Index of the first state.
    pub(crate) start: Option<usize>,
    /// In the order of the text.
    pub(crate) nodes: Vec<Node>,
    /// In the order in which a state tries them.
    pub(crate) edges: Vec<Edge>,
}

/// A state.
#[derive(Debug)]
pub(crate) struct Node {
    /// Its name.
    pub(crate) name: String,
    /// Its type; None if that is not known.
    pub(crate) state_type: Option<StateType>,
    /// A short description.
    pub(crate) detail: String,
    /// True if it retries.
    pub(crate) retries: bool,
    /// True if the scope ends well here.
    pub(crate) ends: bool,
    /// Branches of a Parallel State, the one processor of a Map State.
    pub(crate) scopes: Vec<Scope>,
    /// The problem of the state, if it has one.
    pub(crate) mark: Option<Mark>,
    /// The same in words.
    pub(crate) faults: Vec<String>,
}

/// Problems of states in an invalid definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A fault is within it.
    Faulty,
    /// No way leads to it.
    Unreachable,
    /// There is no such state: ways lead to it all the same.
    Missing,
}

impl Mark {
    /// As a picture names it.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Faulty => "faulty",
            Self::Unreachable => "unreachable",
            Self::Missing => "missing",
        }
    }
}

/// A way from one state to another of the same scope.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) kind: EdgeKind,
    /// Each condition under which it is taken; none for an unconditional one.
    pub(crate) labels: Vec<String>,
}

impl Scope {
    /// Returns true if something is wrong with a state of it, or of those within it.
    pub(crate) fn has_marks(&self) -> bool {
        let is_marked =
            |node: &Node| node.mark.is_some() || node.scopes.iter().any(Self::has_marks);
        self.nodes.iter().any(is_marked)
    }

    /// Returns true if there is no state where an edge leads to.
    pub(crate) fn is_missing(&self, node: usize) -> bool {
        let node = self.nodes.get(node);
        node.is_some_and(|node| node.mark == Some(Mark::Missing))
    }
}

/// The edges of one scope, as they are found.
#[derive(Default)]
pub(crate) struct Edges {
    pub(crate) list: Vec<Edge>,
    /// Edges of this state, by target and kind.
    of_this_state: HashMap<(usize, EdgeKind), usize>,
}

impl Edges {
    /// The edges of another state follow.
    pub(crate) fn start_state(&mut self) {
        self.of_this_state.clear();
    }

    /// Conditions that lead to the same state are one edge.
    pub(crate) fn add(&mut self, from: usize, to: usize, kind: EdgeKind, label: Option<String>) {
        let next = self.list.len();
        let known = *self.of_this_state.entry((to, kind)).or_insert(next);
        match self.list.get_mut(known) {
            Some(edge) => edge.labels.extend(label),
            None => self.list.push(Edge {
                from,
                to,
                kind,
                labels: label.into_iter().collect(),
            }),
        }
    }
}
