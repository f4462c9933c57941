//! Ends of executions in the terms of the API.
use super::ExecutionStatus;
use asl_engine::{ErrorOutput, Outcome};
use asl_path::json::printed;
use std::sync::Arc;

/// The end of an execution in the terms of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct ExecutionEnd {
    /// The final status.
    pub status: ExecutionStatus,
    /// The output as JSON, if the execution succeeded.
    pub output: Option<Arc<str>>,
    /// The error and cause, if the execution did not succeed.
    pub error_output: ErrorOutput,
}

impl From<&Outcome> for ExecutionEnd {
    fn from(outcome: &Outcome) -> Self {
        let (status, error_output) = match outcome {
            Outcome::Succeeded(_) => (ExecutionStatus::Succeeded, ErrorOutput::default()),
            Outcome::Failed(error) => (ExecutionStatus::Failed, error.clone()),
            Outcome::TimedOut => (ExecutionStatus::TimedOut, ErrorOutput::default()),
            Outcome::Aborted(error) => (ExecutionStatus::Aborted, error.clone()),
        };
        let output = match outcome {
            Outcome::Succeeded(output) => Some(printed(output).into()),
            _ => None,
        };
        Self {
            status,
            output,
            error_output,
        }
    }
}
