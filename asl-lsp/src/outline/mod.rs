//! The state machines in a text: their scopes, states and transitions, as far as they are written.

mod role;
mod variables;

pub(crate) use role::{Owner, Role};
pub(crate) use variables::{Occurrence, OccurrenceKind, Variables, query_kind};

use crate::syntax::{Kind, NodeId, Syntax};
use asl_model::{FieldOwner, QueryLanguage, StateType};
use std::collections::HashMap;

/// The number of a scope.
pub(crate) type ScopeId = usize;
/// The number of a state, in the order of the text.
pub(crate) type StateId = usize;

/// A machine, a branch or a processor.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) node: NodeId,
    /// The state that it is in.
    pub(crate) outer: Option<StateId>,
    pub(crate) states: Vec<StateId>,
    /// The first state of each name.
    pub(crate) names: HashMap<String, StateId>,
    /// True for a distributed Map, whose states do not see outer variables.
    pub(crate) is_isolated: bool,
    language: QueryLanguage,
}

/// A state.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) node: NodeId,
    pub(crate) name: String,
    pub(crate) scope: ScopeId,
    pub(crate) state_type: Option<StateType>,
    pub(crate) language: QueryLanguage,
}

/// A field that names a state of its scope.
#[derive(Debug)]
pub(crate) struct Target {
    /// The field's value.
    pub(crate) node: NodeId,
    pub(crate) name: String,
    pub(crate) scope: ScopeId,
    /// The state that it leads away from; None of "StartAt".
    pub(crate) from: Option<StateId>,
}

/// All of that.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    roles: Vec<Role>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) states: Vec<State>,
    pub(crate) targets: Vec<Target>,
    /// By node, the scope or state that it is.
    scope_of_node: HashMap<NodeId, ScopeId>,
    state_of_node: HashMap<NodeId, StateId>,
}

impl Outline {
    /// Analyses a text; `is_definition` means that the whole text is a definition, even if it looks different.
    pub(crate) fn new(syntax: &Syntax, is_definition: bool) -> Self {
        let mut outline = Self::default();
        for id in 0..syntax.nodes().len() {
            outline.add(syntax, id, is_definition);
        }
        outline.resolve_isolation(syntax);
        outline
    }

    /// Adds a node; those around it are there already.
    fn add(&mut self, syntax: &Syntax, id: NodeId, is_definition: bool) {
        let Some(node) = syntax.node(id) else {
            return;
        };
        let outer = node
            .parent
            .map_or(Role::Outside, |parent| self.role(parent));
        let mut role = match outer {
            Role::Outside => Role::Outside,
            _ => outer.of_child(&syntax.name(id)),
        };
        let is_whole = is_definition && node.parent.is_none();
        if role == Role::Outside && node.is_object() && (is_whole || is_machine(syntax, id)) {
            role = Role::Owner(Owner::Other(FieldOwner::Machine));
        }
        self.roles.push(role);
        match role {
            Role::Owner(owner) if owner.is_scope() => self.add_scope(syntax, id),
            Role::Owner(Owner::State) => self.add_state(syntax, id),
            Role::Target => self.add_target(syntax, id),
            _ => {}
        }
    }

    fn add_scope(&mut self, syntax: &Syntax, id: NodeId) {
        let outer = self.state_around(syntax, id);
        self.scope_of_node.insert(id, self.scopes.len());
        self.scopes.push(Scope {
            node: id,
            outer,
            states: Vec::new(),
            names: HashMap::new(),
            is_isolated: false,
            // That of a state around it does not reach in.
            language: match outer {
                Some(state) => self.machine_language(state),
                None => language_of(syntax, id),
            }
            .unwrap_or_default(),
        });
    }

    /// The language of the machine that a state is in.
    fn machine_language(&self, state: StateId) -> Option<QueryLanguage> {
        let state = self.states.get(state)?;
        Some(self.scopes.get(state.scope)?.language)
    }

    fn add_state(&mut self, syntax: &Syntax, id: NodeId) {
        let Some(scope) = self.scope_around(syntax, id) else {
            return;
        };
        let name = syntax.name(id).into_owned();
        let number = self.states.len();
        let Some(of_scope) = self.scopes.get_mut(scope) else {
            return;
        };
        of_scope.states.push(number);
        of_scope.names.entry(name.clone()).or_insert(number);
        let state_type = syntax.text_of(id, "Type");
        self.state_of_node.insert(id, number);
        self.states.push(State {
            node: id,
            name,
            scope,
            state_type: state_type.and_then(|text| state_type_named(&text)),
            language: language_of(syntax, id).unwrap_or(of_scope.language),
        });
    }

    fn add_target(&mut self, syntax: &Syntax, id: NodeId) {
        if let Some(name) = syntax.value(id)
            && let Some(scope) = self.scope_around(syntax, id)
        {
            let parent = syntax.node(id).and_then(|node| node.parent);
            let is_start = parent.is_some_and(|parent| self.scope_of_node.contains_key(&parent));
            self.targets.push(Target {
                node: id,
                name: name.into_owned(),
                scope,
                from: self.state_around(syntax, id).filter(|_| !is_start),
            });
        }
    }

    /// A processor says in a field how it runs.
    fn resolve_isolation(&mut self, syntax: &Syntax) {
        for scope in &mut self.scopes {
            let config = syntax.get(scope.node, "ProcessorConfig");
            let mode = config.and_then(|config| syntax.text_of(config, "Mode"));
            scope.is_isolated = mode.is_some_and(|mode| mode == "DISTRIBUTED");
        }
    }

    pub(crate) fn role(&self, id: NodeId) -> Role {
        self.roles.get(id).copied().unwrap_or(Role::Outside)
    }

    /// Returns the innermost state that a node is, or is in.
    pub(crate) fn state_around(&self, syntax: &Syntax, id: NodeId) -> Option<StateId> {
        syntax
            .ancestors(id)
            .find_map(|node| self.state_of_node.get(&node).copied())
    }

    /// Returns the innermost scope that a node is, or is in.
    pub(crate) fn scope_around(&self, syntax: &Syntax, id: NodeId) -> Option<ScopeId> {
        syntax
            .ancestors(id)
            .find_map(|node| self.scope_of_node.get(&node).copied())
    }

    /// Returns the state that a node is.
    pub(crate) fn state_at(&self, node: NodeId) -> Option<StateId> {
        self.state_of_node.get(&node).copied()
    }

    /// Returns the state of that name in a scope.
    pub(crate) fn state_named(&self, scope: ScopeId, name: &str) -> Option<StateId> {
        self.scopes.get(scope)?.names.get(name).copied()
    }

    /// Returns the machines, in the order of the text.
    pub(crate) fn machines(&self) -> impl Iterator<Item = &Scope> {
        self.scopes.iter().filter(|scope| scope.outer.is_none())
    }

    /// Returns the scopes around one, from the inside, with itself.
    pub(crate) fn scopes_around(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| {
            let outer = self.scopes.get(*scope)?.outer?;
            Some(self.states.get(outer)?.scope)
        })
    }

    /// Returns the query language where a node is.
    pub(crate) fn language_at(&self, syntax: &Syntax, id: NodeId) -> QueryLanguage {
        let state = self.state_around(syntax, id);
        let state = state.and_then(|state| self.states.get(state));
        let scope = || self.scopes.get(self.scope_around(syntax, id)?);
        state
            .map(|state| state.language)
            .or_else(|| scope().map(|scope| scope.language))
            .unwrap_or_default()
    }
}

/// Returns true if an object of another file has the fields of a machine.
fn is_machine(syntax: &Syntax, id: NodeId) -> bool {
    let mut has_start = false;
    let mut has_states = false;
    for child in syntax.children(id) {
        let kind = syntax.node(child).map(|node| node.kind);
        match syntax.name(child).as_ref() {
            "StartAt" => has_start = matches!(kind, Some(Kind::Scalar(_) | Kind::Missing)),
            "States" => has_states = matches!(kind, Some(Kind::Object | Kind::Missing)),
            _ => {}
        }
    }
    has_start || has_states
}

fn language_of(syntax: &Syntax, object: NodeId) -> Option<QueryLanguage> {
    match syntax.text_of(object, "QueryLanguage")?.as_ref() {
        "JSONata" => Some(QueryLanguage::JSONata),
        "JSONPath" => Some(QueryLanguage::JSONPath),
        _ => None,
    }
}

fn state_type_named(text: &str) -> Option<StateType> {
    use StateType::{Choice, Fail, Map, Parallel, Pass, Succeed, Task, Wait};
    [Task, Wait, Pass, Succeed, Fail, Choice, Parallel, Map]
        .into_iter()
        .find(|it| it.as_str() == text)
}

#[cfg(test)]
mod tests {
    use crate::analysis::Analysis;
    use crate::outline::OccurrenceKind;
    use asl_model::{Options, parse_value, strategies};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// Checks that the outline of a valid definition has the same states and variables as the model.
        #[test]
        fn states_and_variables_are_those_of_the_model(definition in strategies::definition()) {
            let Ok((machine, _)) = parse_value(&definition, Options::default()) else {
                return Ok(());
            };
            let analysis = Analysis::new(&format!("{definition:#}"), false, true);
            prop_assert!(!analysis.syntax.is_broken());
            let states: BTreeSet<&str> = analysis.outline().states.iter().map(|it| it.name.as_str()).collect();
            let of_model = machine.all_states();
            let of_model: BTreeSet<&str> = of_model.iter().map(|(name, _)| name.as_str()).collect();
            prop_assert_eq!(states, of_model);
            let read = analysis.variables().occurrences.iter();
            let read = read.filter(|it| it.kind == OccurrenceKind::Read);
            let read: BTreeSet<&str> = read.map(|it| it.name.as_str()).collect();
            let of_model = machine.variable_references();
            let of_model: BTreeSet<&str> = of_model.into_values().flatten().collect();
            prop_assert_eq!(read, of_model);
        }
    }
}
