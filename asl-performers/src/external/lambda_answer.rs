//! Results of `lambda:invoke`, and errors of the Invoke API.
use crate::http_metadata::{REQUEST_ID, http_metadata};
use asl_engine::TaskError;
use asl_path::json::{self, DEFAULT_MAX_DEPTH};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::header::HeaderMap;
use hyper::http::response::Parts;
use hyper::{Response, StatusCode};
use serde_json::{Map, Value, json};

/// Returns all that the Invoke API answered, in the order of the service's recorded answers.
pub(super) fn invocation(response: &Parts, parameters: &Value, result: Value) -> Value {
    let headers = &response.headers;
    let mut answer = Map::new();
    // A stand-in that names no version has but the one.
    let version = text(headers, "x-amz-executed-version").unwrap_or_else(|| "$LATEST".to_owned());
    answer.insert("ExecutedVersion".to_owned(), version.as_str().into());
    if parameters.get("LogType").and_then(Value::as_str) == Some("Tail") {
        let log = text(headers, "x-amz-log-result");
        let log = log.unwrap_or_else(|| log_of_the_platform(headers, &version));
        answer.insert("LogResult".to_owned(), log.into());
    }
    answer.insert("Payload".to_owned(), result);
    let shown = headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes());
        (name.as_str(), value.into_owned())
    });
    let metadata = http_metadata(shown, response.status.as_u16());
    answer.insert("SdkHttpMetadata".to_owned(), metadata);
    let request_id = json!({"RequestId": text(headers, REQUEST_ID)});
    answer.insert("SdkResponseMetadata".to_owned(), request_id);
    answer.insert("StatusCode".to_owned(), response.status.as_u16().into());
    answer.into()
}

/// Returns the log for a server that returns none: the lines that AWS Lambda always writes (AWS Lambda Developer Guide,
/// Sending Lambda function logs to CloudWatch Logs), except for REPORT, whose values are unknown.
fn log_of_the_platform(headers: &HeaderMap, version: &str) -> String {
    let id = text(headers, REQUEST_ID).unwrap_or_default();
    STANDARD.encode(format!(
        "START RequestId: {id} Version: {version}\nEND RequestId: {id}\n"
    ))
}

/// Returns the error of the Invoke API itself, which ran no function: its code after `Lambda.`, its message and what the
/// service says of the request after it.
pub(super) fn refusal(response: &Response<Vec<u8>>) -> TaskError {
    let (status, headers) = (response.status(), response.headers());
    let body = String::from_utf8_lossy(response.body());
    let told = json::parse(&body, DEFAULT_MAX_DEPTH).unwrap_or_default();
    let message = ["Message", "message"]
        .iter()
        .find_map(|name| told.get(name)?.as_str());
    let message = message.unwrap_or(body.trim());
    let code = text(headers, "x-amzn-errortype");
    // A namespace may stand before the code, and a URI after it (Smithy, AWS restJson1 protocol).
    let code = code.as_deref().map(|code| {
        let code = code.split(':').next().unwrap_or_default();
        code.rsplit('#').next().unwrap_or_default()
    });
    let code = code.filter(|code| !code.is_empty());
    let code = code.unwrap_or_else(|| usual_code(status));
    let request_id = text(headers, REQUEST_ID).unwrap_or_else(|| "null".to_owned());
    let cause = format!(
        "{message} (Service: AWSLambda; Status Code: {}; Error Code: {code}; Request ID: {request_id}; Proxy: null)",
        status.as_u16()
    );
    TaskError::new(format!("Lambda.{code}"), cause)
}

/// Returns the error code for a status, for a server that sends none (AWS Lambda API Reference, Invoke, Errors).
fn usual_code(status: StatusCode) -> &'static str {
    match status.as_u16() {
        404 => "ResourceNotFoundException",
        429 => "TooManyRequestsException",
        500..=599 => "ServiceException",
        _ => "AWSLambdaException",
    }
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?;
    Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_the_code_that_is_told_or_that_of_its_status() {
        let told = |status: u16, code: Option<&str>, body: &str| {
            let mut response = Response::builder().status(status);
            if let Some(code) = code {
                response = response.header("x-amzn-ErrorType", code);
            }
            let response = response.body(body.as_bytes().to_vec()).unwrap();
            refusal(&response).to_string()
        };
        assert_eq!(
            told(
                404,
                None,
                r#"{"Type": "User", "Message": "Function not found: f"}"#
            ),
            "Lambda.ResourceNotFoundException: Function not found: f (Service: AWSLambda; Status Code: 404; \
             Error Code: ResourceNotFoundException; Request ID: null; Proxy: null)"
        );
        let starts = |told: String, start: &str| assert!(told.starts_with(start), "{told}");
        starts(told(429, None, "{}"), "Lambda.TooManyRequestsException: ");
        starts(told(503, None, "busy"), "Lambda.ServiceException: busy (");
        starts(told(403, None, ""), "Lambda.AWSLambdaException: ");
        let code = "a.b#InvalidRequestContentException:http://a/";
        let own = r#"{"message": "no JSON"}"#;
        starts(
            told(400, Some(code), own),
            "Lambda.InvalidRequestContentException: no JSON (",
        );
    }
}
