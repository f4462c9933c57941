//! What the holders of a runtime want of an event loop.
use super::hosted::EndedExecution;
use crate::runtime::ExecutionId;
use crate::{Answer, EffectId, Program, Start, TaskError};
use tokio::sync::oneshot;

/// What the holder of a runtime wants.
#[derive(Debug)]
pub(in crate::runtime) enum Command {
    Start(Box<StartCommand>),
    Stop {
        id: ExecutionId,
        error: Option<String>,
        cause: Option<String>,
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

#[derive(Debug)]
pub(in crate::runtime) struct StartCommand {
    pub(in crate::runtime) id: ExecutionId,
    pub(in crate::runtime) program: Program,
    pub(in crate::runtime) start: Start,
    pub(in crate::runtime) ended: oneshot::Sender<Box<EndedExecution>>,
}

/// What is said of a task by its token.
#[derive(Debug)]
pub(in crate::runtime) enum TaskMessage {
    Answer(Result<Answer, TaskError>),
    Heartbeat,
}
