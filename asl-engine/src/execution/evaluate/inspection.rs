//! Inspection of the data after each field of a state.
use crate::execution::error::ErrorPlace;
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// Events reported to an `Inspector` while a state runs, in order.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum InspectionEvent<'v> {
    /// A state starts an attempt with this raw input.
    Attempt {
        /// Raw input of the state.
        input: &'v Value,
        /// 0 for the first attempt, 1 for the first retry, …
        retry_count: u64,
    },
    /// The data after a field: `InputPath`, `Parameters`, `Arguments`, `ItemsPath`, `Items`, `ItemSelector`, `Result` (of
    /// the state's work, before any field), `ResultSelector`, `ResultPath`, `OutputPath`, `Output`, `MaxConcurrency`,
    /// `ToleratedFailureCount`, `ToleratedFailurePercentage`, `ItemBatcher` (all inputs) … A missing field is not reported,
    /// except `Result`.
    Field {
        /// The field's name.
        field: &'static str,
        /// Data after the field was applied.
        value: &'v Value,
    },
    /// `Assign` gives a variable this value.
    Variable {
        /// The variable.
        name: &'v str,
        /// Value of the variable from the next state on.
        value: &'v Value,
    },
    /// A test of a member of `Choices`, or its `Condition`, was looked at. Those that And and Or need not ask are not.
    Test {
        /// Index of the rule, from 0.
        rule: usize,
        /// The test, as a JSON pointer from the member: empty for the member itself, or `/And/0/Not`, …
        test: &'v str,
        /// The value of `Variable`, or the result of `Condition`; None if there is no value.
        value: Option<&'v Value>,
        /// The value that it is compared with, if that is at a path.
        other: Option<&'v Value>,
        /// True if the test itself is true, regardless of an enclosing Not.
        holds: bool,
    },
    /// A member of `Choices` matched.
    Choice {
        /// Index, from 0.
        index: usize,
    },
    /// No member of `Choices` matched: the state continues to its `Default`.
    Default,
    /// The state's work failed, before Retry and Catch are asked.
    Error {
        /// The Error Name.
        error: Option<&'v str>,
        /// The cause.
        cause: Option<&'v str>,
        /// Location of the error: this state, or a state of a branch or an iteration.
        place: Option<&'v ErrorPlace>,
    },
    /// The iterations of a Map State, or the children of its Map Run, are about to begin.
    Iterations {
        /// Number of iterations or children.
        count: u64,
    },
    /// A retrier would take the error, but has made all its attempts.
    RetriesExhausted {
        /// Index, from 0.
        index: usize,
    },
    /// A retrier matches the error.
    Retry {
        /// Index, from 0.
        index: usize,
        /// Seconds until the next attempt.
        delay_seconds: f64,
    },
    /// A catcher matches the error.
    Catch {
        /// Index, from 0.
        index: usize,
    },
    /// The state is left.
    Left {
        /// Output of the state.
        output: &'v Value,
        /// The state that follows; none at the end of a scope.
        next: Option<&'v str>,
    },
}

/// Context of an event. The events of concurrent flows are interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedPlace<'v> {
    /// The state's name, which no other state of the definition has (2024 specification, States).
    pub state: &'v Arc<str>,
    /// Time of the event.
    pub now: Timestamp,
    /// The flow: the machine itself, a branch or an iteration. No other flow that runs has this number; one that begins
    /// after its end may.
    pub flow: u64,
    /// Parent of the branch or iteration; None for the machine itself.
    pub parent: Option<ParentFlow>,
}

/// The flow in a Parallel or Map State that another flow is a branch or an iteration of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParentFlow {
    /// Number of the flow.
    pub flow: u64,
    /// Index of the branch or iteration, from 0.
    pub index: u64,
}

/// An inspector with the context of its events.
pub(crate) struct ActiveInspector<'e> {
    pub(crate) inspector: &'e mut dyn Inspector,
    pub(crate) place: InspectedPlace<'e>,
}

impl ActiveInspector<'_> {
    pub(crate) fn report(&mut self, inspected: InspectionEvent<'_>) {
        self.inspector.inspected(self.place, inspected);
    }
}

/// Receives events of an execution, set with [`Execution::inspect`](crate::Execution::inspect). It sees all flows of the
/// execution, but not its child executions.
pub trait Inspector: Send {
    /// Handles an event.
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>);
}

impl<F: FnMut(InspectedPlace<'_>, InspectionEvent<'_>) + Send> Inspector for F {
    fn inspected(&mut self, place: InspectedPlace<'_>, inspected: InspectionEvent<'_>) {
        self(place, inspected);
    }
}
