//! Errors and causes of failures.
use crate::error_names;

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
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct ErrorOutput {
    /// The Error Name, which Retry and Catch go by; the service shows some failures without.
    pub error: Option<String>,
    /// Cause, for people.
    pub cause: Option<String>,
}

impl ErrorOutput {
    /// Creates an Error Output with an Error Name and a cause.
    pub fn new(error: impl Into<String>, cause: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            cause: Some(cause.into()),
        }
    }

    /// Creates an Error Output with an Error Name only.
    pub fn without_cause(error: impl Into<String>) -> Self {
        Self {
            error: Some(error.into()),
            cause: None,
        }
    }

    /// Returns the specification's error name for an error that the service reports under another name, determined from the
    /// cause: a Choice State without a match, a failed intrinsic function, a path without a value in a Payload Template or
    /// an ItemsPath. None for other failures.
    ///
    /// ```
    /// use asl_engine::ErrorOutput;
    ///
    /// let cause = "An error occurred while executing the state 'C' (entered at the event id #2). Failed to transition out of \
    ///              the state. The state does not point to a next state.";
    /// let error_output = ErrorOutput::new("States.Runtime", cause);
    /// assert_eq!(error_output.specified_error(), Some("States.NoChoiceMatched"));
    /// assert_eq!(ErrorOutput::new("CardRefused", cause).specified_error(), None);
    /// ```
    pub fn specified_error(&self) -> Option<&'static str> {
        let cause = self.cause.as_deref()?;
        let (_, detail) = cause.split_once("(entered at the event id #")?;
        let (_, detail) = detail.split_once("). ")?;
        let begins = |with: &str| detail.starts_with(with);
        match self.error.as_deref()? {
            error_names::RUNTIME => {}
            error_names::REFERENCE_PATH_CONFLICT if begins("Unable to apply step ") => {
                return Some(error_names::RUNTIME);
            }
            _ => return None,
        }
        if begins("Failed to transition out of the state.") {
            Some(error_names::NO_CHOICE_MATCHED)
        } else if begins("There was an error while evaluating the intrinsic function:")
            || begins("The function '")
        {
            Some(error_names::INTRINSIC_FAILURE)
        } else if begins("The JSONPath '") && detail.contains(".$' could not be found in the input")
        {
            Some(error_names::PARAMETER_PATH_FAILURE)
        } else {
            None
        }
    }

    /// Returns true if a limit of the service that the specification does not have ended the execution: on payloads,
    /// variables, events or expressions. It is determined from the cause.
    ///
    /// ```
    /// use asl_engine::ErrorOutput;
    ///
    /// let cause = "The execution reached the maximum number of history events (25000).";
    /// assert!(ErrorOutput::new("States.Runtime", cause).is_limit_of_the_service());
    /// assert!(!ErrorOutput::new("Mine", cause).is_limit_of_the_service());
    /// ```
    pub fn is_limit_of_the_service(&self) -> bool {
        let cause = self.cause.as_deref().unwrap_or_default();
        match self.error.as_deref() {
            Some(error_names::DATA_LIMIT_EXCEEDED) => {
                cause.contains(" exceeding the maximum ")
                    || cause.starts_with("The variables of the execution exceed the maximum ")
            }
            Some(error_names::RUNTIME) => {
                cause.starts_with("The execution reached the maximum number of history events")
            }
            Some(error_names::QUERY_EVALUATION_ERROR) => [
                "Expression evaluation memory limit exceeded:",
                "Stack overflow error:",
            ]
            .iter()
            .any(|limit| cause.contains(limit)),
            _ => false,
        }
    }

    /// Creates an Error Output with a cause only.
    pub fn without_name(cause: impl Into<String>) -> Self {
        Self {
            error: None,
            cause: Some(cause.into()),
        }
    }
}
