//! The events of an execution.
use asl_model::{StateType, Timestamp};
use serde_json::Value;
use std::sync::Arc;

/// One event. Data is shared with the execution, not copied.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct HistoryEvent {
    /// From 1, without gaps.
    pub id: u64,
    /// The event of the same branch before this one; 0 for none.
    pub previous_event_id: u64,
    /// When.
    pub timestamp: Timestamp,
    /// What.
    pub details: EventDetails,
}

/// Which service and action a task event is about.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TaskResource {
    /// `sqs`, `aws-sdk:s3`, …
    pub resource_type: String,
    /// `sendMessage.waitForTaskToken`, …
    pub resource: String,
}

/// What happened, with what the service tells of it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[expect(
    missing_docs,
    reason = "the names of the service's events and their details"
)]
pub enum EventDetails {
    ExecutionStarted {
        input: Arc<Value>,
        role_arn: String,
    },
    ExecutionSucceeded {
        output: Arc<Value>,
    },
    ExecutionFailed {
        error: Option<String>,
        cause: Option<String>,
    },
    ExecutionTimedOut {
        error: Option<String>,
        cause: Option<String>,
    },
    ExecutionAborted {
        error: Option<String>,
        cause: Option<String>,
    },
    StateEntered {
        state_type: StateType,
        name: Arc<str>,
        input: Arc<Value>,
    },
    StateExited {
        state_type: StateType,
        name: Arc<str>,
        output: Arc<Value>,
        /// In the order of "Assign".
        assigned_variables: Vec<(Arc<str>, Arc<Value>)>,
    },
    StateAborted {
        state_type: StateType,
    },
    LambdaFunctionScheduled {
        resource: String,
        input: Arc<Value>,
        timeout_in_seconds: Option<u64>,
        #[serde(with = "crate::saved::optional")]
        task_credentials: Option<Value>,
    },
    LambdaFunctionStarted,
    LambdaFunctionSucceeded {
        output: Arc<Value>,
    },
    LambdaFunctionFailed {
        error: Option<String>,
        cause: Option<String>,
    },
    LambdaFunctionTimedOut {
        error: Option<String>,
        cause: Option<String>,
    },
    ActivityScheduled {
        resource: String,
        input: Arc<Value>,
        timeout_in_seconds: Option<u64>,
        heartbeat_in_seconds: Option<u64>,
    },
    ActivityStarted {
        worker_name: Option<String>,
    },
    ActivitySucceeded {
        output: Arc<Value>,
    },
    ActivityFailed {
        error: Option<String>,
        cause: Option<String>,
    },
    ActivityTimedOut {
        error: Option<String>,
        cause: Option<String>,
    },
    TaskScheduled {
        task: Arc<TaskResource>,
        region: String,
        parameters: Arc<Value>,
        timeout_in_seconds: Option<u64>,
        heartbeat_in_seconds: Option<u64>,
        #[serde(with = "crate::saved::optional")]
        task_credentials: Option<Value>,
    },
    TaskStarted {
        task: Arc<TaskResource>,
    },
    TaskSubmitted {
        task: Arc<TaskResource>,
        #[serde(with = "crate::saved::optional")]
        output: Option<Arc<Value>>,
    },
    TaskSucceeded {
        task: Arc<TaskResource>,
        output: Arc<Value>,
    },
    TaskFailed {
        task: Arc<TaskResource>,
        error: Option<String>,
        cause: Option<String>,
    },
    TaskTimedOut {
        task: Arc<TaskResource>,
        error: Option<String>,
        cause: Option<String>,
    },
    MapStateStarted {
        length: u64,
    },
    MapStateSucceeded,
    MapStateFailed,
    MapStateAborted,
    MapIterationStarted {
        name: Arc<str>,
        index: u64,
    },
    MapIterationSucceeded {
        name: Arc<str>,
        index: u64,
    },
    MapIterationFailed {
        name: Arc<str>,
        index: u64,
    },
    MapIterationAborted {
        name: Arc<str>,
        index: u64,
    },
    ParallelStateStarted,
    ParallelStateSucceeded,
    ParallelStateFailed,
    ParallelStateAborted,
    MapRunStarted {
        map_run_arn: String,
    },
    MapRunSucceeded,
    MapRunFailed {
        error: Option<String>,
        cause: Option<String>,
    },
    MapRunAborted,
    EvaluationFailed {
        state: Arc<str>,
        location: Option<String>,
        error: String,
        cause: String,
    },
}
