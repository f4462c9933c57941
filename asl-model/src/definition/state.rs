//! States: what all have, and each type but Choice and Map.
use super::{Catcher, Choice, Map, Retrier, StateName, States};
use crate::{PayloadTemplate, Timestamp};
use asl_intrinsics::Intrinsic;
use asl_path::{Path, ReferencePath};
use serde_json::Value;

/// "QueryLanguage".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum QueryLanguage {
    /// JSONPath, payload templates and intrinsic functions.
    #[default]
    JSONPath,
    /// JSONata: read, and refused with a diagnostic for now.
    JSONata,
}

/// A state of any type.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// "Comment".
    pub comment: Option<String>,
    /// "QueryLanguage".
    pub query_language: Option<QueryLanguage>,
    /// "Type" and what goes with it.
    pub kind: StateKind,
}

/// What a state does.
#[derive(Debug, Clone, PartialEq)]
pub enum StateKind {
    /// Passes its input on, perhaps reshaped.
    Pass(Box<Pass>),
    /// Has work done by a resource.
    Task(Box<Task>),
    /// Branches.
    Choice(Box<Choice>),
    /// Waits.
    Wait(Box<Wait>),
    /// Ends the scope with success.
    Succeed(Box<Succeed>),
    /// Ends the machine with a failure.
    Fail(Box<Fail>),
    /// Runs branches side by side.
    Parallel(Box<Parallel>),
    /// Runs one processor for each item.
    Map(Box<Map>),
}

/// Where a state leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// "Next".
    Next(StateName),
    /// "End": true.
    End,
}

/// "InputPath" and "OutputPath".
#[derive(Debug, Clone, PartialEq, Default)]
pub enum DataPath {
    /// Absent: the same as `$`.
    #[default]
    Absent,
    /// null: the data is replaced by `{}`.
    Null,
    /// A path.
    Path(Path),
}

/// "ResultPath".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ResultPath {
    /// Absent: the same as `$`.
    #[default]
    Absent,
    /// null: the result is discarded.
    Null,
    /// A reference path.
    Path(ReferencePath),
}

/// Pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// "InputPath".
    pub input_path: DataPath,
    /// "Parameters".
    pub parameters: Option<PayloadTemplate>,
    /// "Result".
    pub result: Option<Value>,
    /// "ResultPath".
    pub result_path: ResultPath,
    /// "OutputPath".
    pub output_path: DataPath,
    /// "Next" or "End".
    pub transition: Transition,
}

/// A whole number given as itself or by a path: "MaxConcurrency" and "MaxConcurrencyPath", and the like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whole {
    /// The number.
    Number(u64),
    /// "…Path": a reference path into the input, or a path into the Context Object.
    Path(Box<PathField>),
}

/// A path that is a Reference Path, possibly into the Context Object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathField {
    /// True where it begins with `$$`.
    pub context: bool,
    /// The reference path, without the first `$` of `$$`.
    pub path: ReferencePath,
}

/// Seconds: "TimeoutSeconds" and "TimeoutSecondsPath", "HeartbeatSeconds" and "HeartbeatSecondsPath".
pub type Seconds = Whole;

/// Task.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// "Resource", a URI.
    pub resource: String,
    /// "InputPath".
    pub input_path: DataPath,
    /// "Parameters".
    pub parameters: Option<PayloadTemplate>,
    /// "ResultSelector".
    pub result_selector: Option<PayloadTemplate>,
    /// "ResultPath".
    pub result_path: ResultPath,
    /// "OutputPath".
    pub output_path: DataPath,
    /// "Credentials", a template.
    pub credentials: Option<PayloadTemplate>,
    /// "TimeoutSeconds" or its Path.
    pub timeout: Option<Seconds>,
    /// "HeartbeatSeconds" or its Path.
    pub heartbeat: Option<Seconds>,
    /// "Retry".
    pub retry: Vec<Retrier>,
    /// "Catch".
    pub catch: Vec<Catcher>,
    /// "Next" or "End".
    pub transition: Transition,
}

/// Wait.
#[derive(Debug, Clone, PartialEq)]
pub struct Wait {
    /// Until when.
    pub duration: WaitDuration,
    /// "InputPath".
    pub input_path: DataPath,
    /// "OutputPath".
    pub output_path: DataPath,
    /// "Next" or "End".
    pub transition: Transition,
}

/// The four forms of Wait.
#[derive(Debug, Clone, PartialEq)]
pub enum WaitDuration {
    /// "Seconds".
    Seconds(u64),
    /// "SecondsPath".
    SecondsPath(Path),
    /// "Timestamp".
    Timestamp(Timestamp, String),
    /// "TimestampPath".
    TimestampPath(Path),
}

/// Succeed.
#[derive(Debug, Clone, PartialEq)]
pub struct Succeed {
    /// "InputPath".
    pub input_path: DataPath,
    /// "OutputPath".
    pub output_path: DataPath,
}

/// Fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Fail {
    /// "Error" or "ErrorPath".
    pub error: Option<TextField>,
    /// "Cause" or "CausePath".
    pub cause: Option<TextField>,
}

/// A text given as itself, by a path, or by an intrinsic function.
#[derive(Debug, Clone, PartialEq)]
pub enum TextField {
    /// The text.
    Text(String),
    /// "…Path" with a path.
    Path(Path),
    /// "…Path" with an intrinsic function.
    Intrinsic(Intrinsic),
}

/// Parallel.
#[derive(Debug, Clone, PartialEq)]
pub struct Parallel {
    /// "Branches".
    pub branches: Vec<States>,
    /// "InputPath".
    pub input_path: DataPath,
    /// "Parameters".
    pub parameters: Option<PayloadTemplate>,
    /// "ResultSelector".
    pub result_selector: Option<PayloadTemplate>,
    /// "ResultPath".
    pub result_path: ResultPath,
    /// "OutputPath".
    pub output_path: DataPath,
    /// "Retry".
    pub retry: Vec<Retrier>,
    /// "Catch".
    pub catch: Vec<Catcher>,
    /// "Next" or "End".
    pub transition: Transition,
}
