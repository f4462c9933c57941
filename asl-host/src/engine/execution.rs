//! Executions, as they are started and told of.
use super::{DefinitionId, Payload};
use asl_engine::{ErrorOutput, StateMachineIdentity, Timestamp};
use std::sync::Arc;

/// How an execution is to start.
#[derive(Debug, Clone)]
pub struct StartExecution {
    /// The state machine, without version or alias.
    pub state_machine: Arc<StateMachineIdentity>,
    /// Its name; the ARN follows from it.
    pub name: Arc<str>,
    /// The ARN, where it does not follow from the names: that of an Express execution.
    pub express_arn: Option<Arc<str>>,
    /// What runs.
    pub definition: DefinitionId,
    /// The input.
    pub input: Payload,
    /// The version that it was started by, or that its alias led to.
    pub version_arn: Option<Arc<str>>,
    /// The alias that it was started by.
    pub alias_arn: Option<Arc<str>>,
    /// X-Ray's.
    pub trace_header: Option<Arc<str>>,
    /// The test case of a MockConfigFile that stands in for its tasks.
    pub mock_test_case: Option<Arc<str>>,
    /// What the state machine was at this moment, as whoever asks wants to read it again.
    pub revision: Arc<str>,
    /// ARNs of activities of the definition that do not exist; their tasks fail.
    pub absent_activities: Vec<Arc<str>>,
    /// Whether a task of another execution makes the start. It does not wait for room in memory, which that execution
    /// may hold.
    pub by_task: bool,
    /// The task that waits for its end, where another execution started it.
    pub nested: Option<NestedTask>,
}

/// A task of another execution that is answered when this one ends.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NestedTask {
    /// Names the task.
    pub token: Arc<str>,
    /// What it is answered with.
    pub form: NestedForm,
}

/// The forms of `states:startExecution` that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum NestedForm {
    /// `.sync`: input and output are texts.
    Text,
    /// `.sync:2`: they are JSON.
    Json,
}

/// An execution that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartedExecution {
    /// Its ARN.
    pub arn: Arc<str>,
    /// When it started.
    pub start_date: Timestamp,
    /// False where it was there already.
    pub is_new: bool,
}

/// An Express execution that was waited for.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedExpress {
    /// When it started.
    pub start_date: Timestamp,
    /// When it ended.
    pub stop_date: Timestamp,
    /// How.
    pub status: ExecutionStatus,
    /// The output, as JSON, where it succeeded.
    pub output: Option<Arc<str>>,
    /// Why not.
    pub error_output: ErrorOutput,
}

/// Where an execution is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExecutionStatus {
    /// It has not ended.
    Running,
    /// With an output.
    Succeeded,
    /// With an error.
    Failed,
    /// It took too long.
    TimedOut,
    /// It was stopped.
    Aborted,
    /// A child of a Map Run that is about to be redriven.
    PendingRedrive,
}

impl ExecutionStatus {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Running,
        Self::Succeeded,
        Self::Failed,
        Self::TimedOut,
        Self::Aborted,
        Self::PendingRedrive,
    ];

    /// The service's word.
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

    /// The one of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// What a list says of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutionSummary {
    /// Its ARN.
    pub arn: Arc<str>,
    /// Its name.
    pub name: Arc<str>,
    /// The state machine, without version or alias; with the label of the Map State, of a child of a Map Run.
    pub state_machine_arn: Arc<str>,
    /// The version that it was started by.
    pub version_arn: Option<Arc<str>>,
    /// The alias that it was started by.
    pub alias_arn: Option<Arc<str>>,
    /// Where it is.
    pub status: ExecutionStatus,
    /// When it started.
    pub start_date: Timestamp,
    /// When it ended.
    pub stop_date: Option<Timestamp>,
    /// How often it was redriven.
    pub redrive_count: u64,
    /// When it was redriven last.
    pub redrive_date: Option<Timestamp>,
    /// The Map Run that it is a child of.
    pub map_run_arn: Option<Arc<str>>,
    /// Items that it is about, of a child of a Map Run.
    pub item_count: Option<u64>,
}

/// What there is to say of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutionDescription {
    /// As in a list.
    pub summary: ExecutionSummary,
    /// The input as it was sent; nothing where what was kept cannot be read.
    pub input: Arc<str>,
    /// The output, as JSON, where it succeeded.
    pub output: Option<Arc<str>>,
    /// Why not.
    pub error_output: ErrorOutput,
    /// X-Ray's, as given.
    pub trace_header: Option<Arc<str>>,
    /// What runs, or ran.
    pub definition: DefinitionId,
    /// As given to the start.
    pub revision: Arc<str>,
    /// Events so far.
    pub event_count: u64,
    /// Why it does not go on, where it is held.
    pub held: Option<Arc<str>>,
}

/// Which executions are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionFilter {
    /// Of what.
    pub parent: ExecutionParent,
    /// Where they are.
    pub status: Option<ExecutionStatus>,
    /// Whether they were redriven.
    pub is_redriven: Option<bool>,
}

/// What executions are of.
#[derive(Debug, Clone, PartialEq, Eq)]
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
pub struct ExecutionPage {
    /// In order.
    pub executions: Vec<ExecutionSummary>,
    /// What to ask for the next page with; None after the last.
    pub next: Option<Arc<str>>,
}
