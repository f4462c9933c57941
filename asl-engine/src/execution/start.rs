//! The start of an execution.
mod written;

use crate::error_output::ErrorOutput;
use crate::identity::Identity;
use crate::limits::Limits;
use crate::program::StateReference;
use asl_model::{StateMachineType, Timestamp};
use serde_json::{Map, Value};
use std::sync::Arc;
use written::WrittenStart;

/// The start of an execution: all data that is neither in its program nor in its inputs.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(into = "WrittenStart", try_from = "WrittenStart")]
#[non_exhaustive]
pub struct Start {
    /// The execution's input.
    pub input: Arc<Value>,
    /// The input text as sent, for events and causes; without it, they show the printed input. It is the text of
    /// [`input`](Self::input): a start that is serialized and restored has the value of the text.
    pub input_text: Option<Arc<str>>,
    /// Time of the start.
    pub now: Timestamp,
    /// Names and ARNs.
    pub identity: Arc<Identity>,
    /// Seed of `States.UUID`, `States.MathRandom` and retry jitter, mixed with the execution's ARN. Without a seed, only the
    /// ARN is used.
    pub seed: Option<u64>,
    /// Limits of the execution.
    pub limits: Limits,
    /// Standard or Express.
    pub state_machine_type: StateMachineType,
    /// True to output events; [`Execution::record_history`](super::Execution::record_history) changes it later.
    pub record_history: bool,
    /// Merged over the Context Object, field by field.
    pub context: Map<String, Value>,
    /// The first state, if it differs from the machine's start.
    pub at: Option<Box<StartAt>>,
    /// ARNs of activities of the program that do not exist: a Task State that invokes one fails with States.Runtime.
    pub absent_activities: Vec<Arc<str>>,
}

asl_path::with_methods! {
    impl Start {
        with_input_text(input_text: Option<Arc<str>>),
        with_identity(identity: Arc<Identity>),
        with_seed(seed: Option<u64>),
        with_limits(limits: Limits),
        with_state_machine_type(state_machine_type: StateMachineType),
        with_record_history(record_history: bool),
        with_context(context: Map<String, Value>),
        with_at(at: Option<Box<StartAt>>),
        with_absent_activities(absent_activities: Vec<Arc<str>>),
    }
}

/// A beginning at one state, as TestState of the service's API makes it.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct StartAt {
    /// The state, from [`Program::find_state`](crate::Program::find_state).
    pub state: StateReference,
    /// Variables visible to the state.
    #[serde(with = "crate::saved::object_text")]
    pub variables: Map<String, Value>,
    /// The retries that were made before, all by the retrier that takes the state's next error, whichever that is.
    pub retry_count: u64,
    /// True if to end once the state is left, with its output.
    pub only: bool,
    /// The whole Context Object of the state, in place of the execution's own.
    #[serde(
        default,
        with = "crate::saved::optional_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub context: Option<Value>,
    /// Mocks of the branches or iterations, if the execution runs a single state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children: Option<MockedChildren>,
}

asl_path::with_methods! {
    impl StartAt {
        with_variables(variables: Map<String, Value>),
        with_retry_count(retry_count: u64),
        with_only(only: bool),
        with_context(context: Option<Value>),
        with_children(children: Option<MockedChildren>),
    }
}

/// Mocks of the branches of a Parallel State or the iterations of a Map State, which do not run. The fields of the state are
/// still evaluated.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct MockedChildren {
    /// The outcome.
    pub outcome: MockedOutcome,
    /// The iterations that failed: more than a Map State tolerates fail it.
    pub failed_iterations: u64,
    /// True if the items of an ItemReader are requested from the object store; otherwise there are no items.
    pub reads_items: bool,
}

impl StartAt {
    /// Creates a beginning at a state, without variables or earlier retries; the execution continues after the state.
    pub fn new(state: StateReference) -> Self {
        Self {
            state,
            variables: Map::new(),
            retry_count: 0,
            only: false,
            context: None,
            children: None,
        }
    }
}

asl_path::with_methods! {
    impl MockedChildren {
        with_failed_iterations(failed_iterations: u64),
        with_reads_items(reads_items: bool),
    }
}

impl MockedChildren {
    /// Creates mocks with an outcome; no iteration failed, and no items are read.
    pub fn new(outcome: MockedOutcome) -> Self {
        Self {
            outcome,
            failed_iterations: 0,
            reads_items: false,
        }
    }
}

/// The outcome of mocked branches or iterations.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum MockedOutcome {
    /// The state's result, before its own fields apply to it.
    #[serde(with = "crate::saved::shared_text")]
    Succeeded(Arc<Value>),
    /// The error of one of them.
    Failed(ErrorOutput),
}

impl Start {
    /// Returns the input, and the text that it was sent as, if known.
    pub(crate) fn sent(&self) -> Option<(&Value, &str)> {
        self.input_text.as_deref().map(|text| (&*self.input, text))
    }

    /// Creates a start of an execution of this name with `input` at `now`; everything else as by default.
    ///
    /// The name reports executions apart: two of one name, in one state machine, draw the same random numbers.
    pub fn new(name: impl Into<Arc<str>>, input: Value, now: Timestamp) -> Self {
        let identity = Identity::from_execution_name(name);
        Self::from_identity(Arc::new(identity), Arc::new(input), now)
    }

    /// Creates a start of the execution with these names and ARNs; everything else as by default.
    pub fn from_identity(identity: Arc<Identity>, input: Arc<Value>, now: Timestamp) -> Self {
        Self {
            input,
            input_text: None,
            now,
            identity,
            seed: None,
            limits: Limits::default(),
            state_machine_type: StateMachineType::Standard,
            record_history: false,
            context: Map::new(),
            at: None,
            absent_activities: Vec::new(),
        }
    }

    /// Returns a start of an execution that needs no name of its own: it gets a UUID of the operating system's randomness.
    ///
    /// # Errors
    /// Returns an error if the operating system has no randomness.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn unnamed(input: Value, now: Timestamp) -> std::io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(std::io::Error::from)?;
        let [high, low] = [&bytes[..8], &bytes[8..]].map(|half| {
            half.iter()
                .fold(0, |word, byte| word << 8 | u64::from(*byte))
        });
        Ok(Self::new(
            asl_intrinsics::random::uuid(high, low),
            input,
            now,
        ))
    }
}
