//! What a host tells an execution.
use super::EffectId;
use crate::Outcome;
use serde_json::Value;

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
        output: Value,
    },
    /// The task ended well.
    TaskSucceeded {
        /// The invocation.
        id: EffectId,
        /// Its result.
        output: Value,
    },
    /// The task ended with an error. `States.Timeout` and `States.HeartbeatTimeout` count as its timing out.
    TaskFailed {
        /// The invocation.
        id: EffectId,
        /// The Error Name; the service shows some failures without.
        error: Option<String>,
        /// The cause.
        cause: Option<String>,
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
    /// The host cannot go on: the execution is to end as FAILED, whatever would retry or catch the error.
    Fail {
        /// The Error Name.
        error: Option<String>,
        /// The cause.
        cause: Option<String>,
    },
    /// The execution is to end as ABORTED.
    Stop {
        /// Reported with the outcome.
        error: Option<String>,
        /// Reported with the outcome.
        cause: Option<String>,
    },
}

/// What an object store gave.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum StorageResult {
    /// An object's bytes.
    Object(Vec<u8>),
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
