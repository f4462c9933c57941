//! Map States, and the parts of a distributed one (2024 specification, Map State).
use super::language::{JsonPath, Jsonata, Language};
use super::part::{self, Part};
use super::state::{StateBuilder, kind};
use super::states::States;
use crate::{
    CsvDelimiter, ExecutionType, ManifestType, OutputType, ReaderTransformation,
    WriterTransformation,
};
use serde_json::{Value, json};

impl<L: Language> StateBuilder<kind::InlineMap, L> {
    /// Begins a Map State with its "ItemProcessor".
    pub fn new(item_processor: States) -> Self {
        Self::of_type("Map").scope(item_processor)
    }
}

impl<L: Language> StateBuilder<kind::DistributedMap, L> {
    /// Begins a distributed Map State with its "ItemProcessor" and the type of its child executions.
    pub fn new(execution_type: ExecutionType, item_processor: States) -> Self {
        let config = json!({"Mode": "DISTRIBUTED", "ExecutionType": execution_type.as_str()});
        Self::of_type("Map").scope(item_processor.processor_config(config))
    }

    /// Sets "ItemReader".
    pub fn item_reader(self, reader: Part<part::kind::ItemReader, L>) -> Self {
        self.set("ItemReader", reader)
    }

    /// Sets "ItemBatcher".
    pub fn item_batcher(self, batcher: Part<part::kind::ItemBatcher, L>) -> Self {
        self.set("ItemBatcher", batcher)
    }

    /// Sets "ResultWriter".
    pub fn result_writer(self, writer: Part<part::kind::ResultWriter, L>) -> Self {
        self.set("ResultWriter", writer)
    }

    /// Sets "Label": at most 40 characters.
    pub fn label(self, label: impl Into<String>) -> Self {
        self.set("Label", label.into())
    }
}

const MAX_CONCURRENCY: [&str; 2] = ["MaxConcurrency", "MaxConcurrencyPath"];
const TOLERATED_COUNT: [&str; 2] = ["ToleratedFailureCount", "ToleratedFailureCountPath"];
const TOLERATED_PERCENTAGE: [&str; 2] = [
    "ToleratedFailurePercentage",
    "ToleratedFailurePercentagePath",
];

impl<K: kind::IsMap, L: Language> StateBuilder<K, L> {
    /// Sets "ItemSelector", a template of each iteration's input.
    pub fn item_selector(self, selector: impl Into<Value>) -> Self {
        self.set("ItemSelector", selector)
    }

    /// Sets "MaxConcurrency": a number, or the text of an expression; 0, the default, is no limit.
    pub fn max_concurrency(self, concurrency: impl Into<Value>) -> Self {
        self.set_form(&MAX_CONCURRENCY, MAX_CONCURRENCY[0], concurrency)
    }

    /// Sets "ToleratedFailureCount": a number, or the text of an expression.
    pub fn tolerated_failure_count(self, count: impl Into<Value>) -> Self {
        self.set_form(&TOLERATED_COUNT, TOLERATED_COUNT[0], count)
    }

    /// Sets "ToleratedFailurePercentage": a number from 0 to 100, or the text of an expression.
    pub fn tolerated_failure_percentage(self, percentage: impl Into<Value>) -> Self {
        self.set_form(&TOLERATED_PERCENTAGE, TOLERATED_PERCENTAGE[0], percentage)
    }
}

impl<K: kind::IsMap> StateBuilder<K, JsonPath> {
    /// Sets "ItemsPath".
    pub fn items_path(self, path: impl Into<String>) -> Self {
        self.set("ItemsPath", path.into())
    }

    /// Sets "MaxConcurrencyPath".
    pub fn max_concurrency_path(self, path: impl Into<String>) -> Self {
        self.set_form(&MAX_CONCURRENCY, MAX_CONCURRENCY[1], path.into())
    }

    /// Sets "ToleratedFailureCountPath".
    pub fn tolerated_failure_count_path(self, path: impl Into<String>) -> Self {
        self.set_form(&TOLERATED_COUNT, TOLERATED_COUNT[1], path.into())
    }

    /// Sets "ToleratedFailurePercentagePath".
    pub fn tolerated_failure_percentage_path(self, path: impl Into<String>) -> Self {
        self.set_form(&TOLERATED_PERCENTAGE, TOLERATED_PERCENTAGE[1], path.into())
    }
}

impl<K: kind::IsMap> StateBuilder<K, Jsonata> {
    /// Sets "Items": an array or an object, or the text of an expression.
    pub fn items(self, items: impl Into<Value>) -> Self {
        self.set("Items", items)
    }
}

impl<L: Language> Part<part::kind::ItemReader, L> {
    /// Begins an item reader with its "Resource".
    pub fn new(resource: impl Into<String>) -> Self {
        Self::empty().set("Resource", resource.into())
    }

    /// Sets "ReaderConfig".
    pub fn reader_config(self, config: Part<part::kind::ReaderConfig, L>) -> Self {
        self.set("ReaderConfig", config)
    }
}

impl<L: Language> Part<part::kind::ReaderConfig, L> {
    /// Begins the configuration of a table in text (CSV) whose first row names the columns.
    pub fn csv() -> Self {
        Self::input_type("CSV").set("CSVHeaderLocation", "FIRST_ROW")
    }

    /// Begins the configuration of a table in text (CSV) with these names of its columns.
    pub fn csv_with_headers(headers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let headers: Vec<String> = headers.into_iter().map(Into::into).collect();
        let config = Self::input_type("CSV").set("CSVHeaderLocation", "GIVEN");
        config.set("CSVHeaders", headers)
    }

    /// Begins the configuration of a JSON array.
    pub fn json() -> Self {
        Self::input_type("JSON")
    }

    /// Begins the configuration of a value in each line.
    pub fn json_lines() -> Self {
        Self::input_type("JSONL")
    }

    /// Begins the configuration of Apache Parquet.
    pub fn parquet() -> Self {
        Self::input_type("PARQUET")
    }

    /// Begins the configuration of a list of files.
    pub fn manifest(manifest_type: ManifestType) -> Self {
        Self::input_type("MANIFEST").set("ManifestType", manifest_type.as_str())
    }

    /// Sets "CSVDelimiter".
    pub fn csv_delimiter(self, delimiter: CsvDelimiter) -> Self {
        self.set("CSVDelimiter", delimiter.as_str())
    }

    /// Sets "ItemsPointer": a JSON pointer to the array within a JSON file.
    pub fn items_pointer(self, pointer: impl Into<String>) -> Self {
        self.set("ItemsPointer", pointer.into())
    }

    /// Sets "Transformation": what of a listing is an item.
    pub fn transformation(self, transformation: ReaderTransformation) -> Self {
        self.set("Transformation", transformation.as_str())
    }

    /// Sets "MaxItems": a number, or the text of an expression.
    pub fn max_items(self, items: impl Into<Value>) -> Self {
        self.set_form(&MAX_ITEMS, MAX_ITEMS[0], items)
    }

    fn input_type(name: &str) -> Self {
        Self::empty().set("InputType", name)
    }
}

const MAX_ITEMS: [&str; 2] = ["MaxItems", "MaxItemsPath"];

impl Part<part::kind::ReaderConfig, JsonPath> {
    /// Sets "MaxItemsPath".
    pub fn max_items_path(self, path: impl Into<String>) -> Self {
        self.set_form(&MAX_ITEMS, MAX_ITEMS[1], path.into())
    }
}

const BATCH_ITEMS: [&str; 2] = ["MaxItemsPerBatch", "MaxItemsPerBatchPath"];
const BATCH_BYTES: [&str; 2] = ["MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"];

impl<L: Language> Part<part::kind::ItemBatcher, L> {
    /// Begins an item batcher. It needs a limit of items or of bytes.
    #[expect(clippy::new_without_default, reason = "each part begins with `new`")]
    pub fn new() -> Self {
        Self::empty()
    }

    /// Sets "MaxItemsPerBatch": a number, or the text of an expression.
    pub fn max_items_per_batch(self, items: impl Into<Value>) -> Self {
        self.set_form(&BATCH_ITEMS, BATCH_ITEMS[0], items)
    }

    /// Sets "MaxInputBytesPerBatch": a number, or the text of an expression.
    pub fn max_input_bytes_per_batch(self, bytes: impl Into<Value>) -> Self {
        self.set_form(&BATCH_BYTES, BATCH_BYTES[0], bytes)
    }

    /// Sets "BatchInput", a template.
    pub fn batch_input(self, input: impl Into<Value>) -> Self {
        self.set("BatchInput", input)
    }
}

impl Part<part::kind::ItemBatcher, JsonPath> {
    /// Sets "MaxItemsPerBatchPath".
    pub fn max_items_per_batch_path(self, path: impl Into<String>) -> Self {
        self.set_form(&BATCH_ITEMS, BATCH_ITEMS[1], path.into())
    }

    /// Sets "MaxInputBytesPerBatchPath".
    pub fn max_input_bytes_per_batch_path(self, path: impl Into<String>) -> Self {
        self.set_form(&BATCH_BYTES, BATCH_BYTES[1], path.into())
    }
}

impl<L: Language> Part<part::kind::ResultWriter, L> {
    /// Begins a result writer with its "Resource".
    pub fn new(resource: impl Into<String>) -> Self {
        Self::empty().set("Resource", resource.into())
    }

    /// Sets "WriterConfig".
    pub fn writer_config(
        self,
        transformation: WriterTransformation,
        output_type: OutputType,
    ) -> Self {
        let (transformation, output_type) = (transformation.as_str(), output_type.as_str());
        let config = json!({"Transformation": transformation, "OutputType": output_type});
        self.set("WriterConfig", config)
    }
}
