//! An execution and the children of its Map Runs take together no more than one alone may.
mod common;

use asl_backend::{
    Backend, ExecutionDescription, ExecutionFilter, ExecutionParent, ExecutionStatus,
};
use asl_engine::TaskError;
use asl_engine::runtime::TaskHandlers;
use asl_store::{Options, Store};
use common::*;
use serde_json::{Value, json};

/// Returns each child holds about 320 KB for a while.
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
    no_handlers().with_max_execution_bytes(max_execution_bytes)
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
    let options = options(2_000_000).with_max_in_memory(2);
    let store = Store::open(&folder.0, options).unwrap();
    let end = run(&store, "many", 12).await;
    assert_eq!(end.summary.status, ExecutionStatus::Failed, "{end:?}");
    let end = run(&store, "few", 3).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
}

/// Two children that hold about 1.3 MB each: the one and then waits for a task, the other after it waited for one.
fn in_turn() -> Value {
    let range = "States.ArrayRange(1, 1000, 1)";
    let function = |name: &str| format!("arn:aws:lambda:us-east-1:123456789012:function:{name}");
    let keys = (0..16).map(|number| (format!("f{number}.$"), json!(range)));
    let held: serde_json::Map<String, Value> = keys.collect();
    let child = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Which", "States": {
        "Which": {"Type": "Choice", "Choices": [{"Variable": "$", "NumericEquals": 0, "Next": "Make"}], "Default": "Go"},
        "Make": {"Type": "Pass", "Parameters": held, "Next": "Gone"},
        "Gone": {"Type": "Task", "Resource": function("gone"), "Next": "Drop"},
        "Go": {"Type": "Task", "Resource": function("go"), "Next": "Make too"},
        "Make too": {"Type": "Pass", "Parameters": held, "Next": "Hold"},
        "Hold": {"Type": "Wait", "Seconds": 1, "Next": "Drop"},
        "Drop": {"Type": "Pass", "Result": 1, "End": true}}});
    json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": child, "End": true}}})
}

#[tokio::test]
async fn one_that_is_held_since_nothing_does_its_task_does_not_count() {
    let folder = Folder::new();
    let never = |_: Value| std::future::pending::<Result<Value, TaskError>>();
    let handlers = TaskHandlers::new().on("gone", never).on("go", never);
    let with = |handlers| common::options(handlers).with_max_execution_bytes(2_000_000);
    let store = Store::open(&folder.0, with(handlers)).unwrap();
    let started = start(&store, &in_turn(), "e", "[0, 1]").await.unwrap();
    let runs = loop {
        let runs = store.map_runs(started.arn.clone()).await.unwrap().unwrap();
        if runs.iter().any(|run| run.items.running == 2) {
            break runs;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    };
    let children = ExecutionFilter {
        parent: ExecutionParent::MapRun(runs[0].arn.clone()),
        status: None,
        is_redriven: None,
    };
    let children = store.executions(children, None, 10).await.unwrap();
    let children: Vec<_> = children
        .executions
        .into_iter()
        .map(|child| child.arn)
        .collect();
    for child in &children {
        until(&store, child, "LambdaFunctionScheduled").await;
    }
    store.close();

    let done = |_: Value| async { Ok::<_, TaskError>(json!(1)) };
    let store = Store::open(&folder.0, with(TaskHandlers::new().on("go", done))).unwrap();
    assert_eq!(store.suspended(10).await.unwrap().count, 1);
    // Newest first.
    let end = ended(&store, &children[0]).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    let root = described(&store, &started.arn).await;
    assert_eq!(root.summary.status, ExecutionStatus::Running);
}
