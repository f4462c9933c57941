//! The Runtime API of one process, version 2018-06-01 (AWS Lambda Developer Guide, Using the Lambda runtime API).
//!
//! Each process has a listener of its own, so that the port identifies it.
use crate::exchange::{Exchange, Refusal};
use crate::invocation::{Invocation, InvocationOutcome, MAX_RESPONSE_BYTES};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HOST, ORIGIN};
use hyper::http::response::Builder;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// The start of each path.
const VERSION: &str = "/2018-06-01/runtime";
/// Connections of one process at a time: a runtime has one or two.
const MOST_CONNECTIONS: usize = 16;
/// The deadline of a function without a timeout: a year.
const NO_DEADLINE: Duration = Duration::from_secs(365 * 24 * 3600);

/// The Runtime API of a process.
#[derive(Debug)]
pub(crate) struct RuntimeApi {
    pub(crate) exchange: Arc<Exchange>,
    pub(crate) function_arn: String,
    pub(crate) address: SocketAddr,
}

impl RuntimeApi {
    /// Serves until it is dropped.
    pub(crate) async fn serve(self: Arc<Self>, listener: TcpListener) {
        let mut connections = JoinSet::new();
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            while connections.try_join_next().is_some() {}
            if connections.len() >= MOST_CONNECTIONS {
                continue;
            }
            // Where that cannot be said, the process has gone.
            let _ = stream.set_nodelay(true);
            let api = Arc::clone(&self);
            connections.spawn(async move { api.serve_connection(stream).await });
        }
    }

    /// Serves one connection until it ends.
    pub(crate) async fn serve_connection(
        self: Arc<Self>,
        stream: impl AsyncRead + AsyncWrite + Unpin,
    ) {
        let service = service_fn(|request| {
            let api = Arc::clone(&self);
            async move { Ok::<_, Infallible>(api.respond(request).await) }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .serve_connection(TokioIo::new(stream), service);
        // Why a connection broke is the matter of its process.
        let _ = connection.await;
    }

    async fn respond(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        if !self.is_of_a_runtime(&request) {
            return refused(StatusCode::FORBIDDEN, "Forbidden", "not a runtime");
        }
        let path = request.uri().path().to_owned();
        let Some(path) = path.strip_prefix(VERSION) else {
            return no_such_path();
        };
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        match (request.method(), parts.as_slice()) {
            (&Method::GET, ["invocation", "next"]) => match self.exchange.next().await {
                Ok((invocation, limit)) => self.event(invocation, limit),
                Err(refusal) => refusal_response(refusal),
            },
            (&Method::POST, ["invocation", id, "response"]) => {
                self.end(id, request, InvocationOutcome::Result).await
            }
            (&Method::POST, ["invocation", id, "error"]) => {
                self.end(id, request, InvocationOutcome::Failed).await
            }
            (&Method::POST, ["init", "error"]) => {
                let body = body_of(request).await.unwrap_or_default();
                self.exchange.fail_init(body);
                accepted()
            }
            _ => no_such_path(),
        }
    }

    /// Refuses web pages: a browser names their origin, and a name that was bound to this address as the host.
    fn is_of_a_runtime(&self, request: &Request<Incoming>) -> bool {
        let host = request.headers().get(HOST);
        let is_own = host.is_none_or(|host| {
            let port = self.address.port();
            let own = [format!("{}", self.address), format!("localhost:{port}")];
            own.iter().any(|own| host == own.as_str())
        });
        is_own && !request.headers().contains_key(ORIGIN)
    }

    fn event(&self, invocation: Invocation, limit: Option<Duration>) -> Response<Full<Bytes>> {
        let limits = limit.into_iter().chain(invocation.time_limit);
        let limit = limits.min().unwrap_or(NO_DEADLINE);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let deadline = now.unwrap_or_default().saturating_add(limit).as_millis();
        let mut response = Response::builder()
            .header(CONTENT_TYPE, "application/json")
            .header("Lambda-Runtime-Aws-Request-Id", invocation.request_id)
            .header("Lambda-Runtime-Deadline-Ms", deadline.to_string())
            .header(
                "Lambda-Runtime-Invoked-Function-Arn",
                self.function_arn.as_str(),
            );
        if let Some(trace) = invocation.trace_id {
            response = response.header("Lambda-Runtime-Trace-Id", trace);
        }
        if let Some(context) = invocation.client_context {
            response = response.header("Lambda-Runtime-Client-Context", context);
        }
        with_body(response, invocation.event)
    }

    /// Ends the event with the body of a request.
    async fn end(
        &self,
        id: &str,
        request: Request<Incoming>,
        made: fn(Vec<u8>) -> InvocationOutcome,
    ) -> Response<Full<Bytes>> {
        // The body is not read for nothing.
        if let Err(refusal) = self.exchange.check_current(id) {
            return refusal_response(refusal);
        }
        let (answer, response) = match body_of(request).await {
            Some(body) => (made(body), accepted()),
            None => (too_large(), refused_size()),
        };
        match self.exchange.answer(id, answer) {
            Ok(()) => response,
            Err(refusal) => refusal_response(refusal),
        }
    }
}

/// Returns the body; None if it is too long, or broke off. It is read to its end in any case, since a process that is
/// interrupted would not read the response.
async fn body_of(request: Request<Incoming>) -> Option<Vec<u8>> {
    let mut body = request.into_body();
    let mut bytes = Vec::new();
    let mut is_too_long = false;
    while let Some(frame) = body.frame().await {
        let data = frame.ok()?.into_data().unwrap_or_default();
        is_too_long |= bytes.len() + data.len() > MAX_RESPONSE_BYTES;
        match is_too_long {
            true => bytes = Vec::new(),
            false => bytes.extend_from_slice(&data),
        }
    }
    (!is_too_long).then_some(bytes)
}

fn too_large() -> InvocationOutcome {
    let message = format!(
        "Response payload size exceeded maximum allowed payload size ({MAX_RESPONSE_BYTES} bytes)."
    );
    InvocationOutcome::of_platform("Function.ResponseSizeTooLarge", "", &message)
}

fn refused_size() -> Response<Full<Bytes>> {
    let message = "Exceeded maximum allowed payload size.";
    refused(
        StatusCode::PAYLOAD_TOO_LARGE,
        "RequestEntityTooLarge",
        message,
    )
}

fn refusal_response(refusal: Refusal) -> Response<Full<Bytes>> {
    match refusal {
        Refusal::NotAnswered => refused(
            StatusCode::FORBIDDEN,
            "InvalidStateTransition",
            "the current event has not been answered",
        ),
        Refusal::UnknownRequest => refused(
            StatusCode::BAD_REQUEST,
            "InvalidRequestID",
            "Invalid request ID",
        ),
    }
}

fn no_such_path() -> Response<Full<Bytes>> {
    refused(StatusCode::NOT_FOUND, "NotFound", "no such path")
}

fn accepted() -> Response<Full<Bytes>> {
    let body = json!({"status": "OK"}).to_string();
    with_body(
        Response::builder().status(StatusCode::ACCEPTED),
        body.into(),
    )
}

fn refused(status: StatusCode, error_type: &str, message: &str) -> Response<Full<Bytes>> {
    let body = json!({"errorMessage": message, "errorType": error_type});
    with_body(Response::builder().status(status), body.to_string().into())
}

/// Returns a response of a body. A header that cannot be sent makes it one without any.
fn with_body(response: Builder, body: Vec<u8>) -> Response<Full<Bytes>> {
    response
        .body(Full::new(body.into()))
        .unwrap_or_else(|_| Response::default())
}
