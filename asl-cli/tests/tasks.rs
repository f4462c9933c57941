//! `asl run --task`: commands and servers.
#![cfg(unix)]
mod common;

use common::{Folder, serve, task};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Returns a folder with a definition of one task and a script that does it.
fn folder(fields: &str, script: &str) -> Folder {
    let folder = Folder::new();
    folder
        .write("task.json", task(fields))
        .write("work.sh", script);
    folder
}

const RUN: [&str; 4] = ["run", "task.json", "--task", "work=exec:sh work.sh"];

#[test]
fn a_command_gets_the_payload_and_answers() {
    let folder = folder("", "echo \"{\\\"got\\\": $(cat)}\"");
    let ran = folder.asl(&[&RUN[..], &["-i", "[1]"]].concat());
    assert_eq!(ran.stdout, "{\"got\":[1]}\n", "{ran:?}");
}

#[test]
fn a_command_is_told_of_its_task() {
    let script = r#"echo "[\"$ASL_STATE_NAME\", $ASL_RETRY_COUNT, \"$ASL_IDEMPOTENCY_KEY\", \"$ASL_RESOURCE\"]"; test -n "$ASL_TASK_TOKEN""#;
    let folder = folder("", script);
    let told = |name, now| {
        let begin = ["--name", name, "--now", now, "--clock", "virtual"];
        folder.asl(&[&RUN[..], &begin].concat()).json()
    };
    let first = told("n", "2026-01-01T00:00:00Z");
    assert_eq!((&first[0], &first[1]), (&json!("Work"), &json!(0)));
    assert!(
        first[3].as_str().unwrap().ends_with(":function:work"),
        "{first}"
    );
    assert_eq!(first, told("n", "2026-01-01T00:00:00Z"));
    for (name, now) in [("n", "2027-01-01T00:00:00Z"), ("m", "2026-01-01T00:00:00Z")] {
        assert_ne!(first[2], told(name, now)[2], "the key of {name}, {now}");
    }
}

#[test]
fn resources_match_as_written_by_pattern_and_by_function() {
    let folder = folder("", "echo 1");
    let resource = "arn:aws:lambda:us-east-1:123456789012:function:work";
    for name in [resource, "arn:aws:lambda:*", "*:work", "work"] {
        let ran = folder.asl(&[
            "run",
            "task.json",
            "--task",
            &format!("{name}=exec:sh work.sh"),
        ]);
        assert_eq!(ran.stdout, "1\n", "{name}: {ran:?}");
    }
}

#[test]
fn an_error_comes_from_the_last_line_of_stderr() {
    let script = r#"echo noise >&2; echo '{"Error": "NoStock", "Cause": "sold out"}' >&2; exit 3"#;
    folder("", script)
        .asl(&RUN)
        .exits_with(1, &["FAILED NoStock: sold out"]);
    let script = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i >&2; done; exit 1";
    let ran = folder("", script).asl(&[&RUN[..], &["--report", "json"]].concat());
    let report = ran.json();
    assert_eq!(report["error"], "States.TaskFailed");
    let cause = report["cause"].as_str().unwrap();
    assert!(
        cause.starts_with("line 3\n") && cause.ends_with("\nline 12"),
        "{cause}"
    );
    folder("", "exit 7")
        .asl(&RUN)
        .exits_with(1, &["sh failed with exit status: 7"]);
}

#[test]
fn nothing_on_stdout_is_null() {
    assert_eq!(folder("", "cat > seen").asl(&RUN).stdout, "null\n");
}

#[test]
fn a_retry_runs_the_command_again() {
    let retry = r#", "Retry": [{"ErrorEquals": ["States.TaskFailed"], "IntervalSeconds": 60}]"#;
    let script = r#"test "$ASL_RETRY_COUNT" = 2 && echo '"third"'"#;
    let ran = folder(retry, script).asl(&[&RUN[..], &["--clock", "virtual"]].concat());
    assert_eq!(ran.stdout, "\"third\"\n", "{ran:?}");
}

#[test]
fn a_command_that_hangs_is_killed_with_all_it_started() {
    let script = "sleep 60 & echo $! > pid; wait";
    let folder = folder(r#", "TimeoutSeconds": 1"#, script);
    let start = Instant::now();
    folder.asl(&RUN).exits_with(1, &["States.Timeout"]);
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_gone(&folder);
}

#[test]
fn a_command_that_hangs_does_not_stop_a_virtual_clock_for_ever() {
    let folder = folder(r#", "TimeoutSeconds": 1"#, "echo $$ > pid; exec sleep 60");
    folder
        .asl(&[&RUN[..], &["--clock", "virtual"]].concat())
        .exits_with(1, &["States.Timeout"]);
    assert_gone(&folder);
}

/// The process whose id the script wrote is no more.
fn assert_gone(folder: &Folder) {
    let pid = folder.read("pid");
    let pid = pid.trim();
    let is_alive = || {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let kill = Command::new("kill")
            .args(["-0", pid])
            .stderr(Stdio::null())
            .status()
            .unwrap();
        kill.success() && !state.contains(") Z ")
    };
    let deadline = Instant::now() + Duration::from_secs(5);
    while is_alive() {
        assert!(Instant::now() < deadline, "process {pid} is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_a_command_leaves_behind_is_not_waited_for() {
    let script = "sleep 60 & echo $! > pid; echo 1";
    let folder = folder("", script);
    let start = Instant::now();
    assert_eq!(folder.asl(&RUN).stdout, "1\n");
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_gone(&folder);
}

#[test]
fn garbage_is_a_failure_that_quotes_it() {
    let ran = folder("", "echo hello; echo world").asl(&RUN);
    ran.exits_with(
        1,
        &[
            "States.TaskFailed: sh did not answer with JSON",
            r#"it answered "hello\nworld"#,
        ],
    );
    let ran = folder("", r"printf '\377\376'").asl(&RUN);
    ran.exits_with(
        1,
        &["States.TaskFailed: sh did not answer with JSON: invalid UTF-8 at offset 0"],
    );
}

#[test]
fn a_huge_answer_is_bounded() {
    let ran = folder("", "head -c 20000000 /dev/zero | tr '\\0' 1").asl(&RUN);
    ran.exits_with(1, &["sh answered with more than 16 MiB"]);
}

#[test]
fn a_command_that_is_not_there_is_named() {
    let folder = folder("", "");
    let ran = folder.asl(&["run", "task.json", "--task", "work=exec:no-such-command"]);
    ran.exits_with(1, &["cannot start no-such-command: no such command"]);
}

#[test]
fn a_task_without_a_handler_ends_the_run() {
    let folder = folder("", "");
    let ran = folder.asl(&["run", "task.json", "--report", "json"]);
    ran.reported(
        2,
        &[
            "hint: no handler for the tasks of",
            "function:work (Work)",
            "the run ends at the first of these states that it reaches: add a handler with --task '",
            "--mocks FILE",
            "error: no handler for the task of state 'Work', ",
        ],
    );
    let report = ran.json();
    assert_eq!(report["error"], "States.TaskFailed");
    let cause = report["cause"].as_str().unwrap();
    for part in ["function:work", "--task", "--mocks FILE --test-case NAME"] {
        assert!(cause.contains(part), "{cause}");
    }
}

/// Neither a Retry waits for a handler that does not come, nor does a Catch hide that there is none.
#[test]
fn no_retrier_and_no_catcher_sees_that_a_task_has_no_handler() {
    let folder = Folder::new();
    let retry = r#""Retry": [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 600}]"#;
    let catch = r#""Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]"#;
    let definition = format!(
        r#"{{"StartAt": "First", "States": {{"First": {{"Type": "Pass", "Next": "Work"}},
            "Work": {{"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:work", {retry}, {catch}, "End": true}},
            "Caught": {{"Type": "Succeed"}}}}}}"#
    );
    folder.write("retried.json", definition);
    let ran = folder.asl(&["run", "retried.json"]);
    ran.exits_with(2, &["error: no handler for the task of state 'Work', "]);
    assert!(!ran.stderr.contains("waiting"), "{ran:?}");
    let clock = ["--clock", "virtual", "--report", "json"];
    let report = folder.asl(&[&["run", "retried.json"][..], &clock].concat());
    assert_eq!(report.code, Some(2), "{report:?}");
    assert_eq!(report.json()["status"], "FAILED");
    assert_eq!(report.json()["transitions"], 2);
}

#[test]
fn waits_of_more_than_a_second_are_told_where_time_passes() {
    let folder = Folder::new();
    let definition = |seconds: u32| {
        format!(
            r#"{{"StartAt": "Pause", "States": {{"Pause": {{"Type": "Wait", "Seconds": {seconds}, "End": true}}}}}}"#
        )
    };
    folder.write("two.json", definition(2));
    folder.write("one.json", definition(1));
    let told = |arguments: &[&str]| folder.asl(&[&["run"][..], arguments].concat()).stderr;
    let said = told(&["two.json"]);
    assert!(said.contains("in state 'Pause', until 20"), "{said}");
    assert!(said.contains("--clock virtual skips waits"), "{said}");
    assert_eq!(told(&["one.json"]), "");
    assert_eq!(told(&["two.json", "--clock", "virtual"]), "");
}

#[test]
fn tasks_that_a_test_case_leaves_out_may_never_be_reached() {
    let folder = Folder::new();
    let mut definition: Value = serde_json::from_str(&task("")).unwrap();
    let work = definition["States"]["Work"].clone();
    let mut choices = Vec::new();
    for name in (0..50).map(|n| format!("Never reached {n}")) {
        choices.push(json!({"Variable": "$", "NumericEquals": 7, "Next": name}));
        definition["States"][name] = work.clone();
    }
    definition["States"]["Any?"] = json!({"Type": "Choice", "Default": "Work", "Choices": choices});
    definition["StartAt"] = json!("Any?");
    let mocks = r#"{"StateMachines": {"M": {"TestCases": {"T": {"Work": "Worked"}}}},
        "MockedResponses": {"Worked": {"0": {"Return": 1}}}}"#;
    folder
        .write("task.json", definition.to_string())
        .write("mocks.json", mocks);
    let ran = folder.asl(&["run", "task.json", "--mocks", "mocks.json"]);
    ran.exits_with(
        0,
        &["hint: not mocked, and no other handler for their tasks: Never reached 0, Never reached 1, "],
    );
    let hint = ran.stderr.trim_end();
    assert!(
        hint.ends_with(" more — they fail if the run reaches them"),
        "{hint}"
    );
    assert!(
        !hint.contains('\n') && hint.chars().count() <= 240,
        "{hint}"
    );
}

#[test]
fn a_handler_that_cannot_be_read_is_refused() {
    let folder = folder("", "");
    let refused = |task: &str, text: &str| {
        folder
            .asl(&["run", "task.json", "--task", task])
            .exits_with(2, &[text]);
    };
    refused(
        "work",
        "has no handler: expected RESOURCE=exec:COMMAND or RESOURCE=http://HOST/PATH",
    );
    refused("=exec:true", "has no resource");
    refused("work=exec:", "has no command");
    refused("work=exec:sh 'x", "a quote is not closed");
    refused("work=https://example.org/", "https is not supported");
}

#[test]
fn a_heartbeat_is_whatever_a_command_writes_on_stderr() {
    let fields = r#", "TimeoutSeconds": 30, "HeartbeatSeconds": 1"#;
    let beating = folder(
        fields,
        "for i in 1 2 3; do sleep 0.5; echo . >&2; done; echo 1",
    );
    let silent = folder(fields, "exec sleep 60");
    let runs = std::thread::scope(|scope| {
        let runs = [&beating, &silent].map(|folder| scope.spawn(|| folder.asl(&RUN)));
        runs.map(|run| run.join().unwrap())
    });
    assert_eq!(runs[0].stdout, "1\n", "{runs:?}");
    runs[1].exits_with(1, &["Timeout"]);
}

#[test]
fn ctrl_c_stops_a_loop_that_never_waits() {
    let endless = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Choice",
        "Choices": [{"Variable": "$", "IsNull": true, "Next": "C"}], "Default": "A"}, "C": {"Type": "Succeed"}}}"#;
    let folder = Folder::new();
    folder.write("endless.json", endless);
    let mut child = folder
        .command(&["run", "endless.json", "--profile", "spec", "--trace"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once it traces states, it runs.
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("Choice") {
        line.clear();
        stderr.read_line(&mut line).unwrap();
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    std::io::copy(&mut stderr, &mut std::io::sink()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn ctrl_c_stops_the_the_execution_and_its_commands() {
    let folder = folder("", "echo $$ > pid; touch started; sleep 60");
    let child = running(&folder);
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
    let ran = common::ran(child.wait_with_output().unwrap());
    ran.exits_with(1, &["interrupted: stopping the execution"]);
    assert_eq!(ran.json()["status"], "ABORTED");
    assert_eq!(ran.json()["cause"], "stopped by Ctrl-C");
    assert_gone(&folder);
}

#[test]
fn a_server_gets_the_payload_and_answers() {
    let folder = folder("", "");
    let (port, server) = serve("200 OK", "{\"ok\": true}");
    let task = format!("work=http://127.0.0.1:{port}/work?x=1");
    let ran = folder.asl(&["run", "task.json", "-i", "[1]", "--task", &task]);
    assert_eq!(ran.stdout, "{\"ok\":true}\n", "{ran:?}");
    let (head, payload) = server.join().unwrap();
    assert_eq!(payload, "[1]");
    assert!(head.starts_with("POST /work?x=1 HTTP/1.1\r\n"), "{head}");
    let head = head.to_lowercase();
    for header in [
        "content-type: application/json",
        "asl-state-name: work",
        "idempotency-key: ",
    ] {
        assert!(head.contains(header), "{head}");
    }
}

#[test]
fn a_server_can_refuse() {
    let folder = folder("", "");
    let run = |status, body| {
        let (port, server) = serve(status, body);
        let task = format!("work=http://127.0.0.1:{port}/");
        let ran = folder.asl(&["run", "task.json", "--task", &task]);
        server.join().unwrap();
        ran
    };
    run("503 Service Unavailable", "try later")
        .exits_with(1, &["answered 503 Service Unavailable: \"try later\""]);
    run(
        "400 Bad Request",
        r#"{"Error": "NoStock", "Cause": "sold out"}"#,
    )
    .exits_with(1, &["FAILED NoStock: sold out"]);
    // As the emulator of AWS Lambda answers, and AWS Lambda besides a header.
    let body = r#"{"errorMessage": "no stock", "errorType": "NoStock"}"#;
    run("200 OK", body).exits_with(1, &["FAILED NoStock: {\"errorMessage\""]);
    run("200 OK\r\nX-Amz-Function-Error: Unhandled", "{}")
        .exits_with(1, &["FAILED Lambda.Unknown: {}"]);
    run("200 OK", "<html>").exits_with(1, &["did not answer with JSON", "\"<html>\""]);
    folder
        .asl(&["run", "task.json", "--task", "work=http://127.0.0.1:1/"])
        .exits_with(1, &["States.TaskFailed: cannot reach http://127.0.0.1:1/"]);
}

/// `asl run` of a task that lasts, once its command runs.
fn running(folder: &Folder) -> std::process::Child {
    let child = folder
        .command(&[&RUN[..], &["--report", "json"]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !folder.path("started").exists() {
        assert!(Instant::now() < deadline, "the command did not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn kill(signal: &str, child: &std::process::Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args([signal, &id]).status().unwrap();
    assert!(status.success());
}

/// A closed terminal and Ctrl-\ leave no commands behind.
#[test]
fn hanging_up_and_quitting_end_commands_too() {
    for (signal, name) in [
        ("-HUP", "SIGHUP"),
        ("-QUIT", "SIGQUIT"),
        ("-TERM", "SIGTERM"),
    ] {
        let folder = folder("", "echo $$ > pid; touch started; sleep 60");
        let child = running(&folder);
        kill(signal, &child);
        let ran = common::ran(child.wait_with_output().unwrap());
        assert_eq!(ran.json()["cause"], format!("stopped by {name}"));
        assert_gone(&folder);
    }
}

/// Under `nohup`, a command outlives its terminal.
#[cfg(target_os = "linux")]
#[test]
fn under_nohup_hanging_up_does_nothing() {
    let folder = folder("", "touch started; sleep 1; echo 7");
    let asl = env!("CARGO_BIN_EXE_asl");
    let child = Command::new("nohup")
        .args([&[asl][..], &RUN[..]].concat())
        .current_dir(folder.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.path("started").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    kill("-HUP", &child);
    assert_eq!(common::ran(child.wait_with_output().unwrap()).stdout, "7\n");
}

/// One branch evaluates for a long time while another's command runs.
#[test]
fn a_second_signal_ends_the_process_and_its_commands_during_an_evaluation() {
    let folder = folder("", "echo $$ > pid; touch started; sleep 60");
    let long = "{% ($count := function($n) { $n = 0 ? 0 : $count($n - 1) }; $count(1000000000)) %}";
    let busy = json!({"StartAt": "A", "States": {
        "A": {"Type": "Wait", "Seconds": 1, "Next": "B"},
        "B": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": long, "End": true}}});
    let task: Value = serde_json::from_str(&task("")).unwrap();
    let machine = json!({"StartAt": "P", "States": {"P": {"Type": "Parallel", "Branches": [task, busy], "End": true}}});
    folder.write("task.json", machine.to_string());
    let child = running(&folder);
    std::thread::sleep(Duration::from_millis(1_500));
    kill("-INT", &child);
    std::thread::sleep(Duration::from_millis(50));
    kill("-INT", &child);
    let began = Instant::now();
    let ran = common::ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(began.elapsed() < Duration::from_secs(3));
    assert_gone(&folder);
}

#[test]
fn commands_beyond_the_limit_wait_for_those_that_run() {
    let script = "touch run.$$; ls | grep -c '^run' >> counts; sleep 0.2; rm run.$$; echo 1";
    let folder = folder("", script);
    let task: Value = serde_json::from_str(&task("")).unwrap();
    let machine = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": task, "End": true}}});
    folder.write("task.json", machine.to_string());
    let ran = folder.asl(
        &[
            &RUN[..],
            &["-i", "[1,2,3,4,5,6,7]", "--max-concurrent-tasks", "2"],
        ]
        .concat(),
    );
    assert_eq!(ran.stdout, "[1,1,1,1,1,1,1]\n", "{ran:?}");
    let counts = folder.read("counts");
    let most = counts
        .lines()
        .map(|count| count.parse::<u32>().unwrap())
        .max();
    assert_eq!(most, Some(2), "{counts}");
}

#[test]
fn a_port_that_is_none_is_bad_usage() {
    let folder = folder("", "");
    for port in ["99999", "0", "port", "-1"] {
        let task = format!("work=http://127.0.0.1:{port}/");
        let ran = folder.asl(&["run", "task.json", "--task", &task]);
        ran.exits_with(
            2,
            &[port, "is not a port: expected a number from 1 to 65535"],
        );
    }
}

#[test]
fn a_command_that_lost_its_quotes_is_told_so() {
    let folder = Folder::new();
    folder.write(
        "echo.asl.json",
        r#"{"StartAt": "Echo", "States": {"Echo": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:echo", "End": true}}}"#,
    );
    let run = |task: &str| folder.asl(&["run", "echo.asl.json", "--task", task]);
    run(r#"echo=exec:echo {"a":1}"#).reported(
        1,
        &[r#"quotes around words of a command are removed, as in a shell: put JSON in single quotes, '{"a": 1}'"#],
    );
    let ran = run(r#"echo=exec:echo '{"a":1}'"#);
    assert_eq!(ran.stdout, "{\"a\":1}\n");
}
