//! The link between a performer and the event loop.
use super::EventLoops;
use crate::database::row::RowId;
use asl_backend::Cancellation;
use asl_engine::runtime::{BoxFuture, EffectHost, PerformResult, RunningExecution};
use asl_engine::{EffectId, Timestamp};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

/// A message of a performer about its effect.
pub(crate) enum EffectMessage {
    /// It has answered.
    Answered(PerformResult),
    /// It is alive.
    Heartbeat,
    /// It has handed the task on.
    Submitted(Value),
}

/// The host of one effect, as the performer sees it.
pub(crate) struct Link {
    loops: Arc<EventLoops>,
    pub(crate) running: RunningExecution,
    pub(crate) row: RowId,
    pub(crate) id: EffectId,
    cancellation: Cancellation,
    was_submitted: AtomicBool,
}

impl Link {
    pub(crate) fn new(
        loops: Arc<EventLoops>,
        running: RunningExecution,
        row: RowId,
        id: EffectId,
    ) -> Arc<Self> {
        Arc::new(Self {
            loops,
            running,
            row,
            id,
            cancellation: Cancellation::default(),
            was_submitted: AtomicBool::new(false),
        })
    }

    /// Sends the event loop a message about its effect.
    pub(crate) fn send(&self, message: EffectMessage) {
        self.loops.send_of_effect(self.row, self.id, message);
    }

    /// Cancels the effect.
    pub(crate) fn cancel(&self) {
        self.cancellation.cancel();
    }
}

impl EffectHost for Link {
    fn execution(&self) -> &RunningExecution {
        &self.running
    }

    fn now(&self) -> Timestamp {
        self.loops.shared.clock.now()
    }

    fn token(&self) -> String {
        self.loops
            .shared
            .tokens
            .token(&self.running.identity, self.id)
    }

    fn heartbeat(&self) {
        self.send(EffectMessage::Heartbeat);
    }

    fn submit(&self, output: Value) {
        if !self.was_submitted.swap(true, Ordering::AcqRel) {
            self.send(EffectMessage::Submitted(output));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    fn poll_cancelled(&self, context: &mut Context<'_>) -> Poll<()> {
        self.cancellation.poll_cancelled(context)
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
