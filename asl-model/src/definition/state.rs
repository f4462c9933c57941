//! States: what all have, and each type but Choice and Map.
use super::word::words;
use super::{
    Assign, Catcher, Choice, Map, Processing, Resource, Retrier, Seconds, StateName, States,
    TextField, WaitDuration,
};
use crate::PayloadTemplate;
use serde_json::Value;

words! {
    /// "QueryLanguage".
    #[derive(Default)]
    pub enum QueryLanguage {
        /// JSONPath, payload templates and intrinsic functions.
        #[default]
        JSONPath = "JSONPath",
        /// JSONata expressions within `{%` and `%}`.
        JSONata = "JSONata",
    }
}

words! {
    /// The eight types of states.
    #[expect(missing_docs, reason = "the names of the state types")]
    pub enum StateType {
        Task = "Task",
        Wait = "Wait",
        Pass = "Pass",
        Succeed = "Succeed",
        Fail = "Fail",
        Choice = "Choice",
        Parallel = "Parallel",
        Map = "Map",
    }
}

/// A state of any type: what several types have, and what only its own has. A field that its type cannot have is absent.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct State {
    /// "Comment".
    pub comment: Option<String>,
    /// "QueryLanguage", if it is set.
    pub query_language: Option<QueryLanguage>,
    /// Input and output processing. In a Choice State, "Output" applies if no rule matches.
    pub processing: Processing,
    /// "Assign"; of a Choice State, of the case that no rule matches.
    pub assign: Option<Assign>,
    /// "Retry".
    pub retry: Vec<Retrier>,
    /// "Catch".
    pub catch: Vec<Catcher>,
    /// "Next" or "End"; a Choice State leads where its rules say, a Succeed or Fail State nowhere.
    pub transition: Option<Transition>,
    /// "Type" and what goes with it.
    pub kind: StateKind,
}

/// A state's type with the fields of that type.
#[derive(Debug, Clone, PartialEq)]
pub enum StateKind {
    /// Passes its input on, perhaps reshaped.
    Pass(Pass),
    /// Has work done by a resource.
    Task(Box<Task>),
    /// A Choice State.
    Choice(Choice),
    /// A Wait State.
    Wait(Box<Wait>),
    /// Ends the scope with success.
    Succeed,
    /// Ends the machine with a failure.
    Fail(Box<Fail>),
    /// Runs branches concurrently.
    Parallel(Parallel),
    /// Runs one processor for each item.
    Map(Box<Map>),
}

impl State {
    /// Returns the value of "Type".
    pub fn state_type(&self) -> StateType {
        self.kind.state_type()
    }

    /// Returns a text that "Parameters" or "Arguments" writes out.
    ///
    /// ```
    /// use asl_model::{Options, parse};
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
    ///     "Parameters": {"FunctionName": "f", "Payload.$": "$"}, "End": true}}}"#;
    /// let (machine, _) = parse(text, Options::default()).unwrap();
    /// let (_, state) = &machine.states.states[0];
    /// assert_eq!(state.parameter("FunctionName"), Some("f"));
    /// assert_eq!(state.parameter("Payload"), None);
    /// ```
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.processing.payload()?.literal_field(name)?.as_str()
    }

    /// Returns the scopes within it: branches of a Parallel State, the processor of a Map State.
    ///
    /// ```
    /// use asl_model::{Options, parse};
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Parallel", "End": true, "Branches": [
    ///     {"StartAt": "B", "States": {"B": {"Type": "Succeed"}}}
    /// ]}}}"#;
    /// let (machine, _) = parse(text, Options::default()).unwrap();
    /// let (_, state) = &machine.states.states[0];
    /// assert_eq!(state.scopes()[0].start_at.as_str(), "B");
    /// ```
    pub fn scopes(&self) -> &[States] {
        match &self.kind {
            StateKind::Parallel(parallel) => &parallel.branches,
            StateKind::Map(map) => std::slice::from_ref(&map.item_processor.states),
            _ => &[],
        }
    }
}

impl StateKind {
    /// Returns the value of "Type".
    pub const fn state_type(&self) -> StateType {
        match self {
            Self::Pass(_) => StateType::Pass,
            Self::Task(_) => StateType::Task,
            Self::Choice(_) => StateType::Choice,
            Self::Wait(_) => StateType::Wait,
            Self::Succeed => StateType::Succeed,
            Self::Fail(_) => StateType::Fail,
            Self::Parallel(_) => StateType::Parallel,
            Self::Map(_) => StateType::Map,
        }
    }
}

/// The target of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// "Next".
    Next(StateName),
    /// "End": true.
    End,
}

/// Fields of a Pass State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Pass {
    /// "Result" of a JSONPath state.
    pub result: Option<Value>,
}

/// Fields of a Task State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// "Resource".
    pub resource: Resource,
    /// "Credentials", a template.
    pub credentials: Option<PayloadTemplate>,
    /// "TimeoutSeconds" or its Path.
    pub timeout: Option<Seconds>,
    /// "HeartbeatSeconds" or its Path.
    pub heartbeat: Option<Seconds>,
}

/// Fields of a Wait State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Wait {
    /// End of the wait.
    pub duration: WaitDuration,
}

/// Fields of a Fail State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fail {
    /// "Error" or "ErrorPath".
    pub error: Option<TextField>,
    /// "Cause" or "CausePath".
    pub cause: Option<TextField>,
}

/// Fields of a Parallel State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Parallel {
    /// "Branches".
    pub branches: Vec<States>,
}
