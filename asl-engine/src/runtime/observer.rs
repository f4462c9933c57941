//! Watching executions: events, tasks, ends.
use super::{ExecutionId, RunningExecution};
use crate::{
    HistoryEvent, Input, InspectedPlace, InspectionEvent, Inspector, Outcome, TaskInvocation,
};
use asl_model::Timestamp;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// Receives the events of a runtime in order. The runtime calls the methods itself, so they must return soon. Methods have
/// empty defaults. A panic ends only the call: the execution continues, and later events are still reported.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use asl_engine::runtime::{Observer, Runtime, RunningExecution, TaskHandlers};
/// use asl_engine::{Outcome, Program, TaskInvocation};
/// use serde_json::json;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::sync::Arc;
///
/// #[derive(Default)]
/// struct Counts {
///     tasks: AtomicU64,
///     failed_executions: AtomicU64,
/// }
///
/// impl Observer for Counts {
///     fn task_invoked(&self, _: &RunningExecution, _: &TaskInvocation) {
///         self.tasks.fetch_add(1, Ordering::Relaxed);
///     }
///
///     fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
///         if let Some(failure) = outcome.failure() {
///             self.failed_executions.fetch_add(1, Ordering::Relaxed);
///             eprintln!("{}: {failure}", execution.identity.execution_name());
///         }
///     }
/// }
///
/// let program = Program::parse(r#"{"StartAt": "Pay", "States": {"Pay": {
///     "Type": "Task", "Resource": "charge-card", "Next": "Refuse"},
///     "Refuse": {"Type": "Fail", "Error": "Refused"}}}"#).unwrap();
/// let counts = Arc::new(Counts::default());
/// let runtime = Runtime::builder()
///     .handlers(TaskHandlers::new().on_value("charge-card", |_| async { Ok(json!({})) }))
///     .observer(Arc::clone(&counts))
///     .build();
/// runtime.run(&program, runtime.unnamed(json!({}))).await;
/// assert_eq!(counts.tasks.load(Ordering::Relaxed), 1);
/// assert_eq!(counts.failed_executions.load(Ordering::Relaxed), 1);
/// # });
/// ```
pub trait Observer: Send + Sync + 'static {
    /// Returns true if the runtime is to record the history of all its executions, for [`event`](Self::event). The runtime calls
    /// this once, when it is built.
    fn records_history(&self) -> bool {
        false
    }

    /// Returns true if the runtime should estimate the memory of its executions, for [`holds`](Self::holds). The runtime
    /// calls this once, when it is built.
    fn watches_memory(&self) -> bool {
        false
    }

    /// Receives the start of an execution.
    fn started(&self, execution: &RunningExecution) {
        let _ = execution;
    }

    /// Returns an inspector for this execution, called when it starts or is resumed, also for children of distributed Map
    /// States. A panic of the inspector ends only the call.
    fn inspector(&self, execution: &RunningExecution) -> Option<Box<dyn Inspector>> {
        let _ = execution;
        None
    }

    /// Receives an event of an execution, if this observer [records histories](Self::records_history) or
    /// [`Start::record_history`](crate::Start::record_history) requested that of this one.
    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        let _ = (execution, event);
    }

    /// Receives a task that is about to be given to its handler.
    fn task_invoked(&self, execution: &RunningExecution, invocation: &TaskInvocation) {
        let _ = (execution, invocation);
    }

    /// Receives the time until which an execution does nothing: a Wait State or an interval of a retrier passes, and no task or child
    /// is awaited.
    fn waits(&self, execution: &RunningExecution, state: &str, until: Timestamp) {
        let _ = (execution, state, until);
    }

    /// Receives an input that an execution is about to receive: the result of a task, a heartbeat, a stop, …
    fn input(&self, execution: &RunningExecution, input: &Input) {
        let _ = (execution, input);
    }

    /// Receives the estimated memory of an execution ([`HeldEstimate`](crate::HeldEstimate)), if this observer
    /// [watches memory](Self::watches_memory): after the first turn, and after each turn that made data.
    fn holds(&self, execution: &RunningExecution, bytes: u64) {
        let _ = (execution, bytes);
    }

    /// Receives the end of an execution.
    fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
        let _ = (execution, outcome);
    }
}

/// Keeps the events of executions until they are [taken](Self::take). The runtime records histories for it.
///
/// ```
/// use asl_engine::runtime::{HistoryRecorder, Runtime};
/// use std::sync::Arc;
///
/// let recorder = Arc::new(HistoryRecorder::default());
/// let builder = Runtime::builder().observer(Arc::clone(&recorder));
/// // After the execution: recorder.take(handle.id())
/// ```
#[derive(Debug, Default)]
pub struct HistoryRecorder(Mutex<HashMap<ExecutionId, Vec<HistoryEvent>>>);

impl HistoryRecorder {
    /// Returns the events of an execution so far, in order, and keeps them.
    pub fn history(&self, execution: ExecutionId) -> Vec<HistoryEvent> {
        let histories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        histories.get(&execution).cloned().unwrap_or_default()
    }

    /// Returns the events of an execution so far, in order, and removes them.
    pub fn take(&self, execution: ExecutionId) -> Vec<HistoryEvent> {
        let mut histories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        histories.remove(&execution).unwrap_or_default()
    }
}

impl Observer for HistoryRecorder {
    fn records_history(&self) -> bool {
        true
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        let mut histories = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        histories.entry(execution.id).or_default().push(event);
    }
}

/// An observer whose panics end nothing but the call.
pub(super) struct IsolatedObserver<O>(pub(super) O);

/// Calls an observer. The panic hook prints the message of a panic.
fn isolated<T: Default>(told: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(told)).unwrap_or_default()
}

impl<O: Observer> Observer for IsolatedObserver<O> {
    fn records_history(&self) -> bool {
        isolated(|| self.0.records_history())
    }

    fn watches_memory(&self) -> bool {
        isolated(|| self.0.watches_memory())
    }

    fn started(&self, execution: &RunningExecution) {
        isolated(|| self.0.started(execution));
    }

    fn inspector(&self, execution: &RunningExecution) -> Option<Box<dyn Inspector>> {
        let inspector = isolated(|| self.0.inspector(execution))?;
        Some(Box::new(IsolatedObserver(inspector)))
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        isolated(|| self.0.event(execution, event));
    }

    fn task_invoked(&self, execution: &RunningExecution, invocation: &TaskInvocation) {
        isolated(|| self.0.task_invoked(execution, invocation));
    }

    fn waits(&self, execution: &RunningExecution, state: &str, until: Timestamp) {
        isolated(|| self.0.waits(execution, state, until));
    }

    fn input(&self, execution: &RunningExecution, input: &Input) {
        isolated(|| self.0.input(execution, input));
    }

    fn holds(&self, execution: &RunningExecution, bytes: u64) {
        isolated(|| self.0.holds(execution, bytes));
    }

    fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
        isolated(|| self.0.ended(execution, outcome));
    }
}

impl Inspector for IsolatedObserver<Box<dyn Inspector>> {
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>) {
        isolated(|| self.0.inspected(place, inspected));
    }
}

/// Reports to both, the first one first.
struct Both(Box<dyn Inspector>, Box<dyn Inspector>);

impl Inspector for Both {
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>) {
        self.0.inspected(place, inspected);
        self.1.inspected(place, inspected);
    }
}

/// Reports to both, the first one first.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn records_history(&self) -> bool {
        self.0.records_history() || self.1.records_history()
    }

    fn watches_memory(&self) -> bool {
        self.0.watches_memory() || self.1.watches_memory()
    }

    fn started(&self, execution: &RunningExecution) {
        self.0.started(execution);
        self.1.started(execution);
    }

    fn inspector(&self, execution: &RunningExecution) -> Option<Box<dyn Inspector>> {
        match (self.0.inspector(execution), self.1.inspector(execution)) {
            (Some(first), Some(second)) => Some(Box::new(Both(first, second))),
            (first, second) => first.or(second),
        }
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        self.0.event(execution, event.clone());
        self.1.event(execution, event);
    }

    fn task_invoked(&self, execution: &RunningExecution, invocation: &TaskInvocation) {
        self.0.task_invoked(execution, invocation);
        self.1.task_invoked(execution, invocation);
    }

    fn waits(&self, execution: &RunningExecution, state: &str, until: Timestamp) {
        self.0.waits(execution, state, until);
        self.1.waits(execution, state, until);
    }

    fn input(&self, execution: &RunningExecution, input: &Input) {
        self.0.input(execution, input);
        self.1.input(execution, input);
    }

    fn holds(&self, execution: &RunningExecution, bytes: u64) {
        self.0.holds(execution, bytes);
        self.1.holds(execution, bytes);
    }

    fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
        self.0.ended(execution, outcome);
        self.1.ended(execution, outcome);
    }
}

impl<O: Observer + ?Sized> Observer for Arc<O> {
    fn records_history(&self) -> bool {
        (**self).records_history()
    }

    fn watches_memory(&self) -> bool {
        (**self).watches_memory()
    }

    fn started(&self, execution: &RunningExecution) {
        (**self).started(execution);
    }

    fn inspector(&self, execution: &RunningExecution) -> Option<Box<dyn Inspector>> {
        (**self).inspector(execution)
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        (**self).event(execution, event);
    }

    fn task_invoked(&self, execution: &RunningExecution, invocation: &TaskInvocation) {
        (**self).task_invoked(execution, invocation);
    }

    fn waits(&self, execution: &RunningExecution, state: &str, until: Timestamp) {
        (**self).waits(execution, state, until);
    }

    fn input(&self, execution: &RunningExecution, input: &Input) {
        (**self).input(execution, input);
    }

    fn holds(&self, execution: &RunningExecution, bytes: u64) {
        (**self).holds(execution, bytes);
    }

    fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
        (**self).ended(execution, outcome);
    }
}
