//! Saving executions in one runtime and resuming them in another.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{
    Clock, MemoryStorage, Performer, Runtime, RuntimeBuilder, Task, TaskAnswer, TaskError,
    TaskHandlers, TokenError, task_fn,
};
use asl_engine::{MacTokens, Outcome, Program, RestoreError, SavedExecution};
use runtime_support::*;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

/// Returns the text of a save, to be written to disk.
fn written(saved: &SavedExecution) -> String {
    serde_json::to_string(saved).expect("a save can be written")
}

fn read(text: &str) -> SavedExecution {
    serde_json::from_str(text).expect("a save can be read")
}

fn tokens() -> MacTokens {
    MacTokens::new("k", b"one key for both runtimes")
}

/// Runs an execution until `is_due`, saves it, and ends its runtime.
async fn saved_when(
    builder: RuntimeBuilder,
    program: Arc<Program>,
    input: Value,
    is_due: impl AsyncFnOnce(&Runtime),
) -> String {
    let runtime = builder.build();
    let handle = runtime.start_execution(program, start(input)).await;
    is_due(&runtime).await;
    let saved = handle.save().await.expect("it runs");
    runtime.shut_down().await;
    written(&saved)
}

/// Tasks that were requested, by state and number of retry.
type RequestedTasks = Arc<Mutex<Vec<String>>>;

/// Never answers, and says when it is asked.
fn silent(asked: &mpsc::UnboundedSender<String>) -> impl Performer {
    let asked = asked.clone();
    task_fn(move |task: Task| {
        let asked = asked.clone();
        async move {
            let _ = asked.send(task.token().to_owned());
            std::future::pending::<Result<Value, TaskError>>().await
        }
    })
}

#[tokio::test]
async fn what_was_asked_for_is_asked_for_again_and_time_goes_on() {
    let definition = json!({"StartAt": "P", "States": {"P": {"Type": "Parallel", "End": true, "Branches": [
        {"StartAt": "Slow", "States": {"Slow": {"Type": "Task", "Resource": FUNCTION, "End": true}}},
        {"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 100, "End": true}}},
        {"StartAt": "Retry", "States": {"Retry": {"Type": "Task", "Resource": FUNCTION, "End": true,
            "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 60, "MaxAttempts": 2, "BackoffRate": 1}]}}},
    ]}}});
    let program = program(definition);
    let asked = RequestedTasks::default();
    let note = Arc::clone(&asked);
    let handlers = move |answers: bool| {
        let note = Arc::clone(&note);
        task_fn(move |task: Task| {
            let asked = format!("{} {}", task.state_name(), task.retry_count());
            note.lock().unwrap().push(asked);
            async move {
                match task.state_name() {
                    "Retry" if task.retry_count() < 2 => Err(TaskError::new("Busy", "later")),
                    "Slow" if !answers => {
                        task.sleep(Duration::from_secs(1_000_000)).await;
                        Ok(json!("too late"))
                    }
                    _ => Ok(json!(task.now().milliseconds())),
                }
            }
        })
    };
    let saved = saved_when(
        virtual_time().handlers(handlers(false)),
        Arc::clone(&program),
        json!({}),
        async |runtime| {
            while runtime.now() < seconds(60) {
                tokio::task::yield_now().await;
            }
        },
    )
    .await;
    assert_eq!(*asked.lock().unwrap(), ["Slow 0", "Retry 0", "Retry 1"]);
    asked.lock().unwrap().clear();
    // A clock that is behind: no moment comes twice.
    let runtime = virtual_time().handlers(handlers(true)).build();
    let mut handle = runtime.resume(read(&saved), program).await.unwrap();
    let ended = handle.ended().await;
    assert_eq!(*asked.lock().unwrap(), ["Slow 0", "Retry 2"]);
    assert_eq!(ended.outcome, succeeded(json!([60_000, {}, 120_000])));
    assert_eq!(
        (ended.start_date, ended.stop_date),
        (seconds(0), seconds(120))
    );
}

/// Submits every task, and reports its token.
fn submitting(told: &mpsc::UnboundedSender<String>) -> impl Performer {
    let told = told.clone();
    task_fn(move |task: Task| {
        let _ = told.send(task.token().to_owned());
        async { Ok(TaskAnswer::Submitted(json!({}))) }
    })
}

#[tokio::test]
async fn what_was_handed_on_is_waited_for_by_its_token() {
    for resource in [CALLBACK, "arn:aws:states:::ecs:runTask.sync"] {
        let (told, mut token) = mpsc::unbounded_channel();
        let program = task(resource, json!({"TimeoutSeconds": 1000}));
        let builder = virtual_time().tokens(tokens()).handlers(submitting(&told));
        let mut given = String::new();
        let saved = saved_when(builder, Arc::clone(&program), json!({}), async |_| {
            given = token.recv().await.unwrap();
        })
        .await;
        let runtime = virtual_time()
            .tokens(tokens())
            .handlers(TaskHandlers::new())
            .build();
        let hold = runtime.clock().hold();
        let handle = runtime.resume(read(&saved), program).await.unwrap();
        runtime.send_task_heartbeat(&given).await.unwrap();
        runtime.send_task_success(&given, json!("x")).await.unwrap();
        drop(hold);
        assert_eq!(end_of(handle).await, succeeded(json!("x")), "{resource}");
        let again = runtime.send_task_success(&given, json!("y")).await;
        assert_eq!(again, Err(TokenError::InvalidToken(given)));
    }
}

#[tokio::test]
async fn an_answer_that_was_taken_is_in_the_save() {
    let (told, mut token) = mpsc::unbounded_channel();
    let program = program(json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": CALLBACK, "Next": "W"},
        "W": {"Type": "Wait", "Seconds": 10, "End": true},
    }}));
    let builder = virtual_time().handlers(submitting(&told));
    let saved = saved_when(builder, Arc::clone(&program), json!({}), async |runtime| {
        let token = token.recv().await.unwrap();
        let _still = std::mem::ManuallyDrop::new(runtime.clock().hold());
        runtime.send_task_success(&token, json!("x")).await.unwrap();
    })
    .await;
    let runtime = virtual_time().build();
    let handle = runtime.resume(read(&saved), program).await.unwrap();
    assert_eq!(end_of(handle).await, succeeded(json!("x")));
}

#[tokio::test]
async fn children_and_object_stores_are_asked_again() {
    let program = program(json!({"StartAt": "M", "States": {"M": {
        "Type": "Map", "End": true, "MaxConcurrency": 1,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "b", "Key": "k"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true}}},
    }}}));
    let storage = || MemoryStorage::default().with("b", "k", "[1, 2, 3]");
    let (told, mut asked) = mpsc::unbounded_channel();
    let builder = virtual_time().storage(storage()).handlers(silent(&told));
    let saved = saved_when(builder, Arc::clone(&program), json!({}), async |_| {
        asked.recv().await.unwrap();
    })
    .await;
    let doubling =
        TaskHandlers::new().on_value("F", |n| async move { Ok(json!(n.as_u64().unwrap() * 2)) });
    let runtime = virtual_time().storage(storage()).handlers(doubling).build();
    let handle = runtime.resume(read(&saved), program).await.unwrap();
    assert_eq!(end_of(handle).await, succeeded(json!([2, 4, 6])));
}

#[tokio::test]
async fn an_execution_goes_on_after_its_save() {
    let program = program(json!({"StartAt": "W", "States": {
        "W": {"Type": "Wait", "Seconds": 10, "End": true}}}));
    let runtime = virtual_time().build();
    let hold = runtime.clock().hold();
    let mut handle = runtime.start_execution(program, start(json!(1))).await;
    assert!(handle.save().await.is_some());
    assert!(runtime.save(handle.id()).await.is_some());
    drop(hold);
    assert_eq!(handle.outcome().await, succeeded(json!(1)));
    assert!(handle.save().await.is_none(), "it has ended");
}

#[tokio::test]
async fn a_key_matters_only_where_a_token_is_out() {
    let (told, mut asked) = mpsc::unbounded_channel();
    for (resource, is_out) in [(FUNCTION, false), (CALLBACK, true)] {
        let program = task(resource, json!({}));
        let builder = virtual_time().handlers(silent(&told));
        let saved = saved_when(builder, Arc::clone(&program), json!({}), async |_| {
            asked.recv().await.unwrap();
        })
        .await;
        let answering = TaskHandlers::new().on_value("*", |_| async { Ok(json!("x")) });
        let runtime = virtual_time().handlers(answering).build();
        match runtime.resume(read(&saved), program).await {
            Ok(handle) => {
                assert!(!is_out);
                assert_eq!(end_of(handle).await, succeeded(json!("x")));
            }
            Err(error) => {
                assert!(
                    is_out && matches!(error, RestoreError::OtherTokenKey { .. }),
                    "{error}"
                );
            }
        }
    }
}

#[tokio::test]
async fn another_program_is_refused() {
    let (told, mut asked) = mpsc::unbounded_channel();
    let builder = Runtime::builder().handlers(silent(&told));
    let saved = saved_when(builder, task(FUNCTION, json!({})), json!({}), async |_| {
        asked.recv().await.unwrap();
    })
    .await;
    let runtime = virtual_time().build();
    let other = task(FUNCTION, json!({"TimeoutSeconds": 5}));
    let refused = runtime.resume(read(&saved), other).await;
    assert!(matches!(refused, Err(RestoreError::OtherProgram { .. })));
}

#[tokio::test]
async fn a_runtime_that_is_gone_saves_nothing_and_resumes_nothing() {
    let (told, mut asked) = mpsc::unbounded_channel();
    let program = task(FUNCTION, json!({}));
    let clock = Clock::virtual_from(seconds(7));
    let runtime = Runtime::builder()
        .clock(clock)
        .handlers(silent(&told))
        .build();
    let handle = runtime
        .start_execution(Arc::clone(&program), start(json!({})))
        .await;
    asked.recv().await.unwrap();
    let saved = handle.save().await.unwrap();
    let elsewhere = runtime.handle().clone();
    runtime.shut_down().await;
    assert!(elsewhere.save(handle.id()).await.is_none());
    let resumed = elsewhere.resume(saved, program).await.unwrap();
    assert!(matches!(end_of(resumed).await, Outcome::Aborted(_)));
}
