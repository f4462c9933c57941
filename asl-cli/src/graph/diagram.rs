//! What is to be drawn: states and the ways between them, without any place yet.
use super::labels;
use asl_model::{State, StateKind, StateMachine, StateName, StateType, States, Transition};
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

/// Why a way is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum EdgeKind {
    /// "Next", "Default", or a Choice Rule that matches.
    Next,
    /// A Catcher that matches.
    Catch,
}

impl Scope {
    /// The whole machine.
    pub(crate) fn of_machine(machine: &StateMachine) -> Self {
        Self::of_states(&machine.states)
    }

    fn of_states(states: &States) -> Self {
        let names: HashMap<&StateName, usize> = states
            .states
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (name, index))
            .collect();
        let mut edges = Edges {
            names: &names,
            edges: Vec::new(),
        };
        for (index, (_, state)) in states.states.iter().enumerate() {
            edges.of_state(index, state);
        }
        Self {
            start: names.get(&states.start_at).copied(),
            edges: edges.edges,
            nodes: states
                .states
                .iter()
                .map(|(name, state)| Node::of_state(name, state))
                .collect(),
        }
    }
}

impl Node {
    fn of_state(name: &StateName, state: &State) -> Self {
        Self {
            name: name.as_str().to_owned(),
            state_type: state.state_type(),
            detail: labels::detail(state),
            retries: !state.retry.is_empty(),
            ends: state.state_type() == StateType::Succeed
                || state.transition == Some(Transition::End),
            scopes: state.scopes().iter().map(Scope::of_states).collect(),
        }
    }
}

/// The edges of one scope, as they are found.
struct Edges<'s> {
    names: &'s HashMap<&'s StateName, usize>,
    edges: Vec<Edge>,
}

impl Edges<'_> {
    fn of_state(&mut self, from: usize, state: &State) {
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
        let known = self.edges.iter_mut().rev();
        let mut of_this_state = known.take_while(|edge| edge.from == from);
        match of_this_state.find(|edge| edge.to == to && edge.kind == kind) {
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
