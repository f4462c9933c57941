//! The host of a task, as its performer sees it.
use super::kept::FakeState;
use asl_backend::Cancellation;
use asl_engine::runtime::{BoxFuture, EffectHost, ExecutionId, RunningExecution};
use asl_engine::{EffectId, Identity, Input, TaskTokens as _, Timestamp};
use serde_json::Value;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

pub(super) struct Link {
    shared: Arc<FakeState>,
    running: RunningExecution,
    arn: Arc<str>,
    id: EffectId,
    cancellation: Cancellation,
}

impl Link {
    pub(super) fn new(
        shared: &Arc<FakeState>,
        identity: &Arc<Identity>,
        id: EffectId,
    ) -> Arc<Self> {
        let number = ExecutionId::new(0);
        Arc::new(Self {
            shared: Arc::clone(shared),
            running: RunningExecution {
                id: number,
                root: number,
                identity: Arc::clone(identity),
                child: None,
            },
            arn: identity.execution_arn().into(),
            id,
            cancellation: Cancellation::default(),
        })
    }

    pub(super) fn cancel(&self) {
        self.cancellation.cancel();
    }
}

impl EffectHost for Link {
    fn execution(&self) -> &RunningExecution {
        &self.running
    }

    fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    fn token(&self) -> String {
        self.shared.tokens.token(&self.running.identity, self.id)
    }

    fn heartbeat(&self) {
        let id = self.id;
        self.shared.apply(&self.arn, Input::TaskHeartbeat { id });
    }

    fn submit(&self, output: Value) {
        let submission = |pending: &mut asl_engine::PendingEffect| {
            pending.record_submission(output).into_iter().collect()
        };
        self.shared.apply_to_effect(&self.arn, self.id, submission);
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
