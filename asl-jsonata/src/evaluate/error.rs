//! Failures.
use crate::EvaluationError;

/// What an evaluation returns; the error is boxed, so that values travel cheaply.
pub(crate) type Outcome<T> = Result<T, Box<EvaluationError>>;

/// An error that gets its position from the call or the operator that it happens in.
pub(crate) fn failure(code: &'static str, message: impl Into<String>) -> Box<EvaluationError> {
    Box::new(EvaluationError {
        code,
        message: message.into(),
        position: None,
    })
}
