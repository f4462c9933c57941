//! Map States (2024 specification, Map State).
use super::word::words;
use super::{ItemReader, Percentage, ResultWriter, States, Whole};
use crate::PayloadTemplate;
use asl_path::{Path, ReferencePath};

/// Fields of a Map State.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Map {
    /// "ItemProcessor", or the deprecated "Iterator".
    pub item_processor: ItemProcessor,
    /// "ItemsPath" or "Items"; by default what the ItemReader reads, or the input.
    pub items: Option<Items>,
    /// "ItemSelector", or the deprecated "Parameters".
    pub item_selector: Option<PayloadTemplate>,
    /// The field names in the text, for printing.
    pub spelling: MapSpelling,
    /// "ItemReader".
    pub item_reader: Option<ItemReader>,
    /// "ItemBatcher".
    pub item_batcher: Option<ItemBatcher>,
    /// "ResultWriter".
    pub result_writer: Option<ResultWriter>,
    /// "MaxConcurrency" or its Path; 0, the default, is no limit.
    pub max_concurrency: Option<Whole>,
    /// "ToleratedFailureCount" or its Path.
    pub tolerated_failure_count: Option<Whole>,
    /// "ToleratedFailurePercentage" or its Path.
    pub tolerated_failure_percentage: Option<Percentage>,
    /// "Label" of a distributed Map: at most 40 characters.
    pub label: Option<String>,
}

/// The source of the items.
#[derive(Debug, Clone, PartialEq)]
pub enum Items {
    /// "ItemsPath" of a JSONPath state.
    Path(ItemsPath),
    /// "Items" of a JSONata state: an array or an object, perhaps with JSONata strings in it, or a JSONata string.
    Template(PayloadTemplate),
}

/// The deprecated names that the text used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct MapSpelling {
    /// "Iterator" instead of "ItemProcessor".
    pub iterator: bool,
    /// "Parameters" instead of "ItemSelector".
    pub parameters: bool,
}

/// "ItemProcessor".
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ItemProcessor {
    /// "ProcessorConfig".
    pub processor_config: Option<ProcessorConfig>,
    /// "StartAt" and "States".
    pub states: States,
}

/// "ProcessorConfig".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessorConfig {
    /// "Mode", INLINE by default.
    pub mode: Option<ProcessorMode>,
    /// "ExecutionType", of a distributed Map.
    pub execution_type: Option<ExecutionType>,
}

/// "ItemsPath": a Reference Path, perhaps into the Context Object or a variable.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ItemsPath {
    /// The path.
    pub path: Path,
    /// The path as a Reference Path, if it leads into the state's input.
    pub into_input: Option<ReferencePath>,
}

words! {
    /// "Mode".
    #[derive(Default)]
    pub enum ProcessorMode {
        /// Iterations are flows of the execution.
        #[default]
        Inline = "INLINE",
        /// Iterations are child executions.
        Distributed = "DISTRIBUTED",
    }
}

words! {
    /// "ExecutionType".
    #[expect(missing_docs, reason = "the names of the types of state machines")]
    pub enum ExecutionType {
        Standard = "STANDARD",
        Express = "EXPRESS",
    }
}

/// "ItemBatcher".
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ItemBatcher {
    /// "BatchInput".
    pub batch_input: Option<PayloadTemplate>,
    /// "MaxItemsPerBatch" or its Path.
    pub max_items_per_batch: Option<Whole>,
    /// "MaxInputBytesPerBatch" or its Path.
    pub max_input_bytes_per_batch: Option<Whole>,
}
