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

impl ExecutionEnd {
    /// Creates the end of an execution without its output, which need not be printed.
    pub fn without_output(outcome: &Outcome) -> Self {
        let (status, error_output) = match outcome {
            Outcome::Succeeded(_) => (ExecutionStatus::Succeeded, ErrorOutput::default()),
            Outcome::Failed(error) => (ExecutionStatus::Failed, error.clone()),
            Outcome::TimedOut => (ExecutionStatus::TimedOut, ErrorOutput::default()),
            Outcome::Aborted(error) => (ExecutionStatus::Aborted, error.clone()),
        };
        Self {
            status,
            output: None,
            error_output,
        }
    }
}

impl From<&Outcome> for ExecutionEnd {
    fn from(outcome: &Outcome) -> Self {
        Self {
            output: outcome.output().map(|output| printed(output).into()),
            ..Self::without_output(outcome)
        }
    }
}
