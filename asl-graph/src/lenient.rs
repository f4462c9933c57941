//! The outline of a definition that is refused: what there is of it.
use super::diagram::{Edges, Mark, Node, Scope};
use super::{EdgeKind, trial};
use asl_model::{Diagnostics, Severity, StateType, escaped_segment, nested_scopes};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Scopes within each other that are drawn: more are never accepted.
const MOST_NESTED: usize = 100;

/// Returns all scopes of a definition; None if it has no states at all.
pub(crate) fn outline(definition: &Value, faults: &Diagnostics) -> Option<Scope> {
    let machine = definition.as_object()?;
    let states = machine.get("States")?.as_object()?;
    if states.is_empty() && machine.get("StartAt").is_none_or(|it| !it.is_string()) {
        return None;
    }
    let outliner = Outliner {
        faults: faults_of_states(faults),
        query_language: machine.get("QueryLanguage"),
    };
    Some(outliner.scope(machine, &mut String::new(), 1))
}

/// Returns the problems by the JSON Pointer of their state.
fn faults_of_states(faults: &Diagnostics) -> HashMap<String, Vec<String>> {
    let mut by_state: HashMap<String, Vec<String>> = HashMap::new();
    for fault in faults.iter().filter(|it| it.severity == Severity::Error) {
        if let Some(state) = state_of(&fault.pointer()) {
            let told = by_state.entry(state.to_owned()).or_default();
            told.push(fault.message.clone());
        }
    }
    by_state
}

/// Returns the innermost state on the way of a JSON pointer.
fn state_of(pointer: &str) -> Option<&str> {
    let mut end = 0;
    let mut rest = pointer;
    loop {
        let scope = ["/ItemProcessor/", "/Iterator/"]
            .iter()
            .find_map(|field| rest.strip_prefix(field))
            .or_else(|| {
                rest.strip_prefix("/Branches/")?
                    .split_once('/')
                    .map(|(_, rest)| rest)
            });
        let states = match end {
            0 => rest.strip_prefix("/States/"),
            _ => scope.and_then(|scope| scope.strip_prefix("States/")),
        };
        let Some(states) = states else { break };
        let name = states.find('/').unwrap_or(states.len());
        end = pointer.len() - states.len() + name;
        rest = pointer.get(end..).unwrap_or_default();
    }
    pointer.get(..end).filter(|state| !state.is_empty())
}

struct Outliner<'v> {
    faults: HashMap<String, Vec<String>>,
    query_language: Option<&'v Value>,
}

/// Nodes of a scope by name; targets that are no states are added as they are found.
#[derive(Default)]
struct Nodes<'v> {
    numbers: HashMap<&'v str, usize>,
    list: Vec<Node>,
}

impl<'v> Nodes<'v> {
    /// Returns the number of a target.
    fn target(&mut self, name: &'v str) -> usize {
        let next = self.list.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.list.push(Node {
                name: name.to_owned(),
                state_type: None,
                detail: "no such state".to_owned(),
                retries: false,
                ends: false,
                scopes: Vec::new(),
                mark: Some(Mark::Missing),
                faults: Vec::new(),
            });
        }
        number
    }
}

impl<'v> Outliner<'v> {
    /// Returns a scope with all those within it.
    fn scope(
        &self,
        machine: &'v Map<String, Value>,
        pointer: &mut String,
        nesting: usize,
    ) -> Scope {
        let mut nodes = Nodes::default();
        let mut edges = Edges::default();
        let states = machine.get("States").and_then(Value::as_object);
        let length = pointer.len();
        for (name, state) in states.into_iter().flatten() {
            pointer.push_str("/States/");
            pointer.push_str(&escaped_segment(name));
            nodes.numbers.insert(name, nodes.list.len());
            nodes.list.push(self.node(name, state, pointer, nesting));
            pointer.truncate(length);
        }
        for (from, (_, state)) in states.into_iter().flatten().enumerate() {
            edges.start_state();
            for way in self.transitions(state) {
                let to = nodes.target(way.to);
                edges.add(from, to, way.kind, way.label);
            }
        }
        let start = machine.get("StartAt").and_then(Value::as_str);
        let mut scope = Scope {
            start: start.map(|name| nodes.target(name)),
            nodes: nodes.list,
            edges: edges.list,
        };
        mark_unreachable(&mut scope);
        scope
    }

    fn node(&self, name: &str, state: &'v Value, pointer: &mut String, nesting: usize) -> Node {
        let written = state.get("Type");
        let state_type = written.and_then(|it| serde_json::from_value(it.clone()).ok());
        let faults = self
            .faults
            .get(pointer.as_str())
            .cloned()
            .unwrap_or_default();
        let detail = match (state_type, written) {
            (Some(_), _) => trial::detail(state, self.query_language),
            (None, Some(Value::String(text))) => format!("unknown type {text}"),
            (None, _) => "no type".to_owned(),
        };
        Node {
            name: name.to_owned(),
            state_type,
            detail,
            retries: elements(state, "Retry").next().is_some(),
            ends: state_type == Some(StateType::Succeed)
                || state.get("End") == Some(&Value::Bool(true)),
            scopes: self.scopes(state, pointer, nesting),
            mark: (!faults.is_empty() || state_type.is_none()).then_some(Mark::Faulty),
            faults,
        }
    }

    /// Returns the nested scopes of a state.
    fn scopes(&self, state: &'v Value, pointer: &mut String, nesting: usize) -> Vec<Scope> {
        if nesting >= MOST_NESTED {
            return Vec::new();
        }
        let length = pointer.len();
        let mut scopes = Vec::new();
        for nested in nested_scopes(state) {
            if let Some(machine) = nested.scope.as_object() {
                pointer.push_str(&nested.pointer());
                scopes.push(self.scope(machine, pointer, nesting + 1));
                pointer.truncate(length);
            }
        }
        scopes
    }

    /// Returns the possible transitions of a state in order.
    fn transitions(&self, state: &'v Value) -> Vec<Way<'v>> {
        let mut ways = Vec::new();
        let mut add = |holder: &'v Value, field: &str, kind, label: Option<String>| {
            if let Some(to) = holder.get(field).and_then(Value::as_str) {
                ways.push(Way { to, kind, label });
            }
        };
        for rule in elements(state, "Choices") {
            let label = trial::rule(rule, state, self.query_language);
            add(rule, "Next", EdgeKind::Next, Some(label));
        }
        add(state, "Default", EdgeKind::Next, Some("default".to_owned()));
        add(state, "Next", EdgeKind::Next, None);
        for catcher in elements(state, "Catch") {
            let names = elements(catcher, "ErrorEquals").filter_map(Value::as_str);
            let label = names.collect::<Vec<_>>().join(", ");
            add(catcher, "Next", EdgeKind::Catch, Some(label));
        }
        ways
    }
}

/// A way to another state of the scope.
struct Way<'v> {
    to: &'v str,
    kind: EdgeKind,
    label: Option<String>,
}

/// The elements of a field that is an array.
fn elements<'v>(object: &'v Value, field: &str) -> impl Iterator<Item = &'v Value> {
    object
        .get(field)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

/// Marks the states that are unreachable from the first one, if there is a first one.
fn mark_unreachable(scope: &mut Scope) {
    let Some(start) = scope.start.filter(|start| !scope.is_missing(*start)) else {
        return;
    };
    let mut ways: Vec<Vec<usize>> = vec![Vec::new(); scope.nodes.len()];
    for edge in &scope.edges {
        if let Some(ways) = ways.get_mut(edge.from) {
            ways.push(edge.to);
        }
    }
    let mut is_reached = vec![false; scope.nodes.len()];
    let mut open = vec![start];
    while let Some(number) = open.pop() {
        if let Some(is_reached) = is_reached.get_mut(number)
            && !std::mem::replace(is_reached, true)
        {
            open.extend(ways.get(number).into_iter().flatten());
        }
    }
    let unreached = scope.nodes.iter_mut().zip(is_reached);
    let unreached =
        unreached.filter(|(node, is_reached)| !is_reached && node.mark != Some(Mark::Missing));
    for (node, _) in unreached {
        // That no way leads to it is not said twice.
        let others = node
            .faults
            .iter()
            .any(|fault| !fault.contains("not reachable"));
        node.mark = Some(if others || node.state_type.is_none() {
            Mark::Faulty
        } else {
            Mark::Unreachable
        });
        let gap = if node.detail.is_empty() { "" } else { ", " };
        node.detail.push_str(gap);
        node.detail.push_str("not reached");
    }
}
