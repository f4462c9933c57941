//! Outputs that were not polled yet.
use super::damage::{DamageContext as _, Read};
use super::restoring::RestoreContext;
use super::start::{SavedItem, SavedStart};
use super::storage::SavedOperation;
use super::values::{JsonText, ValueIndex, ValueTable};
use crate::Resource;
use crate::execution::output::{
    ChildExecution, Output, StorageRequest, TaskInvocation, is_one, one,
};
use crate::history::HistoryEvent;
use asl_model::Timestamp;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An output that was not polled yet, whole: what requested it may be gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedOutput {
    InvokeTask(Box<SavedInvocation>),
    CancelTask(u64),
    Storage {
        effect: u64,
        bucket: String,
        operation: SavedOperation,
    },
    StartChild {
        effect: u64,
        item: SavedItem,
        start: Box<SavedStart>,
        /// More than one of a batch.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        item_count: u64,
    },
    StopChild(u64),
    Event(Box<HistoryEvent>),
}

/// A task to be requested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedInvocation {
    effect: u64,
    state_name: Arc<str>,
    resource: String,
    payload: ValueIndex,
    credentials: Option<JsonText>,
    task_token: Option<Arc<str>>,
    timeout_seconds: Option<u64>,
    heartbeat_seconds: Option<u64>,
    deadline: Option<Timestamp>,
    retry_count: u64,
}

impl SavedOutput {
    /// Converts an output; None for outputs that are never queued.
    pub(super) fn new(output: &Output, table: &mut ValueTable) -> Option<Self> {
        Some(match output {
            Output::InvokeTask(task) => {
                Self::InvokeTask(Box::new(SavedInvocation::new(task, table)))
            }
            Output::CancelTask { id } => Self::CancelTask(id.0),
            Output::Storage(request) => Self::Storage {
                effect: request.id.0,
                bucket: request.bucket.clone(),
                operation: SavedOperation::from(&request.operation),
            },
            Output::StartChildExecution(child) => Self::StartChild {
                effect: child.id.0,
                item: SavedItem::new(&child.item),
                item_count: child.item_count,
                start: Box::new(SavedStart::new(&child.start, table)),
            },
            Output::StopChildExecution { id } => Self::StopChild(id.0),
            Output::Event(event) => Self::Event(event.clone()),
            Output::Wait { .. } | Output::Done(_) => return None,
        })
    }

    pub(super) fn output(self, save: &mut RestoreContext<'_>) -> Read<Output> {
        Ok(match self {
            Self::InvokeTask(task) => {
                let task = task.invocation(save).within("invoke_task")?;
                Output::InvokeTask(Arc::new(task))
            }
            Self::CancelTask(effect) => Output::CancelTask {
                id: save.effect(effect)?,
            },
            Self::Storage {
                effect,
                bucket,
                operation,
            } => Output::Storage(Box::new(StorageRequest {
                id: save.effect(effect)?,
                bucket,
                operation: operation.into(),
            })),
            Self::StartChild {
                effect,
                item,
                item_count,
                start,
            } => Output::StartChildExecution(Box::new(ChildExecution {
                id: save.effect(effect)?,
                item: item.item(save.program).within("item")?,
                item_count,
                start: start
                    .start(save.program, &mut save.values)
                    .within("start")?,
            })),
            Self::StopChild(effect) => Output::StopChildExecution {
                id: save.effect(effect)?,
            },
            Self::Event(event) => {
                save.event("event", event.id)?;
                Output::Event(event)
            }
        })
    }
}

impl SavedInvocation {
    fn new(task: &TaskInvocation, table: &mut ValueTable) -> Self {
        let TaskInvocation {
            id,
            state_name,
            resource,
            payload,
            credentials,
            task_token,
            timeout_seconds,
            heartbeat_seconds,
            deadline,
            retry_count,
            // Those of the execution.
            started: _,
            identity: _,
        } = task;
        Self {
            effect: id.0,
            state_name: Arc::clone(state_name),
            resource: resource.uri.clone(),
            payload: table.shared(payload),
            credentials: credentials.as_ref().map(JsonText::new),
            task_token: task_token.clone(),
            timeout_seconds: *timeout_seconds,
            heartbeat_seconds: *heartbeat_seconds,
            deadline: *deadline,
            retry_count: *retry_count,
        }
    }

    fn invocation(self, save: &mut RestoreContext<'_>) -> Read<TaskInvocation> {
        let credentials = self.credentials.map(|credentials| credentials.value());
        Ok(TaskInvocation {
            id: save.effect(self.effect)?,
            state_name: self.state_name,
            resource: Arc::new(Resource::parse(&self.resource)),
            payload: save.values.shared(self.payload).within("payload")?,
            credentials: credentials.transpose().within("credentials")?,
            task_token: self.task_token,
            timeout_seconds: self.timeout_seconds,
            heartbeat_seconds: self.heartbeat_seconds,
            deadline: self.deadline,
            retry_count: self.retry_count,
            started: save.start.now,
            identity: Arc::clone(&save.start.identity),
        })
    }
}
