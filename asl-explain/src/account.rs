//! What is told of an execution: its states, what came in, what was made of it, and why it went on as it did.
use asl_model::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::sync::Arc;

/// An execution, as a person is told of it. As JSON, members that are not known are left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// How it ended: `SUCCEEDED`, `FAILED`, …; None where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// When it began.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    pub started: Option<Timestamp>,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    pub stopped: Option<Timestamp>,
    /// Its input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Arc<Value>>,
    /// Its output, where it succeeded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Arc<Value>>,
    /// What it failed with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Its states, in the order in which they were entered.
    pub steps: Vec<Step>,
}

/// A state that was entered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Its name.
    pub state: String,
    /// `Task`, `Choice`, …; empty where it is not known.
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub state_type: String,
    /// When it was entered.
    #[serde(serialize_with = "present_moment")]
    pub entered: Timestamp,
    /// When it was left; None where the execution ended in it.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "moment")]
    pub left: Option<Timestamp>,
    /// Its raw input.
    pub input: Arc<Value>,
    /// What happened in it, in order.
    pub findings: Vec<TimedFinding>,
    /// Branches, iterations and child executions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strands: Vec<Strand>,
    /// What it was left with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Arc<Value>>,
    /// The state that follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Something that happened in a state, and when.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TimedFinding {
    /// When.
    #[serde(serialize_with = "present_moment")]
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub finding: Finding,
}

/// Something that happened in a state.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum Finding {
    /// Its work begins again, after a failure.
    Attempt {
        /// 1 for the first retry, 2 for the second, …
        retry_count: u64,
    },
    /// What a field made of the data; `Result` is what its work gave.
    Field {
        /// The field's name.
        field: String,
        /// What it made.
        value: Arc<Value>,
    },
    /// `Assign` gave a variable a value.
    Variable {
        /// The variable's name.
        name: String,
        /// Its value from the next state on.
        value: Arc<Value>,
    },
    /// A Choice Rule was looked at.
    Rule {
        /// Which, from 0.
        index: usize,
        /// Whether it decided.
        matched: bool,
        /// The rule in few words, where the definition is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        /// What it was looked at with.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        because: Vec<Reason>,
    },
    /// No rule matched: the Default follows.
    Default,
    /// Its work, or one of its fields, failed.
    Error {
        /// The Error Name.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// The cause.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
        /// The field at fault, as a JSON pointer from the state, where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
    },
    /// A retrier or a catcher was asked, and does not take the error.
    PassedBy {
        /// `Retry` or `Catch`.
        field: &'static str,
        /// Which, from 0.
        index: usize,
        /// The names it takes.
        error_equals: Vec<String>,
    },
    /// A retrier matches the error, but has made all its attempts.
    Exhausted {
        /// Which, from 0.
        index: usize,
        /// The names it takes.
        error_equals: Vec<String>,
    },
    /// The work is to be done again.
    Retry {
        /// Which retrier, from 0, where that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// The names it takes.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        error_equals: Vec<String>,
        /// How many attempts it allows, where that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_attempts: Option<u64>,
        /// Seconds until then.
        delay_seconds: f64,
    },
    /// A catcher leads to another state.
    Catch {
        /// Which catcher, from 0, where that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// The names it takes.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        error_equals: Vec<String>,
    },
    /// Iterations, or the children of a Map Run, begin.
    Iterations {
        /// How many.
        count: u64,
    },
    /// What the definition and the history do not agree about.
    Remark {
        /// A sentence.
        text: String,
    },
}

/// Something that a Choice Rule was looked at with.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// A path, or a part of an expression.
    pub expression: String,
    /// What it is; None where it has no value.
    pub value: Option<Arc<Value>>,
    /// Whether the test that reads it holds, where it is one of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<bool>,
}

/// A branch, an iteration, or a child execution of a distributed Map.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Strand {
    /// Which it is.
    pub kind: StrandKind,
    /// Which of them, from 0.
    pub index: u64,
    /// In which attempt of the state that holds it: 0 for the first, 1 for the first retry, …
    #[serde(skip_serializing_if = "is_zero")]
    pub retry_count: u64,
    /// How a child execution ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Its states.
    pub steps: Vec<Step>,
}

/// What a strand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum StrandKind {
    /// Of a Parallel State.
    Branch,
    /// Of a Map State.
    Iteration,
    /// Of a distributed Map State.
    Child,
}

impl Step {
    /// How often its work began again.
    pub fn retries(&self) -> u64 {
        let is_attempt = |found: &&TimedFinding| matches!(found.finding, Finding::Attempt { .. });
        self.findings.iter().filter(is_attempt).count() as u64
    }

    /// The last error of the state, where nothing took it.
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
