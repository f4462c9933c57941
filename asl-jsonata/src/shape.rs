//! Names and merges of [`Plan`] by themselves.
use crate::{Environment, EvaluationError, Expression, Plan, StatesField};
use serde_json::Value;

/// `$states.input.order.id`: names alone, from a field of `$states` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatesPath<'e> {
    /// The field of `$states`.
    pub field: StatesField,
    /// The names after it.
    pub names: Vec<&'e str>,
}

/// `$merge([$states.input, {…}])`: a field of `$states` with other fields set in it.
#[derive(Debug)]
pub struct StatesMerge<'e> {
    /// The field of `$states`.
    pub field: StatesField,
    expression: &'e Expression,
}

impl StatesMerge<'_> {
    /// The object of the fields that are set, as [`Expression::evaluate_rest`] gives it.
    ///
    /// # Errors
    ///
    /// As [`Expression::evaluate`].
    pub fn fields(
        &self,
        environment: &mut Environment<'_>,
    ) -> Result<Option<Value>, EvaluationError> {
        self.expression.evaluate_rest(environment)
    }
}

impl Expression {
    /// The names that the expression goes through, where it does no more than that: [`Plan::Field`] and [`Plan::Walk`].
    pub fn states_path(&self) -> Option<StatesPath<'_>> {
        match self.plan() {
            Plan::Field(field) => Some(StatesPath {
                field: *field,
                names: Vec::new(),
            }),
            Plan::Walk(field, names) => Some(StatesPath {
                field: *field,
                names: names.iter().map(String::as_str).collect(),
            }),
            _ => None,
        }
    }

    /// What the expression merges, where it does no more than that: [`Plan::Merge`].
    pub fn states_merge(&self) -> Option<StatesMerge<'_>> {
        match self.plan() {
            Plan::Merge(field, _) => Some(StatesMerge {
                field: *field,
                expression: self,
            }),
            _ => None,
        }
    }
}
