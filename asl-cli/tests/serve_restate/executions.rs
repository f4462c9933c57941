//! Executions of one node, whose process may be killed.
use super::common::Folder;
use super::common::served::{MACHINE, call_at, ended, start};
use super::{EXECUTION, FUNCTION, Restate, start_named, until, until_there};

#[test]
fn a_task_is_done_and_told_of() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let task = "double=exec:sh -c 'cat; echo x >> done'";
    let server = restate.serve(&folder, &["--task", task]);
    start(&server, FUNCTION);
    let described = ended(&server);
    assert!(described.contains(r#""output":"{\"n\":1}""#), "{described}");
    assert_eq!(folder.read("done"), "x\n");

    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let history = server.call("GetExecutionHistory", &named);
    for event in [
        "ExecutionStarted",
        "LambdaFunctionSucceeded",
        "ExecutionSucceeded",
    ] {
        assert!(history.contains(event), "{history}");
    }
    let of = format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#);
    until(&server, "ListExecutions", &of, r#""status":"SUCCEEDED""#);
    let again =
        format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "e", "input": "{{\"n\":  1}}"}}"#);
    let again = server.call("StartExecution", &again);
    assert!(again.contains("ExecutionAlreadyExists"), "{again}");
}

#[test]
fn an_execution_that_waits_for_its_token_survives_the_process() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let hand_on = "hand-on=exec:sh -c 'echo x >> done; printf %s \"$ASL_TASK_TOKEN\" > token.new; mv token.new token; echo 17'";
    let server = restate.serve(&folder, &["--task", hand_on]);
    let definition = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "End": true,
        "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken", "Parameters": {"FunctionName": "hand-on"}}}}"#;
    start_named(&server, definition, "{}");
    let token = until_there(&folder, "token");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    until(&server, "GetExecutionHistory", &named, "TaskSubmitted");
    server.end("-KILL");

    let server = restate.serve(&folder, &["--task", hand_on]);
    let success = format!(r#"{{"taskToken": "{token}", "output": "{{\"a\": 1}}"}}"#);
    let sent = server.call("SendTaskSuccess", &success);
    assert!(sent.starts_with("HTTP/1.1 200"), "{sent}");
    let described = ended(&server);
    assert!(described.contains(r#""output":"{\"a\":1}""#), "{described}");
    let late = server.call("SendTaskSuccess", &success);
    assert!(late.contains("TaskTimedOut"), "{late}");
    let wrong = server.call("SendTaskSuccess", r#"{"taskToken": "AAAA", "output": "1"}"#);
    assert!(wrong.contains("InvalidToken"), "{wrong}");
    // Its first answer was durable: it was not passed on twice.
    assert_eq!(folder.read("done"), "x\n");
}

#[test]
fn a_task_that_was_under_way_is_done_again_and_the_execution_ends_once() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let slow = "double=exec:sh -c 'echo x >> begun; test -e go || sleep 300; echo 42'";
    let server = restate.serve(&folder, &["--task", slow]);
    start(&server, FUNCTION);
    until_there(&folder, "begun");
    server.end("-KILL");
    folder.write("go", "");

    let server = restate.serve(&folder, &["--task", slow]);
    let described = ended(&server);
    assert!(described.contains(r#""output":"42""#), "{described}");
    assert_eq!(folder.read("begun"), "x\nx\n");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let history = server.call("GetExecutionHistory", &named);
    assert_eq!(
        history.matches("LambdaFunctionSucceeded\"").count(),
        1,
        "{history}"
    );
}

#[test]
fn what_waits_is_stopped_and_what_is_due_goes_on() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    let definition =
        r#"{"StartAt": "W", "States": {"W": {"Type": "Wait", "SecondsPath": "$.s", "End": true}}}"#;
    start_named(&server, definition, r#"{"s": 1}"#);
    let described = ended(&server);
    assert!(described.contains("SUCCEEDED"), "{described}");

    let other =
        format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "f", "input": "{{\"s\": 500}}"}}"#);
    server.call("StartExecution", &other);
    let arn = EXECUTION.replace(":m:e", ":m:f");
    let stop = format!(r#"{{"executionArn": "{arn}", "error": "E"}}"#);
    // Of several at once one is heard, and all are told the same.
    let stop = || server.call("StopExecution", &stop);
    let stopped = std::thread::scope(|scope| {
        let several = [(); 3].map(|()| scope.spawn(stop));
        several.map(|one| one.join().unwrap())
    });
    let date = |answer: &str| answer.split("stopDate").nth(1).unwrap().to_owned();
    let dates = stopped.map(|stopped| date(&stopped));
    assert_eq!(dates, [(); 3].map(|()| date(&stop())));
    let described = call_at(
        &server.address,
        "DescribeExecution",
        &format!(r#"{{"executionArn": "{arn}"}}"#),
    );
    assert!(
        described.contains("ABORTED") && described.contains(r#""error":"E""#),
        "{described}"
    );
}

#[test]
fn a_worker_takes_the_task_of_its_activity() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &[]);
    let activity = "arn:aws:states:us-east-1:123456789012:activity:a";
    server.call("CreateActivity", r#"{"name": "a"}"#);
    let definition = format!(
        r#"{{"StartAt": "A", "States": {{"A": {{"Type": "Task", "Resource": "{activity}", "HeartbeatSeconds": 60, "End": true}}}}}}"#
    );
    start_named(&server, &definition, "[1]");
    let asked = format!(r#"{{"activityArn": "{activity}", "workerName": "w"}}"#);
    let taken = server.call("GetActivityTask", &asked);
    assert!(taken.contains(r#""input":"[1]""#), "{taken}");
    let token = taken.split(r#""taskToken":""#).nth(1).unwrap();
    let token = token.split('"').next().unwrap();
    let beat = server.call(
        "SendTaskHeartbeat",
        &format!(r#"{{"taskToken": "{token}"}}"#),
    );
    assert!(beat.starts_with("HTTP/1.1 200"), "{beat}");
    let failure = format!(r#"{{"taskToken": "{token}", "error": "E", "cause": "why"}}"#);
    let sent = server.call("SendTaskFailure", &failure);
    assert!(sent.starts_with("HTTP/1.1 200"), "{sent}");
    let described = ended(&server);
    assert!(described.contains(r#""cause":"why""#), "{described}");
}
