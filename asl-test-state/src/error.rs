//! Errors with which the service refuses a request.
use serde_json::{Value, json};
use std::fmt;

/// The code and message with which a request is refused.
///
/// ```
/// use asl_test_state::{TestStateError, TestStateErrorCode};
///
/// let error = TestStateError::validation("State not found in definition");
/// assert_eq!(error.code, TestStateErrorCode::ValidationException);
/// assert_eq!(error.to_value()["Error"]["Code"], "ValidationException");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
#[non_exhaustive]
pub struct TestStateError {
    /// The error code.
    pub code: TestStateErrorCode,
    /// Message of the service.
    pub message: String,
}

/// The errors of the TestState API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum TestStateErrorCode {
    /// A member of the request that is wrong, or does not go with another.
    ValidationException,
    /// A definition with faults, or of a state that cannot be tested like this.
    InvalidDefinition,
    /// An input that is not JSON.
    InvalidExecutionInput,
    /// A role that is no ARN.
    InvalidArn,
}

impl TestStateErrorCode {
    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ValidationException => "ValidationException",
            Self::InvalidDefinition => "InvalidDefinition",
            Self::InvalidExecutionInput => "InvalidExecutionInput",
            Self::InvalidArn => "InvalidArn",
        }
    }
}

impl fmt::Display for TestStateErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl TestStateError {
    /// Creates a ValidationException.
    pub fn validation(message: impl Into<String>) -> Self {
        Self {
            code: TestStateErrorCode::ValidationException,
            message: message.into(),
        }
    }

    /// Creates an InvalidDefinition.
    pub fn definition(message: impl Into<String>) -> Self {
        Self {
            code: TestStateErrorCode::InvalidDefinition,
            message: message.into(),
        }
    }

    /// `{"Error": {"Code": …, "Message": …}}`, as SDKs show an error.
    pub fn to_value(&self) -> Value {
        json!({ "Error": { "Code": self.code.as_str(), "Message": self.message } })
    }
}
