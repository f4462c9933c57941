//! Executions whose tasks nobody does any more: they are held and named, not failed.
mod common;

use asl_engine::runtime::TaskHandlers;
use asl_engine::{ErrorOutput, TaskError};
use asl_host::engine::{Engine, ExecutionStatus};
use asl_store::Store;
use common::*;
use serde_json::{Value, json};

const WORK: &str = "arn:aws:lambda:us-east-1:123456789012:function:work";

fn machine() -> Value {
    json!({"StartAt": "Work", "States": {"Work": {"Type": "Task", "Resource": WORK, "End": true}}})
}

/// A store whose one execution waits for an answer that never comes, closed.
async fn asked_and_closed(folder: &Folder) -> std::sync::Arc<str> {
    let never = |_: Value| std::future::pending::<Result<Value, TaskError>>();
    let store = Store::open(&folder.0, options(TaskHandlers::new().on("work", never))).unwrap();
    let started = start(&store, &machine(), "e", "{}").await.unwrap();
    until(&store, &started.arn, "LambdaFunctionScheduled").await;
    store.close();
    started.arn
}

#[tokio::test]
async fn what_nobody_does_any_more_is_held_until_somebody_does_it() {
    let folder = Folder::new();
    let arn = asked_and_closed(&folder).await;
    for _ in 0..2 {
        let store = Store::open(&folder.0, no_handlers()).unwrap();
        let held = store.held(10).await.unwrap();
        assert_eq!((held.count, &*held.executions[0].arn), (1, &*arn));
        let why = &held.executions[0].why;
        assert!(
            why.contains("nothing does the task of state 'Work' any more"),
            "{why}"
        );
        assert!(why.contains(WORK), "{why}");
        assert_eq!(
            described(&store, &arn).await.summary.status,
            ExecutionStatus::Running
        );
        store.close();
    }
    let done = |_: Value| async { Ok::<_, TaskError>(json!("done")) };
    let store = Store::open(&folder.0, options(TaskHandlers::new().on("work", done))).unwrap();
    let end = ended(&store, &arn).await;
    assert_eq!(end.output.as_deref(), Some("\"done\""));
    assert_eq!(store.held(10).await.unwrap().count, 0);
}

#[tokio::test]
async fn what_is_held_can_be_stopped() {
    let folder = Folder::new();
    let arn = asked_and_closed(&folder).await;
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let error_output = ErrorOutput::default();
    store.stop(arn.clone(), error_output).await.unwrap();
    assert_eq!(
        ended(&store, &arn).await.summary.status,
        ExecutionStatus::Aborted
    );
    assert_eq!(store.held(10).await.unwrap().count, 0);
}
