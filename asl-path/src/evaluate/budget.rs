//! Resources of an evaluation, counted in advance, so that the same evaluation always ends in the same way.
use crate::ast::Segment;
use crate::error::QueryErrorKind;
use crate::json::Size;
use crate::{EvaluationLimits, QueryError};
use serde_json::Value;
use std::cell::Cell;

/// The remaining budget.
pub(super) struct Budget {
    limits: EvaluationLimits,
    steps: Cell<u64>,
    memory: Cell<usize>,
}

/// Bytes of text that cost a step.
pub(super) const TEXT_PER_STEP: usize = 64;

/// Size in bytes of a value, and of a value with its name. The sizes are the same on every machine, so that evaluations are
/// reproducible.
const VALUE: usize = 72;
const FIELD: usize = 2 * VALUE;

impl Budget {
    pub(super) fn new(limits: EvaluationLimits) -> Self {
        Self {
            limits,
            steps: Cell::new(limits.max_steps),
            memory: Cell::new(limits.max_memory),
        }
    }

    /// Steps paid for so far.
    pub(super) fn steps_used(&self) -> u64 {
        self.limits.max_steps - self.steps.get()
    }

    /// Pays for nodes looked at.
    #[inline]
    pub(super) fn charge_steps(&self, count: usize) -> Result<(), QueryError> {
        match self.steps.get().checked_sub(count as u64) {
            Some(left) => {
                self.steps.set(left);
                Ok(())
            }
            None => Err(self.out_of_steps()),
        }
    }

    /// Pays for reading text.
    #[inline]
    pub(super) fn charge_text(&self, bytes: usize) -> Result<(), QueryError> {
        match bytes / TEXT_PER_STEP {
            0 => Ok(()),
            steps => self.charge_steps(steps),
        }
    }

    /// Pays for bytes that are about to be taken.
    #[inline]
    pub(super) fn charge_memory(&self, bytes: usize) -> Result<(), QueryError> {
        match self.memory.get().checked_sub(bytes) {
            Some(left) => {
                self.memory.set(left);
                Ok(())
            }
            None => Err(self.out_of_memory()),
        }
    }

    /// Pays for so many values without their content, such as nodes that are remembered.
    #[inline]
    pub(super) fn charge_values(&self, count: usize) -> Result<(), QueryError> {
        self.charge_memory(count.saturating_mul(VALUE))
    }

    /// Pays for a copy.
    pub(super) fn charge_copy(&self, value: &Value) -> Result<(), QueryError> {
        self.charge_values(1)?;
        self.charge_content(value)
    }

    /// Pays for a copy to a place that was paid for.
    #[inline]
    pub(super) fn charge_content(&self, value: &Value) -> Result<(), QueryError> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
            Value::String(text) => self.charge_memory(text.len()),
            Value::Array(_) | Value::Object(_) => {
                self.charge_memory(bytes(Size::from_value(value)) - VALUE)
            }
        }
    }

    /// Charges for describing where a path of so many segments ended. Filters often discard the description.
    #[cold]
    pub(super) fn charge_fault(
        &self,
        segments: &[Segment],
        at: usize,
        node: &Value,
    ) -> Result<(), QueryError> {
        self.charge_steps(segments.len())?;
        match segments.get(at) {
            // The node is not shown.
            Some(Segment::Field { .. } | Segment::Fields { .. }) => Ok(()),
            _ => self.charge_copy(node),
        }
    }

    /// Pays for looking at all of a value.
    pub(super) fn charge_reading(&self, value: &Value) -> Result<(), QueryError> {
        match value {
            Value::Array(_) | Value::Object(_) => {
                let size = Size::from_value(value);
                self.charge_steps(size.values)?;
                self.charge_text(bytes(size))
            }
            scalar => self.charge_text(text_of(scalar)),
        }
    }

    #[cold]
    fn out_of_steps(&self) -> QueryError {
        self.steps.set(0);
        let limit = self.limits.max_steps;
        QueryError::new(
            QueryErrorKind::Limit,
            format!("the evaluation takes too long: more than {limit} steps"),
        )
    }

    #[cold]
    fn out_of_memory(&self) -> QueryError {
        self.memory.set(0);
        let limit = self.limits.max_memory;
        QueryError::new(
            QueryErrorKind::Limit,
            format!("the evaluation makes too much data: more than {limit} bytes"),
        )
    }
}

fn text_of(value: &Value) -> usize {
    value.as_str().map_or(0, str::len)
}

/// Bytes that a value of this size takes.
fn bytes(size: Size) -> usize {
    size.values * VALUE + size.fields * (FIELD - VALUE) + size.text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_of_a_value_counts() {
        let counted = Size::from_value(&json!({"a": [1, "xyz"], "bc": {}}));
        assert_eq!(counted.values, 5);
        assert_eq!(bytes(counted), VALUE + 2 * FIELD + 3 + 2 * VALUE + 3);
        assert_eq!(bytes(Size::from_value(&json!("xyz"))), VALUE + 3);
    }

    #[test]
    fn what_is_left_ends_exactly() {
        let budget = Budget::new(
            EvaluationLimits::default()
                .with_max_steps(3)
                .with_max_memory(VALUE + 3),
        );
        assert!(budget.charge_steps(2).is_ok() && budget.charge_text(TEXT_PER_STEP).is_ok());
        let error = budget.charge_steps(1).unwrap_err();
        assert!(error.is_limit() && !error.is_not_found());
        assert_eq!(
            error.to_string(),
            "the evaluation takes too long: more than 3 steps"
        );
        assert!(budget.charge_copy(&json!("abc")).is_ok());
        let error = budget.charge_memory(1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the evaluation makes too much data: more than 75 bytes"
        );
    }
}
