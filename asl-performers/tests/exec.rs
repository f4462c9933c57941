//! Tasks done by commands.
#![cfg(all(unix, feature = "exec"))]
mod common;

use asl_engine::runtime::{Clock, Runtime};
use asl_performers::ExternalHandlers;
use common::*;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs a task whose handler is a shell script, and returns the outcome.
async fn done_by(script: &str, fields: Value, input: Value) -> asl_engine::Outcome {
    let command = format!("exec:sh -c '{script}'");
    let handler = ExternalHandlers::new(4).handler(&command).unwrap();
    let runtime = virtual_time().handlers(handler).build();
    runtime.run(task(FUNCTION, fields), start(input)).await
}

#[tokio::test]
async fn a_command_gets_the_payload_and_the_names_of_its_task() {
    let script = r#"echo "[$(cat), \"$ASL_STATE_NAME\", $ASL_RETRY_COUNT, \"$ASL_RESOURCE\", \"${ASL_EXECUTION_ARN##*:}\", \"$ASL_EXECUTION_NAME\"]"; test -n "$ASL_TASK_TOKEN""#;
    let outcome = done_by(script, json!({}), json!({"n": 1})).await;
    let name = start(json!(1)).identity.execution_name().to_owned();
    let expected = json!([{"n": 1}, "T", 0, FUNCTION, name, name]);
    assert_eq!(outcome, succeeded(expected));
    assert_eq!(
        done_by("true", json!({}), json!(1)).await,
        succeeded(Value::Null)
    );
}

#[tokio::test]
async fn an_error_is_the_last_line_of_stderr_or_all_of_them() {
    let script =
        r#"echo noise >&2; echo "{\"Error\": \"NoStock\", \"Cause\": \"sold out\"}" >&2; exit 3"#;
    let (error, cause) = failure(done_by(script, json!({}), json!(1)).await);
    assert_eq!((&*error, &*cause), ("NoStock", "sold out"));
    let (error, cause) =
        failure(done_by("echo a >&2; echo b >&2; exit 1", json!({}), json!(1)).await);
    assert_eq!((&*error, &*cause), ("States.TaskFailed", "a\nb"));
}

#[tokio::test]
async fn a_command_that_hangs_is_killed_when_its_time_is_over() {
    let begun = Instant::now();
    let (error, _) = failure(done_by("sleep 60", json!({"TimeoutSeconds": 1}), json!(1)).await);
    assert_eq!(error, "States.Timeout");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn a_command_that_writes_without_an_end_is_killed() {
    let (error, cause) = failure(done_by("yes", json!({}), json!(1)).await);
    assert_eq!(
        (&*error, &*cause),
        ("States.TaskFailed", "sh answered with more than 16 MiB")
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_that_left_the_group_is_killed_too() {
    let folder = std::env::temp_dir().join(format!("asl-left-{}", std::process::id()));
    let script = format!(
        r#"setsid sh -c "echo \$\$ > {}; sleep 60" & sleep 60"#,
        folder.display()
    );
    let (error, _) = failure(done_by(&script, json!({"TimeoutSeconds": 1}), json!(1)).await);
    assert_eq!(error, "States.Timeout");
    let id = std::fs::read_to_string(&folder).unwrap();
    let is_gone = || {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", id.trim()));
        status.map_or(true, |status| status.contains(") Z "))
    };
    for _ in 0..100 {
        if is_gone() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(is_gone());
    std::fs::remove_file(folder).unwrap();
}

#[tokio::test]
async fn commands_run_in_the_folder_that_was_given() {
    let folder = std::env::temp_dir().canonicalize().unwrap();
    let own = std::env::current_dir().unwrap().canonicalize().unwrap();
    // A path that is a name alone has "" as its parent.
    for (given, found) in [(folder.as_path(), &folder), (Path::new(""), &own)] {
        let external = ExternalHandlers::new(1).in_folder(given);
        let handler = external
            .handler(r#"exec:sh -c "echo \"\\\"$PWD\\\"\"""#)
            .unwrap();
        let runtime = virtual_time().handlers(handler).build();
        let outcome = runtime
            .run(task(FUNCTION, json!({})), start(json!(1)))
            .await;
        assert_eq!(outcome, succeeded(json!(found)));
    }
}

#[tokio::test]
async fn no_more_commands_run_than_there_is_room_for() {
    let map = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "ItemProcessor": {
        "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true}}}}}});
    let handler = ExternalHandlers::new(1).handler("exec:sleep 0.1").unwrap();
    let runtime = Runtime::builder()
        .clock(Clock::real())
        .handlers(handler)
        .build();
    let begun = Instant::now();
    let outcome = runtime.run(program(map), start(json!([1, 2, 3]))).await;
    assert_eq!(outcome, succeeded(json!([null, null, null])));
    assert!(begun.elapsed() >= Duration::from_millis(300));
}

#[tokio::test]
async fn all_that_run_can_be_killed_at_once() {
    let external = ExternalHandlers::new(1);
    let runtime = virtual_time()
        .handlers(external.handler("exec:sh -c 'sleep 60 & wait'").unwrap())
        .build();
    let begun = Instant::now();
    let killing = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        external.commands().kill_all();
    };
    let running = runtime.run(task(FUNCTION, json!({})), start(json!(1)));
    let ((error, cause), ()) = tokio::join!(async { failure(running.await) }, killing);
    assert_eq!(error, "States.TaskFailed");
    assert!(cause.contains("signal: 9"), "{cause}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}
