//! An execution and the children of its Map Runs take together no more than one alone may.
mod common;

use asl_host::engine::{ExecutionDescription, ExecutionStatus};
use asl_store::{Options, Store};
use common::*;
use serde_json::{Value, json};

/// Each child holds about 320 KB for a while.
fn map() -> Value {
    let range = "States.ArrayRange(1, 1000, 1)";
    let child = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Make", "States": {
        "Make": {"Type": "Pass", "Parameters": {"a.$": range, "b.$": range, "c.$": range, "d.$": range}, "Next": "Hold"},
        "Hold": {"Type": "Wait", "Seconds": 1, "Next": "Drop"},
        "Drop": {"Type": "Pass", "Result": 1, "End": true}}});
    json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": child, "End": true}}})
}

async fn run(store: &Store, name: &str, children: usize) -> ExecutionDescription {
    let input: Value = (0..children).collect();
    let started = start(store, &map(), name, &input.to_string()).await;
    ended(store, &started.unwrap().arn).await
}

fn options(max_execution_bytes: u64) -> Options {
    let max_execution_bytes = Some(max_execution_bytes);
    Options {
        max_execution_bytes,
        ..no_handlers()
    }
}

#[tokio::test]
async fn children_that_hold_too_much_together_end_with_what_started_them() {
    let store = Store::in_memory(options(2_000_000)).unwrap();
    let end = run(&store, "many", 12).await;
    let (error, cause) = (end.error_output.error, end.error_output.cause);
    assert_eq!(end.summary.status, ExecutionStatus::Failed);
    assert_eq!(error.as_deref(), Some("States.Runtime"));
    let cause = cause.unwrap();
    assert!(
        cause.contains("child executions hold more than 2000000 bytes"),
        "{cause}"
    );
    // What it held is let go.
    for number in 0..3 {
        let end = run(&store, &format!("few-{number}"), 3).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    }
}

#[tokio::test]
async fn so_they_do_where_most_of_them_are_not_in_memory() {
    let folder = Folder::new();
    let options = Options {
        max_in_memory: 2,
        ..options(2_000_000)
    };
    let store = Store::open(&folder.0, options).unwrap();
    let end = run(&store, "many", 12).await;
    assert_eq!(end.summary.status, ExecutionStatus::Failed, "{end:?}");
    let end = run(&store, "few", 3).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
}
