//! What the holders of a runtime want of an event loop.
use super::hosted::Hosted;
use crate::error_output::ErrorOutput;
use crate::runtime::ExecutionId;
use crate::{Answer, EffectId, SavedExecution, TaskError};
use tokio::sync::oneshot;

/// What the holder of a runtime wants.
#[derive(Debug)]
pub(in crate::runtime) enum Command {
    /// An execution that this loop is to run.
    Begin(Box<Hosted>),
    /// One that goes on from a save.
    Resume(Box<Hosted>),
    /// To be told what an execution is now; none where it does not run.
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
        /// Whether someone waited for it.
        known: oneshot::Sender<bool>,
    },
    ShutDown,
}

/// What is said of a task by its token.
#[derive(Debug)]
pub(in crate::runtime) enum TaskMessage {
    Answer(Result<Answer, TaskError>),
    Heartbeat,
}
