//! Tasks done by servers.
#![cfg(feature = "http")]
mod common;

use asl_engine::Outcome;
use asl_performers::ExternalHandlers;
use common::*;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Runs a task whose server sends this response. Returns the outcome, and the request that the server received.
async fn answered(response: &'static str) -> (Outcome, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/work", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"{\"n\":1}") {
            stream.read_buf(&mut request).await.unwrap();
        }
        let (status, body) = response.split_once('|').unwrap();
        let length = body.len();
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}");
        stream.write_all(answer.as_bytes()).await.unwrap();
        String::from_utf8(request).unwrap().to_lowercase()
    });
    let handler = ExternalHandlers::new(4).handler(&url).unwrap();
    let runtime = virtual_time().handlers(handler).build();
    let outcome = runtime
        .run(task(FUNCTION, json!({})), start(json!({"n": 1})))
        .await;
    (outcome, serving.await.unwrap())
}

#[tokio::test]
async fn the_body_of_a_response_is_the_result() {
    let (outcome, request) = answered("200 OK|[2]").await;
    assert_eq!(outcome, succeeded(json!([2])));
    assert!(request.starts_with("post /work http/1.1\r\n"), "{request}");
    for header in [
        "asl-state-name: t",
        "asl-retry-count: 0",
        "asl-resource: arn:aws:lambda:",
        "asl-execution-arn: arn:aws:states:",
        "asl-execution-name: ",
        "idempotency-key: ",
        "asl-task-token: ",
    ] {
        assert!(
            request.contains(&format!("\r\n{header}")),
            "{header}: {request}"
        );
    }
    assert_eq!(answered("204 No Content|").await.0, succeeded(Value::Null));
}

#[tokio::test]
async fn errors_are_those_of_the_body_or_the_status() {
    let of = async |response| failure(answered(response).await.0);
    let told = |error: &str, cause: &str| (error.to_owned(), cause.to_owned());
    let own = of(r#"500 No|{"Error": "NoStock", "Cause": "sold out"}"#).await;
    assert_eq!(own, told("NoStock", "sold out"));
    let function = r#"{"errorMessage": "no", "errorType": "ValueError"}"#;
    let failed = of(r#"200 OK|{"errorMessage": "no", "errorType": "ValueError"}"#).await;
    assert_eq!(failed, told("ValueError", function));
    let (error, cause) = of("503 Busy|come back").await;
    assert_eq!(error, "States.TaskFailed");
    assert!(
        cause.ends_with(r#"answered 503 Service Unavailable: "come back""#),
        "{cause}"
    );
}

#[test]
fn a_text_that_names_no_handler_is_refused_with_the_reason() {
    let external = ExternalHandlers::new(1);
    let refused = |text: &str| external.handler(text).err().expect("a refusal").to_string();
    assert_eq!(
        refused("work.py"),
        "`work.py` is not a handler: expected exec:COMMAND or http://HOST/PATH"
    );
    assert_eq!(refused("http://"), "http:// has no host");
    assert!(
        refused("https://host/")
            .starts_with("https is not supported; use a command instead: exec:curl")
    );
    assert_eq!(
        refused("http://host:0/"),
        "\"0\" in http://host:0/ is not a port: expected a number from 1 to 65535"
    );
    assert!(refused("http://a b").starts_with("http://a b is not a URL: "));
}
