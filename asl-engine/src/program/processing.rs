//! The fields of input and output processing made ready.
use super::state::{
    DataPath, ItemSource, JsonPathProcessing, JsonataProcessing, Processing, ResultPath,
};
use super::template::CompiledTemplate;
use super::template::template;
use asl_model as model;

pub(super) fn processing(processing: &model::Processing) -> Processing {
    match processing {
        model::Processing::JsonPath(fields) => Processing::JsonPath(Box::new(JsonPathProcessing {
            input_path: data_path(&fields.input_path),
            parameters: template(fields.parameters.as_ref()),
            result_selector: template(fields.result_selector.as_ref()),
            result_path: result_path(&fields.result_path),
            output_path: data_path(&fields.output_path),
        })),
        model::Processing::Jsonata(fields) => Processing::Jsonata(Box::new(JsonataProcessing {
            arguments: template(fields.arguments.as_ref()),
            output: template(fields.output.as_ref()),
        })),
    }
}

fn data_path(path: &model::DataPath) -> DataPath {
    match path {
        model::DataPath::Absent => DataPath::Whole,
        model::DataPath::Null => DataPath::Null,
        model::DataPath::Path(path) if path.is_whole_input() => DataPath::Whole,
        model::DataPath::Path(path) => DataPath::Path(path.clone()),
    }
}

pub(super) fn result_path(path: &model::ResultPath) -> ResultPath {
    match path {
        model::ResultPath::Absent => ResultPath::Replace,
        model::ResultPath::Null => ResultPath::Discard,
        model::ResultPath::Path(path) if path.steps().is_empty() => ResultPath::Replace,
        model::ResultPath::Path(path) => ResultPath::Write(path.clone()),
    }
}

pub(super) fn items(items: &model::Items) -> ItemSource {
    match items {
        model::Items::Path(items) => ItemSource::Path(items.path.clone(), items.into_input.clone()),
        model::Items::Template(template) => ItemSource::Template(CompiledTemplate::new(template)),
    }
}
