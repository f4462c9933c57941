//! Inputs from the host to an execution.
use super::output::EffectId;
use crate::data::cut;
use crate::error_output::ErrorOutput;
use crate::outcome::Outcome;
use serde_json::Value;
use std::sync::Arc;

/// An event outside the execution.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Input {
    /// A worker took up an activity's task.
    TaskStarted {
        /// The invocation.
        id: EffectId,
        /// Name of the worker.
        worker_name: Option<String>,
    },
    /// The service took the request of a `.sync` or `.waitForTaskToken` integration; the answer comes later.
    TaskSubmitted {
        /// The invocation.
        id: EffectId,
        /// The service's first answer.
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
    },
    /// The task succeeded.
    TaskSucceeded {
        /// The invocation.
        id: EffectId,
        /// Result of the task.
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
    },
    /// The task ended with an error. `States.Timeout` and `States.HeartbeatTimeout` count as its timing out.
    TaskFailed {
        /// The invocation.
        id: EffectId,
        /// Error of the task.
        #[serde(flatten)]
        error_output: ErrorOutput,
    },
    /// The task is alive: its heartbeat interval starts anew.
    TaskHeartbeat {
        /// The invocation.
        id: EffectId,
    },
    /// An object store performed a [`StorageRequest`](super::StorageRequest).
    StorageSucceeded {
        /// The request.
        id: EffectId,
        /// Result of the operation.
        result: StorageResult,
    },
    /// An object store could not.
    StorageFailed {
        /// The request.
        id: EffectId,
        /// The cause of States.ItemReaderFailed or States.ResultWriterFailed.
        cause: String,
    },
    /// A child execution ended.
    ChildExecutionEnded {
        /// Effect id of the child execution.
        id: EffectId,
        /// The outcome.
        outcome: Outcome,
    },
    /// Time passed: waits, timeouts and retries that are due continue.
    TimePassed,
    /// Continues an execution that failed, timed out or was stopped from its end: completed branches and iterations stay
    /// complete, and work in progress is attempted again. The TimeoutSeconds of the machine and the counts of retries start
    /// again. A running, successful or Express execution ignores it.
    Redrive,
    /// New limits for a running Map Run.
    UpdateMapRun(MapRunUpdate),
    /// The host cannot continue: the execution ends as FAILED, and the error cannot be retried or caught.
    Fail(ErrorOutput),
    /// The execution is to end as ABORTED, and to report this.
    Stop(ErrorOutput),
    /// Tasks that their handlers did not have before, because the host had no room for them: their TimeoutSeconds and
    /// HeartbeatSeconds count from this moment, also if they would be over by now.
    TasksPostponed {
        /// The invocations.
        ids: Vec<EffectId>,
    },
}

impl Input {
    /// Returns the data of an answer.
    fn answer(&mut self) -> Option<&mut Arc<Value>> {
        match self {
            Self::TaskSubmitted { output, .. }
            | Self::TaskSucceeded { output, .. }
            | Self::ChildExecutionEnded {
                outcome: Outcome::Succeeded(output),
                ..
            } => Some(output),
            _ => None,
        }
    }

    /// Truncates data that is nested too deeply to the part that is needed to refuse it.
    pub(crate) fn cut(mut self, max_depth: usize) -> Self {
        if let Some(answer) = self.answer() {
            cut(answer, max_depth);
        }
        self
    }
}

/// A change by UpdateMapRun of the service's API; None keeps a limit.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct MapRunUpdate {
    /// ARN of the Map Run.
    pub map_run_arn: String,
    /// Children that run at a time; 0 for no limit.
    pub max_concurrency: Option<u64>,
    /// Items that may fail.
    pub tolerated_failure_count: Option<u64>,
    /// Percentage of the items that may fail.
    pub tolerated_failure_percentage: Option<f64>,
}

/// The result of an object store.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum StorageResult {
    /// All bytes of an object.
    Object(#[serde(with = "crate::saved::bytes")] Vec<u8>),
    /// A part of an object, which begins where the request says. It is not empty unless the object ends there.
    Part(ObjectPart),
    /// A listing, in the order of the keys.
    Listing(Vec<StoredObject>),
    /// The object was written.
    Written,
}

/// A part of an object.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct ObjectPart {
    /// Bytes of the part.
    #[serde(with = "crate::saved::bytes")]
    pub bytes: Vec<u8>,
    /// Size of the whole object in bytes.
    pub size: u64,
    /// Entity tag of the object, which changes when the object does.
    pub etag: Option<String>,
}

/// An object of a listing, as ListObjectsV2 shows it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct StoredObject {
    /// Key of the object.
    pub key: String,
    /// Size in bytes.
    pub size: u64,
    /// Entity tag, with its quotes.
    pub etag: String,
    /// Seconds since the epoch.
    pub last_modified: i64,
    /// Storage class, such as STANDARD.
    pub storage_class: String,
}
