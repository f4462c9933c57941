//! Tasks without a handler: reports of a runtime before the tasks are requested.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{
    HistoryRecorder, MemoryStorage, Performer, Runtime, Task, TaskHandlers, task_fn, value_fn,
};
use asl_engine::{Outcome, Program};
use runtime_support::*;
use serde_json::{Value, json};
use std::sync::Arc;

const INVOKE: &str = "arn:aws:states:::lambda:invoke";

/// Tasks of every kind, in a machine that comes to none of them.
fn never_asked() -> Program {
    let task = |resource: &str, parameters: Value| json!({"Type": "Task", "Resource": resource, "Parameters": parameters, "End": true});
    let definition = json!({"StartAt": "Done", "States": {
        "Done": {"Type": "Choice", "Choices": [
            {"Variable": "$", "IsString": true, "Next": "Plain"},
            {"Variable": "$", "IsString": true, "Next": "Function"},
            {"Variable": "$", "IsString": true, "Next": "Invoke"},
            {"Variable": "$", "IsString": true, "Next": "Invoke what is named"},
        ], "Default": "End"},
        "Plain": task("charge-card", json!({})),
        "Function": task(FUNCTION, json!({})),
        "Invoke": task(INVOKE, json!({"FunctionName": "G", "Payload": {}})),
        "Invoke what is named": task(INVOKE, json!({"FunctionName.$": "$.name", "Payload": {}})),
        "End": {"Type": "Succeed"},
    }});
    Program::parse(&definition.to_string()).expect("a program")
}

/// Returns the states whose tasks nothing handles.
fn unhandled(performer: impl Performer) -> Vec<String> {
    let runtime = virtual_time().handlers(performer).build();
    match runtime.check(&never_asked()) {
        Ok(()) => Vec::new(),
        Err(tasks) => tasks.iter().map(|task| task.state_name.clone()).collect(),
    }
}

fn on(routes: &[&str]) -> TaskHandlers {
    routes.iter().fold(TaskHandlers::new(), |handlers, route| {
        handlers.on_value(*route, |_| async { Ok(json!(null)) })
    })
}

#[tokio::test]
async fn a_route_that_is_missing_shows_before_the_task_is_asked_for() {
    let (plain, function, invoke, named) = ("Plain", "Function", "Invoke", "Invoke what is named");
    assert_eq!(unhandled(on(&[])), [plain, function, invoke, named]);
    assert_eq!(unhandled(on(&["charge-card"])), [function, invoke]);
    assert_eq!(unhandled(on(&["charge-*", "F"])), [invoke]);
    assert_eq!(unhandled(on(&["charge-card", "F", "G"])), [""; 0]);
    assert_eq!(unhandled(on(&["charge-card", INVOKE])), [function]);
    assert_eq!(unhandled(on(&["*"])), [""; 0]);
}

#[tokio::test]
async fn performers_of_all_kinds_say_what_they_would_do() {
    let inner = || on(&["charge-card", "F"]);
    assert_eq!(unhandled(on(&["G"]).otherwise(inner())), [""; 0]);
    assert_eq!(
        unhandled(on(&["G"]).route("charge-card", on(&[]))),
        ["Plain", "Function"]
    );
    assert_eq!(unhandled(Arc::new(inner())), ["Invoke"]);
    assert_eq!(unhandled(value_fn(|input| async { Ok(input) })), [""; 0]);
    let whole = task_fn(|_: Task| async { Ok(json!(null)) });
    assert_eq!(unhandled(on(&[]).otherwise(whole)), [""; 0]);
    let runtime = virtual_time()
        .handlers(inner())
        .storage(MemoryStorage::default())
        .build();
    assert_eq!(runtime.check(&never_asked()).unwrap_err().iter().count(), 1);
}

#[tokio::test]
async fn what_is_said_of_them_tells_what_to_do() {
    let runtime = virtual_time().handlers(on(&["charge-card"])).build();
    let error = runtime.check(&never_asked()).unwrap_err();
    let expected = format!(
        "no handler for the resource `{FUNCTION}` of state `Function`: give one with `TaskHandlers::on(\"{FUNCTION}\", …)`\n\
         no handler for the resource `{INVOKE}` of state `Invoke`: give one with `TaskHandlers::on(\"G\", …)`"
    );
    assert_eq!(error.to_string(), expected);
    assert_eq!(format!("{error:?}"), expected);
    // As it is said of a task that was requested.
    let program = task(
        INVOKE,
        json!({"Parameters": {"FunctionName": "G", "Payload": {}}}),
    );
    let (error, cause) = failure(runtime.run(program, start(json!({}))).await);
    assert_eq!(error, "States.TaskFailed");
    assert!(cause.ends_with("`TaskHandlers::on(\"G\", …)`"), "{cause}");
}

#[tokio::test]
async fn by_default_only_a_task_that_is_asked_for_fails() {
    let runtime = virtual_time().build();
    let outcome = runtime.run(never_asked(), start(json!(1))).await;
    assert_eq!(outcome, succeeded(json!(1)));
}

#[tokio::test]
async fn a_runtime_that_refuses_unhandled_tasks_fails_the_execution_at_once() {
    let recorder = Arc::new(HistoryRecorder::default());
    let runtime = virtual_time()
        .handlers(on(&["charge-card", "F"]))
        .observer(Arc::clone(&recorder))
        .refuse_unhandled_tasks()
        .build();
    let mut handle = runtime
        .start_execution(never_asked(), start(json!(1)))
        .await;
    let (error, cause) = failure(handle.outcome().await);
    assert_eq!(error, "States.Runtime");
    assert_eq!(
        cause,
        runtime.check(&never_asked()).unwrap_err().to_string()
    );
    let events = recorder.take(handle.id());
    let types: Vec<_> = events.iter().map(|event| event.event_type()).collect();
    assert_eq!(types, ["ExecutionStarted", "ExecutionFailed"]);
    let runs = runtime.run(task("charge-card", json!({})), start(json!({})));
    assert_eq!(runs.await, succeeded(json!(null)));
}

#[tokio::test]
async fn a_runtime_that_is_gone_has_nothing_to_say() {
    let runtime: Runtime = virtual_time().refuse_unhandled_tasks().build();
    let handle = runtime.handle().clone();
    assert!(handle.check(&never_asked()).is_err());
    runtime.shut_down().await;
    assert_eq!(handle.check(&never_asked()), Ok(()));
    let outcome = handle.run(never_asked(), start(json!({}))).await;
    assert!(matches!(outcome, Outcome::Aborted(_)));
}
