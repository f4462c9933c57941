//! The explanation of an execution: its states, their input, the data after each field, and the reasons for its path.
use asl_engine::ErrorOutput;
use asl_model::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::sync::Arc;

/// An explanation of an execution. In JSON, unknown members are omitted.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Account {
    /// The final status: `SUCCEEDED`, `FAILED`, …; None if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Time of the start.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    pub started: Option<Timestamp>,
    /// Time of the end.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    pub stopped: Option<Timestamp>,
    /// Input of the execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Arc<Value>>,
    /// The output, if the execution succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Arc<Value>>,
    /// The error name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The cause of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// States in the order in which they were entered.
    pub steps: Vec<Step>,
}

/// A state that was entered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Step {
    /// Name of the state.
    pub state: String,
    /// `Task`, `Choice`, …; empty if unknown.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub state_type: String,
    /// Time of the entry.
    #[serde(serialize_with = "present_moment")]
    pub entered: Timestamp,
    /// Time of the exit; None if the execution ended in this state.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    pub left: Option<Timestamp>,
    /// Raw input of the state.
    pub input: Arc<Value>,
    /// Findings in order.
    pub findings: Vec<TimedFinding>,
    /// Branches, iterations and child executions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strands: Vec<Strand>,
    /// The output of the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Arc<Value>>,
    /// The state that follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A finding about a state, with its time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TimedFinding {
    /// Time of the finding.
    #[serde(serialize_with = "present_moment")]
    pub at: Timestamp,
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
}

/// A finding about a state: data, a decision, an error.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum Finding {
    /// The state's work starts again after a failure.
    Attempt {
        /// 1 for the first retry, 2 for the second, …
        retry_count: u64,
    },
    /// The data after a field; `Result` is the result of the state's work.
    Field {
        /// The field's name.
        field: String,
        /// Data after the field was applied.
        value: Arc<Value>,
    },
    /// `Assign` gave a variable a value.
    Variable {
        /// The variable's name.
        name: String,
        /// Value of the variable from the next state on.
        value: Arc<Value>,
    },
    /// A Choice Rule was looked at.
    Rule {
        /// Index of the rule, from 0.
        index: usize,
        /// True if the rule matched.
        matched: bool,
        /// The rule in few words, where the definition is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// The values that the rule tested.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        because: Vec<Reason>,
    },
    /// No rule matched: the Default follows.
    Default,
    /// The task of the state, or one of the state's fields, failed.
    Error {
        /// The Error Name.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// The cause.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
        /// The field with the error, as a JSON Pointer from the state, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
    },
    /// A retrier or a catcher was asked, and does not take the error.
    PassedBy {
        /// `Retry` or `Catch`.
        field: &'static str,
        /// Index, from 0.
        index: usize,
        /// The names it takes.
        error_equals: Vec<String>,
    },
    /// A retrier matches the error, but has made all its attempts.
    Exhausted {
        /// Index, from 0.
        index: usize,
        /// The names it takes.
        error_equals: Vec<String>,
    },
    /// The work is to be done again.
    Retry {
        /// Index of the retrier, from 0, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// The names it takes.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        error_equals: Vec<String>,
        /// Maximum number of attempts, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_attempts: Option<u64>,
        /// Seconds until then.
        delay_seconds: f64,
    },
    /// A catcher leads to another state.
    Catch {
        /// Index of the catcher, from 0, if known.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// The names it takes.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        error_equals: Vec<String>,
    },
    /// Iterations or children of a Map Run start.
    Iterations {
        /// Number of iterations or children.
        count: u64,
    },
    /// A difference between the definition and the history.
    Remark {
        /// A sentence.
        text: String,
    },
}

/// A value that a Choice Rule tested.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Reason {
    /// A path, or a part of an expression.
    pub expression: String,
    /// The value, if it exists.
    pub value: Option<Arc<Value>>,
    /// True if the test that reads the value is true, if it is one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
}

/// A branch, an iteration, or a child execution of a distributed Map.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Strand {
    /// The kind of the strand.
    pub kind: StrandKind,
    /// Index of the strand, from 0.
    pub index: u64,
    /// Attempt of the enclosing state: 0 for the first, 1 for the first retry, …
    #[serde(skip_serializing_if = "is_zero")]
    pub retry_count: u64,
    /// Status of a child execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// States of the strand.
    pub steps: Vec<Step>,
}

/// Kinds of strands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum StrandKind {
    /// A branch of a Parallel State.
    Branch,
    /// An iteration of a Map State.
    Iteration,
    /// A child execution of a distributed Map State.
    Child,
}

impl Account {
    /// Records the error of the execution, and returns its status.
    pub(crate) fn fail(&mut self, output: &ErrorOutput, status: &'static str) -> &'static str {
        (self.error, self.cause) = (output.error.clone(), output.cause.clone());
        status
    }
}

impl Step {
    /// Returns the number of retries.
    pub fn retries(&self) -> u64 {
        let is_attempt = |found: &&TimedFinding| matches!(found.finding, Finding::Attempt { .. });
        self.findings.iter().filter(is_attempt).count() as u64
    }

    pub(crate) fn sort_strands(&mut self) {
        self.strands
            .sort_by_key(|strand| (strand.retry_count, strand.index));
    }

    /// Returns the kind of the strands that the state itself runs.
    pub(crate) fn inner_kind(&self) -> StrandKind {
        match self.state_type == "Parallel" {
            true => StrandKind::Branch,
            false => StrandKind::Iteration,
        }
    }

    /// Returns the last error of the state, if nothing handled it.
    pub fn failure(&self) -> Option<&Finding> {
        let is_error = |found: &&TimedFinding| matches!(found.finding, Finding::Error { .. });
        match self.output {
            Some(_) => None,
            None => self.findings.iter().rfind(is_error).map(|it| &it.finding),
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn present_moment<S: Serializer>(moment: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(moment)
}

fn moment<S: Serializer>(moment: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    match moment {
        Some(moment) => serializer.collect_str(moment),
        None => serializer.serialize_none(),
    }
}
