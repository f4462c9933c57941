//! Compiled states.
use super::literal::Literal;
use super::template::{CompiledAssign, CompiledTemplate};
use crate::Resource;
use crate::history::{StateType, TaskResource};
use asl_model::{
    ItemReader, JitterStrategy, Percentage, ProcessorMode, Rule, TextField, WaitDuration, Whole,
};
use asl_path::{Path, ReferencePath};
use std::sync::Arc;

/// Names a state of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct StateIndex(pub(crate) u32);

/// Names a scope of a program: 0 is the machine, the others are branches and processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct ScopeIndex(pub(crate) u32);

/// One state.
#[derive(Debug)]
pub(crate) struct StateProgram {
    pub(crate) name: Arc<str>,
    pub(crate) state_type: StateType,
    /// True if a path or an expression of it reads the Context Object.
    pub(crate) uses_context: bool,
    /// True if it has neither InputPath nor OutputPath nor Assign.
    pub(crate) is_plain: bool,
    pub(crate) processing: Processing,
    /// "Assign"; of a Choice State, for the case that no rule matches.
    pub(crate) assign: Option<CompiledAssign>,
    /// None if the state is terminal.
    pub(crate) next: Option<StateIndex>,
    pub(crate) action: StateAction,
}

/// Input and output processing, in the state's query language.
#[derive(Debug)]
pub(crate) enum Processing {
    JsonPath(Box<JsonPathProcessing>),
    Jsonata(Box<JsonataProcessing>),
}

impl Processing {
    /// "Parameters" or "Arguments".
    pub(crate) fn has_arguments(&self) -> bool {
        match self {
            Self::JsonPath(processing) => processing.parameters.is_some(),
            Self::Jsonata(processing) => processing.arguments.is_some(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct JsonPathProcessing {
    pub(crate) input_path: DataPath,
    pub(crate) parameters: Option<CompiledTemplate>,
    pub(crate) result_selector: Option<CompiledTemplate>,
    pub(crate) result_path: ResultPath,
    pub(crate) output_path: DataPath,
}

#[derive(Debug)]
pub(crate) struct JsonataProcessing {
    pub(crate) arguments: Option<CompiledTemplate>,
    pub(crate) output: Option<CompiledTemplate>,
}

#[derive(Debug)]
pub(crate) enum StateAction {
    /// "Result" of a Pass State.
    Pass(Option<Literal>),
    Task(Box<TaskState>),
    Choice {
        rules: Vec<ChoiceRule>,
        default: Option<StateIndex>,
    },
    Wait(WaitDuration),
    Succeed,
    Fail {
        error: Option<TextField>,
        cause: Option<TextField>,
    },
    Parallel {
        branches: Vec<ScopeIndex>,
        errors: ErrorHandling,
    },
    Map(Box<MapState>),
}

/// A member of "Choices".
#[derive(Debug)]
pub(crate) struct ChoiceRule {
    pub(crate) rule: Rule,
    pub(crate) next: StateIndex,
    pub(crate) assign: Option<CompiledAssign>,
    /// "Output" of a rule of a JSONata state.
    pub(crate) output: Option<CompiledTemplate>,
}

/// "InputPath" or "OutputPath".
#[derive(Debug)]
pub(crate) enum DataPath {
    /// Absent, or `$`.
    Whole,
    /// null.
    Null,
    Path(Path),
}

impl DataPath {
    /// Returns true if evaluating it takes steps.
    pub(crate) fn takes_steps(&self) -> bool {
        matches!(self, Self::Path(path) if path.json_path().takes_steps())
    }
}

/// "ResultPath".
#[derive(Debug)]
pub(crate) enum ResultPath {
    /// Absent, or `$`: the result replaces the input.
    Replace,
    /// null: the input stays.
    Discard,
    Write(ReferencePath),
}

impl StateProgram {
    /// "Output", of a JSONata state.
    pub(crate) fn output(&self) -> Option<&CompiledTemplate> {
        match &self.processing {
            Processing::JsonPath(_) => None,
            Processing::Jsonata(processing) => processing.output.as_ref(),
        }
    }

    /// Of a state that can be retried.
    pub(crate) fn error_handling(&self) -> Option<&ErrorHandling> {
        match &self.action {
            StateAction::Task(task) => Some(&task.errors),
            StateAction::Parallel { errors, .. } => Some(errors),
            StateAction::Map(map) => Some(&map.errors),
            _ => None,
        }
    }
}

/// "Retry" and "Catch".
#[derive(Debug, Default)]
pub(crate) struct ErrorHandling {
    pub(crate) retriers: Vec<Retrier>,
    pub(crate) catchers: Vec<Catcher>,
}

#[derive(Debug)]
pub(crate) struct Retrier {
    pub(crate) error_equals: Vec<String>,
    pub(crate) interval_seconds: u64,
    pub(crate) max_attempts: u64,
    pub(crate) backoff_rate: f64,
    pub(crate) max_delay_seconds: Option<u64>,
    pub(crate) jitter: JitterStrategy,
}

#[derive(Debug)]
pub(crate) struct Catcher {
    pub(crate) error_equals: Vec<String>,
    pub(crate) output: CatcherOutput,
    pub(crate) assign: Option<CompiledAssign>,
    pub(crate) next: StateIndex,
}

/// The use of the Error Output.
#[derive(Debug)]
pub(crate) enum CatcherOutput {
    JsonPath(ResultPath),
    Jsonata(Option<CompiledTemplate>),
}

#[derive(Debug)]
pub(crate) struct TaskState {
    pub(crate) resource: Arc<Resource>,
    /// The resource of a service integration in events.
    pub(crate) event_resource: Option<Arc<TaskResource>>,
    pub(crate) credentials: Option<CompiledTemplate>,
    /// Names in its request that end in `.$` once the Payload Template is evaluated; of a service integration.
    pub(crate) path_markers: Vec<String>,
    pub(crate) timeout: Option<Whole>,
    pub(crate) heartbeat: Option<Whole>,
    pub(crate) errors: ErrorHandling,
}

impl TaskState {
    /// Returns true if it says more of its request than a payload.
    pub(crate) fn has_fields(&self) -> bool {
        self.timeout.is_some() || self.heartbeat.is_some() || self.credentials.is_some()
    }
}

#[derive(Debug)]
pub(crate) struct MapState {
    pub(crate) scope: ScopeIndex,
    pub(crate) mode: ProcessorMode,
    pub(crate) execution_type: Option<asl_model::ExecutionType>,
    pub(crate) items: Option<ItemSource>,
    pub(crate) item_selector: Option<CompiledTemplate>,
    pub(crate) item_reader: Option<ItemReader>,
    pub(crate) item_reader_parameters: Option<CompiledTemplate>,
    pub(crate) item_batcher: Option<asl_model::ItemBatcher>,
    pub(crate) batch_input: Option<CompiledTemplate>,
    pub(crate) result_writer: Option<asl_model::ResultWriter>,
    pub(crate) result_writer_parameters: Option<CompiledTemplate>,
    pub(crate) max_concurrency: Option<Whole>,
    pub(crate) tolerated_failure_count: Option<Whole>,
    pub(crate) tolerated_failure_percentage: Option<Percentage>,
    pub(crate) label: Option<String>,
    pub(crate) errors: ErrorHandling,
}

/// The source of the items of a Map State.
#[derive(Debug)]
pub(crate) enum ItemSource {
    /// "ItemsPath", and the same path as a reference path into the input, if it is one.
    Path(Path, Option<ReferencePath>),
    /// "Items".
    Template(CompiledTemplate),
}
