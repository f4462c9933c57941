//! Results of tasks, as Step Functions shows them.
use super::service_calls::CalledOperation;
use crate::http_metadata::{REQUEST_ID, http_metadata};
use asl_aws::{Answer, HttpResponse};
use asl_engine::TaskError;
use serde_json::{Map, Value, json};

/// Optimized integrations whose results have the metadata of the response.
const WITH_METADATA: [&str; 5] = ["dynamodb", "ecs", "lambda", "sns", "sqs"];

/// Returns the result of a task, or the error of a call that failed in part.
pub(super) fn of_task(called: &CalledOperation, answer: Answer) -> Result<Value, TaskError> {
    let Answer {
        mut result,
        response,
        ..
    } = answer;
    if let Some(error) = partial_failure(called, &result) {
        return Err(TaskError::new(error, result.to_string()));
    }
    let has_metadata = WITH_METADATA.contains(&called.service.as_str());
    if let (true, Value::Object(fields)) = (has_metadata, &mut result) {
        add_metadata(fields, &response);
    }
    Ok(result)
}

/// Returns the error of a call whose answer names what failed.
fn partial_failure(called: &CalledOperation, result: &Value) -> Option<&'static str> {
    match (called.service.as_str(), called.operation.as_str()) {
        ("events", _) if result["FailedEntryCount"].as_u64().unwrap_or_default() > 0 => {
            Some("EventBridge.FailedEntry")
        }
        ("ecs", "runTask") if has_items(&result["Failures"]) && !has_items(&result["Tasks"]) => {
            Some("ECS.AmazonECSException")
        }
        _ => None,
    }
}

fn has_items(list: &Value) -> bool {
    list.as_array().is_some_and(|items| !items.is_empty())
}

fn add_metadata(fields: &mut Map<String, Value>, response: &HttpResponse) {
    let headers = response.headers.iter();
    let headers = headers.map(|(name, value)| (name.as_str(), value.clone()));
    let id = response.header(REQUEST_ID);
    let metadata = http_metadata(headers, response.status);
    fields.insert("SdkHttpMetadata".to_owned(), metadata);
    fields.insert("SdkResponseMetadata".to_owned(), json!({"RequestId": id}));
}
