//! Errors of tasks, as Step Functions shows them.
use super::names::ServiceNames;
use asl_aws::{CallError, CallFailure, ConnectionError, ServiceError};
use asl_engine::TaskError;

/// Returns the error of a task whose call failed.
pub(super) fn task_error(failure: &CallFailure, names: Option<&ServiceNames>) -> TaskError {
    match (failure, names) {
        (CallFailure::Answered(CallError::Service(error)), Some(names)) => {
            TaskError::new(name(error, names), cause(error, names))
        }
        (CallFailure::Connection(ConnectionError::Failed { url, reason }), Some(names)) => {
            let name = format!("{}.SdkClientException", names.prefix);
            TaskError::new(
                name,
                format!("Unable to execute HTTP request: {url}: {reason}"),
            )
        }
        (other, _) => TaskError::failed(other.to_string()),
    }
}

/// An error that the model describes has its name there, and ends with "Exception".
fn name(error: &ServiceError, names: &ServiceNames) -> String {
    let name = match &error.name {
        Some(name) if name.ends_with("Exception") => name.clone(),
        Some(name) => format!("{name}Exception"),
        None => names.general.clone(),
    };
    format!("{}.{name}", names.prefix)
}

pub(super) fn cause(error: &ServiceError, names: &ServiceNames) -> String {
    let ServiceError {
        code,
        message,
        status,
        ..
    } = error;
    let id = error.request_id.as_deref().unwrap_or("null");
    let service = &names.in_causes;
    if !names.is_of_sdk {
        return format!(
            "{message} (Service: {service}; Status Code: {status}; Error Code: {code}; Request ID: {id}; Proxy: null)"
        );
    }
    let extended = match &error.extended_request_id {
        Some(extended) if names.has_extended_id => format!(", Extended Request ID: {extended}"),
        _ => String::new(),
    };
    format!("{message} (Service: {service}, Status Code: {status}, Request ID: {id}{extended})")
}
