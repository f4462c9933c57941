//! Variables as expressions and paths see them (2024 specification, Variable Scope).
use crate::data::{Data, Measure};
use serde_json::Value;
use std::sync::Arc;

/// The value of a variable, shared by the expressions that pass it on as it is.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub(crate) value: Arc<Value>,
    pub(crate) measure: Measure,
}

impl Variable {
    /// Returns the value as data of a state.
    pub(crate) fn data(&self) -> Data {
        Data::shared(Arc::clone(&self.value), self.measure)
    }
}

/// The variables that a state sees: of its own scope, then of each scope around it.
pub(crate) trait VisibleVariables {
    fn get(&self, name: &str) -> Option<&Variable>;
}

/// The same for expressions.
pub(super) struct ExpressionVariables<'v>(pub(super) &'v dyn VisibleVariables);

impl asl_jsonata::Variables for ExpressionVariables<'_> {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.0.get(name).map(|variable| &*variable.value)
    }
}

/// A new value of a variable from "Assign".
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) name: Arc<str>,
    pub(crate) change: Change,
    /// Of the whole value after the change.
    pub(crate) measure: Measure,
}

/// The change of a variable.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// By another value.
    Set(Arc<Value>),
    /// By elements put behind those that it has: in place, where nothing else shares the value.
    Append(Vec<Value>),
}

/// The changes of one "Assign", in its order.
pub(crate) type Assignments = Vec<Assignment>;
