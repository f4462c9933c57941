//! What a failure says of itself.

/// An Error Name and a cause: what a state, a task or an execution that failed reports (2024 specification, Error Output).
///
/// ```
/// use asl_engine::ErrorOutput;
///
/// let error_output = ErrorOutput::new("CardRefused", "expired");
/// assert_eq!(error_output.error.as_deref(), Some("CardRefused"));
/// assert_eq!(ErrorOutput::without_cause("CardRefused").cause, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct ErrorOutput {
    /// The Error Name, which Retry and Catch go by; the service shows some failures without.
    pub error: Option<String>,
    /// For people.
    pub cause: Option<String>,
}

impl ErrorOutput {
    /// With an Error Name and a cause.
    pub fn new(error: impl Into<String>, cause: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            cause: Some(cause.into()),
        }
    }

    /// With an Error Name alone.
    pub fn without_cause(error: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            cause: None,
        }
    }

    /// With a cause alone.
    pub fn without_name(cause: impl Into<String>) -> Self {
        Self {
            error: None,
            cause: Some(cause.into()),
        }
    }
}
