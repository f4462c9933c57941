//! `asl store`, next to a server and after it.
#![cfg(unix)]
mod common;

use common::Folder;
use common::served::{ServeProcess, ended, start};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;

const ACTIVITY: &str = "arn:aws:states:us-east-1:123456789012:activity:a";
const SERVE: [&str; 4] = ["--account", "123456789012", "--data", "state"];

#[test]
fn a_store_is_checked_and_written_out_beside_its_server() {
    let folder = Folder::new();
    let server = ServeProcess::new(&folder, &SERVE);
    server.call("CreateActivity", r#"{"name": "a"}"#);
    start(&server, ACTIVITY);
    let checked = folder.asl(&["store", "check", "state"]);
    checked.exits_with(0, &["1 execution, ", "no problems found"]);
    assert_eq!(checked.stdout, "");
    let exported = folder.asl(&["store", "export", "state"]);
    exported.exits_with(0, &["of 1 execution written"]);
    let lines: Vec<Value> = exported
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["kind"].as_str().unwrap())
        .collect();
    let expected = [
        "store",
        "definition",
        "activity",
        "stateMachine",
        "execution",
        "event",
        "event",
        "event",
    ];
    assert_eq!(kinds, expected);
    let to_file = ["store", "export", "state", "--output", "all.jsonl"];
    folder.asl(&to_file).exits_with(0, &[]);
    assert_eq!(folder.read("all.jsonl"), exported.stdout);
    let mode = folder
        .path("all.jsonl")
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o77, 0);
    folder
        .asl(&to_file)
        .exits_with(2, &["all.jsonl already exists"]);
}

#[test]
fn a_copy_that_was_made_beside_a_server_is_served() {
    let folder = Folder::new();
    let server = ServeProcess::new(&folder, &SERVE);
    server.call("CreateActivity", r#"{"name": "a"}"#);
    start(&server, ACTIVITY);
    folder
        .asl(&["store", "backup", "state", "spare/"])
        .exits_with(
            0,
            &[
                "spare/asl.db",
                "store it like a secret",
                "histories of ended executions: ",
            ],
        );
    let again = folder.asl(&["store", "backup", "state", "spare"]);
    again.exits_with(2, &["spare/asl.db cannot be written: it already exists"]);
    folder
        .asl(&["store", "backup", "state", "monday.db"])
        .exits_with(0, &["monday.db"]);
    let mode = folder
        .path("monday.db")
        .metadata()
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o77, 0);
    drop(server);

    let server = ServeProcess::new(&folder, &["--account", "123456789012", "--data", "spare"]);
    let named = format!(r#"{{"activityArn": "{ACTIVITY}"}}"#);
    let taken = server.call("GetActivityTask", &named);
    let token = taken
        .split(r#""taskToken":""#)
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let answer = format!(r#"{{"taskToken": "{}", "output": "7"}}"#, token.unwrap());
    server.call("SendTaskSuccess", &answer);
    assert!(ended(&server).contains(r#""output":"7""#));
}

#[test]
fn a_store_is_made_small_while_nobody_has_it() {
    let folder = Folder::new();
    let server = ServeProcess::new(&folder, &SERVE);
    let pid = server.process.id().to_string();
    let refused = folder.asl(&["store", "compact", "state"]);
    refused.exits_with(
        2,
        &["state is in use by process", &pid, "stop that process"],
    );
    assert_eq!(server.end("-TERM"), Some(0));
    let compacted = folder.asl(&["store", "compact", "state", "--retention-days", "0"]);
    compacted.exits_with(
        0,
        &[
            "bytes before, ",
            " after; deleted 0 executions and 0 definitions",
            "0 packed, 0 rebuilt when read, 0 not packed yet",
        ],
    );
}

#[test]
fn what_is_no_store_is_left_alone_and_a_broken_one_is_told_of() {
    let folder = Folder::new();
    for command in ["check", "export", "compact"] {
        folder
            .asl(&["store", command, "nowhere"])
            .exits_with(2, &["no store in nowhere"]);
    }
    folder
        .asl(&["store", "backup", "nowhere", "x.db"])
        .exits_with(2, &["no store in nowhere"]);
    assert!(!folder.path("nowhere").exists() && !folder.path("x.db").exists());

    let server = ServeProcess::new(&folder, &SERVE);
    start(&server, ACTIVITY);
    assert_eq!(server.end("-TERM"), Some(0));
    // All of it in one file.
    folder
        .asl(&["store", "compact", "state"])
        .exits_with(0, &[]);
    let file = folder.path("state/asl.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let text = b"\"StartAt\": \"A\"";
    let place = bytes.windows(text.len()).position(|window| window == text);
    let place = place.expect("the definition is in the file");
    bytes[place + 12] = b'B';
    std::fs::write(&file, bytes).unwrap();
    let checked = folder.asl(&["store", "check", "state"]);
    checked.exits_with(1, &[" faults in 1 execution"]);
    assert!(checked.stdout.contains("fault: definition "), "{checked:?}");
    assert!(
        checked
            .stdout
            .contains("execution:m:e: its definition cannot be read"),
        "{checked:?}"
    );
}
