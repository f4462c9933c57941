//! Requests and responses as bytes.
use crate::client::{Api, message};
use asl_server::ServerOptions;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn an_answer_has_a_request_id_and_the_protocols_type() {
    let api = Api::new().await;
    let answer = api.with_headers("ListActivities", "", &json!({})).await;
    assert_eq!(
        (answer.status, &*answer.text),
        (200, r#"{"activities":[]}"#)
    );
    assert!(
        answer
            .head
            .contains("content-type: application/x-amz-json-1.0")
    );
    assert!(answer.head.contains("x-amzn-requestid: "));
}

#[tokio::test]
async fn any_host_is_taken_and_pages_of_the_web_are_not() {
    let api = Api::new().await;
    let request = message("ListActivities", "", "{}").replace(
        "Host: localhost",
        "Host: sync-states.us-east-1.amazonaws.com",
    );
    assert_eq!(api.send(&request).await.status, 200);
    let answer = api
        .with_headers("ListActivities", "Origin: http://evil\r\n", &json!({}))
        .await;
    assert_eq!(
        (answer.status, &*answer.code()),
        (403, "AccessDeniedException")
    );
}

#[tokio::test]
async fn what_is_no_request_of_the_api_is_refused() {
    let api = Api::new().await;
    let other_type = message("ListActivities", "", "{}").replace("x-amz-json-1.0", "json");
    let no_target = message("ListActivities", "", "{}").replace("X-Amz-Target", "X-Target");
    for request in [
        other_type,
        no_target,
        message("Nothing", "", "{}"),
        message("listActivities", "", "{}"),
    ] {
        let answer = api.send(&request).await;
        assert_eq!(
            (answer.status, &*answer.code()),
            (400, "UnknownOperationException"),
            "{request}"
        );
    }
    for body in [
        "{",
        "[]",
        "\"x\"",
        "{\"maxResults\": \"1\"}",
        &"[".repeat(100),
    ] {
        let answer = api.send(&message("ListActivities", "", body)).await;
        assert_eq!(
            (answer.status, &*answer.code()),
            (400, "SerializationException"),
            "{body}"
        );
    }
    assert_eq!(
        api.send(&message("ListActivities", "", "")).await.status,
        200
    );
    let get = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    assert_eq!(api.send(get).await.status, 405);
}

#[tokio::test]
async fn accounts_and_regions_see_their_own() {
    let api = Api::new().await;
    let headers = "Authorization: AWS4-HMAC-SHA256 Credential=123456789012/20260101/eu-west-1/states/aws4_request\r\n";
    let answer = api
        .with_headers("CreateActivity", headers, &json!({"name": "a"}))
        .await;
    let arn = "arn:aws:states:eu-west-1:123456789012:activity:a";
    assert_eq!(answer.json()["activityArn"], arn);
    let listed = api
        .with_headers("ListActivities", headers, &json!({}))
        .await;
    assert_eq!(listed.json()["activities"][0]["activityArn"], arn);
    assert_eq!(
        api.call("ListActivities", json!({})).await["activities"],
        json!([])
    );
}

#[tokio::test]
async fn health_and_counts_are_told() {
    let api = Api::new().await;
    api.call("ListActivities", json!({})).await;
    api.refused("DescribeActivity", json!({"activityArn": "x"}))
        .await;
    api.send(&message("Nothing", "", "{}")).await;
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_eq!(api.send(&get("/health")).await.text, r#"{"status":"ok"}"#);
    let ready = api.send(&get("/health/ready")).await;
    assert_eq!(ready.text, r#"{"status":"ready"}"#);
    let metrics = api.send(&get("/metrics")).await.text;
    for line in [
        "asl_requests_total{operation=\"ListActivities\",code=\"OK\"} 1\n",
        "asl_requests_total{operation=\"DescribeActivity\",code=\"InvalidArn\"} 1\n",
        "asl_requests_total{operation=\"none\",code=\"UnknownOperationException\"} 1\n",
    ] {
        assert!(metrics.contains(line), "{metrics}");
    }
}

#[tokio::test]
async fn requests_have_a_size() {
    let mut options = ServerOptions::default();
    options.max_request_bytes = 1_000;
    let api = Api::with(options).await;
    let large = format!("{{\"x\": \"{}\"}}", "x".repeat(1_000));
    let answer = api.send(&message("ListActivities", "", &large)).await;
    assert_eq!(
        (answer.status, &*answer.code()),
        (413, "RequestEntityTooLargeException")
    );
    let chunked = message("ListActivities", "Transfer-Encoding: chunked\r\n", "")
        .replace("Content-Length: 0\r\n", "");
    let answer = api
        .send(&format!(
            "{chunked}{:x}\r\n{large}\r\n0\r\n\r\n",
            large.len()
        ))
        .await;
    assert_eq!(answer.status, 413);
    assert_eq!(
        api.send(&message("ListActivities", "", "{}")).await.status,
        200
    );
}

#[tokio::test]
async fn what_there_is_no_room_for_is_told_to_come_again() {
    let mut options = ServerOptions::default();
    options.max_pending_bytes = 4_096;
    let api = Api::with(options).await;
    let mut slow = api.connect().await;
    let head = message("ListActivities", "", &" ".repeat(4_000));
    slow.write_all(&head.as_bytes()[..head.len() - 10])
        .await
        .unwrap();
    let refused = loop {
        let answer = api.send(&message("ListActivities", "", "{}")).await;
        if answer.status != 200 {
            break answer;
        }
    };
    assert_eq!(
        (refused.status, &*refused.code()),
        (503, "ServiceUnavailable")
    );
    assert!(refused.head.contains("retry-after: 1"));
    drop(slow);
    while api.send(&message("ListActivities", "", "{}")).await.status != 200 {}
}

#[tokio::test]
async fn slow_clients_are_let_go() {
    let mut options = ServerOptions::default();
    options.read_timeout = Duration::from_millis(100);
    let api = Api::with(options).await;
    let request = message("ListActivities", "", "{\"maxResults\": 1}");
    for sent in [10, request.len() - 5] {
        let mut stream = api.connect().await;
        stream.write_all(&request.as_bytes()[..sent]).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(
            answer.is_empty() || answer.starts_with("HTTP/1.1 4"),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn connections_beyond_the_bound_wait_for_others_to_end() {
    let mut options = ServerOptions::default();
    options.max_connections = 2;
    let api = Api::with(options).await;
    let held = [api.connect().await, api.connect().await];
    tokio::time::sleep(Duration::from_millis(50)).await;
    let request = message("ListActivities", "", "{}");
    let waits = tokio::time::timeout(Duration::from_millis(100), api.send(&request)).await;
    assert!(waits.is_err());
    drop(held);
    assert_eq!(api.send(&request).await.status, 200);
}

#[tokio::test]
async fn a_connection_that_there_is_no_room_for_is_told_to_come_again() {
    let mut options = ServerOptions::default();
    options.max_connections = 1;
    options.connection_wait = Duration::from_millis(20);
    let api = Api::with(options).await;
    let held = api.connect().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let request = message("ListActivities", "", "{}");
    let refused = api.send(&request).await;
    assert_eq!(
        (refused.status, &*refused.code()),
        (503, "ServiceUnavailable")
    );
    assert!(refused.head.contains("retry-after: 1"), "{refused:?}");
    drop(held);
    while api.send(&request).await.status != 200 {}
}
