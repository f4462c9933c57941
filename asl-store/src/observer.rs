//! Watching a store: executions and tasks.
use asl_backend::{ExecutionStatus, perform};
use asl_engine::runtime::{ExecutionId, PerformResult, Performer, Request};
use asl_engine::{ErrorOutput, Identity, ProgramTask, StorageRequest, TaskInvocation};
use futures::future::BoxFuture;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Receives the executions and tasks of a store, for metrics and logs. Executions are reported once their start or end is durable,
/// in this process only: one that continues after a restart or a redrive is not reported as started again. A process that must
/// miss nothing follows [`Backend::follow_statuses`](asl_backend::Backend::follow_statuses).
///
/// The threads of the store call the methods, so they must return soon. A panic ends only the call.
///
/// ```
/// # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
/// use asl_backend::{Backend, Definition, ExecutionStatus, Payload, StartExecution};
/// use asl_engine::model::{Profile, StateMachineType};
/// use asl_engine::runtime::{TaskError, TaskHandlers};
/// use asl_engine::{ErrorOutput, StateMachineIdentity, TaskInvocation};
/// use asl_store::{ObservedExecution, Options, Store, StoreObserver};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
///
/// #[derive(Default)]
/// struct Counts {
///     failed_tasks: AtomicU64,
///     failed_executions: AtomicU64,
/// }
///
/// impl StoreObserver for Counts {
///     fn task_answered(&self, _: &TaskInvocation, error: Option<&ErrorOutput>, _: Duration) {
///         self.failed_tasks.fetch_add(error.is_some().into(), Ordering::Relaxed);
///     }
///
///     fn execution_ended(
///         &self,
///         execution: &ObservedExecution<'_>,
///         status: ExecutionStatus,
///         error: Option<&ErrorOutput>,
///     ) {
///         if let Some(error) = error {
///             self.failed_executions.fetch_add(1, Ordering::Relaxed);
///             let error = error.error.as_deref().unwrap_or_default();
///             eprintln!("{}: {} {error}", execution.identity.execution_arn(), status.word());
///         }
///     }
/// }
///
/// let counts = Arc::new(Counts::default());
/// let handlers = TaskHandlers::new().on_value("charge-card", |_| async { Err(TaskError::new("NoCard", "")) });
/// let observer: Arc<dyn StoreObserver> = counts.clone();
/// let store = Store::in_memory(Options::new(Arc::new(handlers)).with_observer(observer))?;
/// let definition = store
///     .store_definition(Definition {
///         text: r#"{"StartAt": "Charge", "States": {"Charge": {
///             "Type": "Task", "Resource": "charge-card", "End": true}}}"#.into(),
///         profile: Profile::Aws,
///         state_machine_type: StateMachineType::Standard,
///     })
///     .await?;
/// let machine = StateMachineIdentity::new("Orders");
/// let start = StartExecution::new(machine, "first", definition, Payload::parse("{}")?);
/// let started = store.start(start).await?;
/// store.wait_for_end(started.arn, Duration::from_secs(60)).await?;
/// store.close(); // all ends are reported then
/// assert_eq!(counts.failed_tasks.load(Ordering::Relaxed), 1);
/// assert_eq!(counts.failed_executions.load(Ordering::Relaxed), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub trait StoreObserver: Send + Sync + 'static {
    /// Receives an execution that started.
    fn execution_started(&self, execution: &ObservedExecution<'_>) {
        let _ = execution;
    }

    /// Receives a task that the performer is given now: after an attempt that a crash ended, again. Tasks of activities and
    /// mocked tasks are not reported; those of Express executions are.
    fn task_begun(&self, task: &TaskInvocation) {
        let _ = task;
    }

    /// Receives the end of such a task: its error, or none, and how long the performer took. A task that is cancelled does not
    /// end.
    fn task_answered(&self, task: &TaskInvocation, error: Option<&ErrorOutput>, took: Duration) {
        let _ = (task, error, took);
    }

    /// Receives an execution that ended, with its error if it did not succeed.
    fn execution_ended(
        &self,
        execution: &ObservedExecution<'_>,
        status: ExecutionStatus,
        error: Option<&ErrorOutput>,
    ) {
        let _ = (execution, status, error);
    }
}

/// An execution that a [`StoreObserver`] sees.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ObservedExecution<'e> {
    /// Names and ARNs.
    pub identity: &'e Identity,
    /// True for a child of a Map Run.
    pub is_child: bool,
}

/// The observer of a store, if it has one.
#[derive(Clone, Default)]
pub(crate) struct Observation(Option<Arc<dyn StoreObserver>>);

impl Observation {
    pub(crate) fn new(observer: Option<Arc<dyn StoreObserver>>) -> Self {
        Self(observer)
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Calls the observer. The panic hook prints the message of a panic.
    fn report(&self, call: impl FnOnce(&dyn StoreObserver)) {
        if let Some(observer) = &self.0 {
            // A panic ends only the call.
            let _ = catch_unwind(AssertUnwindSafe(|| call(&**observer)));
        }
    }

    pub(crate) fn execution_started(&self, identity: &Identity, is_child: bool) {
        let execution = ObservedExecution { identity, is_child };
        self.report(|observer| observer.execution_started(&execution));
    }

    pub(crate) fn execution_ended(
        &self,
        identity: &Identity,
        is_child: bool,
        status: ExecutionStatus,
        error_output: &ErrorOutput,
    ) {
        let execution = ObservedExecution { identity, is_child };
        let error = (status != ExecutionStatus::Succeeded).then_some(error_output);
        self.report(|observer| observer.execution_ended(&execution, status, error));
    }

    /// Returns a performer whose tasks are reported.
    pub(crate) fn watch(&self, performer: Arc<dyn Performer>) -> Arc<dyn Performer> {
        match self.is_wanted() {
            true => Arc::new(WatchedPerformer {
                performer,
                observation: self.clone(),
            }),
            false => performer,
        }
    }
}

/// A performer whose tasks an observer sees.
struct WatchedPerformer {
    performer: Arc<dyn Performer>,
    observation: Observation,
}

impl Performer for WatchedPerformer {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        let task = match &request {
            Request::Task(task) => Arc::new(task.invocation().clone()),
            Request::Storage(_) => return self.performer.perform(request),
        };
        let (performer, observation) = (Arc::clone(&self.performer), self.observation.clone());
        Box::pin(async move {
            observation.report(|observer| observer.task_begun(&task));
            let begun = Instant::now();
            let answer = perform(&*performer, request).await;
            let error = answer.as_ref().err().map(|error| &error.error_output);
            let took = begun.elapsed();
            observation.report(|observer| observer.task_answered(&task, error, took));
            answer
        })
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.performer.can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.performer.can_perform_storage(request)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        self.performer.follows(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.performer.execution_ended(root);
    }
}

impl fmt::Debug for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Observation")
            .field(&self.is_wanted())
            .finish()
    }
}
