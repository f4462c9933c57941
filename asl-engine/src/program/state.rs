//! What a compiled state holds.
use super::template::CompiledTemplate;
use crate::Resource;
use crate::history::{StateType, TaskResource};
use asl_model::{
    ChoiceRule, ItemReader, JitterStrategy, Percentage, ProcessorMode, TextField, Timestamp, Whole,
};
use asl_path::{Path, ReferencePath};
use serde_json::Value;
use std::sync::Arc;

/// Names a state of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    /// Whether a path of it reads the Context Object.
    pub(crate) uses_context: bool,
    pub(crate) input_path: DataPath,
    pub(crate) output_path: DataPath,
    /// None where the state is terminal.
    pub(crate) next: Option<StateIndex>,
    pub(crate) action: StateAction,
}

impl StateProgram {
    /// Whether InputPath and OutputPath leave the data as it is.
    pub(crate) fn passes_input_whole(&self) -> bool {
        matches!(
            (&self.input_path, &self.output_path),
            (DataPath::Whole, DataPath::Whole)
        )
    }
}

#[derive(Debug)]
pub(crate) enum StateAction {
    Pass(PassState),
    Task(Box<TaskState>),
    Choice {
        rules: Vec<(ChoiceRule, StateIndex)>,
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
        parameters: Option<CompiledTemplate>,
        result: ResultProcessing,
        errors: ErrorHandling,
    },
    Map(Box<MapState>),
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

/// "ResultPath".
#[derive(Debug)]
pub(crate) enum ResultPath {
    /// Absent, or `$`: the result replaces the input.
    Replace,
    /// null: the input stays.
    Discard,
    Write(ReferencePath),
}

/// JSON of the definition with its measure.
#[derive(Debug)]
pub(crate) struct Literal {
    pub(crate) value: Value,
    pub(crate) depth: usize,
    pub(crate) bytes: u64,
}

#[derive(Debug)]
pub(crate) struct PassState {
    pub(crate) parameters: Option<CompiledTemplate>,
    pub(crate) result: Option<Literal>,
    pub(crate) result_path: ResultPath,
}

/// What happens to the result of a Task, Parallel or Map State.
#[derive(Debug)]
pub(crate) struct ResultProcessing {
    pub(crate) selector: Option<CompiledTemplate>,
    pub(crate) path: ResultPath,
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
    pub(crate) result_path: ResultPath,
    pub(crate) next: StateIndex,
}

#[derive(Debug)]
pub(crate) struct TaskState {
    pub(crate) resource: Arc<Resource>,
    /// What events call it, of a service integration.
    pub(crate) event_resource: Option<Arc<TaskResource>>,
    pub(crate) parameters: Option<CompiledTemplate>,
    pub(crate) credentials: Option<CompiledTemplate>,
    pub(crate) timeout: Option<Whole>,
    pub(crate) heartbeat: Option<Whole>,
    /// Whether the raw input is of use after the invocation: to ResultPath, a retrier or a catcher.
    pub(crate) keeps_input: bool,
    pub(crate) result: ResultProcessing,
    pub(crate) errors: ErrorHandling,
}

#[derive(Debug)]
pub(crate) enum WaitDuration {
    Seconds(u64),
    SecondsPath(Path),
    Timestamp(Timestamp),
    TimestampPath(Path),
}

#[derive(Debug)]
pub(crate) struct MapState {
    pub(crate) scope: ScopeIndex,
    pub(crate) mode: ProcessorMode,
    pub(crate) execution_type: Option<asl_model::ExecutionType>,
    pub(crate) items_path: Option<Path>,
    /// "ItemsPath" where it is a reference path into the input, as the specification asks.
    pub(crate) items_reference: Option<ReferencePath>,
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
    pub(crate) result: ResultProcessing,
    pub(crate) errors: ErrorHandling,
}
