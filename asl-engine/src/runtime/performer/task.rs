//! A task, as the performer sees it.
use super::handler::deserialize;
use super::host::{DetachedHost, EffectHost};
use crate::runtime::RunningExecution;
use crate::{Resource, TaskError, TaskInvocation};
use asl_model::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A task to be done: what to do, and the ways to talk with its host meanwhile.
#[derive(Clone)]
pub struct Task {
    invocation: Arc<TaskInvocation>,
    /// Made when requested, where the execution gave none.
    made_token: OnceLock<String>,
    host: Arc<dyn EffectHost>,
}

impl Task {
    /// Creates a task that `host` requests.
    pub fn new(invocation: Arc<TaskInvocation>, host: Arc<dyn EffectHost>) -> Self {
        Self {
            invocation,
            made_token: OnceLock::new(),
            host,
        }
    }

    /// Creates a task without a host, to test a handler: heartbeats have no effect, and the task is never cancelled.
    pub fn detached(invocation: TaskInvocation) -> Self {
        let host = DetachedHost::new(&invocation);
        Self::new(Arc::new(invocation), Arc::new(host))
    }

    /// Returns the request of the execution: deadline, intervals, number of retries, idempotency key.
    pub fn invocation(&self) -> &TaskInvocation {
        &self.invocation
    }

    /// The execution it is of.
    pub fn execution(&self) -> &RunningExecution {
        self.host.execution()
    }

    /// Returns the Task State's name.
    pub fn state_name(&self) -> &str {
        &self.invocation.state_name
    }

    /// Returns the resource to invoke.
    pub fn resource(&self) -> &Resource {
        &self.invocation.resource
    }

    /// Returns the effective input.
    pub fn payload(&self) -> &Value {
        &self.invocation.payload
    }

    /// Returns the effective input as a type of the handler's own.
    ///
    /// # Errors
    /// [`TaskError::INVALID_PAYLOAD`], with the place that does not fit as the cause.
    pub fn input<I: DeserializeOwned>(&self) -> Result<I, TaskError> {
        deserialize(self.payload())
    }

    pub(super) fn shared_payload(&self) -> Arc<Value> {
        Arc::clone(&self.invocation.payload)
    }

    /// "Credentials", evaluated.
    pub fn credentials(&self) -> Option<&Value> {
        self.invocation.credentials.as_ref()
    }

    /// Returns the name of the task for [`send_task_success`](crate::runtime::RuntimeHandle::send_task_success) and similar
    /// methods: `$$.Task.Token` if the state has one, otherwise a token of the same source.
    pub fn token(&self) -> &str {
        match &self.invocation.task_token {
            Some(token) => token,
            None => self.made_token.get_or_init(|| self.host.token()),
        }
    }

    /// Returns the time at which the task times out.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.invocation.deadline
    }

    /// 0 for the first invocation, 1 for the first retry, …
    pub fn retry_count(&self) -> u64 {
        self.invocation.retry_count
    }

    /// Returns a key that is the same each time this invocation is performed, and different for all others.
    pub fn idempotency_key(&self) -> String {
        self.invocation.idempotency_key()
    }

    /// Says that the handler is alive: the interval of "HeartbeatSeconds" starts anew.
    pub fn heartbeat(&self) {
        self.host.heartbeat();
    }

    /// Says that a task of `.sync` or `.waitForTaskToken` was taken, with the service's first answer: the execution's
    /// history shows it, and a host that goes down meanwhile waits for the task's answer afterwards, and does not repeat
    /// it. Only the first call counts.
    pub fn submit(&self, output: Value) {
        self.host.submit(output);
    }

    /// Returns true if the result is no longer needed: the task timed out, its branch or execution ended, or the runtime was
    /// dropped.
    pub fn is_cancelled(&self) -> bool {
        self.host.is_cancelled()
    }

    /// Ready when [`is_cancelled`](Self::is_cancelled). The handler may clean up; its answer is ignored.
    pub async fn cancelled(&self) {
        poll_fn(|context| self.host.poll_cancelled(context)).await;
    }

    /// Returns the present moment of the host's clock.
    pub fn now(&self) -> Timestamp {
        self.host.now()
    }

    /// Sleeps by the host's clock. A virtual one takes a sleeping handler for idle, and jumps.
    pub async fn sleep(&self, duration: Duration) {
        self.host.sleep(duration).await;
    }

    /// The same task with another payload, of another host.
    pub(super) fn with(
        self,
        payload: Value,
        host: impl Fn(Arc<dyn EffectHost>) -> Arc<dyn EffectHost>,
    ) -> Self {
        let Self {
            mut invocation,
            made_token,
            host: asking,
        } = self;
        Arc::make_mut(&mut invocation).payload = Arc::new(payload);
        Self {
            invocation,
            made_token,
            host: host(asking),
        }
    }
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("invocation", &self.invocation)
            .finish_non_exhaustive()
    }
}
