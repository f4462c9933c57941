//! The host of a request, as the performer sees it.
use crate::execution::MacTokens;
use crate::runtime::{Clock, ExecutionId, RunningExecution, RuntimeHandle};
use crate::{Identity, TaskInvocation, TaskTokens};
use asl_model::Timestamp;
use futures::future::BoxFuture;
use serde_json::Value;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// The ways to talk with the host of one request while it is performed. Every host has one of its own; a performer calls
/// them through [`Task`](super::Task) and [`StorageTask`](super::StorageTask).
pub trait EffectHost: Send + Sync {
    /// Returns the execution that asks.
    fn execution(&self) -> &RunningExecution;

    /// Returns the present moment, as the execution goes by it.
    fn now(&self) -> Timestamp;

    /// Returns a token that names the task, where the execution itself gave it none.
    fn token(&self) -> String;

    /// The task is alive.
    fn heartbeat(&self);

    /// The task was passed on, with this first answer. Only the first is heard.
    fn submit(&self, output: Value);

    /// Returns true if the result is no longer needed.
    fn is_cancelled(&self) -> bool;

    /// Returns ready when the result is no longer needed. Until then it keeps the waker of the last call, or of several.
    fn poll_cancelled(&self, context: &mut Context<'_>) -> Poll<()>;

    /// Sleeps as the execution goes by the time.
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()>;

    /// Returns the runtime that runs the execution; None if it is another host.
    fn runtime(&self) -> Option<RuntimeHandle> {
        None
    }
}

/// No host: heartbeats and first answers go nowhere, nothing is cancelled, and time is the system's.
pub(super) struct DetachedHost {
    execution: RunningExecution,
    token: String,
}

impl DetachedHost {
    pub(super) fn new(invocation: &TaskInvocation) -> Self {
        let identity: &Arc<Identity> = &invocation.identity;
        let tokens = MacTokens::from_identity(None, identity);
        Self {
            execution: RunningExecution {
                id: ExecutionId::new(0),
                root: ExecutionId::new(0),
                identity: Arc::clone(identity),
                child: None,
            },
            token: tokens.token(identity, invocation.id),
        }
    }
}

impl EffectHost for DetachedHost {
    fn execution(&self) -> &RunningExecution {
        &self.execution
    }

    fn now(&self) -> Timestamp {
        Clock::real().now()
    }

    fn token(&self) -> String {
        self.token.clone()
    }

    fn heartbeat(&self) {}

    fn submit(&self, _output: Value) {}

    fn is_cancelled(&self) -> bool {
        false
    }

    fn poll_cancelled(&self, _context: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}
