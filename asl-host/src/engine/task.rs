//! Messages of workers about tasks, and the tasks that they receive.
use super::Payload;
use asl_engine::ErrorOutput;
use std::sync::Arc;

/// A worker's message about a task, sent with its token.
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
