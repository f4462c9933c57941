//! Failures.
use super::Evaluation;
use crate::EvaluationError;
use crate::value::{Value, View};
use serde_json::Value as Json;

/// Result of an evaluation; the error is boxed, so that values are small.
pub(crate) type Outcome<T> = Result<T, Failure>;

/// An error on its way out.
pub(crate) type Failure = Box<EvaluationError>;

/// An error that gets its position from the call or the operator that it happens in.
pub(crate) fn failure(code: &'static str, message: impl Into<String>) -> Failure {
    Box::new(EvaluationError {
        code,
        message: message.into(),
        position: None,
    })
}

impl EvaluationError {
    /// Returns the error with a position, if it has none yet.
    pub(crate) fn at(mut self: Box<Self>, position: u32) -> Box<Self> {
        self.position.get_or_insert(position as usize);
        self
    }
}

impl<'a> Evaluation<'a, '_> {
    /// Returns a value as messages show it.
    ///
    /// # Errors
    ///
    /// It is larger than the evaluation may make.
    pub(crate) fn quoted(&mut self, value: &Value<'a>) -> Outcome<String> {
        let json = match value.view() {
            // The reference shows infinite numbers so.
            View::Number(number) if !number.is_finite() => Some(Json::Null),
            _ => self.json(value)?,
        };
        Ok(json.map_or_else(|| String::from("undefined"), |json| json.to_string()))
    }
}
