//! The variables of scopes (2024 specification, Variable Scope).
//!
//! Each flow has the variables of its own scope. Inner scopes read the outer ones through the flows that own them, so
//! a branch or an iteration starts without copying any; none can write an outer one, nor see that of a sibling.
use crate::execution::evaluate::{Assignment, Assignments, Change, Variable};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The variables of one scope; most scopes have none.
#[derive(Debug, Default)]
pub(crate) struct ScopeVariables(BTreeMap<Arc<str>, Variable>);

impl ScopeVariables {
    pub(crate) fn get(&self, name: &str) -> Option<&Variable> {
        self.0.get(name)
    }

    /// Bytes of all values.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.values().map(|variable| variable.measure.bytes).sum()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Variable)> {
        self.0.iter()
    }

    /// Bytes of the values that others take the place of.
    pub(crate) fn replaced_bytes(&self, assigned: &Assignments) -> u64 {
        assigned
            .iter()
            .filter_map(|assignment| self.0.get(&assignment.name))
            .map(|variable| variable.measure.bytes)
            .sum()
    }

    /// The value that a variable is about to get.
    pub(crate) fn after(&self, assignment: &Assignment) -> Arc<Value> {
        match &assignment.change {
            Change::Set(value) => Arc::clone(value),
            Change::Append(elements) => {
                let held = self.0.get(&assignment.name);
                let mut value = held.map(|held| Arc::clone(&held.value)).unwrap_or_default();
                append(&mut value, elements.clone());
                value
            }
        }
    }

    /// Gives variables their new values: from the next state on they are seen.
    pub(crate) fn assign(&mut self, assigned: Assignments) {
        for assignment in assigned {
            let Assignment {
                name,
                change,
                measure,
            } = assignment;
            match change {
                Change::Set(value) => {
                    self.0.insert(name, Variable { value, measure });
                }
                Change::Append(elements) => {
                    if let Some(variable) = self.0.get_mut(&name) {
                        append(&mut variable.value, elements);
                        variable.measure = measure;
                    }
                }
            }
        }
    }
}

impl FromIterator<(Arc<str>, Variable)> for ScopeVariables {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Variable)>>(variables: I) -> Self {
        Self(variables.into_iter().collect())
    }
}

/// Puts elements behind those of an array, in place where nothing else shares it.
fn append(value: &mut Arc<Value>, elements: Vec<Value>) {
    if let Value::Array(array) = Arc::make_mut(value) {
        array.extend(elements);
    }
}

/// Bytes of the values after the changes.
pub(crate) fn bytes(assigned: &Assignments) -> u64 {
    assigned
        .iter()
        .map(|assignment| assignment.measure.bytes)
        .sum()
}
