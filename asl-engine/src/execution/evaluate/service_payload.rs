//! Changes by the service to a task's payload before it requests the task (recorded from the service).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use crate::data::Data;
use crate::program::TaskState;
use asl_intrinsics::Intrinsic;
use asl_path::Path;
use serde_json::Value;

/// The requester of an Amazon ECS task.
const STARTED_BY: (&str, &str) = ("StartedBy", "AWS Step Functions");
/// Fields of a request to Amazon API Gateway whose values are lists, by name.
const LISTS: [&str; 2] = ["Headers", "QueryParameters"];

/// The payload as it is sent: `ecs:runTask.sync` says who starts the task, and `apigateway:invoke` takes headers and query
/// parameters as lists alone.
pub(super) fn service_payload(
    evaluation: &Evaluation<'_>,
    task: &TaskState,
    payload: Data,
) -> Result<Data, EvaluationFault> {
    let Some(integration) = task
        .resource
        .integration()
        .filter(|_| evaluation.profile.knows_task_payloads())
    else {
        return Ok(payload);
    };
    if let Some(name) = unreadable_marker(&payload, &task.path_markers) {
        return Err(unusable(
            &payload,
            &format!(
                "The value for the field '{name}' must be a valid JSONPath or a valid intrinsic function call"
            ),
        ));
    }
    match (integration.service.as_str(), integration.action.as_str()) {
        ("ecs", "runTask.sync") => Ok(with_starter(evaluation, payload)),
        ("apigateway", action) if action.starts_with("invoke") => {
            let wrong = LISTS.iter().find(|name| !are_lists(payload.get(**name)));
            match wrong {
                None => Ok(payload),
                Some(name) => Err(unusable(
                    &payload,
                    &format!("The value of the field '{name}' has an invalid format"),
                )),
            }
        }
        _ => Ok(payload),
    }
}

fn unusable(payload: &Data, reason: &str) -> EvaluationFault {
    EvaluationFault::runtime(format!(
        "The Parameters '{}' could not be used to start the Task: [{reason}]",
        **payload
    ))
}

/// Returns the first field of one of these names, anywhere in a payload, that is no path and no intrinsic function: the
/// service reads an evaluated request as a Payload Template once more.
fn unreadable_marker<'n>(payload: &Value, names: &'n [String]) -> Option<&'n str> {
    if names.is_empty() {
        return None;
    }
    let mut open = vec![payload];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                let is_unreadable = |name: &&String| {
                    fields
                        .get(name.as_str())
                        .is_some_and(|value| !is_reference(value))
                };
                if let Some(name) = names.iter().find(is_unreadable) {
                    return Some(name);
                }
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    None
}

/// Returns true if a value is the text of a path or of an intrinsic function.
fn is_reference(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| Path::parse(text).is_ok() || Intrinsic::parse(text).is_ok())
}

fn with_starter(evaluation: &Evaluation<'_>, payload: Data) -> Data {
    let (name, starter) = STARTED_BY;
    match payload.into_value() {
        Value::Object(mut fields) => {
            fields
                .entry(name)
                .or_insert_with(|| Value::String(starter.to_owned()));
            Data::measured(Value::Object(fields), evaluation.limits)
        }
        other => Data::measured(other, evaluation.limits),
    }
}

/// Returns true if a field is missing, or holds lists by name.
fn are_lists(field: Option<&Value>) -> bool {
    match field {
        None | Some(Value::Null) => true,
        Some(field) => field
            .as_object()
            .is_some_and(|lists| lists.values().all(Value::is_array)),
    }
}
