//! The events of an execution.
use crate::error_output::ErrorOutput;
use asl_model::{StateType, Timestamp};
use serde_json::Value;
use std::sync::Arc;

/// An event of an execution. Its data is shared with the execution, not copied.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct HistoryEvent {
    /// Event id, from 1 without gaps.
    pub id: u64,
    /// The event of the same branch before this one; 0 for none.
    pub previous_event_id: u64,
    /// Time of the event.
    pub timestamp: Timestamp,
    /// Details of the event.
    pub details: EventDetails,
}

/// Service and action of a task event.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct TaskResource {
    /// `sqs`, `aws-sdk:s3`, …
    pub resource_type: String,
    /// `sendMessage.waitForTaskToken`, …
    pub resource: String,
}

/// Kinds of events with their details, as reported by the service.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[expect(
    missing_docs,
    reason = "the names of the service's events and their details"
)]
#[non_exhaustive]
pub enum EventDetails {
    ExecutionStarted {
        #[serde(with = "crate::saved::shared_text")]
        input: Arc<Value>,
        /// Text of the input as it was sent, if known.
        input_text: Option<Arc<str>>,
        role_arn: String,
    },
    ExecutionRedriven {
        redrive_count: u64,
    },
    ExecutionSucceeded {
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
    },
    ExecutionFailed(ErrorOutput),
    ExecutionTimedOut(ErrorOutput),
    ExecutionAborted(ErrorOutput),
    StateEntered {
        state_type: StateType,
        name: Arc<str>,
        #[serde(with = "crate::saved::shared_text")]
        input: Arc<Value>,
        /// Text of the execution's input as it was sent, if the state receives it unchanged.
        input_text: Option<Arc<str>>,
    },
    StateExited {
        state_type: StateType,
        name: Arc<str>,
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
        /// Assigned variables, in the order of "Assign".
        #[serde(with = "crate::saved::named_shared_texts")]
        assigned_variables: Vec<(Arc<str>, Arc<Value>)>,
    },
    LambdaFunctionScheduled {
        resource: String,
        #[serde(with = "crate::saved::shared_text")]
        input: Arc<Value>,
        timeout_in_seconds: Option<u64>,
        #[serde(with = "crate::saved::optional_text")]
        task_credentials: Option<Value>,
    },
    LambdaFunctionStarted,
    LambdaFunctionSucceeded {
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
    },
    LambdaFunctionFailed(ErrorOutput),
    LambdaFunctionTimedOut(ErrorOutput),
    ActivityScheduled {
        resource: String,
        #[serde(with = "crate::saved::shared_text")]
        input: Arc<Value>,
        timeout_in_seconds: Option<u64>,
        heartbeat_in_seconds: Option<u64>,
    },
    ActivityStarted {
        worker_name: Option<String>,
    },
    ActivitySucceeded {
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
    },
    ActivityFailed(ErrorOutput),
    ActivityTimedOut(ErrorOutput),
    TaskScheduled {
        task: Arc<TaskResource>,
        region: String,
        #[serde(with = "crate::saved::shared_text")]
        parameters: Arc<Value>,
        timeout_in_seconds: Option<u64>,
        heartbeat_in_seconds: Option<u64>,
        #[serde(with = "crate::saved::optional_text")]
        task_credentials: Option<Value>,
    },
    TaskStarted {
        task: Arc<TaskResource>,
    },
    TaskSubmitted {
        task: Arc<TaskResource>,
        #[serde(with = "crate::saved::optional_shared_text")]
        output: Option<Arc<Value>>,
    },
    TaskSucceeded {
        task: Arc<TaskResource>,
        #[serde(with = "crate::saved::shared_text")]
        output: Arc<Value>,
    },
    TaskFailed {
        task: Arc<TaskResource>,
        #[serde(flatten)]
        error_output: ErrorOutput,
    },
    TaskTimedOut {
        task: Arc<TaskResource>,
        #[serde(flatten)]
        error_output: ErrorOutput,
    },
    MapStateStarted {
        length: u64,
    },
    MapStateSucceeded,
    MapStateFailed,
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
    /// An iteration was aborted because another iteration of its Map State failed.
    MapIterationAborted {
        name: Arc<str>,
        index: u64,
    },
    /// A Task, Wait, Parallel or Map State that was under way in a branch or an iteration when that, or another one, failed.
    StateAborted {
        state_type: StateType,
    },
    ParallelStateStarted,
    ParallelStateSucceeded,
    ParallelStateFailed,
    MapRunStarted {
        map_run_arn: String,
    },
    MapRunSucceeded,
    MapRunFailed(ErrorOutput),
    EvaluationFailed {
        state: Arc<str>,
        location: Option<String>,
        error: String,
        cause: String,
    },
    /// The service could not schedule a function. This and the events below come from histories of the service only.
    LambdaFunctionScheduleFailed(ErrorOutput),
    LambdaFunctionStartFailed(ErrorOutput),
    ActivityScheduleFailed(ErrorOutput),
    TaskStartFailed {
        task: Arc<TaskResource>,
        #[serde(flatten)]
        error_output: ErrorOutput,
    },
    TaskSubmitFailed {
        task: Arc<TaskResource>,
        #[serde(flatten)]
        error_output: ErrorOutput,
    },
    MapRunRedriven {
        map_run_arn: String,
        redrive_count: u64,
    },
}

impl EventDetails {
    /// Returns the Error Output of an event that reports a failure: of a task, an expression, a Map Run or the execution.
    ///
    /// ```
    /// use asl_engine::ErrorOutput;
    /// use asl_engine::history::EventDetails;
    ///
    /// let error_output = ErrorOutput::new("CardRefused", "expired");
    /// let failed = EventDetails::LambdaFunctionFailed(error_output.clone());
    /// assert_eq!(failed.error_output(), Some(error_output));
    /// assert_eq!(EventDetails::MapStateFailed.error_output(), None);
    /// ```
    pub fn error_output(&self) -> Option<ErrorOutput> {
        match self {
            Self::ExecutionFailed(error_output)
            | Self::ExecutionTimedOut(error_output)
            | Self::ExecutionAborted(error_output)
            | Self::LambdaFunctionFailed(error_output)
            | Self::LambdaFunctionTimedOut(error_output)
            | Self::LambdaFunctionScheduleFailed(error_output)
            | Self::LambdaFunctionStartFailed(error_output)
            | Self::ActivityFailed(error_output)
            | Self::ActivityTimedOut(error_output)
            | Self::ActivityScheduleFailed(error_output)
            | Self::TaskFailed { error_output, .. }
            | Self::TaskTimedOut { error_output, .. }
            | Self::TaskStartFailed { error_output, .. }
            | Self::TaskSubmitFailed { error_output, .. }
            | Self::MapRunFailed(error_output) => Some(error_output.clone()),
            Self::EvaluationFailed { error, cause, .. } => Some(ErrorOutput::new(error, cause)),
            _ => None,
        }
    }
}
