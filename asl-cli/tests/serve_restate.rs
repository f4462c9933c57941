//! `asl serve --engine restate` against a real server of one node, which RESTATE_SERVER names; without one nothing is tested.
#![cfg(all(unix, feature = "restate"))]

mod common;

use common::Folder;
use common::served::{MACHINE, Served, call_at, create_defined, ended, start};
use std::fs::File;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:double";
const EXECUTION: &str = "arn:aws:states:us-east-1:123456789012:execution:m:e";
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of one node; it ends with this.
struct Restate {
    process: Child,
    ingress: u16,
    admin: u16,
    services: u16,
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

impl Restate {
    /// None where no server can be had.
    #[expect(
        clippy::print_stderr,
        reason = "whoever runs the tests is to see what is not tested"
    )]
    fn start(folder: &Folder) -> Option<Self> {
        let Ok(program) = std::env::var("RESTATE_SERVER") else {
            eprintln!(
                "left out: RESTATE_SERVER names no restate-server (asl-restate/install-server gets one)"
            );
            return None;
        };
        let [node, ingress, admin, services] = [(); 4].map(|()| free_port());
        let configuration = format!(
            "cluster-name = \"test\"\nnode-name = \"one\"\nbase-dir = \"restate\"\nlisten-mode = \"tcp\"\nbind-ip = \"127.0.0.1\"\n\
             bind-port = {node}\nadvertised-host = \"127.0.0.1\"\ndisable-telemetry = true\nauto-provision = true\n\
             default-num-partitions = 2\nrocksdb-total-memory-size = \"64MB\"\n\
             [admin]\nbind-port = {admin}\n[ingress]\nbind-port = {ingress}\n"
        );
        folder.write("restate.toml", configuration);
        let log = File::create(folder.path("restate.log")).unwrap();
        let process = Command::new(program)
            .args(["--no-logo", "--config-file", "restate.toml"])
            .current_dir(folder.path("."))
            .env("DO_NOT_TRACK", "1")
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self {
            process,
            ingress,
            admin,
            services,
        };
        server.wait_for(ingress, "/restate/health");
        server.wait_for(admin, "/health");
        Some(server)
    }

    fn wait_for(&self, port: u16, path: &str) {
        let begun = Instant::now();
        while !is_healthy(port, path) {
            assert!(begun.elapsed() < PATIENCE, "no server at {port}{path}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// `asl serve` on it.
    fn serve(&self, folder: &Folder, more: &[&str]) -> Served {
        let ingress = format!("http://127.0.0.1:{}", self.ingress);
        let admin = format!("http://127.0.0.1:{}", self.admin);
        let services = format!("127.0.0.1:{}", self.services);
        let mut arguments = vec!["--engine", "restate", "--account", "123456789012"];
        arguments.extend(["--restate-ingress", &ingress, "--restate-admin", &admin]);
        arguments.extend(["--restate-listen", &services]);
        arguments.extend(more);
        Served::new(folder, &arguments)
    }
}

impl Drop for Restate {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn is_healthy(port: u16, path: &str) -> bool {
    use std::io::{Read, Write};
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else {
        return false;
    };
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    let mut answer = String::new();
    let asked = stream.write_all(request.as_bytes());
    asked.is_ok()
        && stream.read_to_string(&mut answer).is_ok()
        && answer.starts_with("HTTP/1.1 200")
}

/// Asks until the answer holds a text.
#[track_caller]
fn until(server: &Served, operation: &str, body: &str, text: &str) -> String {
    let begun = Instant::now();
    loop {
        let answer = server.call(operation, body);
        if answer.contains(text) {
            return answer;
        }
        assert!(begun.elapsed() < PATIENCE, "no {text:?} in {answer}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn until_there(folder: &Folder, name: &str) -> String {
    let begun = Instant::now();
    while !folder.path(name).exists() {
        assert!(begun.elapsed() < PATIENCE, "no {name}");
        std::thread::sleep(Duration::from_millis(10));
    }
    folder.read(name)
}

fn start_named(server: &Served, definition: &str, input: &str) {
    create_defined(server, &definition.replace('"', "\\\"").replace('\n', " "));
    let input = input.replace('"', "\\\"");
    let start = format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "e", "input": "{input}"}}"#);
    let started = server.call("StartExecution", &start);
    assert!(started.contains(EXECUTION), "{started}");
}

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
    let redrive = server.call("RedriveExecution", &named);
    assert!(!redrive.starts_with("HTTP/1.1 200"), "{redrive}");
}

#[test]
fn an_execution_that_waits_for_its_token_survives_the_process() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let hand_on = "hand-on=exec:sh -c 'echo x >> done; printf %s \"$ASL_TASK_TOKEN\" > token.new; mv token.new token; echo 17'";
    let mut server = restate.serve(&folder, &["--task", hand_on]);
    let definition = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "End": true,
        "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken", "Parameters": {"FunctionName": "hand-on"}}}}"#;
    start_named(&server, definition, "{}");
    let token = until_there(&folder, "token");
    let named = format!(r#"{{"executionArn": "{EXECUTION}"}}"#);
    until(&server, "GetExecutionHistory", &named, "TaskSubmitted");
    server.process.kill().unwrap();
    server.process.wait().unwrap();

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
    // Its first answer was durable: it was not handed on twice.
    assert_eq!(folder.read("done"), "x\n");
}

#[test]
fn a_task_that_was_under_way_is_done_again_and_the_execution_ends_once() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let slow = "double=exec:sh -c 'echo x >> begun; test -e go || sleep 300; echo 42'";
    let mut server = restate.serve(&folder, &["--task", slow]);
    start(&server, FUNCTION);
    until_there(&folder, "begun");
    server.process.kill().unwrap();
    server.process.wait().unwrap();
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
    let stopped = server.call(
        "StopExecution",
        &format!(r#"{{"executionArn": "{arn}", "error": "E"}}"#),
    );
    assert!(stopped.contains("stopDate"), "{stopped}");
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

#[test]
fn children_of_a_distributed_map_are_workflows_of_their_own() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let server = restate.serve(&folder, &["--task", "double=exec:cat"]);
    let definition = format!(
        r#"{{"StartAt": "M", "States": {{"M": {{"Type": "Map", "End": true, "ItemProcessor": {{
            "ProcessorConfig": {{"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}}, "StartAt": "T",
            "States": {{"T": {{"Type": "Task", "Resource": "{FUNCTION}", "End": true}}}}}}}}}}}}"#
    );
    start_named(&server, &definition, "[1,2,3,4,5]");
    let described = ended(&server);
    assert!(
        described.contains(r#""output":"[1,2,3,4,5]""#),
        "{described}"
    );
    // They are of the Map Run, and not of the state machine.
    let of = format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#);
    let listed = until(&server, "ListExecutions", &of, r#""status":"SUCCEEDED""#);
    assert_eq!(listed.matches("executionArn").count(), 1, "{listed}");
}

#[test]
fn what_does_not_go_with_a_cluster_is_refused() {
    let folder = Folder::new();
    let refused = |more: &[&str], texts: &[&str]| {
        let arguments = [&["serve", "--port", "0", "--engine", "restate"], more].concat();
        folder.asl(&arguments).told(2, texts);
    };
    let open = ["--restate-listen", "0.0.0.0:0"];
    refused(
        &open,
        &["can be reached from other machines", "--insecure-bind"],
    );
    refused(
        &["--in-memory"],
        &["--mocks and --in-memory are of --engine sqlite"],
    );
    refused(
        &["--restate-ingress", "restate:8080"],
        &["expected http://HOST:PORT, found 'restate:8080'"],
    );
    let port = free_port();
    let nobody = format!("http://127.0.0.1:{port}");
    refused(
        &[
            "--restate-admin",
            &nobody,
            "--restate-listen",
            "127.0.0.1:0",
        ],
        &[
            "cannot be registered: Restate cannot be reached at",
            &nobody,
        ],
    );
}
