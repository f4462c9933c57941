//! What workers say of tasks, and what they are given.
use super::Payload;
use asl_engine::ErrorOutput;
use std::sync::Arc;

/// What a worker says of a task by its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskReply {
    /// It is done, with this result.
    Success(Payload),
    /// It failed.
    Failure(ErrorOutput),
    /// It is alive.
    Heartbeat,
}

/// A task of an activity that a worker has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityTask {
    /// By which it is answered.
    pub token: Arc<str>,
    /// Its effective input; JSON.
    pub input: Arc<str>,
}
