//! Log lines of `asl serve` about requests and about the opened store.
#![cfg(unix)]
mod common;

use common::Folder;
use common::served::{MACHINE, ServeProcess, ended, start};
use serde_json::Value;
use std::time::Duration;

const ACTIVITY: &str = "arn:aws:states:us-east-1:123456789012:activity:some-activity";

/// Requests that hold what must not be told.
fn talk(server: &ServeProcess) {
    start(server, ACTIVITY);
    server.call(
        "GetActivityTask",
        &format!(r#"{{"activityArn": "{ACTIVITY}"}}"#),
    );
    server.call(
        "SendTaskSuccess",
        r#"{"taskToken": "secret-token", "output": "\"secret\""}"#,
    );
    server.call("NoSuchOperation", "{}");
}

#[test]
fn each_request_is_a_line_without_what_it_held() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &["--log", "json"]);
    talk(&server);
    server.says("UnknownOperationException");
    let stderr = server.stderr();
    let lines = stderr.lines().filter(|line| line.starts_with('{'));
    let lines: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let operations: Vec<&str> = lines
        .iter()
        .map(|line| line["operation"].as_str().unwrap_or("none"))
        .collect();
    let expected = [
        "CreateActivity",
        "CreateStateMachine",
        "StartExecution",
        "GetActivityTask",
        "SendTaskSuccess",
        "none",
    ];
    assert_eq!(operations, expected);
    let statuses: Vec<u64> = lines
        .iter()
        .map(|line| line["status"].as_u64().unwrap())
        .collect();
    assert_eq!(statuses, [200, 200, 200, 200, 400, 400]);
    assert_eq!(
        (&lines[4]["error"], &lines[2]["error"]),
        (&"InvalidToken".into(), &Value::Null)
    );
    assert!(
        lines
            .iter()
            .all(|line| line["account"] == "123456789012" && line["durationMs"].is_f64())
    );
    assert_eq!(
        (&lines[0]["requestBytes"], &lines[5]["requestBytes"]),
        (&25.into(), &2.into())
    );
    assert_eq!(lines[3]["resource"], ACTIVITY);
    assert!(!stderr.contains("secret"), "{stderr}");
}

#[test]
fn people_are_told_of_requests_where_they_ask() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &["--log", "text"]);
    talk(&server);
    server.says(" SendTaskSuccess 400 InvalidToken 123456789012 ");
    assert!(!server.stderr().contains("secret"), "{}", server.stderr());
    drop(server);
    let server = ServeProcess::in_memory(&folder, &[]);
    talk(&server);
    assert!(
        !server.stderr().contains("SendTaskSuccess"),
        "{}",
        server.stderr()
    );
}

/// Changes a store behind its back.
fn change(folder: &Folder, sql: &str) {
    let connection = rusqlite::Connection::open(folder.path("state/asl.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[test]
fn who_is_held_is_told_at_the_start() {
    let folder = Folder::new();
    let options = ["--account", "123456789012", "--data", "state"];
    let server = ServeProcess::new(&folder, &options);
    start(&server, ACTIVITY);
    for number in 0..6 {
        let start = format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "f{number}"}}"#);
        server.call("StartExecution", &start);
    }
    assert_eq!(server.end("-TERM"), Some(0));
    // Their journals lead elsewhere.
    change(&folder, "UPDATE executions SET start = x'00'");
    let server = ServeProcess::new(&folder, &options);
    let told = server.stderr();
    assert!(told.contains("warning: 7 executions suspended:\n  arn:aws:states:us-east-1:123456789012:execution:m:e: "), "{told}");
    assert!(told.contains("  and 2 more: asl store check"), "{told}");
    // They can be got rid of.
    let named = r#"{"executionArn": "arn:aws:states:us-east-1:123456789012:execution:m:e"}"#;
    let stopped = server.call("StopExecution", named);
    assert!(stopped.contains("stopDate"), "{stopped}");
    let end = ended(&server);
    assert!(end.contains(r#""status":"ABORTED""#), "{end}");
    let history = server.call("GetExecutionHistory", named);
    assert!(history.contains("ExecutionAborted"), "{history}");
    assert_eq!(server.end("-TERM"), Some(0));
    let server = ServeProcess::new(&folder, &options);
    let told = server.stderr();
    assert!(told.contains("warning: 6 executions suspended"), "{told}");
    let machine = format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#);
    server.call("DeleteStateMachine", &machine);
    while server
        .call("DescribeStateMachine", &machine)
        .starts_with("HTTP/1.1 200")
    {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_nothing_is_wired_for_any_more_is_held_until_something_is() {
    const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:work";
    let folder = Folder::new();
    let options = ["--account", "123456789012", "--data", "state"];
    let with_task = |task: &'static str| [&options[..], &["--task", task]].concat();
    let server = ServeProcess::new(&folder, &with_task("work=exec:sleep 600"));
    start(&server, FUNCTION);
    assert_eq!(server.end("-TERM"), Some(0));
    let server = ServeProcess::new(&folder, &options);
    let told = server.stderr();
    assert!(told.contains("warning: 1 execution suspended"), "{told}");
    assert!(told.contains("no handler for the task of state"), "{told}");
    assert!(told.contains(FUNCTION), "{told}");
    assert_eq!(server.end("-TERM"), Some(0));
    let server = ServeProcess::new(&folder, &with_task("work=exec:echo 7"));
    assert!(!server.stderr().contains("held"), "{}", server.stderr());
    let ended = ended(&server);
    assert!(ended.contains("SUCCEEDED"), "{ended}");
}

#[test]
fn a_clock_that_was_set_back_is_told_of() {
    let folder = Folder::new();
    let options = ["--account", "123456789012", "--data", "state"];
    let server = ServeProcess::new(&folder, &options);
    assert!(!server.stderr().contains("clock"));
    assert_eq!(server.end("-TERM"), Some(0));
    change(
        &folder,
        "UPDATE meta SET value = value + 7200500 WHERE key = 'clock'",
    );
    let server = ServeProcess::new(&folder, &options);
    let told = server.stderr();
    assert!(
        told.contains("the system clock is 2 h behind the latest stored time"),
        "{told}"
    );
}

#[test]
fn each_task_is_a_line_of_the_log() {
    let folder = Folder::new();
    folder.write("pay.sh", "echo secret >&2; exit 1");
    let pay = "arn:aws:lambda:us-east-1:123456789012:function:pay";
    for how in ["text", "json"] {
        let options = ["--log", how, "--task", "pay=exec:sh pay.sh"];
        let server = ServeProcess::in_memory(&folder, &options);
        start(&server, pay);
        let expected = match how {
            "text" => format!(
                "task of state 'A' of arn:aws:states:us-east-1:123456789012:execution:m:e: {pay} failed "
            ),
            _ => format!(r#""state":"A","target":"{pay}","retryCount":0,"result":"failed","#),
        };
        server.says(&expected);
        // The line of the execution that failed shows the cause; that of the task does not.
        let stderr = server.stderr();
        let of_task = stderr.lines().filter(|line| line.contains("task"));
        assert_eq!(
            of_task
                .filter(|line| line.contains(pay) && line.contains("secret"))
                .count(),
            0
        );
    }
}
