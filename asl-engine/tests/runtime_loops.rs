//! Several event loops: executions on all of them, and what passes between them.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{
    Runtime, RuntimeBuilder, Task, TaskAnswer, TaskError, TaskHandlers, TokenError,
};
use asl_engine::{ErrorOutput, Limits, Outcome, Program};
use runtime_support::*;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::sync::Arc;
use tokio::sync::mpsc;

fn loops(count: usize) -> RuntimeBuilder {
    Runtime::builder().event_loops(NonZeroUsize::new(count).expect("not none"))
}

/// Returns a distributed Map over its input, with a task `F` for each item.
fn distributed() -> Arc<Program> {
    program(json!({"StartAt": "M", "States": {"M": {
        "Type": "Map", "End": true,
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true}}},
    }}}))
}

fn numbers(count: u64) -> Value {
    (0..count).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn executions_and_their_children_run_on_every_loop() {
    let handlers = || {
        TaskHandlers::new().on_value("F", |input: Value| async move {
            if input.as_u64().is_some_and(|n| n % 2 == 0) {
                tokio::task::yield_now().await;
            }
            Ok(json!(input.as_u64().unwrap_or(0) * 2))
        })
    };
    for count in [1, 2, 5] {
        let runtime = loops(count).handlers(handlers()).build();
        let mut handles = Vec::new();
        for _ in 0..20 {
            let start = runtime.unnamed(numbers(50));
            handles.push(runtime.start_execution(distributed(), start).await);
        }
        let doubled: Value = (0..50).map(|n| n * 2).collect();
        for handle in handles {
            assert_eq!(end_of(handle).await, succeeded(doubled.clone()));
        }
    }
}

#[tokio::test]
async fn an_error_that_ends_everything_reaches_the_root_from_another_loop() {
    let handlers = TaskHandlers::new().on_value("F", |input| async move {
        match input.as_u64() {
            Some(7) => Err(TaskError::new("Gap", "no mock").failing_the_execution()),
            _ => Ok(input),
        }
    });
    let runtime = loops(3).handlers(handlers).build();
    let outcome = runtime
        .run(distributed(), runtime.unnamed(numbers(10)))
        .await;
    let expected = ("Gap".to_owned(), "no mock".to_owned());
    assert_eq!(failure(outcome), expected);
}

/// Handlers that tell their tokens, and when they are cancelled, for which they wait.
fn waiting(told: mpsc::UnboundedSender<Result<String, &'static str>>) -> TaskHandlers {
    TaskHandlers::new().on_task("F", move |task: Task| {
        let told = told.clone();
        async move {
            // Nobody listens once the runtime is dropped.
            let _ = told.send(Ok(task.token().to_owned()));
            task.cancelled().await;
            let _ = told.send(Err("cancelled"));
            Err::<TaskAnswer, _>(TaskError::failed("ignored"))
        }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_an_execution_cancels_the_tasks_of_children_on_other_loops() {
    let (told, mut events) = mpsc::unbounded_channel();
    let runtime = loops(3).handlers(waiting(told)).build();
    let handle = runtime
        .start_execution(distributed(), runtime.unnamed(numbers(8)))
        .await;
    for _ in 0..8 {
        assert!(matches!(events.recv().await, Some(Ok(_))));
    }
    handle.stop(ErrorOutput::without_cause("Enough")).await;
    let stopped = Outcome::Aborted(ErrorOutput::without_cause("Enough"));
    assert_eq!(end_of(handle).await, stopped);
    for _ in 0..8 {
        assert_eq!(events.recv().await, Some(Err("cancelled")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_finds_its_task_on_any_loop() {
    let (told, mut events) = mpsc::unbounded_channel();
    let runtime = loops(4).handlers(waiting(told)).build();
    let handle = runtime
        .start_execution(distributed(), runtime.unnamed(numbers(8)))
        .await;
    let mut tokens = Vec::new();
    for _ in 0..8 {
        tokens.push(events.recv().await.unwrap().expect("a token"));
    }
    for token in tokens {
        runtime.send_task_heartbeat(&token).await.unwrap();
        runtime.send_task_success(&token, json!("x")).await.unwrap();
        assert_eq!(events.recv().await, Some(Err("cancelled")));
        let again = runtime.send_task_success(&token, json!("y")).await;
        assert_eq!(again, Err(TokenError::InvalidToken(token)));
    }
    assert_eq!(end_of(handle).await, succeeded(json!(vec!["x"; 8])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shutting_down_ends_every_loop() {
    let (told, mut events) = mpsc::unbounded_channel();
    let runtime = loops(3).handlers(waiting(told)).build();
    let mut handles = Vec::new();
    for _ in 0..3 {
        let start = runtime.unnamed(numbers(2));
        handles.push(runtime.start_execution(distributed(), start).await);
    }
    for _ in 0..6 {
        assert!(matches!(events.recv().await, Some(Ok(_))));
    }
    let elsewhere = runtime.handle().clone();
    runtime.shut_down().await;
    for handle in handles {
        assert_eq!(end_of(handle).await.status(), "ABORTED");
    }
    let late = elsewhere.run(distributed(), elsewhere.unnamed(numbers(1)));
    assert_eq!(late.await.status(), "ABORTED");
}

#[tokio::test]
async fn answers_that_are_there_at_once_starve_nobody() {
    let handlers = TaskHandlers::new().on_value("F", |input| async move { Ok(input) });
    let runtime = loops(1).handlers(handlers).build();
    let unlimited = runtime.unnamed(json!({})).with_limits(Limits::unlimited());
    let endless = program(json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": FUNCTION, "Next": "Again"},
        "Again": {"Type": "Choice", "Choices": [{"Variable": "$.end", "IsPresent": true, "Next": "E"}], "Default": "T"},
        "E": {"Type": "Succeed"},
    }}));
    let handle = runtime.start_execution(endless, unlimited).await;
    let quick = task(FUNCTION, json!({}));
    let outcome = runtime.run(quick, runtime.unnamed(json!(1))).await;
    assert_eq!(outcome, succeeded(json!(1)));
    handle.stop(ErrorOutput::default()).await;
    assert_eq!(end_of(handle).await.status(), "ABORTED");
}
