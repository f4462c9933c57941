//! Lambda's Invoke API and the APIs of an application over HTTP.
use asl_application::{ApiRequest, Apis};
use asl_lambda::{Functions, InvokeApi};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::StatusCode;
use axum::http::header::ORIGIN;
use axum::response::Response;
use axum::routing::{any, post};
use http_body_util::{BodyExt as _, Limited};

/// Bytes of an event that is read: a little more than Lambda takes, so that it is refused with Lambda's error.
const MOST_EVENT: usize = 7 << 20;
/// Bytes of a request of an API at most (Amazon API Gateway Developer Guide, quotas: payload size).
const MOST_API_BODY: usize = 10 << 20;
/// The start of the paths of the application's APIs, before their ids.
pub(super) const APIS: &str = "/_aws/execute-api";

/// Returns the routes of Lambda's Invoke API, and of the APIs of an application.
pub(super) fn routes(functions: &Functions, apis: &Apis) -> Router {
    let apis = apis.clone();
    let call = move |Path((api, path)): Path<(String, String)>, request: Request| {
        let apis = apis.clone();
        async move { answer_api(&apis, &api, &path, request).await }
    };
    let api = InvokeApi::new(functions.clone());
    let invoke = move |Path(_): Path<String>, request: Request| {
        let api = api.clone();
        async move { answer_invocation(&api, request).await }
    };
    Router::new()
        .route("/2015-03-31/functions/{name}/invocations", post(invoke))
        .route(&format!("{APIS}/{{api}}/{{*path}}"), any(call))
}

async fn answer_invocation(api: &InvokeApi, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // A page of any site could send it through a browser on this machine.
    if parts.headers.contains_key(ORIGIN) {
        return status(403);
    }
    let event = Limited::new(body, MOST_EVENT).collect().await;
    // A longer one is refused by its length.
    let event = event.map_or_else(|_| vec![b' '; MOST_EVENT], |it| it.to_bytes().into());
    match api.respond(&parts, event).await {
        Some(response) => response.map(Body::from),
        None => Response::default(),
    }
}

/// Answers a request to an API of the application.
async fn answer_api(apis: &Apis, api: &str, path: &str, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = Limited::new(body, MOST_API_BODY).collect().await else {
        return status(413);
    };
    let headers = parts.headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes());
        (name.to_string(), value.into_owned())
    });
    let asked = ApiRequest::new(parts.method.as_str(), format!("/{path}"))
        .with_query(parts.uri.query().unwrap_or_default().to_owned())
        .with_headers(headers.collect())
        .with_body(body.to_bytes().into());
    let answered = apis.answer(api, &asked).await;
    let mut response = Response::builder().status(answered.status);
    for (name, value) in &answered.headers {
        response = response.header(name, value);
    }
    // Headers of a function that cannot be sent are its error.
    let response = response.body(Body::from(answered.body));
    response.unwrap_or_else(|_| status(502))
}

fn status(status: u16) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    response
}
