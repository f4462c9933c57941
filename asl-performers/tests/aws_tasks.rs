//! Tasks that call AWS services, at a server that answers what a test says.
mod common;

use asl_aws::{Caller, Settings, Target};
use asl_engine::Outcome;
use asl_engine::runtime::{Runtime, TaskHandlers};
use asl_performers::AwsTasks;
use common::service::{Service, http};
use common::*;
use serde_json::{Value, json};
use std::net::TcpListener;
use std::sync::Arc;

async fn run(url: &str, resource: &str, parameters: Value) -> Outcome {
    run_with(url, json!({"Type": "Task", "Resource": format!("arn:aws:states:::{resource}"), "Parameters": parameters, "End": true})).await
}

async fn run_with(url: &str, state: Value) -> Outcome {
    run_by(url, state, |tasks| tasks).await
}

async fn run_by(url: &str, state: Value, change: fn(AwsTasks) -> AwsTasks) -> Outcome {
    let keys = [
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
    ];
    let variables = keys.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = Settings::new(variables, |_| None).with_target(Target::Url(url.to_owned()));
    let tasks = change(AwsTasks::new(Arc::new(Caller::new(settings))));
    let runtime = Runtime::builder()
        .handlers(tasks.otherwise(TaskHandlers::new()))
        .build();
    let program = program(json!({"StartAt": "T", "States": {"T": state}}));
    runtime.run(program, runtime.unnamed(json!({}))).await
}

#[tokio::test]
async fn an_optimized_integration_has_the_metadata_of_the_response() {
    let service = Service::with_json("200 OK", &json!({"MessageId": "m"}));
    let parameters = json!({"QueueUrl": "q", "MessageBody": {"a": 1}});
    let outcome = run(&service.url, "sqs:sendMessage", parameters).await;
    let result = outcome.into_result().unwrap();
    assert_eq!(result["MessageId"], "m");
    assert_eq!(result["SdkHttpMetadata"]["HttpStatusCode"], 200);
    assert_eq!(result["SdkResponseMetadata"], json!({"RequestId": "1-2"}));
    let request = service.requests.recv().unwrap().to_lowercase();
    assert!(
        request.contains("x-amz-target: amazonsqs.sendmessage"),
        "{request}"
    );
    assert!(
        request.contains("authorization: aws4-hmac-sha256 credential=key/"),
        "{request}"
    );
    assert!(
        request.ends_with(r#"{"queueurl":"q","messagebody":"{\"a\":1}"}"#),
        "{request}"
    );
}

#[tokio::test]
async fn errors_have_the_names_of_each_sdk() {
    let body = json!({"__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException", "message": "none"});
    let service = Service::with_json("400 Bad Request", &body);
    let parameters = json!({"TableName": "t", "Key": {}});
    let (error, cause) = failure(run(&service.url, "dynamodb:getItem", parameters.clone()).await);
    assert_eq!(error, "DynamoDB.ResourceNotFoundException");
    assert_eq!(
        cause,
        "none (Service: AmazonDynamoDBv2; Status Code: 400; Error Code: ResourceNotFoundException; Request ID: 1-2; Proxy: null)"
    );
    let (error, cause) = failure(run(&service.url, "aws-sdk:dynamodb:getItem", parameters).await);
    assert_eq!(error, "DynamoDb.ResourceNotFoundException");
    assert_eq!(
        cause,
        "none (Service: DynamoDb, Status Code: 400, Request ID: 1-2)"
    );
}

#[tokio::test]
async fn an_error_outside_of_the_model_has_the_general_name() {
    let service = Service::with_json(
        "400 Bad Request",
        &json!({"__type": "ValidationError", "message": "no"}),
    );
    let parameters = json!({"TableName": "t", "Key": {}});
    let optimized = failure(run(&service.url, "dynamodb:getItem", parameters.clone()).await);
    assert_eq!(optimized.0, "DynamoDB.AmazonDynamoDBException");
    let sdk = failure(run(&service.url, "aws-sdk:dynamodb:getItem", parameters).await);
    assert_eq!(sdk.0, "DynamoDb.DynamoDbException");
}

#[tokio::test]
async fn events_that_fail_in_part_fail_the_task() {
    let body = json!({"FailedEntryCount": 1, "Entries": [{"ErrorCode": "c"}]});
    let service = Service::with_json("200 OK", &body);
    let (error, cause) =
        failure(run(&service.url, "events:putEvents", json!({"Entries": []})).await);
    assert_eq!(error, "EventBridge.FailedEntry");
    assert_eq!(serde_json::from_str::<Value>(&cause).unwrap(), body);
}

#[tokio::test]
async fn the_same_task_has_the_same_idempotency_token() {
    let service = Service::with_json("200 OK", &json!({}));
    let parameters = json!({"TransactItems": []});
    let resource = "aws-sdk:dynamodb:transactWriteItems";
    run(&service.url, resource, parameters)
        .await
        .into_result()
        .unwrap();
    let request = service.requests.recv().unwrap();
    let (_, body) = request.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["ClientRequestToken"].as_str().unwrap().len(), 36);
}

#[tokio::test]
async fn what_is_no_answer_fails_the_task() {
    let parameters = json!({"TableName": "t", "Key": {}});
    let garbage = Service::answering(http("200 OK", "", "<html>"));
    let (_, cause) = failure(run(&garbage.url, "dynamodb:getItem", parameters.clone()).await);
    assert!(
        cause.starts_with("the response of the service is not valid: "),
        "{cause}"
    );
    let no_http = Service::answering("garbage\r\n\r\n");
    let (error, _) = failure(run(&no_http.url, "dynamodb:getItem", parameters.clone()).await);
    assert_eq!(error, "DynamoDB.SdkClientException");
    let huge = Service::answering(http(
        "200 OK",
        "",
        &" ".repeat(Caller::MAX_RESPONSE_BYTES + 1),
    ));
    let (_, cause) = failure(run(&huge.url, "dynamodb:getItem", parameters.clone()).await);
    assert!(cause.contains("the response has more than"), "{cause}");
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let (error, cause) =
        failure(run(&format!("http://{closed}"), "dynamodb:getItem", parameters).await);
    assert_eq!(error, "DynamoDB.SdkClientException");
    assert!(
        cause.starts_with("Unable to execute HTTP request: "),
        "{cause}"
    );
}

#[tokio::test]
async fn an_answer_that_never_comes_ends_with_the_timeout_of_the_state() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let state = json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "TimeoutSeconds": 1,
        "Parameters": {"QueueUrl": "q", "MessageBody": "m"}, "End": true});
    let (error, _) = failure(run_with(&url, state).await);
    assert_eq!(error, "States.Timeout");
}

#[tokio::test]
async fn wrong_parameters_are_named() {
    let service = Service::with_json("200 OK", &json!({}));
    for (parameters, expected) in [
        (json!({"Nothing": 1}), "the parameter Nothing is unknown"),
        (
            json!({"TableName": "t", "Key": 1}),
            "the parameter Key must be an object, found a number",
        ),
        (
            json!({"TableName": "t", "Key": {"id": 1}}),
            "the parameter Key.id must be an object, found a number",
        ),
    ] {
        let (_, cause) = failure(run(&service.url, "dynamodb:getItem", parameters).await);
        assert!(cause.starts_with(expected), "{cause}");
    }
}

const CHARGE: &str = "arn:aws:lambda:us-east-1:123456789012:function:charge";

#[tokio::test]
async fn functions_are_invoked() {
    let service = Service::with_json("200 OK", &json!({"paid": true}));
    let state = json!({"Type": "Task", "Resource": CHARGE, "Parameters": {"id": 7}, "End": true});
    let outcome = run_with(&service.url, state).await;
    assert_eq!(*outcome.into_result().unwrap(), json!({"paid": true}));
    let request = service.requests.recv().unwrap();
    let path = "POST /2015-03-31/functions/arn%3Aaws%3Alambda%3Aus-east-1%3A123456789012%3Afunction%3Acharge/invocations";
    assert!(request.starts_with(path), "{request}");
    assert!(request.ends_with(r#"{"id":7}"#), "{request}");

    let parameters = json!({"FunctionName": "charge", "Payload": {"id": 7}, "Qualifier": "live"});
    let outcome = run(&service.url, "lambda:invoke", parameters).await;
    let result = outcome.into_result().unwrap();
    assert_eq!(result["Payload"], json!({"paid": true}));
    assert_eq!(result["StatusCode"], 200);
    let request = service.requests.recv().unwrap();
    assert!(
        request.contains("/functions/charge/invocations?Qualifier=live"),
        "{request}"
    );
}

#[tokio::test]
async fn the_error_of_a_function_fails_the_task() {
    let body = json!({"errorType": "Declined", "errorMessage": "no money"});
    let service = Service::answering(http(
        "200 OK",
        "X-Amz-Function-Error: Unhandled\r\n",
        &body.to_string(),
    ));
    let parameters = json!({"FunctionName": "charge"});
    let (error, cause) = failure(run(&service.url, "lambda:invoke", parameters.clone()).await);
    assert_eq!(error, "Declined");
    assert_eq!(serde_json::from_str::<Value>(&cause).unwrap(), body);
    let missing = json!({"Type": "User", "Message": "Function not found: charge"});
    let missing = http(
        "404 Not Found",
        "X-Amzn-Errortype: ResourceNotFoundException\r\n",
        &missing.to_string(),
    );
    let (error, _) = failure(
        run(
            &Service::answering(missing).url,
            "lambda:invoke",
            parameters,
        )
        .await,
    );
    assert_eq!(error, "Lambda.ResourceNotFoundException");
}

#[tokio::test]
async fn a_role_is_assumed_for_the_call_of_a_state_that_names_it() {
    let keys = "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><Credentials>\
        <AccessKeyId>ROLEKEY</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t0ken</SessionToken>\
        <Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>";
    // Each request has this response; a list of topics has nothing of it.
    let service = Service::answering(http("200 OK", "Content-Type: text/xml\r\n", keys));
    let role = "arn:aws:iam::123456789012:role/other";
    let state = json!({"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:sns:listTopics", "Parameters": {},
        "Credentials": {"RoleArn": role}, "End": true});
    let _ = run_by(&service.url, state.clone(), AwsTasks::assuming_roles).await;
    let assumed = service.requests.recv().unwrap();
    assert!(
        assumed.contains("Action=AssumeRole") && assumed.contains("role%2Fother"),
        "{assumed}"
    );
    assert!(assumed.contains("Credential=key/"), "{assumed}");
    let called = service.requests.recv().unwrap();
    assert!(
        called.contains("Credential=ROLEKEY/") && called.contains("x-amz-security-token: t0ken"),
        "{called}"
    );
    let _ = run_with(&service.url, state).await;
    let called = service.requests.recv().unwrap();
    assert!(
        called.contains("Action=ListTopics") && called.contains("Credential=key/"),
        "{called}"
    );
}
