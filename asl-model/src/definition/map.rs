//! Map States (specification, Map State).
use super::{
    Assign, Catcher, Percentage, Processing, Resource, Retrier, States, Transition, Whole,
};
use crate::PayloadTemplate;
use asl_path::Path;

/// Map.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// "ItemProcessor", or the deprecated "Iterator".
    pub item_processor: ItemProcessor,
    /// "ItemsPath" or "Items"; by default what the ItemReader reads, or the input.
    pub items: Option<Items>,
    /// "ItemSelector", or the deprecated "Parameters".
    pub item_selector: Option<PayloadTemplate>,
    /// Which names the text used, so that it can be written back.
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

/// Where the items are.
#[derive(Debug, Clone, PartialEq)]
pub enum Items {
    /// "ItemsPath" of a JSONPath state, a Reference Path.
    Path(Path),
    /// "Items" of a JSONata state: an array or an object, perhaps with JSONata strings in it, or a JSONata string.
    Template(PayloadTemplate),
}

/// The deprecated names that the text used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MapSpelling {
    /// "Iterator" instead of "ItemProcessor".
    pub iterator: bool,
    /// "Parameters" instead of "ItemSelector".
    pub parameters: bool,
}

/// "ItemProcessor".
#[derive(Debug, Clone, PartialEq)]
pub struct ItemProcessor {
    /// "ProcessorConfig".
    pub processor_config: Option<ProcessorConfig>,
    /// "StartAt" and "States".
    pub states: States,
}

/// "ProcessorConfig".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessorConfig {
    /// "Mode", INLINE by default.
    pub mode: Option<ProcessorMode>,
    /// "ExecutionType", of a distributed Map.
    pub execution_type: Option<ExecutionType>,
}

/// "Mode".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProcessorMode {
    /// Iterations are flows of the execution.
    #[default]
    Inline,
    /// Iterations are child executions.
    Distributed,
}

/// "ExecutionType".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExecutionType {
    /// STANDARD.
    Standard,
    /// EXPRESS.
    Express,
}

/// "ItemReader".
#[derive(Debug, Clone, PartialEq)]
pub struct ItemReader {
    /// "Resource": `arn:aws:states:::s3:getObject` or `…:listObjectsV2`.
    pub resource: Resource,
    /// "Parameters", or "Arguments" of a JSONata state.
    pub parameters: Option<PayloadTemplate>,
    /// "ReaderConfig".
    pub reader_config: Option<ReaderConfig>,
}

/// "ReaderConfig".
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReaderConfig {
    /// "InputType": CSV, JSON, JSONL, MANIFEST …
    pub input_type: Option<String>,
    /// "CSVHeaderLocation": FIRST_ROW or GIVEN.
    pub csv_header_location: Option<String>,
    /// "CSVHeaders".
    pub csv_headers: Option<Vec<String>>,
    /// "CSVDelimiter": COMMA, PIPE, SEMICOLON, SPACE or TAB.
    pub csv_delimiter: Option<String>,
    /// "MaxItems" or its Path.
    pub max_items: Option<Whole>,
    /// "ManifestType": ATHENA_DATA or S3_INVENTORY.
    pub manifest_type: Option<String>,
    /// "Transformation": NONE or LOAD_AND_FLATTEN.
    pub transformation: Option<String>,
    /// "ItemsPointer": a JSON pointer to the array within a JSON file.
    pub items_pointer: Option<String>,
}

/// "ItemBatcher".
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemBatcher {
    /// "BatchInput".
    pub batch_input: Option<PayloadTemplate>,
    /// "MaxItemsPerBatch" or its Path.
    pub max_items_per_batch: Option<Whole>,
    /// "MaxInputBytesPerBatch" or its Path.
    pub max_input_bytes_per_batch: Option<Whole>,
}

/// "ResultWriter".
#[derive(Debug, Clone, PartialEq)]
pub struct ResultWriter {
    /// "Resource": `arn:aws:states:::s3:putObject`.
    pub resource: Option<Resource>,
    /// "Parameters", or "Arguments" of a JSONata state.
    pub parameters: Option<PayloadTemplate>,
    /// "WriterConfig".
    pub writer_config: Option<WriterConfig>,
}

/// "WriterConfig".
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WriterConfig {
    /// "Transformation": NONE, COMPACT or FLATTEN.
    pub transformation: Option<String>,
    /// "OutputType": JSON or JSONL.
    pub output_type: Option<String>,
}
