//! The link between a performer and its execution.
use super::names::EXECUTION;
use crate::messages::{ExternalEvent, ExternalMessage, JsonText, PerformRequest, Performable};
use crate::node::Node;
use crate::pauses::Pauses;
use asl_backend::Cancellation;
use asl_engine::runtime::{BoxFuture, EffectHost, ExecutionId, RunningExecution};
use asl_engine::{EffectId, TaskTokens, Timestamp};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

/// Before it is asked whether an effect is still waited for: most are answered by then.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The host of one effect, as the performer sees it.
pub(crate) struct Link {
    node: Arc<Node>,
    tokens: Arc<dyn TaskTokens>,
    running: RunningExecution,
    id: EffectId,
    is_open: bool,
    cancellation: Cancellation,
}

impl Link {
    pub(super) fn new(
        node: Arc<Node>,
        tokens: Arc<dyn TaskTokens>,
        request: &PerformRequest,
    ) -> Arc<Self> {
        // Numbers are of hosts that count their executions; ARNs tell these apart.
        let number = ExecutionId::new(0);
        Arc::new(Self {
            node,
            tokens,
            running: RunningExecution {
                id: number,
                root: number,
                identity: Arc::clone(&request.identity),
                child: None,
            },
            id: effect_id(&request.effect),
            is_open: request.is_open,
            cancellation: Cancellation::default(),
        })
    }

    /// Checks from time to time whether the effect is still needed, and cancels it otherwise: its execution may run on
    /// another node.
    pub(super) async fn watch(&self, workflow: &str) {
        for pause in Pauses::new(FIRST_PAUSE, LONGEST_PAUSE) {
            tokio::time::sleep(pause).await;
            let place = (EXECUTION, workflow, "awaits");
            let is_awaited = self.node.client.call(place, &self.id).await;
            // Where that cannot be asked, it is asked later.
            if let Ok(false) = is_awaited {
                return self.cancel();
            }
        }
    }

    fn cancel(&self) {
        self.cancellation.cancel();
    }

    fn send(&self, what: ExternalEvent) {
        if !self.is_open {
            return;
        }
        let (node, id) = (Arc::clone(&self.node), self.id);
        let arn = self.running.identity.execution_arn();
        let at = node.now();
        tokio::spawn(async move {
            // The task itself continues; its answer says more than this does.
            let _ = node
                .send_message(&arn, id, ExternalMessage { at, what })
                .await;
        });
    }
}

impl EffectHost for Link {
    fn execution(&self) -> &RunningExecution {
        &self.running
    }

    fn now(&self) -> Timestamp {
        self.node.now()
    }

    fn token(&self) -> String {
        self.tokens.token(&self.running.identity, self.id)
    }

    fn heartbeat(&self) {
        self.send(ExternalEvent::Heartbeat);
    }

    fn submit(&self, output: Value) {
        self.send(ExternalEvent::Submitted(JsonText::new(&output)));
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

type Key = (Arc<str>, EffectId);

/// Running effects of this node, so that an execution on the same node can stop them.
#[derive(Default)]
pub(crate) struct Links(Mutex<HashMap<Key, Weak<Link>>>);

impl Links {
    /// Registers a performer until the returned value is dropped.
    pub(super) fn register(
        &self,
        arn: Arc<str>,
        id: EffectId,
        link: &Arc<Link>,
    ) -> RegisteredEntry<'_> {
        let key = (arn, id);
        self.all().insert(key.clone(), Arc::downgrade(link));
        RegisteredEntry { links: self, key }
    }

    /// Cancels an effect.
    pub(crate) fn cancel(&self, arn: &Arc<str>, id: EffectId) {
        let key = (Arc::clone(arn), id);
        let link = self.all().get(&key).and_then(Weak::upgrade);
        if let Some(link) = link {
            link.cancel();
        }
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Weak<Link>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An entry that goes with this.
pub(super) struct RegisteredEntry<'l> {
    links: &'l Links,
    key: Key,
}

impl Drop for RegisteredEntry<'_> {
    fn drop(&mut self) {
        self.links.all().remove(&self.key);
    }
}

pub(super) fn effect_id(effect: &Performable) -> EffectId {
    match effect {
        Performable::Task(task) => task.id,
        Performable::Storage(request) => request.id,
    }
}
