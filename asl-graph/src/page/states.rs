//! Details of each state on a page.
use crate::diagram::{Mark, Node, Scope};
use crate::{Overlay, Visit};
use asl_model::{FieldOwner, FieldRole, StateType, nested_scopes};
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// Returns an object for each state, by its number in the picture.
pub(crate) fn describe_states(
    scope: &Scope,
    definition: &Value,
    overlay: Option<&Overlay>,
) -> Value {
    let definitions = definitions(definition);
    let mut known = HashSet::new();
    let mut states = Vec::new();
    let mut open = vec![scope.nodes.iter()];
    while let Some(nodes) = open.last_mut() {
        let Some(node) = nodes.next() else {
            open.pop();
            continue;
        };
        if known.insert(&node.name) {
            let definition = definitions.get(node.name.as_str()).copied();
            states.push(state(node, definition, overlay));
        }
        open.extend(node.scopes.iter().rev().map(|scope| scope.nodes.iter()));
    }
    Value::Array(states)
}

fn state(node: &Node, definition: Option<&Value>, overlay: Option<&Overlay>) -> Value {
    let text = definition.map(|it| format!("{:#}", without_states(it)));
    let visit = overlay.and_then(|overlay| overlay.visit_of(&node.name));
    json!({
        "name": node.name,
        "type": node.state_type.map(StateType::as_str),
        "detail": node.detail,
        "comment": definition.and_then(|it| it.get("Comment")),
        "definition": text,
        "faults": node.faults,
        "mark": node.mark.map(Mark::class),
        "visit": visit.map(described),
        "count": overlay.and_then(|overlay| overlay.count_of(&node.name)),
    })
}

fn described(visit: Visit) -> &'static str {
    match visit {
        Visit::Passed => "passed",
        Visit::Stopped => "entered, and not left",
        Visit::Failed => "failed",
        Visit::Unknown => "not known",
        Visit::Partly => "partly tested",
    }
}

/// Returns the definition of each state by name; the first one if several have the same name.
fn definitions(definition: &Value) -> HashMap<&str, &Value> {
    let mut found = HashMap::new();
    let mut open = vec![definition];
    while let Some(machine) = open.pop() {
        let states = machine.get("States").and_then(Value::as_object);
        let mut inner = Vec::new();
        for (name, state) in states.into_iter().flatten() {
            found.entry(name.as_str()).or_insert(state);
            inner.extend(nested_scopes(state).map(|one| one.scope));
        }
        open.extend(inner.into_iter().rev());
    }
    found
}

/// Returns a state with only the names of nested states, which have their own details.
fn without_states(state: &Value) -> Value {
    let Value::Object(fields) = state else {
        return state.clone();
    };
    let cut = |machine: &Value| match machine {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| match (name.as_str(), value) {
                ("States", Value::Object(states)) => {
                    let names = states.keys().map(|name| (name.clone(), "…".into()));
                    (name.clone(), Value::Object(names.collect::<Map<_, _>>()))
                }
                _ => (name.clone(), value.clone()),
            })
            .collect(),
        other => other.clone(),
    };
    let role = |name: &str| FieldOwner::State(StateType::Pass).role(name);
    let fields = fields.iter().map(|(name, value)| {
        let value = match (role(name), value) {
            (Some(FieldRole::List(owner)), Value::Array(scopes)) if owner.is_scope() => {
                scopes.iter().map(cut).collect()
            }
            (Some(FieldRole::Object(owner)), scope) if owner.is_scope() => cut(scope),
            _ => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(fields.collect())
}
