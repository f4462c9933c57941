//! What the service makes of a task's payload before it asks for the task (recorded from the service).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use crate::data::Data;
use crate::program::TaskState;
use serde_json::Value;

/// Who asks for an Amazon ECS task.
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
    match (integration.service.as_str(), integration.action.as_str()) {
        ("ecs", "runTask.sync") => Ok(with_starter(evaluation, payload)),
        ("apigateway", action) if action.starts_with("invoke") => {
            let wrong = LISTS.iter().find(|name| !are_lists(payload.get(**name)));
            match wrong {
                None => Ok(payload),
                Some(name) => Err(EvaluationFault::runtime(format!(
                    "The Parameters '{}' could not be used to start the Task: [The value of the field '{name}' has an invalid format]",
                    *payload
                ))),
            }
        }
        _ => Ok(payload),
    }
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

/// Whether a field is missing, or holds lists by name.
fn are_lists(field: Option<&Value>) -> bool {
    match field {
        None | Some(Value::Null) => true,
        Some(field) => field
            .as_object()
            .is_some_and(|lists| lists.values().all(Value::is_array)),
    }
}
