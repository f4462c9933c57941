//! What is to be drawn: states and the ways between them, without any place yet.
use super::{EdgeKind, labels};
use asl_model::{State, StateKind, StateName, StateType, States, Transition};
use std::collections::HashMap;

/// A scope of states: the machine, a branch of a Parallel State, the processor of a Map State.
#[derive(Debug)]
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
    /// Its type.
    pub(crate) state_type: StateType,
    /// What it does, in a few words.
    pub(crate) detail: String,
    /// Whether it retries.
    pub(crate) retries: bool,
    /// Whether the scope ends well here.
    pub(crate) ends: bool,
    /// Branches of a Parallel State, the one processor of a Map State.
    pub(crate) scopes: Vec<Scope>,
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
    /// A scope with all those within it.
    pub(crate) fn from_states(states: &States) -> Self {
        let names: HashMap<&StateName, usize> = states
            .states
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (name, index))
            .collect();
        let mut edges = Edges {
            names: &names,
            edges: Vec::new(),
            of_this_state: HashMap::new(),
        };
        for (index, (_, state)) in states.states.iter().enumerate() {
            edges.add_state(index, state);
        }
        Self {
            start: names.get(&states.start_at).copied(),
            edges: edges.edges,
            nodes: states
                .states
                .iter()
                .map(|(name, state)| Node::new(name, state))
                .collect(),
        }
    }
}

impl Node {
    fn new(name: &StateName, state: &State) -> Self {
        Self {
            name: name.as_str().to_owned(),
            state_type: state.state_type(),
            detail: labels::detail(state),
            retries: !state.retry.is_empty(),
            ends: state.state_type() == StateType::Succeed
                || state.transition == Some(Transition::End),
            scopes: state.scopes().iter().map(Scope::from_states).collect(),
        }
    }
}

/// The edges of one scope, as they are found.
struct Edges<'s> {
    names: &'s HashMap<&'s StateName, usize>,
    edges: Vec<Edge>,
    /// Which edge leads where, and why.
    of_this_state: HashMap<(usize, EdgeKind), usize>,
}

impl Edges<'_> {
    fn add_state(&mut self, from: usize, state: &State) {
        self.of_this_state.clear();
        if let StateKind::Choice(choice) = &state.kind {
            for rule in &choice.choices {
                self.add(
                    from,
                    &rule.next,
                    EdgeKind::Next,
                    Some(labels::rule(&rule.rule)),
                );
            }
            if let Some(default) = &choice.default {
                self.add(from, default, EdgeKind::Next, Some("default".to_owned()));
            }
        }
        if let Some(Transition::Next(next)) = &state.transition {
            self.add(from, next, EdgeKind::Next, None);
        }
        for catcher in &state.catch {
            let label = catcher.error_equals.0.join(", ");
            self.add(from, &catcher.next, EdgeKind::Catch, Some(label));
        }
    }

    /// Conditions that lead to the same state are one edge.
    fn add(&mut self, from: usize, to: &StateName, kind: EdgeKind, label: Option<String>) {
        let Some(to) = self.names.get(to).copied() else {
            return;
        };
        let next = self.edges.len();
        let known = *self.of_this_state.entry((to, kind)).or_insert(next);
        match self.edges.get_mut(known) {
            Some(edge) => edge.labels.extend(label),
            None => self.edges.push(Edge {
                from,
                to,
                kind,
                labels: label.into_iter().collect(),
            }),
        }
    }
}
