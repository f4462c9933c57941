//! Tasks that call HTTP APIs.
#![cfg(feature = "aws")]
mod common;

use asl_engine::Outcome;
use asl_performers::{ConnectionBook, HttpTasks};
use common::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

const HTTP: &str = "arn:aws:states:::http:invoke";
const GATEWAY: &str = "arn:aws:states:::apigateway:invoke";

/// Answers requests with these responses, one after another, and then gives the requests.
async fn server(responses: &[&str]) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = listener.local_addr().unwrap().to_string();
    let responses: Vec<String> = responses.iter().map(|it| (*it).to_owned()).collect();
    let serving = tokio::spawn(async move {
        let mut requests = Vec::new();
        for response in responses {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = String::new();
            while !is_whole(&request) {
                let mut read = Vec::new();
                stream.read_buf(&mut read).await.unwrap();
                request.push_str(&String::from_utf8(read).unwrap());
            }
            let (head, body) = response.split_once('|').unwrap();
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
            );
            stream.write_all(answer.as_bytes()).await.unwrap();
            requests.push(request);
        }
        requests
    });
    (host, serving)
}

fn book(host: &str) -> ConnectionBook {
    let common = json!({"HeaderParameters": [{"Key": "X-Own", "Value": "1"}],
        "QueryStringParameters": [{"Key": "q", "Value": "of connection"}], "BodyParameters": [{"Key": "b", "Value": "2"}]});
    let book = json!({
        "none": {},
        "key": {"AuthorizationType": "API_KEY", "AuthParameters": {"ApiKeyAuthParameters": {"ApiKeyName": "x-key", "ApiKeyValue": "k"},
            "InvocationHttpParameters": common}},
        "basic": {"AuthorizationType": "BASIC", "AuthParameters": {"BasicAuthParameters": {"Username": "u", "Password": "p"}}},
        "oauth": {"AuthorizationType": "OAUTH_CLIENT_CREDENTIALS", "AuthParameters": {"OAuthParameters": {
            "AuthorizationEndpoint": format!("http://{host}/token"), "HttpMethod": "POST",
            "ClientParameters": {"ClientID": "c", "ClientSecret": "s"},
            "OAuthHttpParameters": {"BodyParameters": [{"Key": "scope", "Value": "all"}]}}}},
    });
    ConnectionBook::from_value(&book).unwrap()
}

fn arguments(host: &str, connection: &str, more: Value) -> Value {
    let arn = format!("arn:aws:events:us-east-1:123456789012:connection/{connection}/0");
    let mut arguments = json!({"ApiEndpoint": format!("http://{host}/a/b?x=1"), "Method": "POST",
        "Authentication": {"ConnectionArn": arn}});
    let fields = arguments.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    arguments
}

async fn run(tasks: HttpTasks, resource: &str, arguments: Value) -> Outcome {
    let runtime = virtual_time().handlers(tasks).build();
    runtime
        .run(task(resource, json!({})), start(arguments))
        .await
}

/// Runs `http:invoke` with these responses, and returns its outcome and the requests.
async fn invoked(connection: &str, more: Value, responses: &[&str]) -> (Outcome, Vec<String>) {
    let (host, serving) = server(responses).await;
    let tasks = HttpTasks::new("us-east-1")
        .with_hosts([host.as_str()])
        .with_connections(book(&host));
    let outcome = run(tasks, HTTP, arguments(&host, connection, more)).await;
    (outcome, serving.await.unwrap())
}

#[tokio::test]
async fn a_request_has_what_the_task_and_its_connection_say() {
    let more = json!({"Headers": {"X-Own": "task", "X-Task": ["a", "b"]}, "QueryParameters": {"q": "task", "r": [1, 2]},
        "RequestBody": {"a": 1, "b": 1}});
    let response = "200 OK\r\nContent-Type: application/json\r\nX-A: 1|{\"ok\": true}";
    let (outcome, requests) = invoked("key", more, &[response]).await;
    let request = &requests[0];
    assert!(
        request.starts_with("POST /a/b?x=1&q=of+connection&r=1&r=2 HTTP/1.1\r\n"),
        "{request}"
    );
    for header in [
        "x-own: 1",
        "x-task: a,b",
        "x-key: k",
        "content-type: application/json; charset=UTF-8",
        "range: bytes=0-262144",
        "user-agent: Amazon|StepFunctions|HttpInvoke|us-east-1",
    ] {
        assert!(
            request
                .to_lowercase()
                .contains(&format!("\r\n{}\r\n", header.to_lowercase())),
            "{header}: {request}"
        );
    }
    assert!(
        request.ends_with("\r\n\r\n{\"a\":1,\"b\":\"2\"}"),
        "{request}"
    );
    let result = outcome.into_result().unwrap();
    assert_eq!(
        (&result["StatusCode"], &result["StatusText"]),
        (&json!(200), &json!("OK"))
    );
    assert_eq!(result["ResponseBody"], json!({"ok": true}));
    assert_eq!(result["Headers"]["x-a"], json!(["1"]));
}

#[tokio::test]
async fn bodies_are_json_text_or_forms() {
    let transform = json!({"RequestBodyEncoding": "URL_ENCODED", "RequestEncodingOptions": {"ArrayFormat": "BRACKETS"}});
    for (more, body) in [
        (json!({"RequestBody": "plain"}), "plain"),
        (
            json!({"RequestBody": {"a": ["x"]}, "Transform": transform}),
            "a%5B%5D=x",
        ),
        (json!({}), ""),
    ] {
        let (outcome, requests) = invoked("basic", more, &["200 OK|done"]).await;
        assert!(
            requests[0].ends_with(&format!("\r\n\r\n{body}")),
            "{requests:?}"
        );
        assert!(
            requests[0].contains("\r\nauthorization: Basic dTpw\r\n"),
            "{requests:?}"
        );
        assert_eq!(outcome.into_result().unwrap()["ResponseBody"], "done");
    }
}

#[tokio::test]
async fn a_token_is_asked_for_and_again_if_it_is_refused() {
    let token =
        |name: &str| format!("200 OK|{{\"access_token\": \"{name}\", \"expires_in\": 3600}}");
    let (first, second) = (token("one"), token("two"));
    let responses = [
        first.as_str(),
        "401 Unauthorized|",
        second.as_str(),
        "200 OK|1",
    ];
    let (outcome, requests) = invoked("oauth", json!({}), &responses).await;
    assert!(outcome.into_result().is_ok());
    assert!(
        requests[0].starts_with("POST /token HTTP/1.1\r\n"),
        "{requests:?}"
    );
    assert!(
        requests[0]
            .ends_with("grant_type=client_credentials&client_id=c&client_secret=s&scope=all"),
        "{requests:?}"
    );
    assert!(
        requests[1].contains("\r\nauthorization: Bearer one\r\n"),
        "{requests:?}"
    );
    assert!(
        requests[3].contains("\r\nauthorization: Bearer two\r\n"),
        "{requests:?}"
    );
}

#[tokio::test]
async fn errors_are_those_of_the_service() {
    for (response, name, cause) in [
        ("404 Not Found|gone", "States.Http.StatusCode.404", "gone"),
        (
            "302 Found\r\nLocation: http://127.0.0.1/|",
            "States.Http.StatusCode.302",
            "",
        ),
        (
            "200 OK\r\nContent-Type: image/png|x",
            "States.Runtime",
            "expected text in the response, found the content type 'image/png'",
        ),
    ] {
        let (outcome, _) = invoked("none", json!({}), &[response]).await;
        assert_eq!(failure(outcome), (name.to_owned(), cause.to_owned()));
    }
    for (connection, more, name, cause) in [
        (
            "none",
            json!({"Headers": {"x-Amz-date": "1"}}),
            "States.Runtime",
            "the header 'x-Amz-date' cannot be set by a task",
        ),
        (
            "none",
            json!({"Method": "TRACE"}),
            "States.Runtime",
            "expected one of GET",
        ),
        (
            "key",
            json!({"RequestBody": "text"}),
            "States.Runtime",
            "the connection has body parameters",
        ),
        (
            "other",
            json!({}),
            "Events.ConnectionResource.ResourceNotFound",
            "connection 'other' is not known",
        ),
    ] {
        let (outcome, _) = invoked(connection, more, &[]).await;
        let (found, told) = failure(outcome);
        assert_eq!(found, name);
        assert!(told.starts_with(cause), "{told}");
    }
}

#[tokio::test]
async fn only_allowed_hosts_are_called() {
    let call = |hosts: &'static [&'static str], url: &'static str| async move {
        let tasks = HttpTasks::new("us-east-1")
            .with_hosts(hosts.iter().copied())
            .with_connections(book("h"));
        let arguments = arguments("h", "none", json!({"ApiEndpoint": url}));
        failure(run(tasks, HTTP, arguments).await)
    };
    let (_, cause) = call(&["example.com"], "http://127.0.0.1:1/").await;
    assert_eq!(
        cause,
        "calls of 127.0.0.1:1 are not allowed: allow them with --allow-http 127.0.0.1:1"
    );
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://[fe80::1]:80/",
        "http://[::ffff:169.254.169.254]/",
    ] {
        let (name, cause) = call(&["*"], url).await;
        assert_eq!(name, "States.Http.Socket");
        assert!(cause.contains("link-local"), "{cause}");
    }
    let (name, _) = call(&["*"], "http://127.0.0.1:1/").await;
    assert_eq!(name, "States.Http.Socket");
    let (name, _) = call(&["*"], "ftp://127.0.0.1/").await;
    assert_eq!(name, "States.Runtime");
}

#[tokio::test]
async fn an_api_of_this_machine_is_called_by_its_id() {
    let (host, serving) = server(&[
        "201 Created\r\nContent-Type: application/json\r\nX-Amzn-Requestid: r|[1]",
        "403 Forbidden|no",
    ])
    .await;
    let apis: BTreeMap<String, String> =
        [("orders".to_owned(), format!("http://{host}/apis/orders"))].into();
    let tasks = HttpTasks::new("us-east-1");
    tasks.set_apis(apis);
    let arguments = json!({"ApiEndpoint": "orders.execute-api.us-east-1.amazonaws.com", "Method": "PUT", "Stage": "dev",
        "Path": "/items/1", "QueryParameters": {"a": ["1", "2"]}, "Headers": {"X-A": ["b"]}, "RequestBody": {"n": 1}});
    let output = run(tasks.clone(), GATEWAY, arguments.clone())
        .await
        .into_result()
        .unwrap();
    let expected = json!({"Headers": {"Content-Type": ["application/json"], "x-amzn-RequestId": ["r"], "Content-Length": ["3"], "Connection": ["close"]},
        "ResponseBody": [1], "StatusCode": 201, "StatusText": "Created"});
    assert_eq!(*output, expected);
    let refused = failure(run(tasks, GATEWAY, arguments).await);
    assert_eq!(refused, ("ApiGateway.403".to_owned(), "no".to_owned()));
    let requests = serving.await.unwrap();
    assert!(
        requests[0].starts_with("PUT /apis/orders/dev/items/1?a=1&a=2 HTTP/1.1\r\n"),
        "{requests:?}"
    );
    assert!(
        requests[0].contains("\r\nx-a: b\r\n") && requests[0].ends_with("{\"n\":1}"),
        "{requests:?}"
    );
}

#[test]
fn a_book_is_refused_with_the_connection_and_the_member() {
    for (book, why) in [
        ("[]", "expected an object with a field for each connection"),
        (
            r#"{"a": {"AuthorizationType": "BASIC"}}"#,
            "connection 'a': expected a text at AuthParameters.BasicAuthParameters.Username",
        ),
        (
            r#"{"a": {"AuthorizationType": "NONE"}}"#,
            "connection 'a': expected API_KEY, BASIC or OAUTH_CLIENT_CREDENTIALS as its AuthorizationType, found 'NONE'",
        ),
    ] {
        assert_eq!(ConnectionBook::parse(book).unwrap_err().to_string(), why);
    }
    let secret = ConnectionBook::parse(
        r#"{"a": {"AuthorizationType": "BASIC", "AuthParameters": {"BasicAuthParameters": {"Username": "u", "Password": "hidden"}}}}"#,
    );
    assert_eq!(format!("{:?}", secret.unwrap()), r#"{"a"}"#);
}
