//! What a failure says of itself.
use crate::execution::names;

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

    /// The Error Name that the specification has for what the service reports as States.Runtime, told by the cause: of a
    /// Choice State without a match, of an intrinsic function that fails, of a path in a Payload Template that finds
    /// nothing. None for any other failure.
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
        let (Some(names::RUNTIME), Some(cause)) = (self.error.as_deref(), self.cause.as_deref())
        else {
            return None;
        };
        let (_, detail) = cause.split_once("(entered at the event id #")?;
        let (_, detail) = detail.split_once("). ")?;
        let begins = |with: &str| detail.starts_with(with);
        if begins("Failed to transition out of the state.") {
            Some(names::NO_CHOICE_MATCHED)
        } else if begins("There was an error while evaluating the intrinsic function:")
            || begins("The function '")
        {
            Some(names::INTRINSIC_FAILURE)
        } else if begins("The JSONPath '") && detail.contains(".$' could not be found in the input")
        {
            Some(names::PARAMETER_PATH_FAILURE)
        } else {
            None
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
