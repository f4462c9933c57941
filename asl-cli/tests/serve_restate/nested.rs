//! Executions that a task of another execution waits for.
use super::common::Folder;
use super::common::served::{MACHINE, ServeProcess, ended};
use super::{EXECUTION, FUNCTION, Restate, start_named, until};

const NESTED: &str = "arn:aws:states:us-east-1:123456789012:execution:n:c";

/// The state machine `n`, and an execution `e` of `m` that starts `c` of it and waits for that.
fn start_both(server: &ServeProcess, nested: &str) {
    let nested = nested.replace('"', "\\\"");
    let create = format!(r#"{{"name": "n", "roleArn": "arn:r", "definition": "{nested}"}}"#);
    server.call("CreateStateMachine", &create);
    let machine = MACHINE.replace(":m", ":n");
    let definition = format!(
        r#"{{"StartAt": "S", "States": {{"S": {{"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2",
            "Parameters": {{"StateMachineArn": "{machine}", "Name": "c", "Input": {{"n": 1}}}}, "OutputPath": "$.Output", "End": true}}}}}}"#
    );
    start_named(server, &definition, "{}");
}

#[test]
fn a_task_is_answered_by_the_end_of_the_execution_that_it_started() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &["--task", "double=exec:cat"]);
    let task = format!(
        r#"{{"StartAt": "T", "States": {{"T": {{"Type": "Task", "Resource": "{FUNCTION}", "End": true}}}}}}"#
    );
    start_both(&server, &task);
    let described = ended(&server);
    assert!(described.contains(r#""output":"{\"n\":1}""#), "{described}");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let history = server.call("GetExecutionHistory", &named);
    assert!(
        history.contains("TaskSubmitted") && history.contains(NESTED),
        "{history}"
    );
}

#[test]
fn an_execution_that_is_stopped_takes_the_one_along_that_it_waits_for() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    start_both(
        &server,
        r#"{"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 600, "End": true}}}"#,
    );
    let nested = format!(r#"{{"executionArn": "{NESTED}"}}"#);
    until(&server, "DescribeExecution", &nested, "RUNNING");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let stopped = server.call("StopExecution", &named);
    assert!(stopped.contains("stopDate"), "{stopped}");
    until(&server, "DescribeExecution", &nested, "ABORTED");
}
