//! Starts and ends of executions.
use super::{JsonText, ListEntry, MockedTestCase};
use asl_backend::{
    CoreStart, ExecutionEnd, ExecutionStatus, NestedTask, StartExecution, why_not_redrivable,
};
use asl_engine::model::StateMachineType;
use asl_engine::{ErrorOutput, Execution, Outcome, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// All that an execution begins with: the input of its workflow.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ExecutionStart {
    /// Distinguishes this start from others of the same name.
    pub(crate) nonce: String,
    /// The version of the core that it runs by, from its beginning to its end.
    pub(crate) core_version: u32,
    /// The definition, by its hash.
    pub(crate) definition: String,
    pub(crate) start: CoreStart,
    pub(crate) about: StartMetadata,
}

impl ExecutionStart {
    /// Returns true if it runs within one invocation, and keeps no records: not where a test case counts its attempts, or a
    /// task waits for its end.
    pub(crate) fn is_express(&self) -> bool {
        let kind = self.start.start().state_machine_type;
        let is_followed = self.about.mocked.is_some() || self.about.nested.is_some();
        kind == StateMachineType::Express && !is_followed
    }
}

/// Metadata of an execution from its start.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct StartMetadata {
    pub(crate) revision: Arc<str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trace_header: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version_arn: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) alias_arn: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) map_run_arn: Option<Arc<str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) item_count: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<ChildAgain>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mocked: Option<Arc<MockedTestCase>>,
    /// The task that waits for its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) nested: Option<NestedTask>,
    /// True if its status changes are recorded for followers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_followed: bool,
}

/// The earlier run of a child that a redrive of its parent starts again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChildAgain {
    /// Number of redrives of its parent.
    pub(crate) redrive_count: u64,
    /// Time of the first start.
    pub(crate) first_start: Timestamp,
    /// The key of its workflow before.
    pub(crate) key_before: Arc<str>,
}

impl ChildAgain {
    /// Returns the key of its workflow.
    pub(crate) fn key(&self, arn: &str) -> String {
        format!("{arn}|{}", self.redrive_count)
    }
}

impl StartMetadata {
    /// Returns the metadata of a start.
    pub(crate) fn from_start(start: &StartExecution) -> Self {
        Self {
            revision: Arc::clone(&start.revision),
            trace_header: start.trace_header.clone(),
            version_arn: start.version_arn.clone(),
            alias_arn: start.alias_arn.clone(),
            map_run_arn: None,
            item_count: None,
            again: None,
            mocked: None,
            nested: start.nested.clone(),
            is_followed: false,
        }
    }
}

/// Identifies one of several starts with the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Began {
    pub(crate) nonce: String,
    pub(crate) start_date: Timestamp,
    pub(crate) input: Arc<str>,
    /// True if it has ended meanwhile.
    #[serde(default)]
    pub(crate) has_ended: bool,
}

/// The outcome of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExecutionOutcome {
    pub(crate) status: Arc<str>,
    pub(crate) stop_date: Timestamp,
    pub(crate) output: Option<Arc<str>>,
    pub(crate) error_output: ErrorOutput,
    pub(crate) event_count: u64,
}

impl ExecutionOutcome {
    /// Creates the stored form of an outcome.
    pub(crate) fn new(execution: &Execution, outcome: &Outcome) -> Self {
        Self::ended(outcome, execution.now(), execution.event_count())
    }

    fn ended(outcome: &Outcome, stop_date: Timestamp, event_count: u64) -> Self {
        let ended = ExecutionEnd::from(outcome);
        Self {
            status: ended.status.word().into(),
            stop_date,
            output: ended.output,
            error_output: ended.error_output,
            event_count,
        }
    }

    /// Creates the outcome of an execution that is only known from an error of Restate.
    pub(crate) fn lost(said: &str) -> Self {
        let error = ErrorOutput::new("States.Runtime", format!("Restate error: {said}"));
        Self::ended(&Outcome::Failed(error), Timestamp::default(), 0)
    }

    /// Returns the outcome for the parent.
    pub(crate) fn outcome(self) -> Outcome {
        match &*self.status {
            "SUCCEEDED" => {
                let output = self.output.map(JsonText);
                Outcome::Succeeded(output.map(|it| it.value()).unwrap_or_default().into())
            }
            "TIMED_OUT" => Outcome::TimedOut,
            "ABORTED" => Outcome::Aborted(self.error_output),
            _ => Outcome::Failed(self.error_output),
        }
    }

    pub(crate) fn status(&self) -> ExecutionStatus {
        // Our own messages have no other words.
        ExecutionStatus::from_word(&self.status).unwrap_or(ExecutionStatus::Running)
    }

    /// Returns the reason why an execution, ended or running, cannot be redriven.
    pub(crate) fn why_not_redrivable(ending: Option<&Self>, now: Timestamp) -> Option<String> {
        match ending {
            Some(ended) => {
                let stop_date = Some(ended.stop_date);
                why_not_redrivable(ended.status(), stop_date, ended.event_count, now)
            }
            None => why_not_redrivable(ExecutionStatus::Running, None, 0, now),
        }
    }
}

/// The description of an execution.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ExecutionDetails {
    pub(crate) listed: ListEntry,
    pub(crate) input: Arc<str>,
    pub(crate) definition: String,
    pub(crate) about: StartMetadata,
    pub(crate) ending: Option<ExecutionOutcome>,
}
