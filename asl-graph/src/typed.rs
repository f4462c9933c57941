//! The outline of a definition that is accepted.
use super::diagram::{Edges, Node, Scope};
use super::{EdgeKind, labels};
use asl_model::{State, StateKind, StateName, StateType, States, Transition};
use std::collections::HashMap;

/// Numbers of states by name.
type Names<'s> = HashMap<&'s StateName, usize>;

impl Scope {
    /// Creates a scope with all its nested scopes.
    pub(crate) fn from_states(states: &States) -> Self {
        let names: Names<'_> = states
            .states
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (name, index))
            .collect();
        let mut edges = Edges::default();
        for (index, (_, state)) in states.states.iter().enumerate() {
            edges.add_state(index, state, &names);
        }
        Self {
            start: names.get(&states.start_at).copied(),
            edges: edges.list,
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
            state_type: Some(state.state_type()),
            detail: labels::detail(state),
            retries: !state.retry.is_empty(),
            ends: state.state_type() == StateType::Succeed
                || state.transition == Some(Transition::End),
            scopes: state.scopes().iter().map(Scope::from_states).collect(),
            mark: None,
            faults: Vec::new(),
        }
    }
}

impl Edges {
    fn add_state(&mut self, from: usize, state: &State, names: &Names<'_>) {
        self.start_state();
        let mut add = |to: &StateName, kind, label| {
            if let Some(to) = names.get(to) {
                self.add(from, *to, kind, label);
            }
        };
        if let StateKind::Choice(choice) = &state.kind {
            for rule in &choice.choices {
                let label = labels::rule(&rule.rule);
                add(&rule.next, EdgeKind::Next, Some(label));
            }
            if let Some(default) = &choice.default {
                add(default, EdgeKind::Next, Some("default".to_owned()));
            }
        }
        if let Some(Transition::Next(next)) = &state.transition {
            add(next, EdgeKind::Next, None);
        }
        for catcher in &state.catch {
            let label = catcher.error_equals.0.join(", ");
            add(&catcher.next, EdgeKind::Catch, Some(label));
        }
    }
}
