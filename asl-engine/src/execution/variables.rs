//! State machine variables (2024 specification, Variable Scope).
//!
//! Each flow has the variables of its own scope. Inner scopes read the outer ones through the flows that own them, so
//! a branch or an iteration starts without copying any; none can write an outer one, nor see that of a sibling.
use super::data::Data;
use super::flow::{FlowId, Flows};
use super::measure::Measure;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of a variable, shared by the expressions that pass it on as it is.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct Variable {
    pub(crate) value: Arc<Value>,
    pub(crate) measure: Measure,
}

impl Variable {
    /// The value as data of a state.
    pub(crate) fn data(&self) -> Data {
        Data::of_shared(Arc::clone(&self.value), self.measure)
    }
}

/// Variables with their new values, in the order of "Assign".
pub(crate) type Assigned = Vec<(Arc<str>, Variable)>;

/// The variables of one scope; most scopes have none.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct ScopeVariables(BTreeMap<Arc<str>, Variable>);

impl ScopeVariables {
    fn get(&self, name: &str) -> Option<&Variable> {
        self.0.get(name)
    }

    /// Bytes of all values.
    pub(super) fn bytes(&self) -> u64 {
        self.0.values().map(|variable| variable.measure.bytes).sum()
    }
}

/// The variables that the state of a flow sees: of its own scope, then of each scope around it.
#[derive(Clone, Copy)]
pub(crate) struct VisibleVariables<'f> {
    flows: &'f Flows,
    flow: FlowId,
}

impl<'f> VisibleVariables<'f> {
    pub(crate) fn get(self, name: &str) -> Option<&'f Variable> {
        let mut id = Some(self.flow);
        while let Some(flow) = id.and_then(|id| self.flows.get(id)) {
            if let Some(variable) = flow.variables.get(name) {
                return Some(variable);
            }
            id = flow.owner.map(|owner| owner.flow);
        }
        None
    }
}

impl asl_jsonata::Variables for VisibleVariables<'_> {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.get(name).map(|variable| &*variable.value)
    }
}

impl Flows {
    pub(crate) fn visible_variables(&self, flow: FlowId) -> VisibleVariables<'_> {
        VisibleVariables { flows: self, flow }
    }

    /// Bytes that all variables take once `assigned` are those of the flow.
    pub(super) fn variable_bytes_after(&self, id: FlowId, assigned: &Assigned) -> u64 {
        let scope = self.get(id).map(|flow| &flow.variables);
        let replaced: u64 = assigned
            .iter()
            .filter_map(|(name, _)| scope?.get(name))
            .map(|variable| variable.measure.bytes)
            .sum();
        self.variable_bytes()
            .saturating_sub(replaced)
            .saturating_add(bytes(assigned))
    }

    /// Gives variables of the flow's own scope their new values: from the next state on they are seen.
    pub(super) fn assign(&mut self, id: FlowId, assigned: Assigned) {
        self.set_variable_bytes(self.variable_bytes_after(id, &assigned));
        if let Some(flow) = self.get_mut(id) {
            flow.variables.0.extend(assigned);
        }
    }
}

/// Bytes of the values.
pub(super) fn bytes(assigned: &Assigned) -> u64 {
    assigned
        .iter()
        .map(|(_, variable)| variable.measure.bytes)
        .sum()
}
