//! Valid combinations of the members of a request with its state.
//!
//! The messages without a note are recorded from the service; the others are worded after them.
use crate::definition::TestedState;
use crate::error::TestStateError;
use crate::request::{Mock, TestStateRequest};
use asl_engine::{IntegrationPattern, Resource};
use asl_path::json;
use serde_json::Value;

/// Checks the request against the type of the state.
pub(crate) fn check_state(
    request: &TestStateRequest,
    state: &TestedState,
) -> Result<(), TestStateError> {
    let state_type = state.state_type();
    match (state_type, &request.mock) {
        ("Map" | "Parallel", None) => Err(TestStateError::definition(
            "TestState API does not support Map or Parallel states. Supported state types include: \
             [Task, Wait, Pass, Succeed, Fail, Choice]",
        )),
        ("Task", None) if request.role_arn.is_none() => Err(TestStateError::validation(
            "RoleArn must be specified when testing a Task state",
        )),
        ("Map" | "Parallel" | "Task", Some(mock)) => check_result(state, mock),
        (_, Some(_)) => Err(TestStateError::validation(format!(
            "State type '{state_type}' is not supported when a mock is specified"
        ))),
        (_, None) => Ok(()),
    }
}

/// A mocked result is JSON, and has the shape that the state's type requests.
fn check_result(state: &TestedState, mock: &Mock) -> Result<(), TestStateError> {
    let Some(text) = &mock.result else {
        return Ok(());
    };
    let result = parsed_result(text)?;
    let array = result.as_array();
    let refused = |message: &str| Err(TestStateError::validation(message));
    match (state.state_type(), array) {
        ("Map", _) if state.has("ResultWriter") => match result {
            Value::Object(_) => Ok(()),
            _ => refused("Mocked result must be a JSON object."),
        },
        ("Map" | "Parallel", None) => refused("Mocked result must be an array."),
        ("Parallel", Some(outputs)) if outputs.len() != branches(state) => refused(
            "Mocked result must contain the same number of items as number of Parallel branches.",
        ),
        _ => Ok(()),
    }
}

fn branches(state: &TestedState) -> usize {
    let branches = state.fields.get("Branches").and_then(Value::as_array);
    branches.map_or(0, Vec::len)
}

/// Returns a mocked result.
pub(crate) fn parsed_result(text: &str) -> Result<Value, TestStateError> {
    json::parse(text, json::DEFAULT_MAX_DEPTH)
        .map_err(|_| TestStateError::validation("Mocked result must be valid JSON"))
}

/// A field of an object of the Context Object, with its type; None for any value.
type ContextField = (&'static str, Option<ContextValue>);

/// The fields that a Context Object may have, by the object that they are in.
const CONTEXT_FIELDS: &[(&str, &[ContextField])] = &[
    (
        "Execution",
        &[
            ("Id", Some(ContextValue::String)),
            ("Input", None),
            ("Name", Some(ContextValue::String)),
            ("RoleArn", Some(ContextValue::String)),
            ("StartTime", Some(ContextValue::String)),
            ("RedriveCount", Some(ContextValue::Number)),
            ("RedriveTime", Some(ContextValue::String)),
        ],
    ),
    (
        "State",
        &[
            ("EnteredTime", Some(ContextValue::String)),
            ("Name", Some(ContextValue::String)),
            ("RetryCount", Some(ContextValue::Number)),
        ],
    ),
    (
        "StateMachine",
        &[
            ("Id", Some(ContextValue::String)),
            ("Name", Some(ContextValue::String)),
        ],
    ),
    ("Task", &[("Token", Some(ContextValue::String))]),
];

/// The type of a field of the Context Object.
#[derive(Clone, Copy)]
enum ContextValue {
    String,
    Number,
}

/// Checks the given Context Object (recorded: unknown fields, a Map, and a text that is not an object are refused).
pub(crate) fn check_context(state: &TestedState, context: &Value) -> Result<(), TestStateError> {
    for (name, value) in context.as_object().into_iter().flatten() {
        if name == "Map" {
            return Err(invalid_context(
                "'Map' field is not supported when mocking a Context object",
            ));
        }
        let mut known = CONTEXT_FIELDS.iter();
        let Some((_, fields)) = known.find(|(known, _)| known == name) else {
            return Err(unknown_context_field(name));
        };
        check_context_fields(name, fields, value)?;
    }
    let has_token =
        state.state_type() == "Task" && awaits_more(&Resource::parse(state.text("Resource")));
    if context.get("Task").is_some() && !has_token {
        return Err(invalid_context(
            "Context object contains 'Task' when state is not a Task state with a '.sync' or '.waitForTaskToken' \
             service integration pattern",
        ));
    }
    Ok(())
}

fn check_context_fields(
    name: &str,
    fields: &[(&str, Option<ContextValue>)],
    value: &Value,
) -> Result<(), TestStateError> {
    let Some(given) = value.as_object() else {
        return Err(invalid_context(&format!("{name} must be an object")));
    };
    for (field, value) in given {
        let Some((_, expected)) = fields.iter().find(|(known, _)| known == field) else {
            return Err(unknown_context_field(field));
        };
        let (fits, expected) = match expected {
            None => (true, ""),
            Some(ContextValue::String) => (value.is_string(), "a string"),
            Some(ContextValue::Number) => (value.is_number(), "a number"),
        };
        if !fits {
            return Err(invalid_context(&format!(
                "{name}.{field} must be {expected}"
            )));
        }
    }
    Ok(())
}

fn unknown_context_field(name: &str) -> TestStateError {
    invalid_context(&format!("Field '{name}' is not allowed"))
}

pub(crate) fn invalid_context(fault: &str) -> TestStateError {
    TestStateError::validation(format!("Invalid Context object provided: {fault}"))
}

/// Returns true if the task continues after the service took its request.
fn awaits_more(resource: &Resource) -> bool {
    resource
        .integration()
        .is_some_and(|it| it.pattern != IntegrationPattern::RequestResponse)
}
