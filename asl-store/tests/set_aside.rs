//! Executions that cannot be taken up: they are set aside by name, and can be got rid of.
mod common;

use asl_backend::{
    Backend as _, ExecutionFilter, ExecutionParent, ExecutionStatus, NestedForm, NestedTask,
};
use asl_engine::ErrorOutput;
use asl_engine::runtime::{TaskAnswer, task_fn};
use asl_store::{Options, Store, StoreReader};
use common::*;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const FUNCTION: &str = "arn:aws:lambda:us-east-1:111111111111:function:F";

/// Answers the first task of an execution, and never the second.
fn answering() -> Options {
    options(task_fn(|task| async move {
        match &*task.invocation().state_name {
            "First" => Ok(TaskAnswer::Completed(json!(1))),
            _ => std::future::pending().await,
        }
    }))
}

fn machine() -> Value {
    json!({"StartAt": "First", "States": {
        "First": {"Type": "Task", "Resource": FUNCTION, "Next": "Second"},
        "Second": {"Type": "Task", "Resource": FUNCTION, "End": true}}})
}

/// Changes the database behind the store's back.
fn damage(folder: &Folder, sql: &str) {
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}

fn faults(folder: &Folder) -> u64 {
    let checked = StoreReader::open(&folder.0).unwrap().check(|_| ());
    checked.unwrap().faults
}

#[tokio::test]
async fn one_that_cannot_be_taken_up_is_stopped_for_good() {
    for (sql, faults_after) in [
        ("UPDATE executions SET start = x'00'", 1),
        ("DELETE FROM snapshots; UPDATE journal SET data = x'00'", 0),
        ("UPDATE snapshots SET data = x'00'", 0),
    ] {
        let folder = Folder::new();
        let store = Store::open(&folder.0, answering()).unwrap();
        let arn = start(&store, &machine(), "e", "{}").await.unwrap().arn;
        until(&store, &arn, "LambdaFunctionSucceeded").await;
        store.close();
        damage(&folder, sql);
        let mut store = Store::open(&folder.0, answering()).unwrap();
        assert_eq!(store.suspended(10).await.unwrap().count, 1, "{sql}");
        assert_eq!(store.statistics().running, 1, "{sql}");
        let error_output = ErrorOutput::new("E", "go");
        let stopped = store.stop(arn.clone(), error_output.clone()).await.unwrap();
        let again = store.stop(arn.clone(), ErrorOutput::default()).await;
        let stopped = stopped.milliseconds();
        assert_eq!(again.unwrap().milliseconds(), stopped, "{sql}");
        for _ in 0..2 {
            let end = described(&store, &arn).await;
            assert_eq!(end.summary.status, ExecutionStatus::Aborted, "{sql}");
            let stop_date = end.summary.stop_date.unwrap();
            assert_eq!(stop_date.milliseconds(), stopped, "{sql}");
            assert_eq!((end.error_output, end.held), (error_output.clone(), None));
            assert_eq!(
                event_types(&store, &arn).await,
                ["ExecutionAborted"],
                "{sql}"
            );
            assert_eq!(store.suspended(10).await.unwrap().count, 0, "{sql}");
            assert!(store.redrive(arn.clone(), None).await.is_err(), "{sql}");
            store.close();
            store = Store::open(&folder.0, answering()).unwrap();
        }
        store.close();
        assert_eq!(faults(&folder), faults_after, "{sql}");
    }
}

/// Returns a distributed Map of one child, which waits for a task.
fn map() -> Value {
    let child = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Second",
        "States": {"Second": {"Type": "Task", "Resource": FUNCTION, "End": true}}});
    json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": child, "End": true}}})
}

/// Returns the first child of the first Map Run.
async fn child(store: &Store, parent: &Arc<str>) -> Arc<str> {
    loop {
        let runs = store.map_runs(Arc::clone(parent)).await.unwrap();
        if let Some(run) = runs.and_then(|runs| runs.first().cloned()) {
            let filter = ExecutionFilter {
                parent: ExecutionParent::MapRun(run.arn),
                status: None,
                is_redriven: None,
            };
            let children = store.executions(filter, None, 1).await.unwrap();
            if let Some(child) = children.executions.first() {
                return Arc::clone(&child.arn);
            }
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Returns a Map Run's execution and its child, of which those that are `damaged` cannot be taken up any more.
async fn damaged_run(folder: &Folder, damaged: &str) -> (Store, Arc<str>, Arc<str>) {
    let store = Store::open(&folder.0, answering()).unwrap();
    let parent = start(&store, &map(), "e", "[1]").await.unwrap().arn;
    let child = child(&store, &parent).await;
    until(&store, &child, "LambdaFunctionScheduled").await;
    store.close();
    damage(
        folder,
        &format!("UPDATE executions SET start = x'00' WHERE {damaged}"),
    );
    let store = Store::open(&folder.0, answering()).unwrap();
    (store, parent, child)
}

#[tokio::test]
async fn a_child_that_cannot_be_taken_up_is_stopped_alone_or_with_its_parent() {
    for is_parent_stopped in [false, true] {
        let folder = Folder::new();
        let (store, parent, child) = damaged_run(&folder, "parent IS NOT NULL").await;
        let held = store.suspended(10).await.unwrap();
        assert_eq!((held.count, &*held.executions[0].arn), (1, &*child));
        let stopped = if is_parent_stopped { &parent } else { &child };
        let stopping = store.stop(Arc::clone(stopped), ErrorOutput::default());
        stopping.await.unwrap();
        let end = ended(&store, &child).await;
        assert_eq!(end.summary.status, ExecutionStatus::Aborted);
        let end = ended(&store, &parent).await;
        let expected = match is_parent_stopped {
            true => ExecutionStatus::Aborted,
            // More of its children failed than it tolerates.
            false => ExecutionStatus::Failed,
        };
        assert_eq!(end.summary.status, expected, "{end:?}");
    }
}

#[tokio::test]
async fn children_of_one_that_cannot_be_taken_up_are_stopped_with_it() {
    let folder = Folder::new();
    let (store, parent, child) = damaged_run(&folder, "parent IS NULL").await;
    let stopping = store.stop(Arc::clone(&parent), ErrorOutput::default());
    stopping.await.unwrap();
    for arn in [&parent, &child] {
        let end = ended(&store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Aborted, "{arn}");
    }
    let runs = store.map_runs(parent).await.unwrap().unwrap();
    assert_eq!(runs[0].status, ExecutionStatus::Aborted);
}

#[tokio::test]
async fn a_task_that_waits_for_one_that_cannot_be_taken_up_is_told_of_its_end() {
    let folder = Folder::new();
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let starting = task_fn(move |task| {
        let _ = tell.send(Arc::<str>::from(task.token()));
        async { Ok(TaskAnswer::Submitted(json!({}))) }
    });
    let store = Store::open(&folder.0, options(starting)).unwrap();
    let definition = json!({"StartAt": "S", "States": {"S": {"Type": "Task", "End": true,
        "Resource": "arn:aws:states:::states:startExecution.sync:2"}}});
    let parent = start(&store, &definition, "parent", "{}")
        .await
        .unwrap()
        .arn;
    let nested = NestedTask {
        token: told.recv().await.unwrap(),
        form: NestedForm::Json,
    };
    let long =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 86_400, "End": true}}});
    let child = start_nested(&store, &long, "child", nested)
        .await
        .unwrap()
        .arn;
    until(&store, &parent, "TaskSubmitted").await;
    store.close();
    damage(
        &folder,
        "UPDATE snapshots SET data = x'00' WHERE execution = (SELECT id FROM executions WHERE name = 'child')",
    );
    let store = Store::open(&folder.0, answering()).unwrap();
    let held = store.suspended(10).await.unwrap();
    assert_eq!((held.count, &*held.executions[0].arn), (1, &*child));
    let stopping = store.stop(child, ErrorOutput::new("Gone", "it was broken"));
    stopping.await.unwrap();
    let end = ended(&store, &parent).await;
    assert_eq!(end.summary.status, ExecutionStatus::Failed);
    let cause = end.error_output.cause.unwrap();
    assert!(cause.contains(r#""Status":"ABORTED""#), "{cause}");
    assert!(cause.contains("it was broken"), "{cause}");
}
