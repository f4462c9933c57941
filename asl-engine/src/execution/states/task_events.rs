//! The events of a Task State: of a function, an activity or a service integration.
use crate::ResourceKind;
use crate::execution::error::StateError;
use crate::execution::evaluate::RequestFields;
use crate::history::EventDetails;
use crate::program::TaskState;
use serde_json::Value;
use std::sync::Arc;

pub(super) fn task_scheduled(
    task: &TaskState,
    payload: &Arc<Value>,
    region: &str,
    fields: &RequestFields,
) -> EventDetails {
    let (resource, input) = (task.resource.uri.clone(), Arc::clone(payload));
    let (timeout_in_seconds, heartbeat_in_seconds) =
        (fields.timeout_seconds, fields.heartbeat_seconds);
    match (&task.resource.kind, &task.event_resource) {
        (ResourceKind::Integration(_), Some(task)) => EventDetails::TaskScheduled {
            task: Arc::clone(task),
            region: region.to_owned(),
            parameters: input,
            timeout_in_seconds,
            heartbeat_in_seconds,
            task_credentials: fields.credentials.clone(),
        },
        (ResourceKind::Activity, _) => EventDetails::ActivityScheduled {
            resource,
            input,
            timeout_in_seconds,
            heartbeat_in_seconds,
        },
        _ => {
            let task_credentials = fields.credentials.clone();
            EventDetails::LambdaFunctionScheduled {
                resource,
                input,
                timeout_in_seconds,
                task_credentials,
            }
        }
    }
}

/// Of all but an activity, which a worker's taking it up starts.
pub(super) fn started(task: &TaskState) -> EventDetails {
    match (&task.resource.kind, &task.event_resource) {
        (ResourceKind::Integration(_), Some(task)) => EventDetails::TaskStarted {
            task: Arc::clone(task),
        },
        _ => EventDetails::LambdaFunctionStarted,
    }
}

pub(super) fn succeeded(task: &TaskState, output: Arc<Value>) -> EventDetails {
    match (&task.resource.kind, &task.event_resource) {
        (ResourceKind::Integration(_), Some(task)) => EventDetails::TaskSucceeded {
            task: Arc::clone(task),
            output,
        },
        (ResourceKind::Activity, _) => EventDetails::ActivitySucceeded { output },
        _ => EventDetails::LambdaFunctionSucceeded { output },
    }
}

pub(super) fn failed(task: &TaskState, error: &StateError) -> EventDetails {
    let timed_out = error.is_timeout();
    let error_output = error.error_output.clone();
    match (&task.resource.kind, &task.event_resource) {
        (ResourceKind::Integration(_), Some(task)) => {
            let task = Arc::clone(task);
            if timed_out {
                EventDetails::TaskTimedOut { task, error_output }
            } else {
                EventDetails::TaskFailed { task, error_output }
            }
        }
        (ResourceKind::Activity, _) if timed_out => EventDetails::ActivityTimedOut(error_output),
        (ResourceKind::Activity, _) => EventDetails::ActivityFailed(error_output),
        _ if timed_out => EventDetails::LambdaFunctionTimedOut(error_output),
        _ => EventDetails::LambdaFunctionFailed(error_output),
    }
}
