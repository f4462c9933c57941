//! "ResultWriter": the results of child executions, formatted and exported (2024 specification, Map State ResultWriter;
//! developer guide, ResultWriter).
use crate::error_output::ErrorOutput;
use crate::{Identity, Outcome, StorageOperation};
use asl_model::{OutputType, Timestamp, WriterConfig, WriterTransformation};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};
use std::sync::Arc;

/// The result of one child execution.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ChildResult {
    /// Its names.
    pub(crate) identity: Arc<Identity>,
    /// Its input.
    pub(crate) input: Arc<Value>,
    /// The outcome; None for a child that the Map Run did not start.
    pub(crate) outcome: Option<Outcome>,
    /// Time of the start.
    pub(crate) started: Option<Timestamp>,
    /// Time of the end.
    pub(crate) stopped: Option<Timestamp>,
}

/// "WriterConfig" with its defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ResultFormat {
    /// Content of each result.
    pub(crate) transformation: WriterTransformation,
    /// Format of the results.
    pub(crate) output_type: OutputType,
}

/// "Parameters" of a ResultWriter, evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Destination {
    /// "Bucket".
    pub(crate) bucket: String,
    /// "Prefix".
    pub(crate) prefix: Option<String>,
}

/// The cause of a States.ResultWriterFailed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ResultWriterError(String);

impl ResultFormat {
    /// That of a "WriterConfig". Without a "Transformation", NONE is the default of results that are `exported`, and
    /// COMPACT of results that are the state's own.
    pub(crate) fn new(config: Option<&WriterConfig>, exported: bool) -> Self {
        let config = config.copied().unwrap_or_default();
        let by_default = match exported {
            true => WriterTransformation::None,
            false => WriterTransformation::Compact,
        };
        Self {
            transformation: config.transformation.unwrap_or(by_default),
            output_type: config.output_type.unwrap_or_default(),
        }
    }

    /// Returns the text of some results.
    fn text<'r>(self, results: impl Iterator<Item = &'r ChildResult>) -> Vec<u8> {
        let mut text = Vec::new();
        let entries = results.flat_map(|result| self.entries(result));
        match self.output_type {
            OutputType::Json => {
                let mut serializer = serde_json::Serializer::new(&mut text);
                // Memory takes everything, and every entry has a text.
                let _ = write_array(&mut serializer, entries);
            }
            OutputType::JsonLines => {
                for entry in entries {
                    let _ = serde_json::to_writer(&mut text, &entry);
                    text.push(b'\n');
                }
            }
        }
        text
    }

    /// Returns the entries of one execution. A failed execution is written completely, with any transformation.
    fn entries(self, result: &ChildResult) -> Box<dyn Iterator<Item = Entry<'_>> + '_> {
        match (self.transformation, &result.outcome) {
            (WriterTransformation::Flatten, Some(Outcome::Succeeded(output))) => match &**output {
                Value::Array(elements) => Box::new(elements.iter().map(Entry::Output)),
                output => Box::new(std::iter::once(Entry::Output(output))),
            },
            (WriterTransformation::Compact, Some(Outcome::Succeeded(output))) => {
                Box::new(std::iter::once(Entry::Output(output)))
            }
            _ => Box::new(std::iter::once(Entry::Execution(result))),
        }
    }
}

fn write_array<'r, S: Serializer>(
    serializer: S,
    entries: impl Iterator<Item = Entry<'r>>,
) -> Result<S::Ok, S::Error> {
    let mut array = serializer.serialize_seq(None)?;
    for entry in entries {
        array.serialize_element(&entry)?;
    }
    array.end()
}

impl Destination {
    /// Reads the evaluated "Parameters".
    ///
    /// # Errors
    /// A missing "Bucket", and values that are not strings.
    pub(crate) fn new(parameters: &Value) -> Result<Self, ResultWriterError> {
        let string = |name| match parameters.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(ResultWriterError(format!(
                "the parameter \"{name}\" of the ResultWriter is not a string"
            ))),
        };
        let bucket = string("Bucket")?.ok_or_else(|| {
            ResultWriterError("the parameter \"Bucket\" of the ResultWriter is missing".to_owned())
        })?;
        let prefix = string("Prefix")?;
        Ok(Self { bucket, prefix })
    }

    /// `PREFIX/ID/name`, the id being the last part of the Map Run's ARN.
    fn key(&self, map_run_arn: &str, name: &str) -> String {
        let id = map_run_arn
            .rsplit_once(':')
            .map_or(map_run_arn, |(_, id)| id);
        match self
            .prefix
            .as_deref()
            .map(|prefix| prefix.trim_end_matches('/'))
        {
            None | Some("") => format!("{id}/{name}"),
            Some(prefix) => format!("{prefix}/{id}/{name}"),
        }
    }
}

/// The status by which results are put into files, in the order of the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileStatus {
    Failed,
    Pending,
    Succeeded,
}

impl FileStatus {
    const ALL: [Self; 3] = [Self::Failed, Self::Pending, Self::Succeeded];

    /// Executions that timed out or were aborted count as failed.
    fn from_result(result: &ChildResult) -> Self {
        match result.outcome {
            None => Self::Pending,
            Some(Outcome::Succeeded(_)) => Self::Succeeded,
            Some(_) => Self::Failed,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Failed => "FAILED",
            Self::Pending => "PENDING",
            Self::Succeeded => "SUCCEEDED",
        }
    }
}

/// Returns the files for the destination's bucket: one for each status that occurs, and the manifest last.
pub(crate) fn result_files(
    map_run_arn: &str,
    destination: &Destination,
    format: ResultFormat,
    results: &[ChildResult],
) -> Vec<StorageOperation> {
    let extension = match format.output_type {
        OutputType::Json => "json",
        OutputType::JsonLines => "jsonl",
    };
    let mut operations = Vec::new();
    let mut listed = json!({});
    for status in FileStatus::ALL {
        let word = status.word();
        listed[word] = json!([]);
        let mut of_status = results
            .iter()
            .filter(|result| FileStatus::from_result(result) == status)
            .peekable();
        if of_status.peek().is_none() {
            continue;
        }
        let body = format.text(of_status);
        let key = destination.key(map_run_arn, &format!("{word}_0.{extension}"));
        listed[word] = json!([{"Key": key, "Size": body.len()}]);
        operations.push(StorageOperation::PutObject {
            key,
            body: body.into(),
        });
    }
    let manifest = json!({
        "DestinationBucket": destination.bucket,
        "MapRunArn": map_run_arn,
        "ResultFiles": listed,
    });
    operations.push(StorageOperation::PutObject {
        key: destination.key(map_run_arn, "manifest.json"),
        body: manifest.to_string().into_bytes().into(),
    });
    operations
}

/// Returns the result of a Map State whose results were exported.
pub(crate) fn exported_result(map_run_arn: &str, destination: &Destination) -> Value {
    json!({
        "MapRunArn": map_run_arn,
        "ResultWriterDetails": {
            "Bucket": destination.bucket,
            "Key": destination.key(map_run_arn, "manifest.json"),
        },
    })
}

/// Returns the result of a Map State whose ResultWriter exports nothing: an array, or JSON Lines in a string.
pub(crate) fn transformed_result(format: ResultFormat, results: &[ChildResult]) -> Value {
    match format.output_type {
        OutputType::Json => {
            let entries = results.iter().flat_map(|result| format.entries(result));
            // As with the texts, nothing in an entry can fail.
            write_array(serde_json::value::Serializer, entries).unwrap_or_default()
        }
        OutputType::JsonLines => {
            Value::String(String::from_utf8_lossy(&format.text(results.iter())).into_owned())
        }
    }
}

/// One element of a result file.
enum Entry<'r> {
    Output(&'r Value),
    Execution(&'r ChildResult),
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Output(output) => output.serialize(serializer),
            Self::Execution(result) => serialize_execution(result, serializer),
        }
    }
}

/// Returns an execution with its metadata, members in the order of their names as the service has them.
fn serialize_execution<S: Serializer>(
    result: &ChildResult,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    let (error, cause) = failure(result);
    optional(&mut map, "Cause", cause)?;
    optional(&mut map, "Error", error)?;
    map.serialize_entry("ExecutionArn", &result.identity.execution_arn())?;
    map.serialize_entry("Input", &result.input.to_string())?;
    map.serialize_entry("InputDetails", &Inclusion { included: true })?;
    map.serialize_entry("Name", &result.identity.execution_name())?;
    if let Some(Outcome::Succeeded(output)) = &result.outcome {
        map.serialize_entry("Output", &output.to_string())?;
        map.serialize_entry("OutputDetails", &Inclusion { included: true })?;
    }
    redrive(&mut map, result)?;
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    optional(&mut map, "StartDate", time(result.started).as_deref())?;
    map.serialize_entry("StateMachineArn", &result.identity.state_machine_arn())?;
    let status = result.outcome.as_ref().map_or("PENDING", Outcome::status);
    map.serialize_entry("Status", status)?;
    optional(&mut map, "StopDate", time(result.stopped).as_deref())?;
    map.end()
}

fn failure(result: &ChildResult) -> (Option<&str>, Option<&str>) {
    match &result.outcome {
        Some(
            Outcome::Failed(ErrorOutput { error, cause })
            | Outcome::Aborted(ErrorOutput { error, cause }),
        ) => (error.as_deref(), cause.as_deref()),
        _ => (None, None),
    }
}

/// Writes the fields of redrives: an execution that succeeded needs no redrive, and any other is redriven with its Map Run.
fn redrive<M: SerializeMap>(map: &mut M, result: &ChildResult) -> Result<(), M::Error> {
    match FileStatus::from_result(result) {
        FileStatus::Pending => Ok(()),
        FileStatus::Failed => {
            map.serialize_entry("RedriveCount", &0)?;
            map.serialize_entry("RedriveStatus", "REDRIVABLE_BY_MAP_RUN")
        }
        FileStatus::Succeeded => {
            map.serialize_entry("RedriveCount", &0)?;
            map.serialize_entry("RedriveStatus", "NOT_REDRIVABLE")?;
            let reason = "Execution is SUCCEEDED and cannot be redriven";
            map.serialize_entry("RedriveStatusReason", reason)
        }
    }
}

/// "InputDetails" and "OutputDetails": whether the data is there. It always is.
#[derive(serde::Serialize)]
#[serde(rename_all = "PascalCase")]
struct Inclusion {
    included: bool,
}

fn optional<M: SerializeMap>(
    map: &mut M,
    name: &'static str,
    text: Option<&str>,
) -> Result<(), M::Error> {
    text.map_or(Ok(()), |text| map.serialize_entry(name, text))
}

#[cfg(test)]
mod tests;
