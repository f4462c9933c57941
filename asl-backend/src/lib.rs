#![doc = include_str!("../README.md")]

mod cancellation;
mod catalogue;
#[cfg(feature = "contract")]
pub mod contract;
mod core_start;
mod definition;
mod error;
mod execution;
mod execution_end;
mod express;
mod express_memory;
mod follow;
mod followed_map_runs;
mod history;
mod history_piece;
mod map_run;
mod memory;
mod nested;
mod payload;
mod performing;
mod recent_cache;
mod redrive;
mod start_conversion;
mod task;

pub use cancellation::Cancellation;
pub use catalogue::{Definition, DefinitionId, Entry, EntryKey, EntryKind, WriteOutcome};
pub use core_start::{CoreStart, input_text};
pub use error::{BackendError, RedriveError, StartError, StopError, TokenRefused};
pub use execution::{
    EndedExpress, ExecutionDescription, ExecutionFilter, ExecutionPage, ExecutionParent,
    ExecutionStatus, ExecutionSummary, NestedForm, NestedTask, StartExecution, StartedExecution,
};
pub use execution_end::ExecutionEnd;
pub use express::ExpressHost;
pub use follow::{FeedCursor, FollowError, FollowedEvents, StatusChange, StatusChanges};
pub use followed_map_runs::{FollowedMapRuns, MapRunChanges, MapRunFigures};
pub use history::{HistoryPage, HistoryQuery, event_text};
pub use history_piece::{HistoryPacker, HistoryPiece, UnpackedPiece};
pub use map_run::{ItemCounts, MapRunDescription, map_run_of, map_run_state_machine};
pub use memory::{MemoryBudget, MemoryReservation, MemoryUse};
pub use nested::{NestedEnd, abort_of_nested, nested_submission};
pub use payload::Payload;
pub use performing::{follow, perform, perform_alone};
pub use recent_cache::RecentCache;
pub use redrive::{REDRIVABLE_PERIOD, SAME_REDRIVE, why_not_redrivable};
pub use task::{ActivityTask, TaskReply, activity_task};

use asl_engine::runtime::BoxFuture;
use asl_engine::{ErrorOutput, MapRunUpdate, TaskInvocation, Timestamp};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Returns the whole milliseconds since 1970.
pub fn milliseconds(moment: Timestamp) -> i64 {
    let (seconds, nanoseconds): (i64, u32) = moment.into();
    let fraction = i64::from(nanoseconds / 1_000_000);
    seconds.saturating_mul(1_000).saturating_add(fraction)
}

/// The longest wait of one call.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// A result that arrives later.
pub type Reply<'e, T, E = BackendError> = BoxFuture<'e, Result<T, E>>;

/// Runs executions, and stores them with their definitions.
///
/// A backend runs executions and stores acknowledged data. It knows the language through `asl-engine`, but no rules of an
/// API: idempotency of requests, ARNs and pages are defined above it. Every `Ok` result is durable, as far as the backend
/// promises durability.
///
/// Futures may be dropped. The request may then have been applied or not, as after a lost connection.
pub trait Backend: Send + Sync + 'static {
    /// Returns the current time of executions. It never goes back, even across restarts.
    fn now(&self) -> Timestamp;

    /// Checks that the backend can read and write its data. `Unavailable` is a temporary failure, and `Broken` a permanent
    /// one. The check may take as long as any other call.
    fn check_health(&self) -> Reply<'_, ()> {
        Box::pin(async {
            let entries = self.entries(EntryKind::StateMachine, "".into(), None, 1);
            entries.await.map(drop)
        })
    }

    /// Returns the budget of memory that its executions draw from, so that others in the process can draw from it as well.
    fn memory(&self) -> Option<&Arc<MemoryBudget>> {
        None
    }

    // ── Catalogue: state machines, activities and what belongs to them, as texts of whoever asks ──

    /// Reads an entry.
    fn entry(&self, key: EntryKey) -> Reply<'_, Option<Entry>>;

    /// Writes an entry, or deletes it (`value` None), if it still has the version that was read (`expected`; None if the
    /// entry did not exist).
    fn write_entry(
        &self,
        key: EntryKey,
        expected: Option<u64>,
        value: Option<Arc<str>>,
    ) -> Reply<'_, WriteOutcome>;

    /// Entries of a kind and scope in the byte order of their names, after one (exclusive).
    fn entries(
        &self,
        kind: EntryKind,
        scope: Arc<str>,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, Vec<Entry>>;

    /// Stores a definition as long as something refers to it. The same definition has the same id. It must compile.
    fn store_definition(&self, definition: Definition) -> Reply<'_, DefinitionId>;

    /// Reads a stored definition.
    fn definition(&self, id: DefinitionId) -> Reply<'_, Option<Arc<Definition>>>;

    // ── Executions ──

    /// Starts an execution, or returns the running one with the same ARN and input ([`StartedExecution::is_new`]). Express
    /// executions are always new.
    fn start(&self, start: StartExecution) -> Reply<'_, StartedExecution, StartError>;

    /// Runs an Express execution and waits for its end. Nothing is stored, and dropping the future stops the execution.
    fn run_express(&self, start: StartExecution) -> Reply<'_, EndedExpress, StartError>;

    /// Runs a task without an execution, for TestState, with the performers of executions, and waits for its result.
    /// Dropping the future cancels the task.
    fn perform_task(&self, task: TaskInvocation) -> Reply<'_, Value, ErrorOutput>;

    /// Stops a running execution, and returns the time of its end. An execution that has ended is unchanged.
    fn stop(&self, arn: Arc<str>, error_output: ErrorOutput) -> Reply<'_, Timestamp, StopError>;

    /// Continues an execution that failed, timed out or was stopped. The same `client_token` within a quarter of an hour is
    /// the same redrive.
    fn redrive(
        &self,
        arn: Arc<str>,
        client_token: Option<Arc<str>>,
    ) -> Reply<'_, Timestamp, RedriveError>;

    /// Describes an execution.
    fn describe(&self, arn: Arc<str>) -> Reply<'_, Option<ExecutionDescription>>;

    /// Executions, the newest first.
    fn executions(
        &self,
        filter: ExecutionFilter,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, ExecutionPage>;

    /// Returns the number of running executions of a state machine. A backend may return 1 for any number above 0.
    fn running_executions(&self, state_machine_arn: Arc<str>) -> Reply<'_, u64>;

    /// Reads part of the history of an execution; None if the execution does not exist.
    fn history(&self, arn: Arc<str>, query: HistoryQuery) -> Reply<'_, Option<HistoryPage>>;

    /// Waits until an execution has ended, at most for a time, and describes it; None if the execution does not exist. The
    /// status is [`Running`](ExecutionStatus::Running) if the execution did not end in time.
    ///
    /// ```
    /// # use asl_backend::{Backend, BackendError};
    /// # use std::sync::Arc;
    /// # use std::time::Duration;
    /// # async fn example(backend: &dyn Backend, arn: Arc<str>) -> Result<(), BackendError> {
    /// let ended = backend.wait_for_end(arn, Duration::from_secs(60)).await?;
    /// println!("{:?}", ended.map(|it| it.summary.status));
    /// # Ok(())
    /// # }
    /// ```
    fn wait_for_end(
        &self,
        arn: Arc<str>,
        timeout: Duration,
    ) -> Reply<'_, Option<ExecutionDescription>> {
        Box::pin(async move {
            // Tokio's clock, so that tests can advance it.
            let deadline = tokio::time::Instant::now().checked_add(timeout);
            loop {
                let found = self.describe(Arc::clone(&arn)).await?;
                let runs = |it: &ExecutionDescription| !it.summary.status.is_end();
                let left = deadline.map_or(LONGEST_WAIT, |deadline| {
                    deadline.saturating_duration_since(tokio::time::Instant::now())
                });
                if !found.as_ref().is_some_and(runs) || left.is_zero() {
                    return Ok(found);
                }
                let wait = self.follow(Arc::clone(&arn), u64::MAX, left.min(LONGEST_WAIT));
                wait.await?;
            }
        })
    }

    /// Reads the events of an execution after one, by its id (0 for all). Waits for new ones, at most for a time; None if the
    /// execution does not exist. After `u64::MAX` there are no events: only the end is waited for.
    fn follow(
        &self,
        arn: Arc<str>,
        after: u64,
        timeout: Duration,
    ) -> Reply<'_, Option<FollowedEvents>>;

    /// Reads status changes of all Standard executions after a cursor, at most so many. Waits for new ones, at most for a
    /// time.
    ///
    /// Without a cursor, returns the current one at once. From then on, the backend records changes, and stores them as long
    /// as ended executions. A follower that stores the cursor of each change after handling it misses none, and may see a
    /// change again under the same [id](StatusChange::id). The changes of each execution are in order.
    fn follow_statuses(
        &self,
        after: Option<FeedCursor>,
        limit: usize,
        timeout: Duration,
    ) -> Reply<'_, StatusChanges, FollowError>;

    // ── Map Runs ──

    /// Lists the Map Runs of an execution, newest first; None if the execution does not exist.
    fn map_runs(&self, execution_arn: Arc<str>) -> Reply<'_, Option<Vec<MapRunDescription>>>;

    /// Describes a Map Run.
    fn map_run(&self, arn: Arc<str>) -> Reply<'_, Option<MapRunDescription>>;

    /// Changes the limits of a Map Run that runs; whether there is one.
    fn update_map_run(&self, update: MapRunUpdate) -> Reply<'_, bool>;

    // ── Tasks ──

    /// Applies the message of a worker to a task, by its token.
    fn reply_to_task(&self, token: Arc<str>, reply: TaskReply) -> Reply<'_, (), TokenRefused>;

    /// Waits for a task of an activity. The task counts as taken with the answer; where the future is dropped before, it
    /// has not been.
    fn take_activity_task(
        &self,
        activity_arn: Arc<str>,
        worker_name: Option<Arc<str>>,
    ) -> Reply<'_, ActivityTask>;
}
