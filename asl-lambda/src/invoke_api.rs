//! The Invoke API of Lambda (AWS Lambda API Reference, Invoke).
use crate::functions::random_id;
use crate::{FunctionName, Functions, Invocation, InvocationOutcome, InvokeError, LogTail};
use asl_performers::InvokeRequest;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Response, StatusCode};
use percent_encoding::percent_decode_str;
use serde_json::json;
use std::time::{Duration, Instant};

/// The start and the end of the path of an invocation.
const PATH: (&str, &str) = ("/2015-03-31/functions/", "/invocations");

/// The time for the last lines of a function to arrive, where the log is wanted.
const LOG_DELAY: Duration = Duration::from_millis(20);

/// Answers requests of the Invoke API, for clients such as `aws lambda invoke` and functions that invoke functions.
///
/// ```
/// use asl_lambda::{Functions, InvokeApi, Options};
///
/// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
/// let functions = Functions::new(Options::new(std::env::temp_dir().join("asl-lambda-doc")))?;
/// let request = hyper::Request::post("/2015-03-31/functions/charge/invocations").body(())?;
/// let response = InvokeApi::new(functions).respond(&request.into_parts().0, b"{}".to_vec()).await;
/// assert_eq!(response.map(|response| response.status().as_u16()), Some(404));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct InvokeApi {
    functions: Functions,
}

impl InvokeApi {
    /// Creates the API of these functions.
    pub fn new(functions: Functions) -> Self {
        Self { functions }
    }

    /// Returns the response to a request; None if its path is not one of this API.
    pub async fn respond(&self, request: &Parts, event: Vec<u8>) -> Option<Response<Vec<u8>>> {
        let path = request.uri.path().strip_prefix(PATH.0)?;
        let function = path.strip_suffix(PATH.1)?;
        let function = percent_decode_str(function).decode_utf8().ok()?;
        let text = |name| header(&request.headers, name);
        let mut invoke = InvokeRequest::new(function, event);
        invoke.qualifier = request.uri.query().and_then(qualifier);
        invoke.client_context = text("x-amz-client-context");
        if let Some(invocation_type) = text("x-amz-invocation-type") {
            invoke.invocation_type = invocation_type;
        }
        let has_log = text("x-amz-log-type").is_some_and(|it| it == "Tail");
        let invocation = Invocation::default()
            .with_trace_id(text("x-amzn-trace-id"))
            .with_log_tail(has_log.then(LogTail::default));
        Some(self.functions.respond(invoke, invocation).await)
    }
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

fn qualifier(query: &str) -> Option<String> {
    let mut parameters = query.split('&');
    let value = parameters.find_map(|it| it.strip_prefix("Qualifier="))?;
    let value = percent_decode_str(value).decode_utf8().ok()?;
    Some(value.into_owned())
}

impl Functions {
    /// Returns the response of the Invoke API. `invocation` is completed by the request.
    pub(crate) async fn respond(
        &self,
        request: InvokeRequest,
        mut invocation: Invocation,
    ) -> Response<Vec<u8>> {
        if invocation.request_id.is_empty() {
            invocation.request_id = random_id();
        }
        let id = invocation.request_id.clone();
        invocation.trace_id.get_or_insert_with(|| trace_id(&id));
        let event = match request.event.is_empty() {
            true => b"{}".to_vec(),
            false => request.event,
        };
        if !is_json(&event) {
            let message = "Could not parse request body into json: expected JSON";
            let code = "InvalidRequestContentException";
            return refusal(StatusCode::BAD_REQUEST, code, message, &id);
        }
        invocation.event = event;
        invocation.client_context = request.client_context.as_deref().and_then(decoded);
        match request.invocation_type.as_str() {
            "DryRun" => self.dry_run(&request.function, &id),
            "Event" => self.start(request.function, invocation, &id),
            "RequestResponse" => {
                let tail = invocation.log_tail.clone();
                match self.invoke_logged(&request.function, invocation).await {
                    Ok(invoked) => with_log(result(invoked, &id), tail),
                    Err(error) => refused(&error, &id),
                }
            }
            other => {
                let message = format!(
                    "expected RequestResponse, Event or DryRun as the invocation type, found '{other}'"
                );
                let code = "InvalidParameterValueException";
                refusal(StatusCode::BAD_REQUEST, code, &message, &id)
            }
        }
    }

    /// Invokes a function, and writes the lines of Lambda around its log.
    async fn invoke_logged(
        &self,
        function: &str,
        invocation: Invocation,
    ) -> Result<InvocationOutcome, InvokeError> {
        let Some(tail) = invocation.log_tail.clone() else {
            return self.invoke(function, invocation).await;
        };
        let id = invocation.request_id.clone();
        tail.add(format!("START RequestId: {id} Version: $LATEST").as_bytes());
        let begun = Instant::now();
        let invoked = self.invoke(function, invocation).await;
        let duration = begun.elapsed();
        // The last lines may be on their way.
        tokio::time::sleep(LOG_DELAY).await;
        tail.add(format!("END RequestId: {id}").as_bytes());
        let milliseconds = duration.as_secs_f64() * 1_000.0;
        let report = format!(
            "REPORT RequestId: {id}\tDuration: {milliseconds:.2} ms\tBilled Duration: {:.0} ms\t",
            milliseconds.ceil()
        );
        tail.add(report.as_bytes());
        invoked
    }

    fn dry_run(&self, function: &str, id: &str) -> Response<Vec<u8>> {
        match self.has(function) {
            true => empty(StatusCode::NO_CONTENT, id),
            false => refused(&self.not_found(function), id),
        }
    }

    /// Starts an invocation whose result is dropped.
    fn start(&self, function: String, invocation: Invocation, id: &str) -> Response<Vec<u8>> {
        if !self.has(&function) {
            return refused(&self.not_found(&function), id);
        }
        let functions = self.clone();
        tokio::spawn(async move { functions.invoke(&function, invocation).await });
        empty(StatusCode::ACCEPTED, id)
    }

    fn not_found(&self, function: &str) -> InvokeError {
        let options = self.options();
        let name = FunctionName::parse(function);
        InvokeError::not_found(&options.region, &options.account, name)
    }
}

fn is_json(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).ok();
    text.is_some_and(|it| asl_path::json::parse(it, asl_path::json::DEFAULT_MAX_DEPTH).is_ok())
}

/// Returns a client context, which is JSON in Base64.
fn decoded(context: &str) -> Option<String> {
    let context = BASE64_STANDARD.decode(context).ok()?;
    String::from_utf8(context)
        .ok()
        .filter(|it| is_json(it.as_bytes()))
}

/// Returns a trace header that is not sampled (AWS X-Ray Developer Guide, Tracing header).
fn trace_id(request_id: &str) -> String {
    let digits = request_id.replace('-', "");
    let (first, rest) = digits.split_at_checked(8).unwrap_or((&digits, ""));
    let parent = rest.get(8..).unwrap_or_default();
    format!("Root=1-{first}-{rest};Parent={parent};Sampled=0")
}

fn result(invoked: InvocationOutcome, id: &str) -> Response<Vec<u8>> {
    let (body, failed) = match invoked {
        InvocationOutcome::Result(body) => (body, false),
        InvocationOutcome::Failed(body) => (body, true),
    };
    let mut response = Response::builder()
        .header(CONTENT_TYPE, "application/json")
        .header("Content-Length", body.len())
        .header("x-amzn-RequestId", id)
        .header("X-Amz-Executed-Version", "$LATEST")
        .header("X-Amzn-Remapped-Content-Length", "0");
    if failed {
        response = response.header("X-Amz-Function-Error", "Unhandled");
    }
    response.body(body).unwrap_or_default()
}

/// Adds the end of the log to a response.
fn with_log(mut response: Response<Vec<u8>>, tail: Option<LogTail>) -> Response<Vec<u8>> {
    let log = tail.map(|tail| BASE64_STANDARD.encode(tail.bytes()));
    if let Some(log) = log.and_then(|log| HeaderValue::from_str(&log).ok()) {
        response.headers_mut().insert("x-amz-log-result", log);
    }
    response
}

fn empty(status: StatusCode, id: &str) -> Response<Vec<u8>> {
    let response = Response::builder()
        .status(status)
        .header("x-amzn-RequestId", id);
    response.body(Vec::new()).unwrap_or_default()
}

fn refused(error: &InvokeError, id: &str) -> Response<Vec<u8>> {
    let message = error.to_string();
    match error {
        InvokeError::NotFound { .. } => {
            let code = "ResourceNotFoundException";
            refusal(StatusCode::NOT_FOUND, code, &message, id)
        }
        InvokeError::TooLarge => {
            let code = "RequestTooLargeException";
            refusal(StatusCode::PAYLOAD_TOO_LARGE, code, &message, id)
        }
    }
}

fn refusal(status: StatusCode, code: &str, message: &str, id: &str) -> Response<Vec<u8>> {
    let body = json!({"Type": "User", "Message": message}).to_string();
    let response = Response::builder()
        .status(status)
        .header(CONTENT_TYPE, "application/json")
        .header("Content-Length", body.len())
        .header("x-amzn-ErrorType", code)
        .header("x-amzn-RequestId", id);
    response.body(body.into_bytes()).unwrap_or_default()
}
