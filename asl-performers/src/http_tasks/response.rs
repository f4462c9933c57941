//! Results of `http:invoke` and `apigateway:invoke`.
use super::refused;
use crate::http_metadata::header_name;
use asl_aws::HttpResponse;
use asl_engine::TaskError;
use asl_path::json;
use hyper::StatusCode;
use serde_json::{Map, Value, json};

/// Returns the result of `http:invoke`, or the error of a response that is not a success.
pub(super) fn of_http(response: &HttpResponse) -> Result<Value, TaskError> {
    let content_type = content_type(response);
    let is_binary = ["application/octet-stream", "image/", "video/", "audio/"]
        .iter()
        .any(|start| content_type.starts_with(start));
    let body = std::str::from_utf8(&response.body)
        .ok()
        .filter(|_| !is_binary);
    let Some(body) = body else {
        return Err(refused(format!(
            "expected text in the response, found the content type '{content_type}'"
        )));
    };
    if !is_success(response) {
        let name = format!("States.Http.StatusCode.{}", response.status);
        return Err(TaskError::new(name, body));
    }
    Ok(result(response, body, str::to_owned))
}

/// Returns the result of `apigateway:invoke`, or the error.
pub(super) fn of_gateway(response: &HttpResponse) -> Result<Value, TaskError> {
    let body = String::from_utf8_lossy(&response.body);
    match is_success(response) {
        true => Ok(result(response, &body, header_name)),
        false => Err(TaskError::new(
            format!("ApiGateway.{}", response.status),
            body,
        )),
    }
}

fn is_success(response: &HttpResponse) -> bool {
    (200..300).contains(&response.status)
}

fn content_type(response: &HttpResponse) -> &str {
    response.header("content-type").unwrap_or_default()
}

fn result(response: &HttpResponse, body: &str, name_of: fn(&str) -> String) -> Value {
    let mut headers: Map<String, Value> = Map::new();
    for (name, value) in &response.headers {
        let values = headers.entry(name_of(name)).or_insert_with(|| json!([]));
        if let Value::Array(values) = values {
            values.push(value.as_str().into());
        }
    }
    let is_json = content_type(response).contains("json");
    let parsed = json::parse(body, json::DEFAULT_MAX_DEPTH).ok();
    let status = StatusCode::from_u16(response.status).ok();
    let reason = status.and_then(|status| status.canonical_reason());
    json!({
        "Headers": headers,
        "ResponseBody": parsed.filter(|_| is_json).unwrap_or_else(|| body.into()),
        "StatusCode": response.status,
        "StatusText": reason.unwrap_or_default(),
    })
}
