//! Outcomes of executions.
use crate::error_output::ErrorOutput;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The outcome of an execution.
///
/// ```
/// use asl_engine::{ErrorOutput, Outcome};
/// use serde_json::json;
///
/// let outcome = Outcome::Succeeded(json!(42).into());
/// assert_eq!(outcome.into_result(), Ok(json!(42).into()));
///
/// let outcome = Outcome::Failed(ErrorOutput::new("CardRefused", "expired"));
/// let failure = outcome.into_result().unwrap_err();
/// assert_eq!(failure.status, "FAILED");
/// assert_eq!(failure.to_string(), "the execution failed: CardRefused: expired");
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum Outcome {
    /// The execution succeeded with an output.
    Succeeded(#[serde(with = "crate::saved::shared_text")] Arc<Value>),
    /// The execution failed with an uncaught error. Both parts can be missing (a Fail State without them).
    Failed(ErrorOutput),
    /// The machine's own TimeoutSeconds passed; the service reports neither error nor cause.
    TimedOut,
    /// Stopped from outside, with the error and cause of the request.
    Aborted(ErrorOutput),
}

impl Outcome {
    /// Returns the service's word: SUCCEEDED, FAILED, TIMED_OUT or ABORTED.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Succeeded(_) => "SUCCEEDED",
            Self::Failed(_) => "FAILED",
            Self::TimedOut => "TIMED_OUT",
            Self::Aborted(_) => "ABORTED",
        }
    }

    /// Returns the output of an execution that succeeded.
    pub fn output(&self) -> Option<&Arc<Value>> {
        match self {
            Self::Succeeded(output) => Some(output),
            Self::Failed(_) | Self::TimedOut | Self::Aborted(_) => None,
        }
    }

    /// Returns the error and cause, if the execution did not succeed.
    pub fn failure(&self) -> Option<Failure> {
        self.clone().into_result().err()
    }

    /// Returns the output, or the reason for its absence.
    ///
    /// # Errors
    /// Returns an error if the execution did not succeed.
    pub fn into_result(self) -> Result<Arc<Value>, Failure> {
        let status = self.status();
        let ErrorOutput { error, cause } = match self {
            Self::Succeeded(output) => return Ok(output),
            Self::Failed(error_output) | Self::Aborted(error_output) => error_output,
            Self::TimedOut => ErrorOutput::default(),
        };
        Err(Failure {
            status,
            error,
            cause,
        })
    }
}

/// The reason why an execution has no output. `{:?}` prints the same text as `{}`, so that an error that leaves `main` is
/// readable.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Failure {
    /// The service's word: FAILED, TIMED_OUT or ABORTED.
    pub status: &'static str,
    /// The Error Name.
    pub error: Option<String>,
    /// The human-readable cause.
    pub cause: Option<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.status {
            "TIMED_OUT" => "the execution timed out",
            "ABORTED" => "the execution was stopped",
            _ => "the execution failed",
        })?;
        for part in [&self.error, &self.cause].into_iter().flatten() {
            write!(f, ": {part}")?;
        }
        Ok(())
    }
}

debug_as_display!(Failure);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_outcome_is_an_output_or_a_failure() {
        let output: Arc<Value> = json!([1]).into();
        let succeeded = Outcome::Succeeded(Arc::clone(&output));
        assert_eq!(succeeded.output(), Some(&output));
        assert_eq!(succeeded.failure(), None);
        assert_eq!(succeeded.into_result(), Ok(output));
        assert_eq!(Outcome::TimedOut.output(), None);
    }

    #[test]
    fn failures_read_as_sentences_by_both_formats() {
        let text = |text: &str| Some(text.to_owned());
        let (error, cause) = (text("E"), text("why"));
        let aborted = |error, cause| Outcome::Aborted(ErrorOutput { error, cause });
        let failed = |error, cause| Outcome::Failed(ErrorOutput { error, cause });
        for (outcome, expected) in [
            (
                failed(error.clone(), cause.clone()),
                "the execution failed: E: why",
            ),
            (failed(None, cause.clone()), "the execution failed: why"),
            (failed(error, None), "the execution failed: E"),
            (Outcome::TimedOut, "the execution timed out"),
            (aborted(None, cause), "the execution was stopped: why"),
            (aborted(None, None), "the execution was stopped"),
        ] {
            let failure = outcome.failure().expect("a failure");
            assert_eq!(failure.status, outcome.status());
            assert_eq!(failure.to_string(), expected);
            assert_eq!(format!("{failure:?}"), expected);
        }
    }
}
