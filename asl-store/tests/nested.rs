//! Executions that wait for executions which a task of theirs started.
mod common;

use asl_backend::{Backend as _, ExecutionStatus, NestedForm, NestedTask};
use asl_engine::runtime::{TaskAnswer, task_fn};
use asl_engine::{ErrorOutput, TaskError};
use asl_store::{Options, Store};
use common::*;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// A requested execution: the token of the task, and the channel for its first answer.
struct RequestedExecution {
    token: Arc<str>,
    submit: tokio::sync::oneshot::Sender<Arc<str>>,
}

/// Leaves it to the test to start the execution; what it names as that one's ARN is the submission.
fn asking() -> (Options, mpsc::UnboundedReceiver<RequestedExecution>) {
    let (ask, asked) = mpsc::unbounded_channel();
    let handler = task_fn(move |task| {
        let (submit, submitted) = tokio::sync::oneshot::channel::<Arc<str>>();
        let token = task.token().into();
        let _ = ask.send(RequestedExecution { token, submit });
        async move {
            match submitted.await {
                Ok(arn) => Ok(TaskAnswer::Submitted(json!({"ExecutionArn": *arn}))),
                Err(_) => Err(TaskError::new("E", "it is not started")),
            }
        }
    });
    (options(handler), asked)
}

fn starting(next: Value) -> Value {
    let mut state =
        json!({"Type": "Task", "Resource": "arn:aws:states:::states:startExecution.sync:2"});
    for (name, value) in next.as_object().unwrap() {
        state[name] = value.clone();
    }
    json!({"StartAt": "Start", "States": {"Start": state}})
}

fn long() -> Value {
    json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 86_400, "End": true}}})
}

async fn start_child(store: &Store, token: Arc<str>) -> Arc<str> {
    let form = NestedForm::Json;
    let nested = NestedTask { token, form };
    let started = start_nested(store, &long(), "child", nested).await;
    started.unwrap().arn
}

async fn stop(store: &Store, arn: &Arc<str>) {
    let stopped = store.stop(Arc::clone(arn), ErrorOutput::new("E", "c"));
    stopped.await.unwrap();
}

async fn assert_aborted(store: &Store, arn: &Arc<str>) {
    let end = ended(store, arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Aborted, "{end:?}");
    // The error and the cause of a stop are those of the one that was stopped.
    let cause = "The Task state in AWS Step Functions execution [arn:aws:states:us-east-1:111111111111:execution:M:parent] which was managing this resource was aborted";
    let cause = Some(cause.to_owned());
    assert_eq!(end.error_output, ErrorOutput { error: None, cause });
}

#[tokio::test]
async fn what_a_stopped_execution_waits_for_is_stopped_with_it() {
    let (options, mut asked) = asking();
    let store = Store::in_memory(options).unwrap();
    let definition = starting(json!({"End": true}));
    let parent = start(&store, &definition, "parent", "{}").await;
    let parent = parent.unwrap().arn;
    // Before its task has the first answer.
    let asked = asked.recv().await.unwrap();
    let child = start_child(&store, asked.token).await;
    assert_eq!(
        described(&store, &child).await.summary.status,
        ExecutionStatus::Running
    );
    stop(&store, &parent).await;
    assert_aborted(&store, &child).await;
}

#[tokio::test]
async fn so_it_is_after_a_restart() {
    let folder = Folder::new();
    let (options, mut asked) = asking();
    let store = Store::open(&folder.0, options).unwrap();
    let definition = starting(json!({"End": true}));
    let parent = start(&store, &definition, "parent", "{}").await;
    let parent = parent.unwrap().arn;
    let asked = asked.recv().await.unwrap();
    let child = start_child(&store, asked.token).await;
    asked.submit.send(Arc::clone(&child)).unwrap();
    until(&store, &parent, "TaskSubmitted").await;
    drop(store);
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    stop(&store, &parent).await;
    assert_aborted(&store, &child).await;
}

#[tokio::test]
async fn what_is_started_for_a_stopped_execution_is_stopped_at_once() {
    let (options, mut asked) = asking();
    let store = Store::in_memory(options).unwrap();
    let definition = starting(json!({"End": true}));
    let parent = start(&store, &definition, "parent", "{}").await;
    let parent = parent.unwrap().arn;
    let asked = asked.recv().await.unwrap();
    stop(&store, &parent).await;
    let child = start_child(&store, asked.token).await;
    assert_aborted(&store, &child).await;
}

#[tokio::test]
async fn another_branch_that_fails_stops_it_too() {
    let (options, mut asked) = asking();
    let store = Store::in_memory(options).unwrap();
    let failing = json!({"StartAt": "Pause", "States": {
        "Pause": {"Type": "Wait", "Seconds": 1, "Next": "Fail"}, "Fail": {"Type": "Fail"}}});
    let parallel = json!({"StartAt": "Both", "States": {
        "Both": {"Type": "Parallel", "Branches": [starting(json!({"End": true})), failing],
            "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Go on"}], "End": true},
        "Go on": {"Type": "Pass", "End": true}}});
    let parent = start(&store, &parallel, "parent", "{}").await.unwrap().arn;
    let asked = asked.recv().await.unwrap();
    let child = start_child(&store, asked.token).await;
    assert_aborted(&store, &child).await;
    let end = ended(&store, &parent).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
}

/// Returns one whose task asks the test for an execution, alone in a store that has room for it only.
async fn asking_without_room() -> (Store, RequestedExecution) {
    let (mut options, mut asked) = asking();
    (options.event_loops, options.max_in_memory) = (NonZeroUsize::new(1), 1);
    let store = Store::in_memory(options).unwrap();
    let definition = starting(json!({"End": true}));
    start(&store, &definition, "parent", "{}").await.unwrap();
    let asked = asked.recv().await.unwrap();
    (store, asked)
}

/// The execution that a start waits for, if it waits for room, continues only after it.
async fn assert_begins<T>(begins: impl Future<Output = T>) {
    let begun = tokio::time::timeout(Duration::from_secs(20), begins).await;
    assert!(begun.is_ok(), "it waits for the execution that starts it");
}

#[tokio::test]
async fn what_a_task_waits_for_begins_though_there_is_no_room_in_memory() {
    let (store, asked) = asking_without_room().await;
    assert_begins(start_child(&store, asked.token)).await;
}

#[tokio::test]
async fn what_a_task_starts_begins_though_there_is_no_room_in_memory() {
    let (store, _asked) = asking_without_room().await;
    assert_begins(async { start_by_task(&store, &long(), "child").await.unwrap() }).await;
}
