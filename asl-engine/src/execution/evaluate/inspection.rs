//! What each field of a state made of the data, told where it is asked for.
use crate::execution::error::ErrorPlace;
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// What is told while a state runs, in the order in which it arises.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum InspectionEvent<'v> {
    /// A state begins an attempt with this raw input.
    Attempt {
        /// Its raw input.
        input: &'v Value,
        /// 0 for the first attempt, 1 for the first retry, …
        retry_count: u64,
    },
    /// What a field made of the data: `InputPath`, `Parameters`, `Arguments`, `ItemsPath`, `Items`, `ItemSelector`,
    /// `Result` (of a task or its like, before any field), `ResultSelector`, `ResultPath`, `OutputPath`, `Output`,
    /// `MaxConcurrency`, `ToleratedFailureCount`, `ToleratedFailurePercentage`, `ItemBatcher` (all inputs) … A field that is not there tells nothing, but for `Result`.
    Field {
        /// The field's name.
        field: &'static str,
        /// What it made.
        value: &'v Value,
    },
    /// `Assign` gives a variable this value.
    Variable {
        /// The variable.
        name: &'v str,
        /// Its value from the next state on.
        value: &'v Value,
    },
    /// A test of a member of `Choices`, or its `Condition`, was looked at. Those that And and Or need not ask are not.
    Test {
        /// Which member, from 0.
        rule: usize,
        /// The test, as a JSON pointer from the member: empty for the member itself, or `/And/0/Not`, …
        test: &'v str,
        /// What its `Variable` is, or what its `Condition` gives; None where there is no value.
        value: Option<&'v Value>,
        /// What it is compared with, where that is at a path.
        other: Option<&'v Value>,
        /// Whether it holds by itself, whatever a Not around it makes of that.
        holds: bool,
    },
    /// A member of `Choices` matched.
    Choice {
        /// Which, from 0.
        index: usize,
    },
    /// No member of `Choices` matched: the state goes on to its `Default`.
    Default,
    /// The state's work failed, before Retry and Catch are asked.
    Error {
        /// The Error Name.
        error: Option<&'v str>,
        /// The cause.
        cause: Option<&'v str>,
        /// Where it arose: here, or in a state of a branch or an iteration.
        place: Option<&'v ErrorPlace>,
    },
    /// The iterations of a Map State, or the children of its Map Run, are about to begin.
    Iterations {
        /// How many.
        count: u64,
    },
    /// A retrier would take the error, but has made all its attempts.
    RetriesExhausted {
        /// Which, from 0.
        index: usize,
    },
    /// A retrier matches the error.
    Retry {
        /// Which, from 0.
        index: usize,
        /// Seconds until the next attempt.
        delay_seconds: f64,
    },
    /// A catcher matches the error.
    Catch {
        /// Which, from 0.
        index: usize,
    },
    /// The state is left.
    Left {
        /// Its output.
        output: &'v Value,
        /// The state that follows; none at the end of a scope.
        next: Option<&'v str>,
    },
}

/// Where it arises. Flows take turns, so what is told of one is told among what is told of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedPlace<'v> {
    /// The state's name, which no other state of the definition has (2024 specification, States).
    pub state: &'v Arc<str>,
    /// When it is.
    pub now: Timestamp,
    /// The flow: the machine itself, a branch or an iteration. No other flow that runs has this number; one that begins
    /// after its end may.
    pub flow: u64,
    /// What it is a branch or an iteration of; None for the machine itself.
    pub parent: Option<ParentFlow>,
}

/// The flow in a Parallel or Map State that another flow is a branch or an iteration of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParentFlow {
    /// Its number.
    pub flow: u64,
    /// Which branch or iteration of it, from 0.
    pub index: u64,
}

/// An inspector, where it stands.
pub(crate) struct ActiveInspector<'e> {
    pub(crate) inspector: &'e mut dyn Inspector,
    pub(crate) place: InspectedPlace<'e>,
}

impl ActiveInspector<'_> {
    pub(crate) fn tell(&mut self, inspected: InspectionEvent<'_>) {
        self.inspector.inspected(self.place, inspected);
    }
}

/// Who is told. Given to an execution with [`Execution::inspect`](crate::Execution::inspect); it sees all flows of the
/// execution, not of its children.
pub trait Inspector: Send {
    /// Told of what arose just now.
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>);
}

impl<F: FnMut(InspectedPlace<'_>, InspectionEvent<'_>) + Send> Inspector for F {
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>) {
        self(place, inspected);
    }
}
