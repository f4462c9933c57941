//! Map States.
use super::object::{ObjectPrinter, number};
use super::states;
use crate::{
    ItemBatcher, ItemProcessor, ItemReader, Items, Map, Percentage, ProcessorConfig, QueryLanguage,
    ReaderConfig, ResultWriter, WriterConfig,
};

/// The fields between what makes the input and what makes the output.
pub(super) fn map(fields: &mut ObjectPrinter, state: &Map, query_language: QueryLanguage) {
    let processor = match state.spelling.iterator {
        true => "Iterator",
        false => "ItemProcessor",
    };
    let selector = match state.spelling.parameters {
        true => "Parameters",
        false => "ItemSelector",
    };
    let parameters = match query_language {
        QueryLanguage::JSONPath => "Parameters",
        QueryLanguage::JSONata => "Arguments",
    };
    let reader = state.item_reader.as_ref();
    fields.some(
        "ItemReader",
        reader.map(|reader| item_reader(reader, parameters)),
    );
    match &state.items {
        None => {}
        Some(Items::Path(items)) => fields.put("ItemsPath", items.path.source()),
        Some(Items::Template(template)) => fields.put("Items", template.to_json()),
    }
    fields.template(selector, state.item_selector.as_ref());
    fields.some("ItemBatcher", state.item_batcher.as_ref().map(item_batcher));
    fields.whole("MaxConcurrency", state.max_concurrency.as_ref());
    fields.put(processor, item_processor(&state.item_processor));
    fields.whole(
        "ToleratedFailureCount",
        state.tolerated_failure_count.as_ref(),
    );
    match &state.tolerated_failure_percentage {
        None => {}
        Some(Percentage::Number(percentage)) => {
            fields.put("ToleratedFailurePercentage", number(*percentage));
        }
        Some(Percentage::Path(path)) => {
            fields.put("ToleratedFailurePercentagePath", path.source());
        }
        Some(Percentage::Expression(expression)) => {
            fields.put("ToleratedFailurePercentage", expression.text());
        }
    }
    let writer = state.result_writer.as_ref();
    fields.some(
        "ResultWriter",
        writer.map(|writer| result_writer(writer, parameters)),
    );
}

fn item_processor(processor: &ItemProcessor) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    let config = processor.processor_config.as_ref();
    fields.some("ProcessorConfig", config.map(processor_config));
    fields.append(states(&processor.states));
    fields
}

fn processor_config(config: &ProcessorConfig) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    fields.word("Mode", config.mode);
    fields.word("ExecutionType", config.execution_type);
    fields
}

fn item_reader(reader: &ItemReader, parameters: &str) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    fields.put("Resource", reader.resource.uri.as_str());
    fields.template(parameters, reader.parameters.as_ref());
    fields.some(
        "ReaderConfig",
        reader.reader_config.as_ref().map(reader_config),
    );
    fields
}

fn reader_config(config: &ReaderConfig) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    fields.word("InputType", config.input_type);
    fields.word("Transformation", config.transformation);
    fields.word("ManifestType", config.manifest_type);
    fields.word("CSVDelimiter", config.csv_delimiter);
    fields.word("CSVHeaderLocation", config.csv_header_location);
    fields.some("CSVHeaders", config.csv_headers.clone());
    fields.text("ItemsPointer", config.items_pointer.as_deref());
    fields.whole("MaxItems", config.max_items.as_ref());
    fields
}

fn item_batcher(batcher: &ItemBatcher) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    fields.template("BatchInput", batcher.batch_input.as_ref());
    fields.whole("MaxItemsPerBatch", batcher.max_items_per_batch.as_ref());
    fields.whole(
        "MaxInputBytesPerBatch",
        batcher.max_input_bytes_per_batch.as_ref(),
    );
    fields
}

fn result_writer(writer: &ResultWriter, parameters: &str) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    let resource = writer.resource.as_ref();
    fields.text("Resource", resource.map(|resource| resource.uri.as_str()));
    fields.template(parameters, writer.parameters.as_ref());
    fields.some(
        "WriterConfig",
        writer.writer_config.as_ref().map(writer_config),
    );
    fields
}

fn writer_config(config: &WriterConfig) -> ObjectPrinter {
    let mut fields = ObjectPrinter::default();
    fields.word("Transformation", config.transformation);
    fields.word("OutputType", config.output_type);
    fields
}
