//! Messages of workers about tasks, and the tasks that they receive.
use super::Payload;
use asl_engine::{Effect, ErrorOutput, PendingEffect, ResourceKind, TaskInvocation};
use std::sync::Arc;

/// A worker's message about a task, sent with its token.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum TaskReply {
    /// The task succeeded with this result.
    Success(Payload),
    /// The task failed.
    Failure(ErrorOutput),
    /// A heartbeat of the task.
    Heartbeat,
}

/// A task of an activity that a worker has taken.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct ActivityTask {
    /// Token with which the result is sent.
    pub token: Arc<str>,
    /// Effective input of the task, as JSON.
    pub input: Arc<str>,
}

/// Returns a task that a worker of an activity must do; None for any other effect.
pub fn activity_task(pending: &PendingEffect) -> Option<&Arc<TaskInvocation>> {
    match &pending.effect {
        Effect::Task(task) if matches!(task.resource.kind, ResourceKind::Activity) => Some(task),
        _ => None,
    }
}
