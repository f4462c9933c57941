//! Requests to the API of AWS Step Functions: conversations with a server whose backend is new for each.
//!
//! An input is a text: requests parted by lines of four dashes, each with the operation or the whole target in its first
//! line, headers, an empty line and a body.
use super::{DEEP, feature, kind_of_message, nested};
use asl_backend::Backend;
use asl_engine::runtime::{TaskHandlers, task_fn};
use asl_server::{SelfCalls, Server, ServerOptions};
use asl_store::{Options, Store};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::service::Service;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::time::timeout;

pub(super) const WORDS: &[&str] = &[
    "\n----\n",
    "CreateStateMachine\n\n",
    "StartExecution\n\n",
    "StartSyncExecution\n\n",
    "GetExecutionHistory\n\n",
    "DescribeExecution\n\n",
    "TestState\n\n",
    "UpdateStateMachine\n\n",
    "CreateStateMachineAlias\n\n",
    "SendTaskSuccess\n\n",
    "TagResource\n\n",
    "UpdateMapRun\n\n",
    "Content-Type: application/x-amz-json-1.0\n",
    "Authorization: AWS4-HMAC-SHA256 Credential=123456789012/20260101/eu-west-1/states/aws4_request\n",
    "Origin: null\n",
    "Content-Length: 18446744073709551616\n",
    "\"arn:aws:states:us-east-1:000000000000:stateMachine:m\"",
    "\"arn:aws:states:us-east-1:000000000000:execution:m:e\"",
    "\"arn:aws:states:us-east-1:000000000000:mapRun:m/l:r\"",
    "\"nextToken\": \"",
    "\"maxResults\": ",
    "\"name\": \"",
    "\"input\": \"{}\"",
    "\"type\": \"EXPRESS\"",
    "\"publish\": true",
    "\"tags\": [{\"key\": \"k\", \"value\": \"v\"}]",
    "\"routingConfiguration\": [{\"stateMachineVersionArn\": \"arn:aws:states:us-east-1:000000000000:stateMachine:m:1\", \"weight\": 100}]",
    "\\\"Type\\\": \\\"Pass\\\", \\\"End\\\": true",
    "\\ud800",
    ":m#case",
    "null",
    "{",
    "}",
];

/// Requests of one conversation; what comes after them is left out.
const MOST_REQUESTS: usize = 12;
/// Maximum time for a response; the watchdog limits the computation.
const LONGEST: Duration = Duration::from_secs(60);
/// Clients of operations that wait for executions leave then.
const PATIENCE: Duration = Duration::from_millis(50);

static TOKIO: LazyLock<Runtime> = LazyLock::new(|| {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.unwrap_or_else(|error| panic!("tokio does not start: {error}"))
});

pub(super) fn run(bytes: &[u8]) -> u64 {
    feature(answers(bytes))
}

/// Returns the status, code and kind of message of each response in a conversation, for clients that did not disconnect.
fn answers(bytes: &[u8]) -> Vec<(u16, String, String)> {
    TOKIO.block_on(async {
        let (server, store) = server();
        let router = server.router();
        let mut shown = Vec::new();
        for text in requests(bytes) {
            let (operation, request) = request(text);
            let answering = TowerToHyperService::new(router.clone()).call(request);
            let may_wait = ["StartSyncExecution", "TestState"]
                .iter()
                .any(|waiting| operation.ends_with(waiting));
            match timeout(if may_wait { PATIENCE } else { LONGEST }, answering).await {
                Ok(Ok(response)) => shown.push(checked(response).await),
                Ok(Err(never)) => match never {},
                Err(_) => assert!(may_wait, "no answer to {operation}"),
            }
        }
        drop((server, router));
        store.close();
        shown
    })
}

fn server() -> (Server, Store) {
    let calls = SelfCalls::new();
    let tasks =
        TaskHandlers::new().otherwise(task_fn(|task| async move { Ok(task.payload().clone()) }));
    let options = Options::new(Arc::new(calls.performer(Arc::new(tasks))));
    let store = Store::in_memory(options)
        .unwrap_or_else(|error| panic!("a store in memory does not open: {error}"));
    let backend: Arc<dyn Backend> = Arc::new(store.clone());
    let mut options = ServerOptions::default();
    options.activity_wait = Duration::from_millis(1);
    let server = Server::new(backend, options)
        .unwrap_or_else(|error| panic!("the server has no description of the API: {error}"));
    server.answer_self_calls(&calls);
    (server, store)
}

/// Returns the parts of an input.
fn requests(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    const LINE: &[u8] = b"\n----\n";
    let mut rest = Some(bytes);
    let parts = std::iter::from_fn(move || {
        let all = rest.take()?;
        let at = all.windows(LINE.len()).position(|window| window == LINE);
        let Some(at) = at else {
            return Some(all);
        };
        rest = Some(&all[at + LINE.len()..]);
        Some(&all[..at])
    });
    parts.take(MOST_REQUESTS)
}

/// Returns the operation and the request.
fn request(text: &[u8]) -> (String, Request<Full<Bytes>>) {
    let mut lines = text.split_inclusive(|byte| *byte == b'\n');
    let mut read = 0;
    let mut line = || {
        let line = lines.next().unwrap_or_default();
        read += line.len();
        line.strip_suffix(b"\n").unwrap_or(line)
    };
    let first = line();
    let mut headers = HeaderMap::new();
    loop {
        let line = line();
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            break;
        };
        let name = HeaderName::from_bytes(&line[..colon]);
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii());
        if let (Ok(name), Ok(value)) = (name, value) {
            headers.append(name, value);
        }
    }
    let target = match first.contains(&b'.') {
        true => first.to_vec(),
        false => [b"AWSStepFunctions.", first].concat(),
    };
    let body = Bytes::copy_from_slice(text.get(read..).unwrap_or_default());
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = hyper::Method::POST;
    if let Ok(target) = HeaderValue::from_bytes(&target) {
        headers.entry("x-amz-target").or_insert(target);
    }
    let json = HeaderValue::from_static("application/x-amz-json-1.0");
    headers.entry(CONTENT_TYPE).or_insert(json);
    *request.headers_mut() = headers;
    (String::from_utf8_lossy(&target).into_owned(), request)
}

/// Checks the laws of a response, and returns its features.
async fn checked<B>(response: Response<B>) -> (u16, String, String)
where
    B: hyper::body::Body<Data = Bytes>,
    B::Error: std::fmt::Display,
{
    let (head, body) = response.into_parts();
    let body = body.collect().await;
    let body = body.unwrap_or_else(|error| panic!("the body of an answer breaks: {error}"));
    let body: Value = serde_json::from_slice(&body.to_bytes())
        .unwrap_or_else(|error| panic!("an answer is no JSON: {error}"));
    assert!(body.is_object(), "an answer is an object, found {body}");
    assert_eq!(
        head.headers[CONTENT_TYPE], "application/x-amz-json-1.0",
        "an answer has the protocol's type"
    );
    assert!(
        head.headers.contains_key("x-amzn-requestid"),
        "an answer has an id"
    );
    let status = head.status;
    if status == StatusCode::OK {
        return (200, String::new(), String::new());
    }
    assert!(
        status.is_client_error(),
        "a server that has room and no fault refuses with 4xx, found {status}: {body}"
    );
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    let (code, message) = (text("__type"), text("message"));
    assert!(code.contains('#'), "an error has a code, found {body}");
    assert!(!message.is_empty(), "an error has a message: {body}");
    (status.as_u16(), code, kind_of_message(&message))
}

pub(super) fn deep() -> Vec<Vec<u8>> {
    let body = |operation: &str, body: Vec<u8>| {
        let mut request = format!("{operation}\n\n").into_bytes();
        request.extend(body);
        request
    };
    let definition = |definition: Vec<u8>| {
        let definition = String::from_utf8_lossy(&definition).into_owned();
        serde_json::json!({"definition": definition, "name": "m", "roleArn": "arn:aws:iam::000000000000:role/r"})
            .to_string()
            .into_bytes()
    };
    vec![
        body("ListActivities", nested("[", "", "]")),
        body("ListActivities", nested("{\"a\":", "1", "}")),
        body("CreateStateMachine", definition(nested("[", "", "]"))),
        body("TestState", definition(nested("{\"Type\":", "1", "}"))),
        format!("ListActivities\n{}\n{{}}", "A: b\n".repeat(DEEP / 10)).into_bytes(),
        "\n----\n".repeat(DEEP).into_bytes(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_are_answered_and_most_of_them_allowed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/seeds/protocol");
        let mut statuses = Vec::new();
        for seed in std::fs::read_dir(folder).unwrap() {
            let seed = std::fs::read(seed.unwrap().path()).unwrap();
            statuses.extend(answers(&seed).into_iter().map(|(status, ..)| status));
        }
        let allowed = statuses.iter().filter(|status| **status == 200).count();
        assert!(allowed > 30, "{allowed} of {statuses:?}");
        assert!(statuses.contains(&403), "{statuses:?}");
    }

    #[test]
    fn a_request_is_read_from_a_text() {
        let text = b"Some\nOrigin: null\n: x\nContent-Type: text/json\n\n{\"a\":\n1}";
        let (operation, request) = request(text);
        assert_eq!(operation, "AWSStepFunctions.Some");
        assert_eq!(request.headers()["origin"], "null");
        assert_eq!(request.headers()[CONTENT_TYPE], "text/json");
        let body = TOKIO.block_on(request.into_body().collect()).unwrap();
        assert_eq!(&*body.to_bytes(), b"{\"a\":\n1}");
    }
}
