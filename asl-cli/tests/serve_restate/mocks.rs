//! Test cases of mock files.
use super::common::Folder;
use super::common::served::{MACHINE, create_defined, ended};
use super::{FUNCTION, Restate};

const MOCKS: &str = r#"{"StateMachines": {"m": {"TestCases": {"Busy": {"Child": "C", "Worker": "W"}}}, "x": {"TestCases": {"Busy": {"T": "W"}}}}, "MockedResponses": {
    "C": {"0": {"Throw": {"Error": "Busy", "Cause": "c"}}, "1": {"Return": "one"}, "2": {"Return": "two"}},
    "W": {"0": {"Return": "work"}}}}"#;

#[test]
fn a_test_case_answers_the_attempts_of_an_execution_and_its_children() {
    answers_attempts("STANDARD");
}

#[test]
fn so_it_does_where_children_run_within_an_invocation() {
    answers_attempts("EXPRESS");
}

fn answers_attempts(kind: &str) {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    folder.write("mocks.json", MOCKS);
    let server = restate.serve(
        &folder,
        &["--mocks", "mocks.json", "--task", "double=exec:cat"],
    );
    let activity = "arn:aws:states:us-east-1:123456789012:activity:a";
    let definition = format!(
        r#"{{"StartAt": "Worker", "States": {{
            "Worker": {{"Type": "Task", "Resource": "{activity}", "ResultPath": null, "Next": "M"}},
            "M": {{"Type": "Map", "MaxConcurrency": 1, "Next": "Double", "ItemProcessor": {{
                "ProcessorConfig": {{"Mode": "DISTRIBUTED", "ExecutionType": "{kind}"}}, "StartAt": "Child", "States": {{
                    "Child": {{"Type": "Task", "Resource": "{FUNCTION}", "End": true,
                        "Retry": [{{"ErrorEquals": ["Busy"], "IntervalSeconds": 1}}]}}}}}}}},
            "Double": {{"Type": "Task", "Resource": "{FUNCTION}", "End": true}}}}}}"#
    );
    server.call("CreateActivity", r#"{"name": "a"}"#);
    create_defined(&server, &definition.replace('"', "\\\"").replace('\n', " "));
    let start =
        format!(r#"{{"stateMachineArn": "{MACHINE}#Busy", "name": "e", "input": "[1, 2]"}}"#);
    let started = server.call("StartExecution", &start);
    assert!(started.contains("executionArn"), "{started}");
    let described = ended(&server);
    assert!(
        described.contains(r#""output":"[\"one\",\"two\"]""#),
        "{described}"
    );
}

#[test]
fn a_test_case_answers_express_executions_too() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    folder.write("mocks.json", MOCKS);
    let server = restate.serve(&folder, &["--mocks", "mocks.json"]);
    let task = format!(
        r#"{{"StartAt": "T", "States": {{"T": {{"Type": "Task", "Resource": "{FUNCTION}", "End": true}}}}}}"#
    );
    let task = task.replace('"', "\\\"");
    let express = format!(
        r#"{{"name": "x", "type": "EXPRESS", "roleArn": "arn:aws:iam::123456789012:role/r", "definition": "{task}"}}"#
    );
    server.call("CreateStateMachine", &express);
    let machine = MACHINE.replace(":m", ":x");
    let start = format!(r#"{{"stateMachineArn": "{machine}#Busy", "input": "{{}}"}}"#);
    let answered = server.call("StartSyncExecution", &start);
    assert!(answered.contains(r#""output":"\"work\"""#), "{answered}");
}
