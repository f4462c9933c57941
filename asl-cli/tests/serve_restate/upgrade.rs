//! Two builds side by side.
use super::common::Folder;
use super::common::served::{MACHINE, ServeProcess};
use super::{EXECUTION, Restate, free_port, patiently, start_named, until, until_there};
use std::process::{Command, Stdio};

const DEFINITION: &str = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Next": "B",
    "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken", "Parameters": {"FunctionName": "hand-on"}},
    "B": {"Type": "Pass", "End": true}}}"#;

#[test]
fn executions_end_under_the_build_that_began_them_and_new_ones_begin_under_the_new_one() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let hand_on = "hand-on=exec:sh -c 'printf %s \"$ASL_TASK_TOKEN\" > token.new; mv token.new token; echo 17'";
    let old = ["--restate-deployment", "a", "--task", hand_on];
    let first = restate.serve(&folder, &old);
    start_named(&first, DEFINITION, "{}");
    let token = until_there(&folder, "token");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    until(&first, "GetExecutionHistory", &named, "TaskSubmitted");
    std::fs::remove_file(folder.path("token")).unwrap();

    let new = ["--restate-deployment", "b", "--task", hand_on];
    let second = restate.serve_at(&folder, free_port(), &new);
    first.end("-KILL");
    // What began under the new build needs no other.
    let end = |name: &str| {
        let start =
            format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "{name}", "input": "{{}}"}}"#);
        second.call("StartExecution", &start);
        let token = until_there(&folder, "token");
        answer(&second, &token);
        std::fs::remove_file(folder.path("token")).unwrap();
        let named = format!(
            r#"{{"executionArn": "{}"}}"#,
            EXECUTION.replace(":m:e", &format!(":m:{name}"))
        );
        until(&second, "DescribeExecution", &named, "SUCCEEDED");
    };
    end("f");
    // The other one waits for its own, and is reported and heard meanwhile.
    answer(&second, &token);
    let described = second.call("DescribeExecution", &named);
    assert!(described.contains("RUNNING"), "{described}");
    let of = format!(r#"{{"stateMachineArn": "{MACHINE}", "statusFilter": "RUNNING"}}"#);
    let listed = second.call("ListExecutions", &of);
    assert!(listed.contains(EXECUTION), "{listed}");

    let first = restate.serve(&folder, &old);
    until(&second, "DescribeExecution", &named, "SUCCEEDED");
    // That the old build is there again makes it no newer.
    first.end("-KILL");
    end("g");
}

fn answer(server: &ServeProcess, token: &str) {
    let success = format!(r#"{{"taskToken": "{token}", "output": "1"}}"#);
    let sent = server.call("SendTaskSuccess", &success);
    assert!(sent.starts_with("HTTP/1.1 200"), "{sent}");
}

#[test]
fn a_task_ends_with_its_execution_where_another_process_performs_it() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let hand_on = "hand-on=exec:sh -c 'printf %s \"$ASL_TASK_TOKEN\" > token.new; mv token.new token; echo 17'";
    let slow = "slow=exec:sh -c 'echo $$ > pid.new; mv pid.new pid; sleep 300'";
    let tasks = ["--task", hand_on, "--task", slow];
    let first = restate.serve(
        &folder,
        &[&["--restate-deployment", "a"][..], &tasks].concat(),
    );
    let slow = r#""B": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:slow", "End": true}}}"#;
    let definition = DEFINITION.replace(r#""B": {"Type": "Pass", "End": true}}}"#, slow);
    start_named(&first, &definition, "{}");
    let token = until_there(&folder, "token");
    // From now on it performs what executions under the other build request.
    let second = [&["--restate-deployment", "b"][..], &tasks].concat();
    let second = restate.serve_at(&folder, free_port(), &second);
    answer(&second, &token);
    let process = until_there(&folder, "pid");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    let stopped = first.call("StopExecution", &named);
    assert!(stopped.contains("stopDate"), "{stopped}");
    let is_there = || {
        Command::new("kill")
            .args(["-0", process.trim()])
            .stderr(Stdio::null())
            .status()
            .unwrap()
            .success()
    };
    patiently(|| match is_there() {
        true => Err("it goes on".to_owned()),
        false => Ok(()),
    });
}
