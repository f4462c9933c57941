//! Executions: how they are started and described.
use super::{DefinitionId, Payload};
use asl_engine::{ErrorOutput, StateMachineIdentity, Timestamp};
use std::sync::Arc;

/// The request to start an execution.
///
/// [`new`](Self::new) takes the required values; set other fields as needed:
///
/// ```
/// use asl_backend::{Definition, Payload, StartExecution};
/// use asl_engine::StateMachineIdentity;
/// # let definition = Definition {
/// #     text: "{}".into(), profile: asl_model::Profile::Aws, state_machine_type: asl_model::StateMachineType::Standard,
/// # }.id();
/// let start = StartExecution::new(StateMachineIdentity::new("Greetings"), "first", definition, Payload::parse("{}")?).with_trace_header(Some("Root=1-5759e988-bd862e3fe1be46a994272793".into()));
/// assert_eq!(start.name.as_ref(), "first");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StartExecution {
    /// The state machine, without version or alias.
    pub state_machine: Arc<StateMachineIdentity>,
    /// Name of the execution; the ARN follows from it.
    pub name: Arc<str>,
    /// The ARN of an Express execution, which does not follow from the names.
    pub express_arn: Option<Arc<str>>,
    /// The definition to run.
    pub definition: DefinitionId,
    /// Input of the execution.
    pub input: Payload,
    /// The version that it was started by, or that its alias led to.
    pub version_arn: Option<Arc<str>>,
    /// The alias that started the execution.
    pub alias_arn: Option<Arc<str>>,
    /// Trace header of AWS X-Ray.
    pub trace_header: Option<Arc<str>>,
    /// The test case of a MockConfigFile that mocks the tasks.
    pub mock_test_case: Option<Arc<str>>,
    /// The state machine at the time of the start, in the caller's format.
    pub revision: Arc<str>,
    /// ARNs of activities of the definition that do not exist; their tasks fail.
    pub absent_activities: Vec<Arc<str>>,
    /// True if a task of another execution requests the start. Such a start does not wait for free memory, which the other
    /// execution may hold.
    pub by_task: bool,
    /// The task that waits for its end, where another execution started it.
    pub nested: Option<NestedTask>,
}

asl_path::with_methods! {
    impl StartExecution {
        with_express_arn(express_arn: Option<Arc<str>>),
        with_version_arn(version_arn: Option<Arc<str>>),
        with_alias_arn(alias_arn: Option<Arc<str>>),
        with_trace_header(trace_header: Option<Arc<str>>),
        with_mock_test_case(mock_test_case: Option<Arc<str>>),
        with_revision(revision: Arc<str>),
        with_absent_activities(absent_activities: Vec<Arc<str>>),
        with_by_task(by_task: bool),
        with_nested(nested: Option<NestedTask>),
    }
}

impl StartExecution {
    /// Creates a request with the required values. The revision is an empty object, and all other fields are unset.
    pub fn new(
        state_machine: impl Into<Arc<StateMachineIdentity>>,
        name: impl Into<Arc<str>>,
        definition: DefinitionId,
        input: Payload,
    ) -> Self {
        Self {
            state_machine: state_machine.into(),
            name: name.into(),
            express_arn: None,
            definition,
            input,
            version_arn: None,
            alias_arn: None,
            trace_header: None,
            mock_test_case: None,
            revision: "{}".into(),
            absent_activities: Vec::new(),
            by_task: false,
            nested: None,
        }
    }
}

/// A task of another execution that is answered when this one ends.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct NestedTask {
    /// Names the task.
    pub token: Arc<str>,
    /// The form of the result.
    pub form: NestedForm,
}

/// The forms of `states:startExecution` that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum NestedForm {
    /// `.sync`: input and output are texts.
    Text,
    /// `.sync:2`: they are JSON.
    Json,
}

/// An execution that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct StartedExecution {
    /// ARN of the execution.
    pub arn: Arc<str>,
    /// Time of the start.
    pub start_date: Timestamp,
    /// True if the execution is new; false if it was already running.
    pub is_new: bool,
}

/// An Express execution that was waited for.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EndedExpress {
    /// Time of the start.
    pub start_date: Timestamp,
    /// Time of the end.
    pub stop_date: Timestamp,
    /// The final status.
    pub status: ExecutionStatus,
    /// The output as JSON, if the execution succeeded.
    pub output: Option<Arc<str>>,
    /// The error and cause, if the execution did not succeed.
    pub error_output: ErrorOutput,
}

/// Status of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum ExecutionStatus {
    /// The execution has not ended.
    Running,
    /// The execution ended with an output.
    Succeeded,
    /// The execution ended with an error.
    Failed,
    /// The execution exceeded its time limit.
    TimedOut,
    /// The execution was stopped.
    Aborted,
    /// A child of a Map Run that is about to be redriven.
    PendingRedrive,
}

impl ExecutionStatus {
    /// All statuses.
    pub const ALL: [Self; 6] = [
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::TimedOut,
        Self::Aborted,
        Self::PendingRedrive,
    ];

    /// Returns true if an execution with this status has ended.
    pub fn is_end(self) -> bool {
        !matches!(self, Self::Running | Self::PendingRedrive)
    }

    /// Returns the service's word for the status.
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "RUNNING",
            Self::Succeeded => "SUCCEEDED",
            Self::Failed => "FAILED",
            Self::TimedOut => "TIMED_OUT",
            Self::Aborted => "ABORTED",
            Self::PendingRedrive => "PENDING_REDRIVE",
        }
    }

    /// Returns the status with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// An entry of a list of executions.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct ExecutionSummary {
    /// ARN of the execution.
    pub arn: Arc<str>,
    /// Name of the execution.
    pub name: Arc<str>,
    /// The state machine, without version or alias; with the label of the Map State, of a child of a Map Run.
    pub state_machine_arn: Arc<str>,
    /// The version that started the execution.
    pub version_arn: Option<Arc<str>>,
    /// The alias that started the execution.
    pub alias_arn: Option<Arc<str>>,
    /// The current status.
    pub status: ExecutionStatus,
    /// Time of the start.
    pub start_date: Timestamp,
    /// Time of the end.
    pub stop_date: Option<Timestamp>,
    /// Number of redrives.
    pub redrive_count: u64,
    /// Time of the last redrive.
    pub redrive_date: Option<Timestamp>,
    /// The Map Run that it is a child of.
    pub map_run_arn: Option<Arc<str>>,
    /// Items that it is about, of a child of a Map Run.
    pub item_count: Option<u64>,
}

/// The description of an execution.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct ExecutionDescription {
    /// Summary, as in a list.
    pub summary: ExecutionSummary,
    /// The input as sent; empty if the stored data cannot be read.
    pub input: Arc<str>,
    /// The output as JSON, if the execution succeeded.
    pub output: Option<Arc<str>>,
    /// The error and cause, if the execution did not succeed.
    pub error_output: ErrorOutput,
    /// X-Ray's, as given.
    pub trace_header: Option<Arc<str>>,
    /// The definition of the execution.
    pub definition: DefinitionId,
    /// Revision of the state machine, as given to the start.
    pub revision: Arc<str>,
    /// Events so far.
    pub event_count: u64,
    /// The reason why the execution is suspended, if it is.
    pub held: Option<Arc<str>>,
}

/// Selects executions for a list.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct ExecutionFilter {
    /// State machine, version, alias or Map Run of the executions.
    pub parent: ExecutionParent,
    /// Status of the executions; None for any.
    pub status: Option<ExecutionStatus>,
    /// True if the executions were redriven.
    pub is_redriven: Option<bool>,
}

/// The parent whose executions are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum ExecutionParent {
    /// A state machine.
    StateMachine(Arc<str>),
    /// A version of one.
    Version(Arc<str>),
    /// An alias of one.
    Alias(Arc<str>),
    /// A Map Run: its children.
    MapRun(Arc<str>),
}

/// A page of executions.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "backends and their callers fill in every field"
)]
pub struct ExecutionPage {
    /// Executions, in order.
    pub executions: Vec<ExecutionSummary>,
    /// The token of the next page; None on the last page.
    pub next: Option<Arc<str>>,
}
