//! Visible variables of a flow's state (2024 specification, Variable Scope).
use super::flow::Flows;
use super::ids::Owner;
use super::scope::ScopeVariables;
use crate::execution::evaluate::{Variable, VisibleVariables};

/// The variables that the state of a flow sees.
pub(crate) struct Scopes<'f> {
    pub(crate) own: &'f ScopeVariables,
    pub(crate) owner: Option<Owner>,
    pub(crate) flows: &'f Flows,
}

impl VisibleVariables for Scopes<'_> {
    fn get(&self, name: &str) -> Option<&Variable> {
        if let Some(variable) = self.own.get(name) {
            return Some(variable);
        }
        let mut owner = self.owner;
        while let Some(flow) = owner.and_then(|owner| self.flows.get(owner.flow)) {
            if let Some(variable) = flow.variables.get(name) {
                return Some(variable);
            }
            owner = flow.owner;
        }
        None
    }
}
