//! `--history FILE`: written while the execution runs.
mod common;

use common::{Folder, PASS};
use serde_json::Value;
use std::time::Duration;

/// Never ends, and each state has 4 kB of its own.
const ENDLESS: &str = r#"{"StartAt": "A", "QueryLanguage": "JSONata", "States": {
    "A": {"Type": "Pass", "Output": "{% {'text': $pad('', 4000)} %}", "Next": "A2"},
    "A2": {"Type": "Choice", "Choices": [{"Condition": "{% $states.input.stop = true %}", "Next": "Z"}], "Default": "A"},
    "Z": {"Type": "Succeed"}}}"#;

/// Runs it in the background until the file has so many bytes.
fn run_until(folder: &Folder, bytes: u64) -> std::process::Child {
    folder.write("endless.json", ENDLESS);
    let arguments = [
        "run",
        "endless.json",
        "--type",
        "express",
        "--history",
        "history.json",
    ];
    let mut child = folder.command(&arguments).spawn().unwrap();
    let written = || std::fs::metadata(folder.path("history.json")).map_or(0, |file| file.len());
    while written() < bytes {
        assert_eq!(child.try_wait().unwrap(), None, "it ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_run_that_is_killed_leaves_the_events_so_far() {
    let folder = Folder::new();
    let mut child = run_until(&folder, 1_000_000);
    child.kill().unwrap();
    child.wait().unwrap();
    let history: Value = serde_json::from_str(&folder.read("history.json")).unwrap();
    let events = history["events"].as_array().unwrap();
    assert_eq!(events[0]["type"], "ExecutionStarted");
    let ids = events.iter().map(|event| event["id"].as_u64().unwrap());
    assert!(ids.eq(1..=events.len() as u64));
    assert!(events.len() > 100);
}

/// The events of 40 MB of history are not kept: what the process holds does not grow with them.
#[cfg(target_os = "linux")]
#[test]
fn the_events_are_not_kept_in_memory() {
    let folder = Folder::new();
    let mut child = run_until(&folder, 2_000_000);
    let resident = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let number = line.and_then(|line| line.split_whitespace().nth(1));
        number
            .and_then(|kilobytes| kilobytes.parse::<u64>().ok())
            .unwrap()
    };
    let before = resident();
    while std::fs::metadata(folder.path("history.json"))
        .unwrap()
        .len()
        < 40_000_000
    {
        std::thread::sleep(Duration::from_millis(10));
    }
    let after = resident();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(after < before + 10_000, "{before} kB, then {after} kB");
}

#[test]
fn a_history_goes_to_a_pipe_as_well() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let ran = folder.asl(&["run", "pass.json", "-i", "1", "--history", "/dev/stderr"]);
    assert_eq!(ran.code, Some(0));
    let history: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(history["events"].as_array().unwrap().len(), 4);
}

#[test]
fn a_history_that_grows_too_long_is_an_error_and_has_what_came_before() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let arguments = ["run", "pass.json", "-i", "1", "--history", "events.json"];
    let ran = folder.asl(&[&arguments[..], &["--max-history-bytes", "500"]].concat());
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    let error = "cannot write events.json: event 3 exceeds the limit of 500 bytes: raise it with --max-history-bytes";
    assert!(ran.stderr.contains(error), "{}", ran.stderr);
    let history: Value = serde_json::from_str(&folder.read("events.json")).unwrap();
    assert_eq!(history["events"].as_array().unwrap().len(), 2);
}

#[test]
fn an_endless_run_ends_at_the_limit_of_its_history() {
    let folder = Folder::new();
    folder.write(
        "loop.asl.json",
        r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "C"}, "C": {"Type": "Choice", "Default": "A",
            "Choices": [{"Variable": "$.x", "IsPresent": true, "Next": "Z"}]}, "Z": {"Type": "Succeed"}}}"#,
    );
    let arguments = "run loop.asl.json --type express --clock virtual --history h.json --max-history-bytes 10000";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    folder.asl(&arguments).reported(
        2,
        &[
            "warning: h.json is incomplete",
            "ABORTED stopped because its history cannot be written",
            "error: cannot write h.json",
        ],
    );
}
