//! Limits of `asl serve` on concurrent requests and connections, and its responses beyond them.
#![cfg(unix)]
mod common;

use common::Folder;
use common::served::{MACHINE, ServeProcess, call_on, create_defined, ended, start};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc::channel;
use std::time::Duration;

const ACTIVITY: &str = "arn:aws:states:us-east-1:123456789012:activity:a";

#[test]
fn requests_are_taken_in_within_the_limits() {
    let folder = Folder::new();
    let limits = ["--max-request-bytes", "2000", "--max-pending-bytes", "4000"];
    let server = ServeProcess::in_memory(&folder, &limits);
    let named = |length: usize| {
        let name = "x".repeat(length);
        server.call("CreateActivity", &format!(r#"{{"name": "{name}"}}"#))
    };
    assert!(named(10).starts_with("HTTP/1.1 200"));
    let large = named(2_000);
    assert!(large.starts_with("HTTP/1.1 413"), "{large}");
    assert!(large.contains("exceeds the limit of 2000 bytes"), "{large}");
    let mut never = vec!["serve", "--in-memory"];
    never.extend(["--max-request-bytes", "4001", "--max-pending-bytes", "4000"]);
    folder.asl(&never).exits_with(
        2,
        &["--max-request-bytes 4001 is more than --max-pending-bytes 4000"],
    );
    let mut full = vec!["serve", "--retention-bytes", "70000"];
    full.extend(["--max-database-bytes", "70000"]);
    folder
        .asl(&full)
        .exits_with(2, &["is not less than --max-database-bytes 70000"]);
    folder
        .asl(&["serve", "--max-connections", "0"])
        .exits_with(2, &["expected a whole number from 1"]);
}

#[test]
fn connections_are_let_in_within_the_limit() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &["--max-connections", "1"]);
    assert!(
        server
            .call("ListActivities", "{}")
            .starts_with("HTTP/1.1 200")
    );
    let mut held = TcpStream::connect(&server.address).unwrap();
    // What was answered was let in.
    held.write_all(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        .unwrap();
    assert!(held.read(&mut [0; 4096]).unwrap() > 0);
    let refused = server.call("ListActivities", "{}");
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    drop(held);
    assert!(
        server
            .call("ListActivities", "{}")
            .starts_with("HTTP/1.1 200")
    );
}

#[test]
fn workers_wait_within_the_limit() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &["--max-waiting-workers", "1"]);
    server.call("CreateActivity", r#"{"name": "a"}"#);
    let (told, answers) = channel();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let (told, server) = (told.clone(), &server);
            let named = format!(r#"{{"activityArn": "{ACTIVITY}"}}"#);
            scope.spawn(move || told.send(server.call("GetActivityTask", &named)).unwrap());
        }
        let refused = answers.recv().unwrap();
        assert!(refused.contains("ActivityWorkerLimitExceeded"), "{refused}");
        server.signal("-TERM");
        let waited = answers.recv().unwrap();
        assert!(waited.contains(r#""taskToken":null"#), "{waited}");
    });
}

#[test]
fn executions_run_within_the_limits() {
    let folder = Folder::new();
    let limits = [
        "--max-running-executions",
        "1",
        "--max-executions-in-memory",
        "1",
    ];
    let server = ServeProcess::in_memory(&folder, &limits);
    start(&server, ACTIVITY);
    let another = format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "f"}}"#);
    let refused = server.call("StartExecution", &another);
    assert!(refused.contains("ExecutionLimitExceeded"), "{refused}");
    drop(server);

    let server = ServeProcess::in_memory(&folder, &["--max-execution-bytes", "5000"]);
    let range = r#"{\"x.$\": \"States.ArrayRange(1, 1000, 1)\"}"#;
    create_defined(
        &server,
        &format!(
            r#"{{\"StartAt\": \"A\", \"States\": {{\"A\": {{\"Type\": \"Pass\", \"Parameters\": {range}, \"End\": true}}}}}}"#
        ),
    );
    let one = format!(r#"{{"stateMachineArn": "{MACHINE}", "name": "e"}}"#);
    server.call("StartExecution", &one);
    let failed = ended(&server);
    assert!(failed.contains("more than 5000 bytes"), "{failed}");
}

#[test]
fn a_database_that_is_full_takes_nothing_on() {
    let folder = Folder::new();
    let limits = ["--max-database-bytes", "400000"];
    let options = [
        &["--account", "123456789012", "--data", "state"],
        &limits[..],
    ]
    .concat();
    let server = ServeProcess::new(&folder, &options);
    start(&server, ACTIVITY);
    let input = "x".repeat(20_000);
    for number in 0.. {
        let another = format!(
            r#"{{"stateMachineArn": "{MACHINE}", "name": "f{number}", "input": "\"{input}\""}}"#
        );
        let stream = TcpStream::connect(&server.address).unwrap();
        // What there is no room for is not answered until there is.
        let patience = Some(Duration::from_secs(1));
        stream.set_read_timeout(patience).unwrap();
        let answer = call_on(stream, "StartExecution", &another);
        if answer.starts_with("HTTP/1.1 503") {
            assert!(answer.contains("full"), "{answer}");
            break;
        }
        assert!(number < 100, "it is never full: {answer}");
    }
}

/// Returns the numbers of files that the server may open.
#[cfg(target_os = "linux")]
fn open_files(server: &ServeProcess) -> Vec<u64> {
    let limits = format!("/proc/{}/limits", server.process.id());
    let limits = std::fs::read_to_string(limits).unwrap();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let words = line.unwrap().split_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn as_many_files_may_be_open_as_connections_need() {
    let folder = Folder::new();
    let limits = ["--max-connections", "100", "--max-concurrent-tasks", "5"];
    let server = ServeProcess::after(&folder, "ulimit -Sn 80; ulimit -Hn 900", &limits);
    // Two for each connection, four for each task, and 64.
    assert_eq!(open_files(&server), [284, 900]);
    assert!(!server.stderr().contains("warning"), "{}", server.stderr());
    drop(server);
    let server = ServeProcess::after(&folder, "ulimit -n 164", &limits);
    assert_eq!(open_files(&server), [164, 164]);
    let told = "warning: 164 files may be open, 284 are needed: 40 connections are let in at a time, not 100";
    assert!(server.stderr().contains(told), "{}", server.stderr());
    drop(server);
    // What is enough stays.
    let server = ServeProcess::after(&folder, "ulimit -Sn 500", &limits);
    assert_eq!(open_files(&server)[0], 500);
}

#[test]
fn a_server_that_may_open_hardly_any_files_does_not_start() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_asl");
    let ran = std::process::Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -n 24; exec {program} serve --in-memory --port 0"),
        ])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert!(
        stderr.contains("error: 24 open files are allowed, and asl serve needs at least 32"),
        "{stderr}"
    );
}
