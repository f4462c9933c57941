//! Effects without an answer.
use asl_engine::model::IntegrationPattern;
use asl_engine::{Effect, PendingEffect, ResourceKind, TaskInvocation};
use std::sync::Arc;

/// An effect without an answer.
pub(super) struct InFlight {
    pub(super) pending: PendingEffect,
    /// Messages that it heard from outside.
    pub(super) heard: u64,
    /// The execution that it waits for.
    pub(super) nested: Option<Arc<str>>,
    /// True if a performer works at it.
    pub(super) is_performing: bool,
}

impl InFlight {
    pub(super) fn new(pending: PendingEffect) -> Self {
        Self {
            pending,
            heard: 0,
            nested: None,
            is_performing: false,
        }
    }

    fn task(&self) -> Option<&Arc<TaskInvocation>> {
        match &self.pending.effect {
            Effect::Task(task) => Some(task),
            Effect::Storage(_) | Effect::Child(_) => None,
        }
    }

    pub(super) fn has_heartbeats(&self) -> bool {
        self.task()
            .is_some_and(|task| task.heartbeat_seconds.is_some())
    }

    /// Returns true if anybody outside may say something of it: then Restate keeps a place for that, which costs entries of
    /// the journal.
    pub(super) fn is_open(&self) -> bool {
        self.task().is_some_and(|task| {
            let answers_later = match &task.resource.kind {
                ResourceKind::Activity => true,
                ResourceKind::Integration(it) => it.pattern != IntegrationPattern::RequestResponse,
                _ => false,
            };
            answers_later || task.task_token.is_some() || task.heartbeat_seconds.is_some()
        })
    }
}
