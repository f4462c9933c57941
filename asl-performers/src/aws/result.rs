//! Results of tasks, as Step Functions shows them.
use super::CalledOperation;
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
    if called.service == "events" && failed_entries(&result) > 0 {
        return Err(TaskError::new(
            "EventBridge.FailedEntry",
            result.to_string(),
        ));
    }
    let has_metadata = WITH_METADATA.contains(&called.service.as_str());
    if let (true, Value::Object(fields)) = (has_metadata, &mut result) {
        add_metadata(fields, &response);
    }
    Ok(result)
}

fn failed_entries(result: &Value) -> u64 {
    result["FailedEntryCount"].as_u64().unwrap_or_default()
}

fn add_metadata(fields: &mut Map<String, Value>, response: &HttpResponse) {
    let headers = response.headers.iter();
    let headers = headers.map(|(name, value)| (name.as_str(), value.clone()));
    let id = response.header(REQUEST_ID);
    let metadata = http_metadata(headers, response.status);
    fields.insert("SdkHttpMetadata".to_owned(), metadata);
    fields.insert("SdkResponseMetadata".to_owned(), json!({"RequestId": id}));
}
