//! Ends of `asl serve`, and arguments that it rejects.
#![cfg(unix)]
mod common;

use common::Folder;
use common::served::{MACHINE, ServeProcess, ended, get_at, start};
use std::time::{Duration, Instant};

const ACTIVITY: &str = "arn:aws:states:us-east-1:123456789012:activity:a";

/// A synchronous Express execution that waits for so many seconds.
fn create_waiting(server: &ServeProcess, seconds: u32) {
    let definition = format!(
        r#"{{\"StartAt\": \"W\", \"States\": {{\"W\": {{\"Type\": \"Wait\", \"Seconds\": {seconds}, \"End\": true}}}}}}"#
    );
    let create = format!(
        r#"{{"name": "m", "type": "EXPRESS", "roleArn": "arn:r", "definition": "{definition}"}}"#
    );
    let created = server.call("CreateStateMachine", &create);
    assert!(created.contains(MACHINE), "{created}");
}

#[test]
fn what_is_under_way_is_answered_before_it_ends() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &[]);
    server.call("CreateActivity", r#"{"name": "a"}"#);
    create_waiting(&server, 2);
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            server.call(
                "GetActivityTask",
                &format!(r#"{{"activityArn": "{ACTIVITY}"}}"#),
            )
        });
        let express = scope.spawn(|| {
            server.call(
                "StartSyncExecution",
                &format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#),
            )
        });
        std::thread::sleep(Duration::from_millis(700));
        let begun = Instant::now();
        server.signal("-TERM");
        let worker = worker.join().unwrap();
        assert!(
            worker.starts_with("HTTP/1.1 200") && worker.contains(r#""taskToken":null"#),
            "{worker}"
        );
        assert!(
            begun.elapsed() < Duration::from_millis(1_200),
            "a worker is told at once"
        );
        let express = express.join().unwrap();
        assert!(express.contains(r#""status":"SUCCEEDED""#), "{express}");
    });
    server.says("SIGTERM: waiting at most");
    let mut server = server;
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
}

#[test]
fn a_second_signal_ends_it_at_once_with_its_commands() {
    let folder = Folder::new();
    let task = "double=exec:sh -c 'echo $$ > pid; exec sleep 100'";
    let mut server = ServeProcess::in_memory(&folder, &["--task", task]);
    create_waiting(&server, 60);
    let create = r#"{"name": "t", "roleArn": "arn:r", "definition": "{\"StartAt\": \"A\", \"States\": {\"A\": {\"Type\": \"Task\", \"End\": true, \"Resource\": \"arn:aws:lambda:us-east-1:123456789012:function:double\"}}}"}"#;
    server.call("CreateStateMachine", create);
    server.call(
        "StartExecution",
        &format!(
            r#"{{"stateMachineArn": "{}t", "name": "e"}}"#,
            MACHINE.trim_end_matches('m')
        ),
    );
    let pid = loop {
        let pid = std::fs::read_to_string(folder.path("pid")).unwrap_or_default();
        if pid.ends_with('\n') {
            break pid;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let address = server.address.clone();
    let stuck = std::thread::spawn(move || {
        common::served::call_at(
            &address,
            "StartSyncExecution",
            &format!(r#"{{"stateMachineArn": "{MACHINE}"}}"#),
        )
    });
    std::thread::sleep(Duration::from_millis(300));
    server.signal("-TERM");
    server.says("a second signal ends the process immediately");
    assert_eq!(server.process.try_wait().unwrap(), None);
    let begun = Instant::now();
    server.signal("-INT");
    assert_eq!(server.process.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(3));
    let _ = stuck.join();
    let is_gone = || {
        let state =
            std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        state.is_empty() || state.contains(") Z ")
    };
    while !is_gone() {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "the command {pid} still runs"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn all_is_in_one_file_when_it_has_ended() {
    let folder = Folder::new();
    let server = ServeProcess::new(&folder, &["--account", "123456789012", "--data", "state"]);
    start(&server, ACTIVITY);
    assert_eq!(server.end("-INT"), Some(0));
    let log = std::fs::metadata(folder.path("state/asl.db-wal"));
    assert!(
        log.map_or(0, |data| data.len()) == 0,
        "the log is copied into the database"
    );
    let server = ServeProcess::new(&folder, &["--account", "123456789012", "--data", "state"]);
    let named = r#"{"executionArn": "arn:aws:states:us-east-1:123456789012:execution:m:e"}"#;
    assert!(
        server
            .call("DescribeExecution", named)
            .contains(":execution:m:e")
    );
}

#[test]
fn a_place_that_cannot_be_had_is_refused_by_name() {
    let folder = Folder::new();
    let server = ServeProcess::in_memory(&folder, &[]);
    let port = server.address.rsplit(':').next().unwrap();
    let taken = folder.asl(&["serve", "--in-memory", "--port", port]);
    taken.exits_with(
        2,
        &[&format!("cannot listen on 127.0.0.1:{port}: "), "in use"],
    );
    folder.write("file", "");
    let file = folder.asl(&["serve", "--port", "0", "--data", "file"]);
    file.exits_with(2, &["cannot create the folder file"]);
    let below = folder.asl(&["serve", "--port", "0", "--data", "/proc/asl"]);
    below.exits_with(2, &["cannot create the folder /proc/asl"]);
    #[cfg(target_os = "linux")]
    folder
        .asl(&["serve", "--port", "0", "--data", "/sys"])
        .exits_with(
            2,
            &[
                "/sys/lock cannot be written",
                "use a folder that this user can write to",
            ],
        );
    std::fs::create_dir(folder.path("other")).unwrap();
    folder.write(
        "other/asl.db",
        "this is no database, but a text that is longer than its head would be, had it one",
    );
    let other = folder.asl(&["serve", "--port", "0", "--data", "other"]);
    other.exits_with(2, &["not a database"]);
}

/// Changes written into a removed folder would be lost.
#[test]
fn a_data_folder_that_is_removed_fails_health_and_requests() {
    let folder = Folder::new();
    let server = ServeProcess::new(&folder, &["--data", "state"]);
    let health = |path: &str| get_at(&server.address, path);
    assert!(health("/health").starts_with("HTTP/1.1 200"));
    std::fs::remove_dir_all(folder.path("state")).unwrap();
    let refused = server.call("CreateActivity", r#"{"name": "a"}"#);
    assert!(refused.starts_with("HTTP/1.1 500"), "{refused}");
    for path in ["/health", "/health/ready"] {
        let answer = health(path);
        assert!(answer.starts_with("HTTP/1.1 503"), "{path}: {answer}");
    }
    server.says("warning: ");
}

/// A server over a folder whose only task takes a second, which is under way.
fn with_task_under_way(folder: &Folder, grace: &str) -> ServeProcess {
    let task = "slow=exec:sh -c 'echo begun >> log; sleep 1; echo ended >> log; echo 1'";
    let server = ServeProcess::new(
        folder,
        &[
            "--account",
            "123456789012",
            "--task",
            task,
            "--grace",
            grace,
        ],
    );
    start(
        &server,
        "arn:aws:lambda:us-east-1:123456789012:function:slow",
    );
    while log(folder).is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    server
}

fn log(folder: &Folder) -> String {
    std::fs::read_to_string(folder.path("log")).unwrap_or_default()
}

#[test]
fn a_task_under_way_is_let_finish_and_its_answer_kept() {
    let folder = Folder::new();
    let server = with_task_under_way(&folder, "30");
    assert_eq!(server.end("-TERM"), Some(0));
    assert_eq!(log(&folder), "begun\nended\n");
    let server = ServeProcess::new(&folder, &["--account", "123456789012"]);
    let described = ended(&server);
    assert!(described.contains(r#""status":"SUCCEEDED""#), "{described}");
    assert_eq!(server.end("-TERM"), Some(0));
    assert_eq!(log(&folder), "begun\nended\n");
}

#[test]
fn a_task_that_takes_longer_than_the_grace_is_done_again() {
    let folder = Folder::new();
    let mut server = with_task_under_way(&folder, "0");
    server.signal("-TERM");
    server.says("cancelled 1 task, to be run again after the next start");
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
    assert_eq!(log(&folder), "begun\n");
}
