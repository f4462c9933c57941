//! Fields of a Task State that determine its request (2024 specification, Task State).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::service_payload::service_payload;
use crate::data::Data;
use crate::program::{StateProgram, TaskState};
use asl_model::Whole;
use serde_json::Value;

/// A task's evaluated fields, besides its payload.
#[derive(Default)]
pub(crate) struct RequestFields {
    pub(crate) credentials: Option<Value>,
    pub(crate) timeout_seconds: Option<u64>,
    pub(crate) heartbeat_seconds: Option<u64>,
}

/// Evaluates them, and the payload.
pub(crate) fn task_request(
    evaluation: &mut Evaluation<'_>,
    state: &StateProgram,
    task: &TaskState,
    raw: &mut Data,
) -> Result<(Data, RequestFields), EvaluationFault> {
    let selected = evaluation.selected_input(&state.processing, raw)?;
    let input: &Value = selected.as_ref().unwrap_or(raw);
    let timeout_seconds = evaluation.seconds("TimeoutSeconds", task.timeout.as_ref(), input)?;
    let heartbeat_seconds =
        evaluation.seconds("HeartbeatSeconds", task.heartbeat.as_ref(), input)?;
    check_timeouts(task, timeout_seconds, heartbeat_seconds)?;
    let credentials = match &task.credentials {
        Some(template) => Some(
            evaluation
                .payload(template, "Credentials", input)?
                .into_value(),
        ),
        None => None,
    };
    let payload = evaluation.arguments(&state.processing, selected, raw)?;
    let payload = service_payload(evaluation, task, payload)?;
    let fields = RequestFields {
        credentials,
        timeout_seconds,
        heartbeat_seconds,
    };
    Ok((payload, fields))
}

/// 2024 specification, Task State: the heartbeat interval must be smaller than the timeout. Numbers of the definition were
/// compared when it was validated.
fn check_timeouts(
    task: &TaskState,
    timeout_seconds: Option<u64>,
    heartbeat_seconds: Option<u64>,
) -> Result<(), EvaluationFault> {
    let fields = [&task.timeout, &task.heartbeat];
    let any = |is: fn(&Whole) -> bool| fields.iter().any(|field| field.as_ref().is_some_and(is));
    let by_path = any(|field| matches!(field, Whole::Path(_)));
    let by_expression = any(|field| matches!(field, Whole::Expression(_)));
    match (timeout_seconds, heartbeat_seconds) {
        (Some(timeout), Some(heartbeat)) if heartbeat >= timeout && (by_path || by_expression) => {
            let detail = format!(
                "HeartbeatSeconds must be smaller than TimeoutSeconds, but {heartbeat} is not smaller than {timeout}."
            );
            Err(if by_expression {
                EvaluationFault::from_field("HeartbeatSeconds", detail)
            } else {
                EvaluationFault::runtime(detail)
            })
        }
        _ => Ok(()),
    }
}
