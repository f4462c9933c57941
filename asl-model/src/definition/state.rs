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

impl State {
    /// "Type".
    pub fn state_type(&self) -> StateType {
        self.kind.state_type()
    }
}

impl StateKind {
    /// "Type".
    ///
    /// ```
    /// use asl_model::{Options, StateType, parse};
    /// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}"#;
    /// let (machine, _) = parse(text, Options::default()).unwrap();
    /// assert_eq!(machine.states.states[0].1.kind.state_type(), StateType::Succeed);
    /// ```
    pub const fn state_type(&self) -> StateType {
        match self {
            Self::Pass(_) => StateType::Pass,
            Self::Task(_) => StateType::Task,
            Self::Choice(_) => StateType::Choice,
            Self::Wait(_) => StateType::Wait,
            Self::Succeed(_) => StateType::Succeed,
            Self::Fail(_) => StateType::Fail,
            Self::Parallel(_) => StateType::Parallel,
            Self::Map(_) => StateType::Map,
        }
    }
}

/// Where a state leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transition {
    /// "Next".
    Next(StateName),
    /// "End": true.
    End,
}

/// Pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// Its input and output processing.
    pub processing: Processing,
    /// "Assign".
    pub assign: Option<Assign>,
    /// "Result" of a JSONPath state.
    pub result: Option<Value>,
    /// "Next" or "End".
    pub transition: Transition,
}

/// Task.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// "Resource".
    pub resource: Resource,
    /// Its input and output processing.
    pub processing: Processing,
    /// "Assign".
    pub assign: Option<Assign>,
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
    /// Its input and output processing.
    pub processing: Processing,
    /// "Assign".
    pub assign: Option<Assign>,
    /// "Next" or "End".
    pub transition: Transition,
}

/// Succeed.
#[derive(Debug, Clone, PartialEq)]
pub struct Succeed {
    /// Its input and output processing.
    pub processing: Processing,
}

/// Fail.
#[derive(Debug, Clone, PartialEq)]
pub struct Fail {
    /// "Error" or "ErrorPath".
    pub error: Option<TextField>,
    /// "Cause" or "CausePath".
    pub cause: Option<TextField>,
}

/// Parallel.
#[derive(Debug, Clone, PartialEq)]
pub struct Parallel {
    /// "Branches".
    pub branches: Vec<States>,
    /// Its input and output processing.
    pub processing: Processing,
    /// "Assign".
    pub assign: Option<Assign>,
    /// "Retry".
    pub retry: Vec<Retrier>,
    /// "Catch".
    pub catch: Vec<Catcher>,
    /// "Next" or "End".
    pub transition: Transition,
}
