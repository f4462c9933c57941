//! Evaluation of a Map Run's fields: ItemReader, ItemBatcher and ResultWriter.
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::number_field::MaxItems;
use crate::data::Data;
use crate::distributed::{
    BatchLimits, ChildResult, Destination, ItemReaderRequest, ResultFormat, exported_result,
    result_files, transformed_result,
};
use crate::execution::output::StorageOperation;
use crate::program::MapState;
use serde_json::Value;
use std::collections::VecDeque;

/// "MaxItems" of "ItemReader", evaluated.
pub(crate) fn reader_max_items(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
) -> Result<MaxItems, EvaluationFault> {
    let reader = map.item_reader.as_ref();
    let config = reader.and_then(|reader| reader.reader_config.as_ref());
    evaluation.max_items(config.and_then(|config| config.max_items.as_ref()), input)
}

pub(crate) fn item_reader_request(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
    max_items: Option<u64>,
) -> Result<ItemReaderRequest, EvaluationFault> {
    let reader = map.item_reader.as_ref();
    let config = reader
        .and_then(|reader| reader.reader_config.clone())
        .unwrap_or_default();
    let parameters = map
        .item_reader_parameters
        .as_ref()
        .map(|template| evaluation.payload(template, "ItemReader/Arguments", input))
        .transpose()?;
    Ok(ItemReaderRequest {
        resource: reader
            .map(|reader| reader.resource.uri.clone())
            .unwrap_or_default(),
        parameters: parameters.map_or(Value::Null, Data::into_value),
        max_items,
        config,
    })
}

/// "ItemBatcher" with its numbers read and its BatchInput evaluated.
pub(crate) fn batcher(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
) -> Result<(Option<Value>, BatchLimits), EvaluationFault> {
    let batcher = map.item_batcher.as_ref();
    let batch_input = map
        .batch_input
        .as_ref()
        .map(|template| evaluation.payload(template, "ItemBatcher/BatchInput", input))
        .transpose()?;
    let max_items = evaluation.positive(
        "ItemBatcher/MaxItemsPerBatch",
        batcher.and_then(|b| b.max_items_per_batch.as_ref()),
        input,
    )?;
    let max_bytes = evaluation.positive(
        "ItemBatcher/MaxInputBytesPerBatch",
        batcher.and_then(|b| b.max_input_bytes_per_batch.as_ref()),
        input,
    )?;
    // The service never makes an input larger than its limit on payloads.
    let max_input_bytes = match (max_bytes, evaluation.limits.max_payload_bytes) {
        (Some(batch), Some(payload)) => Some(batch.min(payload)),
        (batch, payload) => batch.or(payload),
    };
    Ok((
        batch_input.map(Data::into_value),
        BatchLimits {
            max_items,
            max_input_bytes,
        },
    ))
}

/// Returns the parameters of "ResultWriter".
pub(crate) fn result_writer_parameters(
    evaluation: &mut Evaluation<'_>,
    map: &MapState,
    input: &Value,
) -> Result<Option<Value>, EvaluationFault> {
    let template = map.result_writer_parameters.as_ref();
    let payload = template
        .map(|template| evaluation.payload(template, "ResultWriter/Arguments", input))
        .transpose()?;
    Ok(payload.map(Data::into_value))
}

/// Returns the bucket, the files to write there and the state's result.
pub(crate) fn written_results(
    writer: &asl_model::ResultWriter,
    parameters: Option<&Value>,
    map_run_arn: &str,
    results: &[ChildResult],
) -> Result<(String, VecDeque<StorageOperation>, Value), String> {
    let exported = writer.resource.is_some();
    let format = ResultFormat::new(writer.writer_config.as_ref(), exported);
    if !exported {
        return Ok((
            String::new(),
            VecDeque::new(),
            transformed_result(format, results),
        ));
    }
    let destination =
        Destination::new(parameters.unwrap_or(&Value::Null)).map_err(|error| error.to_string())?;
    let files = result_files(map_run_arn, &destination, format, results);
    let result = exported_result(map_run_arn, &destination);
    Ok((destination.bucket, files.into(), result))
}
