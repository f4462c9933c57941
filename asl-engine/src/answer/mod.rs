//! Results of effects.
mod protocol;

use crate::error_output::ErrorOutput;
use crate::{Input, StorageResult};
use serde_json::Value;
use std::fmt;

/// The result of an effect.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Result of a task.
    Task(TaskAnswer),
    /// Result of an object storage operation.
    Storage(StorageResult),
}

impl From<TaskAnswer> for Answer {
    fn from(answer: TaskAnswer) -> Self {
        Self::Task(answer)
    }
}

impl From<StorageResult> for Answer {
    fn from(result: StorageResult) -> Self {
        Self::Storage(result)
    }
}

/// The result of a task handler.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskAnswer {
    /// The task is done, with this result; one of `.sync` or `.waitForTaskToken` too, which then waits for no token.
    Completed(Value),
    /// The task was passed on, with this first answer. Its result comes later, by the task's token, through
    /// `RuntimeHandle::send_task_success` or `RuntimeHandle::send_task_failure`: the way of `.waitForTaskToken` and `.sync`.
    Submitted(Value),
}

impl From<Value> for TaskAnswer {
    fn from(output: Value) -> Self {
        Self::Completed(output)
    }
}

/// An error of a task: an error name and a cause.
///
/// Every `std::error::Error` becomes one by `?`: States.TaskFailed, with the error and its sources as the cause.
///
/// ```
/// use asl_engine::TaskError;
///
/// fn parse(text: &str) -> Result<u32, TaskError> {
///     Ok(text.parse::<u32>()?)
/// }
/// assert_eq!(parse("x").unwrap_err().to_string(), "States.TaskFailed: invalid digit found in string");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskError {
    /// The error and cause, as seen by Retry, Catch and readers.
    pub error_output: ErrorOutput,
    /// True if the execution is to end by it.
    pub(crate) fatal: bool,
}

/// The Error Name of a failure that has no better one (2024 specification, Error Names).
pub(crate) const TASK_FAILED: &str = "States.TaskFailed";

impl TaskError {
    /// Creates an error with an Error Name and a cause.
    pub fn new(error: impl Into<String>, cause: impl Into<String>) -> Self {
        Self {
            error_output: ErrorOutput::new(error, cause),
            fatal: false,
        }
    }

    /// States.TaskFailed, with a cause.
    pub fn failed(cause: impl Into<String>) -> Self {
        Self::new(TASK_FAILED, cause)
    }

    /// Creates an error with an Error Name only.
    pub fn without_cause(error: impl Into<String>) -> Self {
        Self {
            error_output: ErrorOutput::without_cause(error),
            fatal: false,
        }
    }

    /// Returns the input for the outermost execution, if the error must end it as a whole.
    pub fn failing_input(&self) -> Option<Input> {
        self.fatal.then(|| Input::Fail(self.error_output.clone()))
    }

    /// Fails the whole execution (with its parents): no Retry and no Catch sees it, the outcome is
    /// [`Failed`](crate::Outcome::Failed) with this error and cause.
    #[must_use]
    pub fn failing_the_execution(mut self) -> Self {
        self.fatal = true;
        self
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ErrorOutput { error, cause } = &self.error_output;
        f.write_str(error.as_deref().unwrap_or(TASK_FAILED))?;
        match cause {
            Some(cause) => write!(f, ": {cause}"),
            None => Ok(()),
        }
    }
}

impl<E: std::error::Error> From<E> for TaskError {
    fn from(error: E) -> Self {
        let mut cause = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            cause = format!("{cause}: {inner}");
            source = inner.source();
        }
        Self::failed(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_error_that_was_made_so_fails_the_execution() {
        let error = TaskError::new("E", "why");
        assert_eq!(error.failing_input(), None);
        let input = Input::Fail(ErrorOutput::new("E", "why"));
        assert_eq!(error.failing_the_execution().failing_input(), Some(input));
    }

    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] std::num::ParseIntError);

    #[test]
    fn an_error_becomes_a_failure_with_all_its_sources() {
        let error = TaskError::from(Outer("x".parse::<i32>().unwrap_err()));
        assert_eq!(
            error,
            TaskError::new(TASK_FAILED, "outer: invalid digit found in string")
        );
    }
}
