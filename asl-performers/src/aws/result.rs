//! Results of tasks, as Step Functions shows them.
use super::CalledOperation;
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

/// The headers of the response, in the forms that the first SDK for Java has.
fn add_metadata(fields: &mut Map<String, Value>, response: &HttpResponse) {
    let mut all = Map::new();
    let mut one = Map::new();
    for (name, value) in &response.headers {
        let name = canonical(name);
        one.insert(name.clone(), value.as_str().into());
        if let Value::Array(values) = all.entry(name).or_insert_with(|| json!([])) {
            values.push(value.as_str().into());
        }
    }
    let id = response.header("x-amzn-requestid").unwrap_or_default();
    fields.insert(
        "SdkHttpMetadata".to_owned(),
        json!({"AllHttpHeaders": all, "HttpHeaders": one, "HttpStatusCode": response.status}),
    );
    fields.insert("SdkResponseMetadata".to_owned(), json!({"RequestId": id}));
}

/// `content-type` is `Content-Type`; the headers of AWS are as they are sent.
fn canonical(name: &str) -> String {
    if name.starts_with("x-") {
        return name.to_owned();
    }
    let words = name.split('-').map(|word| {
        let mut characters = word.chars();
        let first = characters.next();
        let first = first.iter().map(char::to_ascii_uppercase);
        first.chain(characters).collect::<String>()
    });
    words.collect::<Vec<_>>().join("-")
}
