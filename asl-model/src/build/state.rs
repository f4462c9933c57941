//! States: the common fields, and those of each type but Choice and Map.
use super::fields::Fields;
use super::language::{JsonPath, Jsonata, Language};
use super::part::{self, Part};
use super::states::States;
use crate::{QueryLanguage, Timestamp};
use serde_json::Value;
use std::marker::PhantomData;

/// The types of states, and the fields that several have.
pub mod kind {
    use super::super::kinds::kinds;

    kinds! {
    groups {
        /// States with "InputPath" and "OutputPath", or "Output".
        ProcessesInput,
        /// States with "Assign".
        Assigns,
        /// States with "Next" or "End".
        HasTransition,
        /// States with "Parameters".
        HasParameters,
        /// States with "Arguments".
        HasArguments,
        /// States with "ResultPath".
        HasResult,
        /// States with "ResultSelector", "Retry" and "Catch".
        CanFail,
        /// States that end their scope, or that have their targets in their rules.
        IsComplete,
        /// Map States.
        IsMap,
    }
    kinds {
        /// A Task State.
        Task: ProcessesInput, Assigns, HasTransition, HasParameters, HasArguments, HasResult, CanFail;
        /// A Pass State.
        Pass: ProcessesInput, Assigns, HasTransition, HasParameters, HasResult;
        /// A Wait State.
        Wait: ProcessesInput, Assigns, HasTransition;
        /// A Succeed State.
        Succeed: ProcessesInput, IsComplete;
        /// A Fail State.
        Fail: IsComplete;
        /// A Choice State.
        Choice: ProcessesInput, Assigns, IsComplete;
        /// A Parallel State.
        Parallel: ProcessesInput, Assigns, HasTransition, HasParameters, HasArguments, HasResult, CanFail;
        /// A Map State whose iterations are parts of the execution.
        InlineMap: ProcessesInput, Assigns, HasTransition, HasResult, CanFail, IsMap;
        /// A Map State whose iterations are child executions.
        DistributedMap: ProcessesInput, Assigns, HasTransition, HasResult, CanFail, IsMap;
    }
    }
}

/// A state with its target, as a scope takes it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    pub(super) query_language: QueryLanguage,
    pub(super) fields: Fields,
    /// The branches of a Parallel State, or the processor of a Map State.
    pub(super) scopes: Vec<States>,
}

/// Builds a state. The aliases in [`json_path`](super::json_path) and [`jsonata`](super::jsonata) name each type.
#[must_use = "a state is built to be given to a machine"]
#[derive(Debug, Clone, PartialEq)]
pub struct StateBuilder<K, L> {
    state: State,
    marker: PhantomData<fn() -> (K, L)>,
}

impl<K: kind::IsComplete, L> From<StateBuilder<K, L>> for State {
    fn from(builder: StateBuilder<K, L>) -> Self {
        builder.state
    }
}

impl<K, L: Language> StateBuilder<K, L> {
    pub(super) fn of_type(name: &str) -> Self {
        let mut fields = Fields::default();
        fields.set("Type", name);
        Self {
            state: State {
                query_language: L::QUERY_LANGUAGE,
                fields,
                scopes: Vec::new(),
            },
            marker: PhantomData,
        }
    }

    pub(super) fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.state.fields.set(name, value);
        self
    }

    pub(super) fn set_form(mut self, forms: &[&str], name: &str, value: impl Into<Value>) -> Self {
        self.state.fields.set_form(forms, name, value);
        self
    }

    pub(super) fn push(mut self, name: &str, element: impl Into<Value>) -> Self {
        self.state.fields.push(name, element);
        self
    }

    /// Records that a part of it was left out, if it was.
    pub(super) fn too_deep(mut self, is_too_deep: bool) -> Self {
        self.state.fields.is_too_deep |= is_too_deep;
        self
    }

    pub(super) fn scope(mut self, states: States) -> Self {
        self.state.scopes.push(states);
        self
    }

    /// Sets "Comment".
    pub fn comment(self, comment: impl Into<String>) -> Self {
        self.set("Comment", comment.into())
    }
}

impl<K: kind::Assigns, L: Language> StateBuilder<K, L> {
    /// Sets "Assign": an object of variables and their values.
    pub fn assign(self, variables: impl Into<Value>) -> Self {
        self.set("Assign", variables)
    }
}

impl<K: kind::HasTransition, L: Language> StateBuilder<K, L> {
    /// Completes the state: "Next".
    pub fn next(self, state: impl Into<String>) -> State {
        self.set("Next", state.into()).state
    }

    /// Completes the state: "End".
    pub fn end(self) -> State {
        self.set("End", true).state
    }
}

impl<K: kind::CanFail, L: Language> StateBuilder<K, L> {
    /// Adds a member of "Retry".
    pub fn retry(self, retrier: Part<part::kind::Retrier, L>) -> Self {
        self.push("Retry", retrier)
    }

    /// Adds a member of "Catch".
    pub fn catch(self, catcher: Part<part::kind::CompleteCatcher, L>) -> Self {
        self.push("Catch", catcher)
    }
}

impl<L: Language> StateBuilder<kind::Task, L> {
    /// Begins a Task State with its "Resource".
    pub fn new(resource: impl Into<String>) -> Self {
        Self::of_type("Task").set("Resource", resource.into())
    }

    /// Sets "Credentials", a template.
    pub fn credentials(self, credentials: impl Into<Value>) -> Self {
        self.set("Credentials", credentials)
    }

    /// Sets "TimeoutSeconds": a number, or the text of an expression.
    pub fn timeout_seconds(self, seconds: impl Into<Value>) -> Self {
        self.set_form(&TIMEOUT, TIMEOUT[0], seconds)
    }

    /// Sets "HeartbeatSeconds": a number, or the text of an expression.
    pub fn heartbeat_seconds(self, seconds: impl Into<Value>) -> Self {
        self.set_form(&HEARTBEAT, HEARTBEAT[0], seconds)
    }
}

const TIMEOUT: [&str; 2] = ["TimeoutSeconds", "TimeoutSecondsPath"];
const HEARTBEAT: [&str; 2] = ["HeartbeatSeconds", "HeartbeatSecondsPath"];

impl StateBuilder<kind::Task, JsonPath> {
    /// Sets "TimeoutSecondsPath".
    pub fn timeout_seconds_path(self, path: impl Into<String>) -> Self {
        self.set_form(&TIMEOUT, TIMEOUT[1], path.into())
    }

    /// Sets "HeartbeatSecondsPath".
    pub fn heartbeat_seconds_path(self, path: impl Into<String>) -> Self {
        self.set_form(&HEARTBEAT, HEARTBEAT[1], path.into())
    }
}

impl<L: Language> StateBuilder<kind::Pass, L> {
    /// Begins a Pass State.
    #[expect(
        clippy::new_without_default,
        reason = "each type of state begins with `new`"
    )]
    pub fn new() -> Self {
        Self::of_type("Pass")
    }
}

impl StateBuilder<kind::Pass, JsonPath> {
    /// Sets "Result".
    pub fn result(self, result: impl Into<Value>) -> Self {
        self.set("Result", result)
    }
}

impl<L: Language> StateBuilder<kind::Wait, L> {
    /// Begins a Wait State of so many seconds: a number, or the text of an expression.
    pub fn seconds(seconds: impl Into<Value>) -> Self {
        Self::of_type("Wait").set("Seconds", seconds)
    }

    /// Begins a Wait State until a moment.
    pub fn until(moment: Timestamp) -> Self {
        Self::timestamp(moment.to_string())
    }

    /// Begins a Wait State until a moment, given as a text of RFC 3339 or of an expression.
    pub fn timestamp(timestamp: impl Into<String>) -> Self {
        Self::of_type("Wait").set("Timestamp", timestamp.into())
    }
}

impl StateBuilder<kind::Wait, JsonPath> {
    /// Begins a Wait State of as many seconds as the number that a path selects.
    pub fn seconds_path(path: impl Into<String>) -> Self {
        Self::of_type("Wait").set("SecondsPath", path.into())
    }

    /// Begins a Wait State until the moment that a path selects.
    pub fn timestamp_path(path: impl Into<String>) -> Self {
        Self::of_type("Wait").set("TimestampPath", path.into())
    }
}

impl<L: Language> StateBuilder<kind::Succeed, L> {
    /// Begins a Succeed State.
    #[expect(
        clippy::new_without_default,
        reason = "each type of state begins with `new`"
    )]
    pub fn new() -> Self {
        Self::of_type("Succeed")
    }
}

const ERROR: [&str; 2] = ["Error", "ErrorPath"];
const CAUSE: [&str; 2] = ["Cause", "CausePath"];

impl<L: Language> StateBuilder<kind::Fail, L> {
    /// Begins a Fail State.
    #[expect(
        clippy::new_without_default,
        reason = "each type of state begins with `new`"
    )]
    pub fn new() -> Self {
        Self::of_type("Fail")
    }

    /// Sets "Error".
    pub fn error(self, error: impl Into<String>) -> Self {
        self.set_form(&ERROR, ERROR[0], error.into())
    }

    /// Sets "Cause".
    pub fn cause(self, cause: impl Into<String>) -> Self {
        self.set_form(&CAUSE, CAUSE[0], cause.into())
    }
}

impl StateBuilder<kind::Fail, JsonPath> {
    /// Sets "ErrorPath": a path, or an intrinsic function.
    pub fn error_path(self, path: impl Into<String>) -> Self {
        self.set_form(&ERROR, ERROR[1], path.into())
    }

    /// Sets "CausePath": a path, or an intrinsic function.
    pub fn cause_path(self, path: impl Into<String>) -> Self {
        self.set_form(&CAUSE, CAUSE[1], path.into())
    }
}

impl<L: Language> StateBuilder<kind::Parallel, L> {
    /// Begins a Parallel State.
    #[expect(
        clippy::new_without_default,
        reason = "each type of state begins with `new`"
    )]
    pub fn new() -> Self {
        Self::of_type("Parallel")
    }

    /// Adds a member of "Branches".
    pub fn branch(self, branch: States) -> Self {
        self.scope(branch)
    }
}

impl<K: kind::HasArguments> StateBuilder<K, Jsonata> {
    /// Sets "Arguments", a template.
    pub fn arguments(self, arguments: impl Into<Value>) -> Self {
        self.set("Arguments", arguments)
    }
}
