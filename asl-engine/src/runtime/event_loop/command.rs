//! Commands to an event loop.
use super::hosted::HostedExecution;
use crate::error_output::ErrorOutput;
use crate::runtime::ExecutionId;
use crate::{Answer, EffectId, SavedExecution, TaskError};
use tokio::sync::oneshot;

/// A command to an event loop.
#[derive(Debug)]
pub(in crate::runtime) enum Command {
    /// An execution that this loop is to run.
    Begin(Box<HostedExecution>),
    /// One that continues from a save.
    Resume(Box<HostedExecution>),
    /// Requests a save of an execution; None if it does not run.
    Save {
        id: ExecutionId,
        saved: oneshot::Sender<Option<SavedExecution>>,
    },
    Stop {
        id: ExecutionId,
        error_output: ErrorOutput,
    },
    Task {
        execution: ExecutionId,
        id: EffectId,
        message: TaskMessage,
        /// True if someone waited for it.
        known: oneshot::Sender<bool>,
    },
    ShutDown,
}

/// A message about a task, with its token.
#[derive(Debug)]
pub(in crate::runtime) enum TaskMessage {
    Answer(Result<Answer, TaskError>),
    Heartbeat,
}
