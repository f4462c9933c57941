//! What a host tells an execution.
use super::output::EffectId;
use crate::data::cut;
use crate::error_output::ErrorOutput;
use crate::outcome::Outcome;
use serde_json::Value;
use std::sync::Arc;

/// What happened outside.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Input {
    /// A worker took up an activity's task.
    TaskStarted {
        /// The invocation.
        id: EffectId,
        /// Who.
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
    /// The task ended well.
    TaskSucceeded {
        /// The invocation.
        id: EffectId,
        /// Its result.
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
    },
    /// The task ended with an error. `States.Timeout` and `States.HeartbeatTimeout` count as its timing out.
    TaskFailed {
        /// The invocation.
        id: EffectId,
        /// The error.
        #[serde(flatten)]
        error_output: ErrorOutput,
    },
    /// The task is alive: its heartbeat interval starts anew.
    TaskHeartbeat {
        /// The invocation.
        id: EffectId,
    },
    /// An object store did what a [`StorageRequest`](super::StorageRequest) asked.
    StorageSucceeded {
        /// The request.
        id: EffectId,
        /// What it gave.
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
        /// The child.
        id: EffectId,
        /// How.
        outcome: Outcome,
    },
    /// Time passed: waits, timeouts and retries that are due go on.
    TimePassed,
    /// Takes up an execution again that failed, timed out or was stopped, where it came to its end: branches and
    /// iterations that are done stay done, what was under way is attempted anew, and so are the clock of the machine's
    /// own TimeoutSeconds and the counts of retries. Ignored by an execution that runs or succeeded, and by an Express one.
    Redrive,
    /// Other limits for a Map Run that runs.
    UpdateMapRun(MapRunUpdate),
    /// The host cannot go on: the execution is to end as FAILED, whatever would retry or catch the error.
    Fail(ErrorOutput),
    /// The execution is to end as ABORTED, and to report this.
    Stop(ErrorOutput),
}

impl Input {
    /// The data of an answer.
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

    /// With no more of its data than is needed to refuse it where it nests too deep.
    pub(crate) fn cut(mut self, max_depth: usize) -> Self {
        if let Some(answer) = self.answer() {
            cut(answer, max_depth);
        }
        self
    }
}

/// What UpdateMapRun of the service's API changes; None leaves a limit as it is.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct MapRunUpdate {
    /// Which Map Run.
    pub map_run_arn: String,
    /// Children that run at a time; 0 for no limit.
    pub max_concurrency: Option<u64>,
    /// Items that may fail.
    pub tolerated_failure_count: Option<u64>,
    /// Percentage of the items that may fail.
    pub tolerated_failure_percentage: Option<f64>,
}

/// What an object store gave.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum StorageResult {
    /// An object's bytes.
    Object(#[serde(with = "crate::saved::bytes")] Vec<u8>),
    /// A listing, in the order of the keys.
    Listing(Vec<StoredObject>),
    /// The object was written.
    Written,
}

/// An object of a listing, as ListObjectsV2 shows it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StoredObject {
    /// Its key.
    pub key: String,
    /// Bytes.
    pub size: u64,
    /// Its entity tag, with its quotes.
    pub etag: String,
    /// Seconds since the epoch.
    pub last_modified: i64,
    /// STANDARD, …
    pub storage_class: String,
}
