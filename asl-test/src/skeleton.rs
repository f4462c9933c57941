//! The beginning of a test file: a mock of the right shape for each task.
use crate::Definition;
use asl_engine::ProgramTask;
use asl_model::{IntegrationPattern, Resource};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What a task's mock begins with.
struct Sample {
    /// What is to be known of it.
    comment: &'static str,
    result: Value,
}

/// How a test file finds and reads its definition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkeletonSettings {
    /// What it is to name the definition by, where it does not stand beside it.
    pub definition: Option<String>,
    /// What stands for the definition's placeholders.
    pub substitutions: BTreeMap<String, String>,
}

/// The text of a test file for a definition: a mock for each Task State, and one case, to be filled in.
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
/// assert!(text.contains("Charge:\n    return: {\"ExecutedVersion\":\"$LATEST\",\"Payload\":{},\"StatusCode\":200}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn skeleton(
    definition: &Definition,
    settings: &SkeletonSettings,
    result_of: impl Fn(&Resource) -> Option<Value>,
) -> String {
    let mut text = "version: 1\n".to_owned();
    // Writing to a string cannot fail.
    if let Some(file) = &settings.definition {
        let _ = writeln!(text, "definition: {}", quoted(file));
    }
    if !settings.substitutions.is_empty() {
        text.push_str("substitutions:\n");
    }
    for (name, value) in &settings.substitutions {
        let _ = writeln!(text, "  {}: {}", quoted(name), quoted(value));
    }
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
        let _ = writeln!(text, "  {name}:\n    return: {result}");
    }
    text.push_str(
        "cases:\n  it works:\n    # what the execution is given, and what is to come of it\n    input: {}\n    expect:\n      status: SUCCEEDED\n",
    );
    text
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
            empty("what is sent back with the task token, as SendTaskSuccess has it")
        }
        IntegrationPattern::RequestResponse if integration.invokes_function() => Sample {
            comment: "what the function returns is in Payload",
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

/// What `.sync` returns of an execution; recorded from the service: with texts for input and output but where `.sync:2` asks.
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
                "Input and Output are JSON; `machine: FILE` runs the machine itself in place of `return`"
            }
            false => {
                "Input and Output are texts; `machine: FILE` runs the machine itself in place of `return`"
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

/// A text as YAML has it: plain where nothing in it can be taken for more, else in quotes, as JSON has it.
fn quoted(text: &str) -> String {
    let is_plain =
        |character: char| character.is_ascii_alphanumeric() || "_-./".contains(character);
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_word = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    match begins && !is_word && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => Value::from(text).to_string(),
    }
}
