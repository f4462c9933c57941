//! The beginning of a test file: a mock of the right shape for each task.
use crate::Definition;
use crate::yaml::{quoted, write_field};
use asl_engine::ProgramTask;
use asl_model::{IntegrationPattern, Resource};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The initial content of a task's mock.
struct Sample {
    /// A comment for the reader.
    comment: &'static str,
    result: Value,
}

/// Settings for the definition of a test file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkeletonSettings {
    /// The path of the definition, if it is in another folder.
    pub definition: Option<String>,
    /// Values of the definition's placeholders.
    pub substitutions: BTreeMap<String, String>,
    /// The schema that editors complete the file by, as YAML language servers read it from a comment.
    pub schema: Option<String>,
}

asl_path::with_methods! {
    impl SkeletonSettings {
        with_definition(definition: Option<String>),
        with_substitutions(substitutions: BTreeMap<String, String>),
        with_schema(schema: Option<String>),
    }
}

/// Returns the text of a test file for a definition: a mock for each Task State, and one case, to be filled in.
///
/// What services return, `result_of` says; without it their mocks are empty. What Lambda functions, nested executions and
/// tasks with tokens return is known here.
///
/// ```
/// use asl_test::{Definition, SkeletonSettings, skeleton};
///
/// let definition = Definition::parse(r#"{"StartAt": "Charge", "States": {"Charge": {"Type": "Task", "End": true,
///     "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "charge"}}}}"#)?;
/// let text = skeleton(&definition, &SkeletonSettings::default(), |_| None);
/// assert!(text.contains("Charge:\n    return:\n      ExecutedVersion: \"$LATEST\"\n      Payload: {}\n      StatusCode: 200\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn skeleton(
    definition: &Definition,
    settings: &SkeletonSettings,
    result_of: impl Fn(&Resource) -> Option<Value>,
) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if let Some(schema) = &settings.schema {
        let _ = writeln!(text, "# yaml-language-server: $schema={schema}");
    }
    text.push_str("version: 1\n");
    if let Some(file) = &settings.definition {
        let _ = writeln!(text, "definition: {}", quoted(file));
    }
    if !settings.substitutions.is_empty() {
        text.push_str("substitutions:\n");
    }
    for (name, value) in &settings.substitutions {
        let _ = writeln!(text, "  {}: {}", quoted(name), quoted(value));
    }
    text.push_str(&objects(definition));
    let tasks: Vec<ProgramTask<'_>> = definition.program().tasks().collect();
    text.push_str(match tasks.is_empty() {
        true => "",
        false => "mocks:\n",
    });
    for task in &tasks {
        let sample = sample(task, &result_of);
        let (name, result) = (quoted(task.state_name()), sample.result);
        if !sample.comment.is_empty() {
            let _ = writeln!(text, "  # {}", sample.comment);
        }
        let _ = writeln!(text, "  {name}:");
        write_field(&mut text, "return", &result, 4);
    }
    text.push_str(
        "cases:\n  it works:\n    # input of the execution, and its expected outcome\n    input: {}\n    expect:\n      status: SUCCEEDED\n",
    );
    text
}

/// Returns the section `s3` with the objects that ItemReaders get by a fixed bucket and key.
fn objects(definition: &Definition) -> String {
    let mut objects: BTreeMap<String, BTreeMap<String, Value>> = BTreeMap::new();
    let value = definition.machine().to_json();
    let mut open = vec![&value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                open.extend(fields.values());
                if let Some((bucket, key, object)) = fields.get("ItemReader").and_then(object_read)
                {
                    objects.entry(bucket).or_default().insert(key, object);
                }
            }
            _ => {}
        }
    }
    let mut text = String::new();
    if !objects.is_empty() {
        text.push_str("# objects by bucket and key\n");
        write_field(&mut text, "s3", &json!(objects), 0);
    }
    text
}

/// Returns bucket, key and a sample of the object that an ItemReader gets.
fn object_read(reader: &Value) -> Option<(String, String, Value)> {
    let resource = reader.get("Resource")?.as_str()?;
    let arguments = reader
        .get("Parameters")
        .or_else(|| reader.get("Arguments"))?;
    let is_fixed = |text: &&str| !text.starts_with("{%");
    let [bucket, key] =
        ["Bucket", "Key"].map(|name| arguments.get(name).and_then(Value::as_str).filter(is_fixed));
    let input_type = reader
        .pointer("/ReaderConfig/InputType")
        .and_then(Value::as_str);
    let object = match input_type {
        Some("CSV") => json!("id\n1\n"),
        Some("JSONL") => json!("{\"id\": 1}\n"),
        _ => json!([{"id": 1}]),
    };
    resource
        .ends_with("s3:getObject")
        .then_some((bucket?.to_owned(), key?.to_owned(), object))
}

/// Returns the names that paths and expressions of a definition mention: the fields that it may read.
///
/// ```
/// let names = asl_test::names_read(r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "InputPath": "$.Payload.total"}}}"#);
/// assert!(names.contains("Payload") && names.contains("total") && !names.contains("Pass"));
/// ```
pub fn names_read(definition: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let Ok(value) = asl_model::value_from_text(definition, asl_model::Options::default()) else {
        return names;
    };
    let mut open = vec![&value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            Value::String(text)
                if ["$", "{%", "States."]
                    .iter()
                    .any(|start| text.starts_with(start)) =>
            {
                let is_name = |c: char| c.is_alphanumeric() || c == '_';
                names.extend(
                    text.split(|c| !is_name(c))
                        .filter(|word| !word.is_empty())
                        .map(str::to_owned),
                );
            }
            _ => {}
        }
    }
    names
}

fn sample(task: &ProgramTask<'_>, result_of: &impl Fn(&Resource) -> Option<Value>) -> Sample {
    let resource = task.resource();
    let empty = |comment| Sample {
        comment,
        result: Map::new().into(),
    };
    let Some(integration) = resource.integration() else {
        return empty("");
    };
    let starts_execution =
        integration.service == "states" && integration.action.starts_with("startExecution");
    match integration.pattern {
        IntegrationPattern::WaitForTaskToken => {
            empty("the output passed to SendTaskSuccess with the task token")
        }
        IntegrationPattern::RequestResponse if integration.invokes_function() => Sample {
            comment: "Payload is the return value of the function",
            result: json!({"ExecutedVersion": "$LATEST", "Payload": {}, "StatusCode": 200}),
        },
        IntegrationPattern::Sync if starts_execution => execution(resource),
        _ => match result_of(resource) {
            Some(result) => Sample {
                comment: "",
                result,
            },
            None => empty("what the service returns"),
        },
    }
}

/// Returns the result of `.sync` for an execution (recorded from the service): input and output are strings, except for
/// `.sync:2`.
fn execution(resource: &Resource) -> Sample {
    let is_json = resource.uri.ends_with(":2");
    let value = match is_json {
        true => json!({}),
        false => json!("{}"),
    };
    let arn = "arn:aws:states:us-east-1:123456789012";
    Sample {
        comment: match is_json {
            true => {
                "Input and Output are JSON; use `machine: FILE` instead of `return` to run the state machine"
            }
            false => {
                "Input and Output are JSON strings; use `machine: FILE` instead of `return` to run the state machine"
            }
        },
        result: json!({
            "ExecutionArn": format!("{arn}:execution:nested:1"),
            "Input": value,
            "InputDetails": {"Included": true},
            "Name": "1",
            "Output": value,
            "OutputDetails": {"Included": true},
            "StartDate": 1_704_067_200_000_u64,
            "StateMachineArn": format!("{arn}:stateMachine:nested"),
            "Status": "SUCCEEDED",
            "StopDate": 1_704_067_200_000_u64,
        }),
    }
}
