//! Requests of HTTP in, answers out.
use super::body::{self, Text, serialization};
use super::{ApiError, ErrorCode};
use crate::api::{Api, Call};
use crate::metrics::{NO_OPERATION, OK};
use crate::names::new_uuid;
use crate::operations;
use crate::request_log::AnsweredRequest;
use crate::scope::Scope;
use asl_backend::BackendError;
use asl_path::json as json_text;
use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::response::Response;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, ORIGIN, RETRY_AFTER};
use hyper::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

const TARGET: &str = "x-amz-target";
const TARGET_PREFIX: &str = "AWSStepFunctions.";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-amzn-requestid");
const AMZ_JSON: &str = "application/x-amz-json-1.0";
/// Requests are shallow; definitions and data are texts in them.
const MAX_DEPTH: usize = 64;
/// Seconds after which what there was no room for may come again.
const COME_AGAIN: &str = "1";

/// The response to a connection above the limit, which is then closed.
pub(crate) const NO_CONNECTION: &str = "HTTP/1.1 503 Service Unavailable\r\n\
    Content-Type: application/x-amz-json-1.0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n\
    {\"__type\":\"com.amazon.coral.service#ServiceUnavailable\",\
    \"message\":\"too many connections are open: try again in a second\"}";

/// `POST /`
pub(crate) async fn answer(State(api): State<Arc<Api>>, request: Request) -> Response {
    let begun = Instant::now();
    let (parts, body) = request.into_parts();
    let request_bytes = body.size_hint().exact();
    let operation = operation(&api, &parts.headers);
    let name = operation.as_ref().ok().cloned();
    let mut resource = None;
    let answered = match operation {
        Ok(operation) => call(&api, operation, &parts.headers, body, &mut resource).await,
        Err(error) => Err(error),
    };
    if let (Ok(answer), Some(_)) = (&answered, api.log.get()) {
        resource = resource_of(answer).or(resource);
    }
    let error = answered.as_ref().err().map(|error| error.code.name());
    let counted = name.as_deref().unwrap_or(NO_OPERATION);
    api.metrics.count(counted, error.unwrap_or(OK));
    let response = match answered {
        Ok(answer) => response(StatusCode::OK, &answer),
        Err(error) => refusal(&error),
    };
    if let Some(log) = api.log.get() {
        let scope = scope(&api, &parts.headers);
        log(&AnsweredRequest {
            operation: name,
            resource,
            account: scope.account.to_string(),
            region: scope.region.to_string(),
            status: response.status().as_u16(),
            error,
            duration: begun.elapsed(),
            request_bytes,
            answer_bytes: response.body().size_hint().exact().unwrap_or_default(),
            request_id: header(response.headers(), REQUEST_ID.as_str())
                .unwrap_or_default()
                .to_owned(),
        });
    }
    response
}

/// For whom a request is.
fn scope(api: &Api, headers: &HeaderMap) -> Scope {
    let authorization = header(headers, AUTHORIZATION.as_str());
    Scope::from_authorization(authorization, &api.options.scope())
}

/// The time that a health check waits for the backend.
const HEALTH_PATIENCE: Duration = Duration::from_secs(2);

/// `GET /health`: liveness. It fails if the backend can do nothing any more, so that a restart is due; not while something may pass,
/// such as a full disk.
pub(crate) async fn health(State(api): State<Arc<Api>>) -> Response {
    match checked(&api).await {
        Err(BackendError::Broken(why)) => health_response("failing", Some(&why)),
        _ => health_response("ok", None),
    }
}

/// `GET /health/ready`: readiness. It fails while requests cannot be served, whether that may pass or not.
pub(crate) async fn ready(State(api): State<Arc<Api>>) -> Response {
    match checked(&api).await {
        Ok(()) => health_response("ready", None),
        Err(error) => health_response("not ready", Some(&error.to_string())),
    }
}

async fn checked(api: &Api) -> Result<(), BackendError> {
    let checked = tokio::time::timeout(HEALTH_PATIENCE, api.backend.check_health());
    checked.await.unwrap_or_else(|_| {
        let seconds = HEALTH_PATIENCE.as_secs();
        let why = format!("the backend has not answered within {seconds} s");
        Err(BackendError::Unavailable(why))
    })
}

fn health_response(status: &str, reason: Option<&str>) -> Response {
    let mut body = json!({ "status": status });
    if let Some(reason) = reason {
        body["reason"] = reason.into();
    }
    let mut response = of_type("application/json", body.to_string());
    if reason.is_some() {
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        let again = HeaderValue::from_static(COME_AGAIN);
        response.headers_mut().insert(RETRY_AFTER, again);
    }
    response
}

/// `GET /metrics`
pub(crate) async fn metrics(State(api): State<Arc<Api>>) -> Response {
    of_type(
        "text/plain; version=0.0.4",
        api.metrics.text(api.backend.memory().map(|it| &**it)),
    )
}

async fn call(
    api: &Arc<Api>,
    operation: String,
    headers: &HeaderMap,
    body: Body,
    resource: &mut Option<String>,
) -> Result<Value, ApiError> {
    let Text { text, room } = body::text(api, headers, body).await?;
    let request = match text.trim().is_empty() {
        // Some clients send nothing where there are no members.
        true => Value::Object(serde_json::Map::new()),
        false => {
            json_text::parse(&text, MAX_DEPTH).map_err(|error| serialization(&error.to_string()))?
        }
    };
    drop(text);
    // Only a log has a use for it.
    *resource = api.log.get().and_then(|_| resource_of(&request));
    api.constraints.check(&operation, &request)?;
    let scope = scope(api, headers);
    // Workers wait long, and hold next to nothing meanwhile.
    let room = (operation != "GetActivityTask").then_some(room);
    let call = Call {
        operation,
        scope,
        request,
    };
    let answer = operations::answer(api, call).await;
    drop(room);
    answer
}

/// Returns the ARN that a request or its answer is about; an execution before all else.
fn resource_of(members: &Value) -> Option<String> {
    const NAMES: [&str; 7] = [
        "executionArn",
        "mapRunArn",
        "stateMachineVersionArn",
        "stateMachineAliasArn",
        "stateMachineArn",
        "activityArn",
        "resourceArn",
    ];
    let mut named = NAMES.iter().filter_map(|name| members.get(name)?.as_str());
    // One that is longer than any ARN is none.
    let arn = named.next().filter(|arn| arn.len() <= 2_048);
    arn.map(str::to_owned)
}

/// The operation of a request that is one of this API: not one that a browser sends for a page (it names its origin, or
/// cannot send this content type without asking first).
fn operation(api: &Api, headers: &HeaderMap) -> Result<String, ApiError> {
    if headers.contains_key(ORIGIN) {
        return Err(ApiError::new(
            ErrorCode::AccessDenied,
            "requests of web pages, which have an Origin header, are refused",
        ));
    }
    let unknown = |fault: String| ApiError::new(ErrorCode::UnknownOperation, fault);
    let content_type = header(headers, CONTENT_TYPE.as_str()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case(AMZ_JSON) {
        return Err(unknown(format!(
            "expected the content type {AMZ_JSON}, found '{content_type}'"
        )));
    }
    let target = header(headers, TARGET).unwrap_or_default();
    let operation = target
        .strip_prefix(TARGET_PREFIX)
        .and_then(|name| api.constraints.operation(name));
    operation.ok_or_else(|| {
        unknown(format!(
            "expected X-Amz-Target: {TARGET_PREFIX} with an operation of AWS Step Functions, found '{target}'"
        ))
    })
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn refusal(error: &ApiError) -> Response {
    let status = StatusCode::from_u16(error.code.status());
    let mut response = response(status.unwrap_or(StatusCode::BAD_REQUEST), &error.body());
    if error.code == ErrorCode::ServiceUnavailable {
        let again = HeaderValue::from_static(COME_AGAIN);
        response.headers_mut().insert(RETRY_AFTER, again);
    }
    response
}

fn response(status: StatusCode, body: &Value) -> Response {
    let mut response = of_type(AMZ_JSON, json_text::printed(body));
    *response.status_mut() = status;
    if let Ok(id) = new_uuid()
        && let Ok(id) = id.parse()
    {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

fn of_type(content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let content_type = HeaderValue::from_static(content_type);
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}
