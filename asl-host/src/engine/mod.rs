//! What an API of executions needs of durability, and nothing of how it is kept.
//!
//! An engine runs executions and keeps what it acknowledged. It knows the language, by `asl-engine`, and no rule of an API:
//! which request is idempotent, what an ARN looks like, which page comes next, is said above it. Everything that returns
//! `Ok` is durable in the sense of the engine that said so.
mod beginning;
mod cancellation;
mod catalogue;
mod core_start;
mod definition;
mod ended;
mod error;
mod execution;
mod express;
mod express_memory;
mod followed_map_runs;
mod history;
mod map_run;
mod memory;
mod nested;
mod payload;
mod performing;
mod redrive;
mod task;

pub use cancellation::Cancellation;
pub use catalogue::{Definition, DefinitionId, Entry, EntryKey, EntryKind, WriteOutcome};
pub use core_start::{CoreStart, input_text};
pub use ended::ExecutionEnd;
pub use error::{EngineError, RedriveError, StartError, StopError, TokenRefused};
pub use execution::{
    EndedExpress, ExecutionDescription, ExecutionFilter, ExecutionPage, ExecutionParent,
    ExecutionStatus, ExecutionSummary, NestedForm, NestedTask, StartExecution, StartedExecution,
};
pub use express::ExpressHost;
pub use followed_map_runs::{FollowedMapRuns, MapRunChanges, MapRunFigures};
pub use history::{HistoryPage, HistoryQuery, event_text};
pub use map_run::{ItemCounts, MapRunDescription, map_run_of, map_run_state_machine};
pub use memory::{MemoryBudget, MemoryReservation, MemoryUse};
pub use nested::{NestedEnd, abort_of_nested, nested_submission};
pub use payload::Payload;
pub use performing::{perform, perform_alone};
pub use redrive::{REDRIVABLE_PERIOD, SAME_REDRIVE, why_not_redrivable};
pub use task::{ActivityTask, TaskReply};

use asl_engine::runtime::BoxFuture;
use asl_engine::{ErrorOutput, MapRunUpdate, TaskInvocation, Timestamp};
use serde_json::Value;
use std::sync::Arc;

/// Milliseconds since the epoch, of those that are over.
pub fn milliseconds(moment: Timestamp) -> i64 {
    let (seconds, nanoseconds): (i64, u32) = moment.into();
    let fraction = i64::from(nanoseconds / 1_000_000);
    seconds.saturating_mul(1_000).saturating_add(fraction)
}

/// What is answered, later.
pub type Reply<'e, T, E = EngineError> = BoxFuture<'e, Result<T, E>>;

/// Runs executions, and keeps them and what they are made of.
///
/// Futures may be dropped: what was asked may then have happened or not, as after a lost connection.
pub trait Engine: Send + Sync + 'static {
    /// The present moment, by which executions go: it never goes back, also over restarts.
    fn now(&self) -> Timestamp;

    /// Checks that the engine reads and writes what it keeps: `Unavailable` if it may pass, `Broken` if it does not. It may take as
    /// long as any other call.
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

    /// An entry, as it was last written.
    fn entry(&self, key: EntryKey) -> Reply<'_, Option<Entry>>;

    /// Writes an entry, or removes it (`value` None), where it still has the version that was read (`expected`; None where
    /// there was none).
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

    /// Keeps a definition for as long as something refers to it; the same one has the same id. It must compile.
    fn keep_definition(&self, definition: Definition) -> Reply<'_, DefinitionId>;

    /// A definition that is kept.
    fn definition(&self, id: DefinitionId) -> Reply<'_, Option<Arc<Definition>>>;

    // ── Executions ──

    /// Starts an execution; one that runs under this ARN with the same input is told of instead
    /// ([`StartedExecution::is_new`]). Express executions are always new.
    fn start(&self, start: StartExecution) -> Reply<'_, StartedExecution, StartError>;

    /// Runs an Express execution and waits for its end; nothing of it is kept, and it stops where the future is dropped.
    fn run_express(&self, start: StartExecution) -> Reply<'_, EndedExpress, StartError>;

    /// Performs a task of no execution, as TestState asks for it, by what performs those of executions, and waits for its
    /// result; nobody waits any more where the future is dropped.
    fn perform_task(&self, task: TaskInvocation) -> Reply<'_, Value, ErrorOutput>;

    /// Stops an execution that runs; the date of its end where it ended before.
    fn stop(&self, arn: Arc<str>, error_output: ErrorOutput) -> Reply<'_, Timestamp, StopError>;

    /// Takes up an execution again that failed, timed out or was stopped. The same `client_token` within a quarter of an
    /// hour is the same redrive.
    fn redrive(
        &self,
        arn: Arc<str>,
        client_token: Option<Arc<str>>,
    ) -> Reply<'_, Timestamp, RedriveError>;

    /// What there is to say of an execution.
    fn describe(&self, arn: Arc<str>) -> Reply<'_, Option<ExecutionDescription>>;

    /// Executions, the newest first.
    fn executions(
        &self,
        filter: ExecutionFilter,
        after: Option<Arc<str>>,
        limit: usize,
    ) -> Reply<'_, ExecutionPage>;

    /// How many executions of a state machine run; at least one where some do: an engine may leave it at that.
    fn running_executions(&self, state_machine_arn: Arc<str>) -> Reply<'_, u64>;

    /// A part of an execution's history; None where no such execution.
    fn history(&self, arn: Arc<str>, query: HistoryQuery) -> Reply<'_, Option<HistoryPage>>;

    // ── Map Runs ──

    /// The Map Runs of an execution, the newest first; None where no such execution.
    fn map_runs(&self, execution_arn: Arc<str>) -> Reply<'_, Option<Vec<MapRunDescription>>>;

    /// One Map Run.
    fn map_run(&self, arn: Arc<str>) -> Reply<'_, Option<MapRunDescription>>;

    /// Changes the limits of a Map Run that runs; whether there is one.
    fn update_map_run(&self, update: MapRunUpdate) -> Reply<'_, bool>;

    // ── Tasks ──

    /// What a worker says of a task by its token.
    fn reply_to_task(&self, token: Arc<str>, reply: TaskReply) -> Reply<'_, (), TokenRefused>;

    /// Waits for a task of an activity. The task counts as taken with the answer; where the future is dropped before, it
    /// has not been.
    fn take_activity_task(
        &self,
        activity_arn: Arc<str>,
        worker_name: Option<Arc<str>>,
    ) -> Reply<'_, ActivityTask>;
}
