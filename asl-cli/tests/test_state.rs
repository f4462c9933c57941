//! `asl test-state`.
mod common;

use common::{Folder, Ran};
use serde_json::json;

const MACHINE: &str = r#"{"StartAt": "Charge", "States": {
    "Charge": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "ResultSelector": {"paid.$": "$.Payload"},
        "Parameters": {"FunctionName": "charge", "Payload.$": "$.order"},
        "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 3}],
        "Catch": [{"ErrorEquals": ["CardRefused"], "Next": "Refused"}], "Next": "Refused"},
    "Refused": {"Type": "Fail", "Error": "Refused"}}}"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("order.asl.json", MACHINE);
    folder
}

/// Tests the state `Charge` with an order.
fn test(folder: &Folder, arguments: &[&str]) -> Ran {
    let command = ["test-state", "order.asl.json", "--state", "Charge"];
    let input = ["-i", r#"{"order": 7}"#];
    folder.asl(&[&command[..], &input, arguments].concat())
}

#[test]
fn a_mocked_result_goes_through_the_fields_of_the_state() {
    let folder = folder();
    let ran = test(&folder, &["--mock-result", r#"{"Payload": "yes"}"#]);
    ran.exits_with(0, &[]);
    let answer = ran.json();
    assert_eq!(answer["output"], json!({"paid": "yes"}));
    assert_eq!(answer["nextState"], "Refused");
    assert_eq!(
        answer["inspectionData"]["afterParameters"],
        json!({"FunctionName": "charge", "Payload": 7})
    );
}

#[test]
fn a_mocked_error_is_retried_or_caught() {
    let folder = folder();
    let test = |arguments: &[&str]| test(&folder, arguments);
    let retried = test(&["--mock-error", "Busy", "--retry-count", "1"]);
    assert_eq!(
        retried.json()["inspectionData"]["errorDetails"],
        json!({"retryIndex": 0, "retryBackoffIntervalSeconds": 6})
    );
    let caught = test(&[
        "--mock-error",
        r#"{"error": "CardRefused", "cause": "expired"}"#,
        "--inspection-level",
        "info",
    ]);
    assert_eq!(
        caught.json(),
        json!({"status": "CAUGHT_ERROR", "error": "CardRefused", "cause": "expired", "nextState": "Refused",
            "output": {"Error": "CardRefused", "Cause": "expired"}})
    );
    test(&["--mock-error", "Other"]).exits_with(1, &[]);
}

#[test]
fn what_is_refused_says_what_to_do() {
    let folder = folder();
    let test =
        |arguments: &[&str]| folder.asl(&[&["test-state", "order.asl.json"], arguments].concat());
    test(&["--state", "Charge"]).exits_with(2, &["a Task state needs a mock"]);
    test(&["--state", "Nothing"]).exits_with(2, &["there is no state 'Nothing'"]);
    test(&[]).exits_with(
        2,
        &["several states: choose one with --state: Charge, Refused"],
    );
    let wrong = [
        "--state",
        "Charge",
        "-i",
        r#"{"order": 7}"#,
        "--mock-result",
        r#"{"StatusCode": "200"}"#,
    ];
    test(&wrong).exits_with(2, &["Field 'StatusCode' must be a number"]);
    let unchecked = [
        &wrong[..],
        &["--field-validation", "none", "--inspection-level", "info"],
    ]
    .concat();
    test(&unchecked).exits_with(1, &[]);
    test(&["--state", "Charge", "--mock-result", "{"]).exits_with(2, &["--mock-result"]);
}

#[test]
fn a_request_of_the_api_is_answered_in_its_own_json() {
    let folder = Folder::new();
    let request = json!({"definition": r#"{"Type": "Pass", "Result": {"a": 1}, "End": true}"#, "inspectionLevel": "DEBUG"});
    let answered = folder.asl_with_stdin(&["test-state", "--request", "-"], &request.to_string());
    answered.exits_with(0, &[]);
    let made = r#"{"a":1}"#;
    assert_eq!(
        answered.json(),
        json!({"output": made, "status": "SUCCEEDED", "inspectionData": {"input": "{}", "result": made,
            "afterResultSelector": made, "afterResultPath": made}})
    );
    let request = json!({"definition": {"Type": "Succeed"}, "mock": {"result": "{}"}});
    let refused = folder.asl_with_stdin(&["test-state", "--request", "-"], &request.to_string());
    refused.exits_with(2, &[]);
    assert_eq!(
        refused.json(),
        json!({"Error": {"Code": "ValidationException",
            "Message": "State type 'Succeed' is not supported when a mock is specified"}})
    );
}

#[test]
fn a_state_machine_needs_the_name_of_a_state() {
    let folder = Folder::new();
    folder.write(
        "machine.json",
        r#"{"StartAt": "Handle approval", "States": {"Handle approval": {"Type": "Pass", "Next": "Each"},
            "Each": {"Type": "Map", "ItemProcessor": {"StartAt": "Ship", "States": {"Ship": {"Type": "Succeed"}}}, "End": true}}}"#,
    );
    let test = ["test-state", "machine.json"];
    folder.asl(&test).exits_with(
        2,
        &["error: several states: choose one with --state: Handle approval, Each, Ship"],
    );
    let named = |name| folder.asl(&[&test[..], &["--state", name]].concat());
    named("Handle aproval").exits_with(
        2,
        &["error: there is no state 'Handle aproval'; did you mean `Handle approval`?"],
    );
    named("Nothing").exits_with(
        2,
        &["error: there is no state 'Nothing'; there are Handle approval, "],
    );
    named("Handle approval").exits_with(0, &[]);
}

#[test]
fn a_mock_of_another_shape_is_refused_with_the_way_to_allow_it() {
    let folder = Folder::new();
    folder.write(
        "call.asl.json",
        r#"{"StartAt": "Call", "States": {"Call": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
            "Parameters": {"FunctionName": "f"}, "End": true}}}"#,
    );
    let arguments = [
        "test-state",
        "call.asl.json",
        "--state",
        "Call",
        "--mock-result",
        r#"{"Payload": {"ok": true}}"#,
    ];
    folder.asl(&arguments).exits_with(
        2,
        &["error: Mock result schema validation error: Field 'Payload' must be a string: the mocked result must have the shape of the API's response; --field-validation none accepts any"],
    );
    let any = [&arguments[..], &["--field-validation", "none"]].concat();
    folder.asl(&any).exits_with(0, &[]);
}
