//! Data that a call creates, counted in advance.
use super::Scope;
use crate::error::Failure;
use asl_path::json::Size;
use serde_json::{Map, Value};
use std::borrow::Cow;

impl<'v> Scope<'v, '_> {
    /// Pays for bytes that are about to be taken.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Failure<'v>> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.too_large()),
        }
    }

    /// Pays for so many values without their content.
    pub(super) fn charge_values(&mut self, count: usize) -> Result<(), Failure<'v>> {
        self.charge(count.saturating_mul(Size::VALUE))
    }

    /// Pays for a text that is a value.
    pub(super) fn charge_text(&mut self, bytes: usize) -> Result<(), Failure<'v>> {
        self.charge(Size::VALUE.saturating_add(bytes))
    }

    /// Pays for a copy.
    pub(super) fn charge_value(&mut self, value: &Value) -> Result<(), Failure<'v>> {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => self.charge(Size::VALUE),
            Value::String(text) => self.charge_text(text.len()),
            Value::Array(_) | Value::Object(_) => self.charge(Size::from_value(value).weight()),
        }
    }

    /// Pays for copies of fields.
    pub(super) fn charge_fields(&mut self, fields: &Map<String, Value>) -> Result<(), Failure<'v>> {
        for (name, value) in fields {
            self.charge(Size::FIELD.saturating_add(name.len()))?;
            self.charge_value(value)?;
        }
        Ok(())
    }

    /// Pays for what a JSON text stands for.
    pub(super) fn charge_json(&mut self, text: &str) -> Result<(), Failure<'v>> {
        self.charge(Size::from_text(text).weight())
    }

    /// Returns the value itself: a copy if it is part of the input.
    #[inline]
    pub(super) fn owned(&mut self, value: Cow<'v, Value>) -> Result<Value, Failure<'v>> {
        match value {
            Cow::Owned(made) => Ok(made),
            Cow::Borrowed(found) => {
                self.charge_value(found)?;
                Ok(found.clone())
            }
        }
    }

    /// Returns the limits for evaluating a path.
    pub(super) fn path_limits(&self) -> asl_path::EvaluationLimits {
        let paths = self.limits.paths;
        let used = self.steps.get().saturating_sub(self.steps_before);
        paths
            .with_max_memory(paths.max_memory.min(self.left))
            .with_max_steps(paths.max_steps.saturating_sub(used))
    }

    #[cold]
    pub(super) fn too_large(&self) -> Failure<'v> {
        Failure::TooLarge {
            limit: self.limits.max_memory,
        }
    }
}
