//! Functions that are invoked by Lambda's Invoke API.
#![cfg(feature = "http")]
mod common;

use asl_engine::Outcome;
use asl_performers::{ExternalHandlers, Lambda};
use common::*;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

const INTEGRATION: &str = "arn:aws:states:::lambda:invoke";

/// Returns a Lambda that answers one request so, and then gives the request.
async fn lambda(response: &str) -> (Lambda, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/base/", listener.local_addr().unwrap());
    let (head, body) = response.split_once('|').unwrap();
    let length = body.len();
    let answer = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\n\r\n{body}");
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = String::new();
        while !is_whole(&request) {
            let mut read = Vec::new();
            stream.read_buf(&mut read).await.unwrap();
            request.push_str(&String::from_utf8(read).unwrap());
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
        request
    });
    let external = ExternalHandlers::new(4);
    (Lambda::parse(&url, &external).unwrap(), serving)
}

/// Runs a task whose Lambda function sends this response. Returns the outcome, and the request that it received.
async fn invoked(resource: &str, input: Value, response: &str) -> (Outcome, String) {
    let (lambda, serving) = lambda(response).await;
    let runtime = virtual_time().handlers(lambda).build();
    let program = task(resource, json!({"TimeoutSeconds": 60}));
    let outcome = runtime.run(program, start(input)).await;
    (outcome, serving.await.unwrap())
}

#[tokio::test]
async fn a_function_has_the_payload_as_its_event_and_its_result_as_the_tasks() {
    let (outcome, request) = invoked(FUNCTION, json!({"n": 1}), "200 OK|[2]").await;
    assert_eq!(outcome, succeeded(json!([2])));
    let path = format!("POST /base/2015-03-31/functions/{FUNCTION}/invocations HTTP/1.1\r\n");
    assert!(request.starts_with(&path), "{request}");
    assert!(request.ends_with("\r\n\r\n{\"n\":1}"), "{request}");
    let invocation_type = "\r\nx-amz-invocation-type: RequestResponse\r\n";
    assert!(request.contains(invocation_type), "{request}");
}

#[tokio::test]
async fn the_integration_answers_with_all_that_invoke_answers() {
    let parameters = json!({"FunctionName": "F", "Payload": {"n": 1}});
    let response =
        "200 OK\r\nX-Amz-Executed-Version: 7\r\nx-amzn-RequestId: r\r\nA-B: 1\r\nA-B: 2|{\"m\": 2}";
    let (outcome, _) = invoked(INTEGRATION, parameters, response).await;
    let expected = json!({
        "ExecutedVersion": "7",
        "Payload": {"m": 2},
        "SdkHttpMetadata": {
            "AllHttpHeaders": {"A-B": ["1", "2"], "Content-Length": ["8"],
                "X-Amz-Executed-Version": ["7"], "x-amzn-RequestId": ["r"]},
            "HttpHeaders": {"A-B": "2", "Content-Length": "8",
                "X-Amz-Executed-Version": "7", "x-amzn-RequestId": "r"},
            "HttpStatusCode": 200,
        },
        "SdkResponseMetadata": {"RequestId": "r"},
        "StatusCode": 200,
    });
    // As text, for the order of the members.
    let output = outcome.into_result().unwrap().to_string();
    assert_eq!(output, expected.to_string());
}

#[tokio::test]
async fn parameters_of_the_integration_are_headers_and_the_query() {
    let parameters = json!({"FunctionName": "F", "Payload": "\"text\"", "Qualifier": "v 1",
        "InvocationType": "RequestResponse", "LogType": "Tail", "ClientContext": "e30="});
    let response = "200 OK\r\nX-Amz-Log-Result: bG9n|null";
    let (outcome, request) = invoked(INTEGRATION, parameters, response).await;
    let output = outcome.into_result().unwrap();
    assert_eq!(output["LogResult"], "bG9n");
    assert_eq!(output["SdkResponseMetadata"]["RequestId"], Value::Null);
    let line = "POST /base/2015-03-31/functions/F/invocations?Qualifier=v%201 HTTP/1.1\r\n";
    assert!(request.starts_with(line), "{request}");
    assert!(request.ends_with("\r\n\r\n\"text\""), "{request}");
    for header in ["x-amz-log-type: Tail", "x-amz-client-context: e30="] {
        assert!(request.contains(&format!("\r\n{header}\r\n")), "{request}");
    }
}

#[tokio::test]
async fn a_function_without_a_log_has_what_the_platform_writes() {
    let parameters = json!({"FunctionName": "F", "LogType": "Tail"});
    let response = "200 OK\r\nx-amzn-RequestId: r|null";
    let output = invoked(INTEGRATION, parameters, response).await.0;
    // START RequestId: r Version: $LATEST, END RequestId: r
    let log = "U1RBUlQgUmVxdWVzdElkOiByIFZlcnNpb246ICRMQVRFU1QKRU5EIFJlcXVlc3RJZDogcgo=";
    assert_eq!(output.into_result().unwrap()["LogResult"], log);
}

#[tokio::test]
async fn the_error_of_a_function_fails_the_task() {
    let error = r#"{"errorMessage": "no", "errorType": "ValueError"}"#;
    let response = format!("200 OK\r\nX-Amz-Function-Error: Unhandled|{error}");
    let (outcome, _) = invoked(FUNCTION, json!({}), &response).await;
    assert_eq!(
        failure(outcome),
        ("ValueError".to_owned(), error.to_owned())
    );
}

#[tokio::test]
async fn a_function_that_is_not_there_fails_the_task() {
    let response = "404 Not Found\r\nx-amzn-ErrorType: ResourceNotFoundException\r\nx-amzn-RequestId: r|\
                    {\"Type\": \"User\", \"Message\": \"Function not found: F\"}";
    let parameters = json!({"FunctionName": "F"});
    let (error, cause) = failure(invoked(INTEGRATION, parameters, response).await.0);
    assert_eq!(error, "Lambda.ResourceNotFoundException");
    assert_eq!(
        cause,
        "Function not found: F (Service: AWSLambda; Status Code: 404; Error Code: ResourceNotFoundException; \
         Request ID: r; Proxy: null)"
    );
}

#[tokio::test]
async fn the_answer_of_a_function_that_a_token_is_awaited_of_is_not_the_result() {
    let resource = "arn:aws:states:::lambda:invoke.waitForTaskToken";
    let input = json!({"FunctionName": "F", "Payload": {"token": "$$.Task.Token"}});
    let (outcome, _) = invoked(resource, input, "200 OK|1").await;
    // Nobody sends the token.
    assert_eq!(failure(outcome).0, "States.Timeout");
}
