//! Results of effects.
mod protocol;
mod task_error;

pub use task_error::{IntoTaskError, OrError, TaskError};

use crate::StorageResult;
use serde_json::Value;

/// The result of an effect.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
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
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
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
