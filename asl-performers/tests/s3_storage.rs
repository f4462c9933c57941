//! Objects of S3, at a server that answers what a test says.
mod common;

use asl_aws::{Caller, Settings, Target};
use asl_engine::runtime::Runtime;
use asl_performers::{AwsTasks, S3Storage};
use common::program;
use common::service::{Service, http};
use serde_json::{Value, json};
use std::sync::Arc;

/// Objects that are listed on two pages, and a file of three items.
fn bucket() -> Service {
    Service::answering_by(|request| {
        let target = request.split_whitespace().nth(1).unwrap();
        let page = |more: &str, key: &str| {
            format!(
                "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">{more}<Contents><Key>{key}</Key><Size>3</Size>\
                 <ETag>\"e\"</ETag><LastModified>2022-11-17T15:44:41Z</LastModified><StorageClass>STANDARD</StorageClass></Contents>\
                 </ListBucketResult>"
            )
        };
        let more =
            "<IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken>";
        let (status, body) = match target {
            it if it.contains("continuation-token=next") => ("200 OK", page("", "b")),
            it if it.contains("list-type=2") => ("200 OK", page(more, "a")),
            "/bucket/items.json" => ("200 OK", "[1, 2, 3]".to_owned()),
            it if it.starts_with("/bucket/out/") => ("200 OK", String::new()),
            _ => (
                "404 Not Found",
                "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><RequestId>r</RequestId></Error>".to_owned(),
            ),
        };
        http(status, "Content-Type: application/xml\r\n", &body).into_bytes()
    })
}

async fn run(service: &Service, reader: Value, writer: Option<Value>) -> Result<Value, String> {
    let keys = [
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ];
    let variables = keys.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let target = Target::Url(service.url.clone());
    let settings = Settings::new(variables, |_| None).with_target(target);
    let tasks = AwsTasks::new(Arc::new(Caller::new(settings)));
    let storage: S3Storage = tasks.storage().unwrap();
    let runtime = Runtime::builder().storage(storage).build();
    let mut map = json!({"Type": "Map", "End": true, "ItemReader": reader, "ItemProcessor": {
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}}});
    if let Some(writer) = writer {
        map["ResultWriter"] = writer;
    }
    let program = program(json!({"StartAt": "M", "States": {"M": map}}));
    let outcome = runtime.run(program, runtime.unnamed(json!({}))).await;
    match outcome.into_result() {
        Ok(output) => Ok(Arc::unwrap_or_clone(output)),
        Err(failure) => Err(failure.cause.unwrap_or_default()),
    }
}

#[tokio::test]
async fn items_are_read_from_an_object() {
    let service = bucket();
    let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
        "Parameters": {"Bucket": "bucket", "Key": "items.json"}});
    assert_eq!(run(&service, reader, None).await, Ok(json!([1, 2, 3])));
    let request = service.requests.recv().unwrap();
    assert!(
        request.contains("AWS4-HMAC-SHA256 Credential=key/"),
        "{request}"
    );
}

#[tokio::test]
async fn all_pages_of_a_listing_are_items() {
    let reader = json!({"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "bucket"}});
    let items = run(&bucket(), reader.clone(), None).await.unwrap();
    let item = |key: &str| json!({"Etag": "\"e\"", "Key": key, "LastModified": 1_668_699_881, "Size": 3, "StorageClass": "STANDARD"});
    assert_eq!(items, json!([item("a"), item("b")]));
    let mut limited = reader;
    limited["ReaderConfig"] = json!({"MaxItems": 1});
    assert_eq!(run(&bucket(), limited, None).await, Ok(json!([item("a")])));
}

#[tokio::test]
async fn the_message_of_the_service_is_the_cause() {
    let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
        "Parameters": {"Bucket": "bucket", "Key": "none"}});
    let cause = run(&bucket(), reader, None).await.unwrap_err();
    let expected =
        "The specified key does not exist. (Service: S3, Status Code: 404, Request ID: r)";
    assert_eq!(cause, expected);
}

#[tokio::test]
async fn results_are_written() {
    let service = bucket();
    let reader = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
        "Parameters": {"Bucket": "bucket", "Key": "items.json"}});
    let writer = json!({"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "bucket", "Prefix": "out"}});
    let output = run(&service, reader, Some(writer)).await.unwrap();
    let manifest = output["ResultWriterDetails"]["Key"].as_str().unwrap();
    let written: Vec<String> = service
        .requests
        .try_iter()
        .filter(|it| it.starts_with("PUT"))
        .collect();
    assert_eq!(written.len(), 2, "results and manifest");
    assert!(
        written[1].starts_with(&format!("PUT /bucket/{manifest} ")),
        "{}",
        written[1]
    );
    assert!(written[0].contains("\"Output\""), "{}", written[0]);
}

/// Serves the ranges of a file of JSON lines, 100 bytes at a time, and all of it without a range.
fn lines(count: usize) -> Service {
    let text: String = (0..count).map(|n| format!("{n}\n")).collect();
    Service::answering_by(move |request| {
        let header = |name: &str| {
            let mut lines = request.lines();
            lines
                .find_map(|line| line.strip_prefix(name))
                .map(str::trim)
        };
        let start = header("range: bytes=").and_then(|range| range.split('-').next());
        let Some(start) = start.and_then(|start| start.parse::<usize>().ok()) else {
            return http("200 OK", "", &text).into_bytes();
        };
        if start > 0 && header("if-match:") != Some("\"e\"") {
            let error = "<Error><Code>PreconditionFailed</Code><Message>no</Message></Error>";
            return http("412 Precondition Failed", "", error).into_bytes();
        }
        let end = text.len().min(start + 100);
        if start >= end {
            let error = "<Error><Code>InvalidRange</Code><Message>no</Message></Error>";
            return http("416 Range Not Satisfiable", "", error).into_bytes();
        }
        let headers = format!(
            "ETag: \"e\"\r\nContent-Range: bytes {start}-{}/{}\r\n",
            end - 1,
            text.len()
        );
        http("206 Partial Content", &headers, &text[start..end]).into_bytes()
    })
}

fn json_lines() -> Value {
    json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSONL"},
        "Parameters": {"Bucket": "bucket", "Key": "lines"}})
}

#[tokio::test]
async fn a_large_object_is_read_in_parts() {
    let service = lines(100);
    let items = run(&service, json_lines(), None).await.unwrap();
    assert_eq!(items, json!((0..100).collect::<Vec<_>>()));
    assert_eq!(service.requests.try_iter().count(), 3);
}

#[tokio::test]
async fn parts_that_are_not_needed_are_not_read() {
    let service = lines(1_000);
    let mut reader = json_lines();
    reader["ReaderConfig"]["MaxItems"] = json!(5);
    let items = run(&service, reader, None).await.unwrap();
    assert_eq!(items, json!([0, 1, 2, 3, 4]));
    assert_eq!(service.requests.try_iter().count(), 1);
}

#[tokio::test]
async fn an_empty_object_has_no_items() {
    let items = run(&lines(0), json_lines(), None).await;
    assert_eq!(items, Ok(json!([])));
}
