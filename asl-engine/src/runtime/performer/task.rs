//! A task, as the performer sees it.
use super::handler::deserialize;
use super::host::{DetachedHost, EffectHost};
use crate::runtime::{RunningExecution, RuntimeHandle};
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
    /// The service's first answer, if the task was submitted before.
    submission: Option<Arc<Value>>,
    host: Arc<dyn EffectHost>,
}

impl Task {
    /// Creates a task that `host` requests.
    pub fn new(invocation: Arc<TaskInvocation>, host: Arc<dyn EffectHost>) -> Self {
        Self {
            invocation,
            made_token: OnceLock::new(),
            submission: None,
            host,
        }
    }

    /// Creates a task without a host, to test a handler: heartbeats have no effect, and the task is never cancelled.
    pub fn detached(invocation: TaskInvocation) -> Self {
        let host = DetachedHost::new(&invocation);
        Self::new(Arc::new(invocation), Arc::new(host))
    }

    /// Creates a task without a host for the test of a handler. [`with_retry_count`](Self::with_retry_count),
    /// [`with_token`](Self::with_token) and [`with_credentials`](Self::with_credentials) set the rest.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use asl_engine::runtime::{Task, TaskError};
    /// use serde_json::{Value, json};
    ///
    /// async fn charge(task: Task) -> Result<Value, TaskError> {
    ///     match task.retry_count() {
    ///         0 => Err(TaskError::new("Busy", "later")),
    ///         _ => Ok(json!({"charged": task.payload()["amount"]})),
    ///     }
    /// }
    ///
    /// let task = Task::for_test("charge-card", json!({"amount": 3}));
    /// assert!(charge(task.clone()).await.is_err());
    /// assert_eq!(charge(task.with_retry_count(1)).await, Ok(json!({"charged": 3})));
    /// # });
    /// ```
    pub fn for_test(resource: &str, payload: Value) -> Self {
        Self::detached(TaskInvocation::new(
            "Test",
            Resource::parse(resource),
            payload,
        ))
    }

    /// Sets the number of retries.
    #[must_use]
    pub fn with_retry_count(mut self, retry_count: u64) -> Self {
        Arc::make_mut(&mut self.invocation).retry_count = retry_count;
        self
    }

    /// Sets `$$.Task.Token`.
    #[must_use]
    pub fn with_token(mut self, token: &str) -> Self {
        Arc::make_mut(&mut self.invocation).task_token = Some(token.into());
        self
    }

    /// Sets the evaluated "Credentials".
    #[must_use]
    pub fn with_credentials(mut self, credentials: Value) -> Self {
        Arc::make_mut(&mut self.invocation).credentials = Some(credentials);
        self
    }

    /// Sets the service's first answer: a host has a job followed by it that was submitted before.
    #[must_use]
    pub fn with_submission(mut self, submission: Arc<Value>) -> Self {
        self.submission = Some(submission);
        self
    }

    /// Returns the service's first answer if the task was submitted before, and is to be followed now, as
    /// [`Performer::follows`](super::Performer::follows) says.
    pub fn submission(&self) -> Option<&Value> {
        self.submission.as_deref()
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

    /// Returns the runtime that runs the execution, to start others or to answer tasks; None if the task is of another host.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use asl_engine::Program;
    /// use asl_engine::runtime::{Runtime, Task, TaskError, TaskHandlers};
    /// use serde_json::json;
    ///
    /// let child = Program::parse(r#"{"StartAt": "P", "States": {"P": {"Type": "Pass", "Result": 7, "End": true}}}"#).unwrap();
    /// let handlers = TaskHandlers::new().on_task("run-child", move |task: Task| {
    ///     let child = child.clone();
    ///     async move {
    ///         let runtime = task.runtime().ok_or_else(|| TaskError::failed("there is no runtime"))?;
    ///         let outcome = runtime.run(child, runtime.unnamed(task.payload().clone())).await;
    ///         let output = outcome.into_result().map_err(|failure| TaskError::failed(failure.to_string()))?;
    ///         Ok((*output).clone())
    ///     }
    /// });
    /// let runtime = Runtime::builder().handlers(handlers).build();
    /// let program = Program::parse(r#"{"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": "run-child", "End": true}}}"#).unwrap();
    /// let outcome = runtime.run(program, runtime.unnamed(json!({}))).await;
    /// assert_eq!(outcome.output().map(|output| &**output), Some(&json!(7)));
    /// # });
    /// ```
    pub fn runtime(&self) -> Option<RuntimeHandle> {
        self.host.runtime()
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
            submission,
            host: asking,
        } = self;
        Arc::make_mut(&mut invocation).payload = Arc::new(payload);
        Self {
            invocation,
            made_token,
            submission,
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
