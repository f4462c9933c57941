//! How an execution ended, in the words of the API.
use asl_engine::{ErrorOutput, Outcome};
use asl_host::engine::ExecutionStatus;
use asl_path::json::printed;
use std::sync::Arc;

/// The status, the output as JSON, and why there is none.
pub(crate) fn parts(outcome: &Outcome) -> (ExecutionStatus, Option<Arc<str>>, ErrorOutput) {
    match outcome {
        Outcome::Succeeded(output) => {
            let output = printed(output).into();
            (
                ExecutionStatus::Succeeded,
                Some(output),
                ErrorOutput::default(),
            )
        }
        Outcome::Failed(error) => (ExecutionStatus::Failed, None, error.clone()),
        Outcome::TimedOut => (ExecutionStatus::TimedOut, None, ErrorOutput::default()),
        Outcome::Aborted(error) => (ExecutionStatus::Aborted, None, error.clone()),
    }
}
