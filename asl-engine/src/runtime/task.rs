//! One task, as its handler sees it.
use super::tokens::{Member, TokenBook};
use super::{Clock, ExecutionId, RunningExecution};
use crate::{EffectId, MacTokens, Resource, TaskInvocation};
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};

/// A task to be done: what to do, and the ways to talk with the runtime meanwhile.
#[derive(Debug)]
pub struct Task {
    invocation: Arc<TaskInvocation>,
    /// Made when asked for, where the core gave none.
    made_token: OnceLock<String>,
    execution: Arc<Member>,
    clock: Clock,
    cancellation: watch::Receiver<bool>,
    /// Where no runtime holds it: a task whose canceller is gone counts as cancelled.
    _canceller: Option<watch::Sender<bool>>,
    notices: mpsc::UnboundedSender<Notice>,
    beating: Arc<AtomicBool>,
}

/// What a handler tells the runtime while it is at work.
#[derive(Debug)]
pub(super) enum Notice {
    /// Alive. `beating` is true from the sending to the receiving, so that each task has at most one on its way.
    Heartbeat {
        execution: ExecutionId,
        id: EffectId,
        beating: Arc<AtomicBool>,
    },
    /// Nothing to do before this moment.
    Sleep {
        execution: ExecutionId,
        id: EffectId,
        until: Timestamp,
        wake: oneshot::Sender<()>,
    },
    /// A sleep was given up before its time.
    SleepLeft {
        execution: ExecutionId,
        id: EffectId,
    },
}

impl Notice {
    pub(super) fn execution(&self) -> ExecutionId {
        match self {
            Self::Heartbeat { execution, .. }
            | Self::Sleep { execution, .. }
            | Self::SleepLeft { execution, .. } => *execution,
        }
    }

    pub(super) fn id(&self) -> EffectId {
        match self {
            Self::Heartbeat { id, .. } | Self::Sleep { id, .. } | Self::SleepLeft { id, .. } => *id,
        }
    }
}

impl Task {
    pub(super) fn new(
        invocation: Arc<TaskInvocation>,
        execution: Arc<Member>,
        clock: Clock,
        cancellation: watch::Receiver<bool>,
        notices: mpsc::UnboundedSender<Notice>,
    ) -> Self {
        Self {
            invocation,
            made_token: OnceLock::new(),
            execution,
            clock,
            cancellation,
            _canceller: None,
            notices,
            beating: Arc::default(),
        }
    }

    /// A task of no runtime, to try a handler with: heartbeats go nowhere, and it is never cancelled.
    pub fn detached(invocation: TaskInvocation) -> Self {
        let (canceller, cancellation) = watch::channel(false);
        let (notices, _) = mpsc::unbounded_channel();
        let execution = RunningExecution {
            id: ExecutionId(0),
            root: ExecutionId(0),
            identity: Arc::clone(&invocation.identity),
        };
        let tokens = MacTokens::from_identity(None, &invocation.identity);
        let execution = Member::new(execution, Arc::new(TokenBook::new(Arc::new(tokens))));
        let (invocation, execution) = (Arc::new(invocation), Arc::new(execution));
        Self {
            _canceller: Some(canceller),
            ..Self::new(invocation, execution, Clock::real(), cancellation, notices)
        }
    }

    /// Everything the execution says of it: deadline, intervals, number of retries, idempotency key.
    pub fn invocation(&self) -> &TaskInvocation {
        &self.invocation
    }

    /// The execution it is of.
    pub fn execution(&self) -> &RunningExecution {
        &self.execution
    }

    /// The Task State's name.
    pub fn state_name(&self) -> &str {
        &self.invocation.state_name
    }

    /// What to invoke.
    pub fn resource(&self) -> &Resource {
        &self.invocation.resource
    }

    /// The effective input.
    pub fn payload(&self) -> &Value {
        &self.invocation.payload
    }

    /// "Credentials", evaluated.
    pub fn credentials(&self) -> Option<&Value> {
        self.invocation.credentials.as_ref()
    }

    /// What names the task in [`send_task_success`](super::RuntimeHandle::send_task_success) and its siblings:
    /// `$$.Task.Token` where the state has one, else one of the same maker.
    pub fn token(&self) -> &str {
        match &self.invocation.task_token {
            Some(token) => token,
            None => self
                .made_token
                .get_or_init(|| self.execution.token(self.invocation.id)),
        }
    }

    /// When it times out.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.invocation.deadline
    }

    /// 0 for the first invocation, 1 for the first retry, …
    pub fn retry_count(&self) -> u64 {
        self.invocation.retry_count
    }

    /// The same for every time this very invocation is performed.
    pub fn idempotency_key(&self) -> String {
        self.invocation.idempotency_key()
    }

    /// Says that the handler is alive: the interval of "HeartbeatSeconds" starts anew.
    pub fn heartbeat(&self) {
        if !self.beating.swap(true, Ordering::AcqRel) {
            // A runtime that is gone needs no heartbeat.
            let _ = self.notices.send(Notice::Heartbeat {
                execution: self.execution.id,
                id: self.invocation.id,
                beating: Arc::clone(&self.beating),
            });
        }
    }

    /// Whether nobody waits for the answer any more: the task timed out, its branch or execution ended, or the runtime
    /// was dropped.
    pub fn is_cancelled(&self) -> bool {
        *self.cancellation.borrow() || self.cancellation.has_changed().is_err()
    }

    /// Ready when [`is_cancelled`](Self::is_cancelled). The handler may clean up; its answer is ignored.
    pub async fn cancelled(&self) {
        let mut cancellation = self.cancellation.clone();
        // An error says that the canceller was dropped, with the runtime.
        let _ = cancellation.wait_for(|cancelled| *cancelled).await;
    }

    /// The present moment of the runtime's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Sleeps by the runtime's clock. A virtual one takes a sleeping handler for idle, and jumps.
    pub async fn sleep(&self, duration: Duration) {
        let nanoseconds = i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX);
        let until = self.now().nanoseconds().saturating_add(nanoseconds);
        let (wake, awake) = oneshot::channel();
        let (execution, id) = (self.execution.id, self.invocation.id);
        let until = Timestamp::from_nanoseconds(until);
        let notice = Notice::Sleep {
            execution,
            id,
            until,
            wake,
        };
        if self.notices.send(notice).is_err() {
            return tokio::time::sleep(duration).await;
        }
        let mut sleep = Sleep {
            task: self,
            awake,
            is_over: false,
        };
        // A runtime that goes drops the waker: there is nothing left to sleep for.
        let _ = (&mut sleep.awake).await;
        sleep.is_over = true;
    }

    /// The same task with another payload.
    pub(super) fn with_payload(mut self, payload: Value) -> Self {
        Arc::make_mut(&mut self.invocation).payload = Arc::new(payload);
        self
    }
}

/// A sleep, which says so when it is given up: the runtime knows at any time whether a handler sleeps or works.
struct Sleep<'a> {
    task: &'a Task,
    awake: oneshot::Receiver<()>,
    is_over: bool,
}

impl Drop for Sleep<'_> {
    fn drop(&mut self) {
        self.awake.close();
        if !self.is_over && self.awake.try_recv().is_err() {
            let (execution, id) = (self.task.execution.id, self.task.invocation.id);
            // A runtime that is gone need not know.
            let _ = self.task.notices.send(Notice::SleepLeft { execution, id });
        }
    }
}
