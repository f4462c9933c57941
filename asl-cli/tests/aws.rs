//! `asl run --aws`: calls of AWS services.
mod common;

use common::{Folder, serve};
use serde_json::json;

fn folder() -> Folder {
    let folder = Folder::new();
    let definition = json!({"StartAt": "Send", "States": {"Send": {
        "Type": "Task", "Resource": "arn:aws:states:::aws-sdk:sqs:sendMessage",
        "Parameters": {"QueueUrl": "q", "MessageBody.$": "$.text"}, "End": true}}});
    folder.write("send.json", definition.to_string());
    folder
}

const RUN: [&str; 4] = ["run", "send.json", "-i", "{\"text\": \"hello\"}"];

#[test]
fn a_task_calls_the_service_at_the_endpoint() {
    let (port, served) = serve("200 OK", r#"{"MessageId": "m"}"#);
    let url = format!("http://127.0.0.1:{port}");
    let ran = folder().asl(&[&RUN[..], &["--aws", &url]].concat());
    assert_eq!(ran.stdout, "{\"MessageId\":\"m\"}\n", "{ran:?}");
    assert_eq!(ran.stderr, "", "{ran:?}");
    let (_, request) = served.join().unwrap();
    assert!(request.contains("\"MessageBody\":\"hello\""), "{request}");
}

#[test]
fn without_an_endpoint_the_option_is_named() {
    let ran = folder().asl(&RUN);
    assert!(!ran.stderr.is_empty());
    assert!(
        ran.stderr
            .contains("an endpoint of the service with --aws URL"),
        "{ran:?}"
    );
}

#[test]
fn a_wrong_endpoint_is_bad_usage() {
    let ran = folder().asl(&[&RUN[..], &["--aws", "localhost:4566"]].concat());
    let expected = "error: --aws: the endpoint 'localhost:4566' is not valid: expected http://HOST[:PORT][/PATH], or https, or real\n";
    assert_eq!(ran.stderr, expected, "{ran:?}");
}

#[test]
fn a_wrong_endpoint_of_a_variable_is_named() {
    let folder = folder();
    let mut command = folder.command(&RUN);
    let output = command.env("AWS_ENDPOINT_URL_SQS", "localhost").output();
    let ran = common::ran(output.unwrap());
    let expected = "AWS_ENDPOINT_URL_SQS: the endpoint 'localhost' is not valid";
    assert!(ran.stderr.contains(expected), "{ran:?}");
}

#[test]
fn calls_that_change_data_can_be_forbidden() {
    let ran = folder().asl(
        &[
            &RUN[..],
            &["--aws", "http://127.0.0.1:9", "--aws-read-only"],
        ]
        .concat(),
    );
    assert!(
        ran.stderr.contains("sqs:sendMessage changes data"),
        "{ran:?}"
    );
}
