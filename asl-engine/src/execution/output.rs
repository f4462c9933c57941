//! Outputs of an execution for its host.
use super::start::Start;
use crate::data::MapItem;
use crate::history::HistoryEvent;
use crate::identity::Identity;
use crate::outcome::Outcome;
use crate::program::ScopeIndex;
use asl_model::{Resource, Timestamp};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::sync::Arc;

/// Names one effect of one execution; ids only grow.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct EffectId(pub u64);

/// A request to the host.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum Output {
    /// Have a task done; answer with `TaskSucceeded` or `TaskFailed`.
    InvokeTask(Arc<TaskInvocation>),
    /// The task's result is no longer needed.
    CancelTask {
        /// The invocation.
        id: EffectId,
    },
    /// Read from or write to an object store; answer with `StorageSucceeded` or `StorageFailed`.
    Storage(Box<StorageRequest>),
    /// Run a child execution, here or elsewhere; answer with `ChildExecutionEnded`.
    StartChildExecution(Box<ChildExecution>),
    /// The child execution is no longer needed, and must be stopped.
    StopChildExecution {
        /// Effect id of the child execution.
        id: EffectId,
    },
    /// An event of the history, where [`Start::record_history`] requested it.
    Event(Box<HistoryEvent>),
    /// Wait until this moment or until an input arrives. A moment that is not in the future means that the turn budget is
    /// spent: call `handle_input` with `TimePassed` to continue.
    Wait {
        /// The next moment at which something is due.
        until: Option<Timestamp>,
    },
    /// The execution ended.
    Done(Outcome),
}

/// A task to be done.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct TaskInvocation {
    /// Effect id of this invocation, unique within the execution.
    pub id: EffectId,
    /// The Task State.
    pub state_name: Arc<str>,
    /// The resource to invoke.
    pub resource: Arc<Resource>,
    /// The effective input.
    #[serde(with = "crate::saved::shared_text")]
    pub payload: Arc<Value>,
    /// "Credentials", evaluated.
    #[serde(with = "crate::saved::optional_text")]
    pub credentials: Option<Value>,
    /// `$$.Task.Token`, where the resource waits for it, or has one and the state uses the Context Object.
    pub task_token: Option<Arc<str>>,
    /// Seconds allowed for the task, from "TimeoutSeconds" or its Path.
    pub timeout_seconds: Option<u64>,
    /// Seconds allowed between heartbeats.
    pub heartbeat_seconds: Option<u64>,
    /// Time at which the task times out.
    pub deadline: Option<Timestamp>,
    /// 0 for the first invocation, 1 for the first retry, …
    pub retry_count: u64,
    /// Time of the start of the execution.
    pub started: Timestamp,
    /// Identity of the execution.
    pub identity: Arc<Identity>,
}

impl TaskInvocation {
    /// Creates the first invocation of a task that belongs to no execution, without a token or a time limit.
    pub fn new(state_name: impl Into<Arc<str>>, resource: Resource, payload: Value) -> Self {
        Self {
            id: EffectId(0),
            state_name: state_name.into(),
            resource: Arc::new(resource),
            payload: Arc::new(payload),
            credentials: None,
            task_token: None,
            timeout_seconds: None,
            heartbeat_seconds: None,
            deadline: None,
            retry_count: 0,
            started: Timestamp::default(),
            identity: Arc::new(Identity::new("none", "none")),
        }
    }

    /// Returns a key that is the same each time this invocation is performed, and different for all others. It derives from
    /// the execution's ARN, its start time (a name can be used again years later) and the effect id.
    pub fn idempotency_key(&self) -> String {
        let (seconds, nanoseconds): (i64, u32) = self.started.into();
        let mut hash = Sha256::new();
        hash.update(self.identity.execution_arn());
        hash.update(seconds.to_be_bytes());
        hash.update(nanoseconds.to_be_bytes());
        hash.update(self.id.0.to_be_bytes());
        let digest = hash.finalize();
        let mut key = String::with_capacity(32);
        for byte in digest.iter().take(16) {
            // Writing to a string cannot fail.
            let _ = write!(key, "{byte:02x}");
        }
        key
    }
}

/// A request to object storage (Amazon S3).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct StorageRequest {
    /// Effect id of this request, unique within the execution.
    pub id: EffectId,
    /// The bucket.
    pub bucket: String,
    /// The operation.
    pub operation: StorageOperation,
}

/// Start of a part of an object of which parts were read before.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct PartStart {
    /// Bytes before the part.
    pub offset: u64,
    /// Entity tag of the object when it was read before: an object with another is to be refused. None if the store has
    /// none.
    pub etag: Option<String>,
}

/// Operations on a bucket.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum StorageOperation {
    /// `s3:getObject`, of the whole object or a part of it: the store decides how many bytes it gives at a time
    /// ([`StorageResult::Part`](super::StorageResult::Part)).
    GetObject {
        /// Key of the object.
        key: String,
        /// "VersionId".
        version_id: Option<String>,
        /// Start of the part that is requested; None for the first part of an object that was not read before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<PartStart>,
    },
    /// `s3:listObjectsV2`, all pages.
    ListObjects {
        /// Value of "Prefix".
        prefix: Option<String>,
        /// Maximum number of objects.
        max_items: Option<u64>,
    },
    /// `s3:putObject`.
    PutObject {
        /// Key of the object.
        key: String,
        /// Content of the object.
        #[serde(with = "crate::saved::bytes")]
        body: Arc<[u8]>,
    },
}

/// A child execution of a distributed Map: an execution of its own, of the same program.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct ChildExecution {
    /// Name of the child within its parent.
    pub id: EffectId,
    /// The item of the child.
    pub(crate) item: ChildItem,
    /// The start of the child. A host may change `now`, and run the child anywhere.
    pub start: Start,
    /// Number of items: more than one for a batch. It is the last field, so that formats without names can omit it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub item_count: u64,
}

/// The items of a child that gets no batch.
pub(crate) fn one() -> u64 {
    1
}

pub(crate) fn is_one(count: &u64) -> bool {
    *count == 1
}

impl ChildExecution {
    /// Returns the index of the child in its distributed Map, from 0: the index of its item or batch.
    pub fn index(&self) -> u64 {
        self.item.item.parts().0
    }
}

/// The item of a child execution.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) struct ChildItem {
    /// The processor that the child runs.
    pub(crate) scope: ScopeIndex,
    pub(crate) item: MapItem,
}
