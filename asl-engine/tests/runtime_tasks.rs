//! Tasks: handlers, failures, panics, heartbeats, timeouts, cancellation, tokens.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::ErrorOutput;
use asl_engine::runtime::{
    HistoryRecorder, Performer, Request, Runtime, Task, TaskAnswer, TaskError, TaskHandlers,
    TokenError, task_fn,
};
use asl_engine::{Outcome, Timestamp};
use runtime_support::*;
use serde_json::json;
use std::future::Ready;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

#[tokio::test]
async fn a_closure_does_a_task() {
    let handlers =
        TaskHandlers::new().on_value("F", |input| async move { Ok(json!({"got": input})) });
    let runtime = virtual_time().handlers(handlers).build();
    let outcome = runtime
        .run(task(FUNCTION, json!({})), start(json!(7)))
        .await;
    assert_eq!(outcome, succeeded(json!({"got": 7})));
}

#[tokio::test]
async fn a_task_of_an_embedded_program_may_name_its_handler_plainly() {
    let handlers = TaskHandlers::new().on_value("charge", |_| async { Ok(json!("charged")) });
    let runtime = virtual_time().handlers(handlers).build();
    let outcome = runtime
        .run(task("charge", json!({})), start(json!({})))
        .await;
    assert_eq!(outcome, succeeded(json!("charged")));
}

#[tokio::test]
async fn a_function_gets_its_event_and_the_integration_tells_the_rest() {
    let handlers =
        TaskHandlers::new().on_value("F", |input| async move { Ok(json!({"got": input})) });
    let runtime = virtual_time().handlers(handlers).build();
    let fields = json!({"Parameters": {"FunctionName": FUNCTION, "Payload.$": "$.event"}});
    let program = task("arn:aws:states:::lambda:invoke", fields);
    let outcome = runtime.run(program, start(json!({"event": 7}))).await;
    let answer = json!({"ExecutedVersion": "$LATEST", "Payload": {"got": 7}, "StatusCode": 200});
    assert_eq!(outcome, succeeded(answer));
}

#[tokio::test]
async fn an_error_of_a_handler_is_seen_by_retry_and_catch() {
    let attempts = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&attempts);
    let handlers = TaskHandlers::new().route(
        "*",
        task_fn(move |task: Task| {
            assert_eq!(
                task.retry_count(),
                counter.fetch_add(1, Ordering::Relaxed) as u64
            );
            async { Err::<TaskAnswer, _>(TaskError::new("Busy", "come back later")) }
        }),
    );
    let runtime = virtual_time().handlers(handlers).build();
    let program = task(
        FUNCTION,
        json!({"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 60, "MaxAttempts": 2, "BackoffRate": 1}]}),
    );
    let outcome = runtime.run(program, start(json!({}))).await;
    assert_eq!(
        failure(outcome),
        ("Busy".to_owned(), "come back later".to_owned())
    );
    assert_eq!(attempts.load(Ordering::Relaxed), 3);
    assert_eq!(runtime.now(), seconds(120));
}

#[tokio::test]
async fn a_task_without_a_handler_says_how_to_give_one() {
    let runtime = virtual_time().build();
    let (error, cause) = failure(
        runtime
            .run(task(FUNCTION, json!({})), start(json!({})))
            .await,
    );
    assert_eq!(error, "States.TaskFailed");
    assert_eq!(
        cause,
        format!(
            "no handler for the resource `{FUNCTION}` of state `T`: give one with `TaskHandlers::on(\"{FUNCTION}\", …)`"
        )
    );
}

/// Panics when called, panics later, and does not panic.
fn panicking() -> TaskHandlers {
    let at_once = |_: Task| -> Ready<Result<TaskAnswer, TaskError>> { panic!("at once") };
    let later = |_| async {
        tokio::task::yield_now().await;
        panic!("later, {}", 1)
    };
    TaskHandlers::new()
        .route("*:AtOnce", task_fn(at_once))
        .on_value("Later", later)
        .on_value("F", |_| async { Ok(json!("fine")) })
}

#[tokio::test]
async fn a_panic_fails_the_task_and_nothing_else() {
    for runtime in [virtual_time(), Runtime::builder()] {
        let runtime = runtime.handlers(panicking()).build();
        for (resource, cause) in [("AtOnce", "at once"), ("Later", "later, 1")] {
            let resource = &format!("arn:aws:lambda:us-east-1:123456789012:function:{resource}");
            let shown = format!("the handler of `{resource}` panicked: {cause}");
            assert_eq!(failure_cause(&runtime, resource).await, shown);
        }
        assert_eq!(
            runtime
                .run(task(FUNCTION, json!({})), start(json!({})))
                .await,
            succeeded(json!("fine"))
        );
    }
}

async fn failure_cause(runtime: &Runtime, resource: &str) -> String {
    let (error, cause) = failure(
        runtime
            .run(task(resource, json!({})), start(json!({})))
            .await,
    );
    assert_eq!(error, "States.TaskFailed");
    cause
}

#[tokio::test]
async fn a_handler_that_sleeps_too_long_times_out_and_is_cancelled() {
    let (told, mut cancelled) = mpsc::unbounded_channel();
    let handler = task_fn(move |task: Task| {
        let told = told.clone();
        async move {
            assert_eq!(task.deadline(), Some(seconds(10)));
            tokio::select! {
                () = task.sleep(Duration::from_secs(3600)) => Ok(json!("slept")),
                () = task.cancelled() => {
                    told.send((task.now(), task.is_cancelled())).unwrap();
                    Ok(json!("ignored"))
                }
            }
        }
    });
    let runtime = virtual_time().handlers(handler).build();
    let outcome = runtime
        .run(
            task(FUNCTION, json!({"TimeoutSeconds": 10})),
            start(json!({})),
        )
        .await;
    assert_eq!(failure(outcome).0, "States.Timeout");
    assert_eq!(cancelled.recv().await, Some((seconds(10), true)));
}

#[tokio::test]
async fn a_real_clock_times_a_task_out() {
    let handlers = TaskHandlers::new().on_value("*", |_| std::future::pending());
    let runtime = Runtime::builder().handlers(handlers).build();
    let before = std::time::Instant::now();
    let outcome = runtime
        .run(
            task(FUNCTION, json!({"TimeoutSeconds": 1})),
            start(json!({})),
        )
        .await;
    assert_eq!(failure(outcome).0, "States.Timeout");
    let took = before.elapsed();
    assert!(
        took >= Duration::from_millis(990) && took < Duration::from_secs(20),
        "{took:?}"
    );
}

/// Sleeps `rounds` times for 8 seconds, and beats before each sleep but the first.
fn beating(rounds: usize) -> impl Performer {
    task_fn(move |task: Task| async move {
        for _ in 0..rounds {
            task.sleep(Duration::from_secs(8)).await;
            task.heartbeat();
        }
        task.sleep(Duration::from_secs(100)).await;
        Ok(json!("done"))
    })
}

#[tokio::test]
async fn heartbeats_keep_a_task_alive_and_their_end_ends_it() {
    let runtime = virtual_time().handlers(beating(5)).build();
    let activity = "arn:aws:states:us-east-1:123456789012:activity:a";
    let program = task(
        activity,
        json!({"TimeoutSeconds": 1000, "HeartbeatSeconds": 10}),
    );
    let (error, _) = failure(runtime.run(program, start(json!({}))).await);
    assert!(
        ["States.HeartbeatTimeout", "States.Timeout"].contains(&error.as_str()),
        "{error}"
    );
    assert_eq!(runtime.now(), seconds(50));
}

#[tokio::test]
async fn stopping_an_execution_cancels_its_handlers() {
    let (told, mut events) = mpsc::unbounded_channel();
    let handler = task_fn(move |task: Task| {
        let told = told.clone();
        async move {
            told.send("begun").unwrap();
            task.cancelled().await;
            told.send("cancelled").unwrap();
            Err::<TaskAnswer, _>(TaskError::failed("ignored"))
        }
    });
    let runtime = virtual_time().handlers(handler).build();
    let handle = runtime
        .start_execution(task(FUNCTION, json!({})), start(json!({})))
        .await;
    assert_eq!(events.recv().await, Some("begun"));
    handle.stop(ErrorOutput::without_cause("Enough")).await;
    let stopped = Outcome::Aborted(ErrorOutput::without_cause("Enough"));
    assert_eq!(end_of(handle).await, stopped);
    assert_eq!(events.recv().await, Some("cancelled"));
}

/// Reports when it is dropped.
struct DropNotice(mpsc::UnboundedSender<&'static str>);

impl Drop for DropNotice {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[tokio::test]
async fn a_closure_is_dropped_where_its_task_is_cancelled() {
    let (told, mut events) = mpsc::unbounded_channel();
    let handlers = TaskHandlers::new().on_value("*", move |_| {
        let told = told.clone();
        async move {
            let _dropped = DropNotice(told.clone());
            told.send("begun").unwrap();
            std::future::pending().await
        }
    });
    let runtime = virtual_time().handlers(handlers).build();
    let handle = runtime
        .start_execution(task(FUNCTION, json!({})), start(json!({})))
        .await;
    assert_eq!(events.recv().await, Some("begun"));
    handle.stop(ErrorOutput::default()).await;
    assert_eq!(events.recv().await, Some("dropped"));
}

#[tokio::test]
async fn dropping_the_runtime_cancels_handlers_and_aborts_executions() {
    for shut_down in [false, true] {
        let (told, mut events) = mpsc::unbounded_channel();
        let handler = task_fn(move |task: Task| {
            let dropped = DropNotice(told.clone());
            async move {
                dropped.0.send("begun").unwrap();
                std::future::pending::<()>().await;
                Ok(task.payload().clone())
            }
        });
        let runtime = virtual_time().handlers(handler).build();
        let elsewhere = runtime.handle().clone();
        let handle = runtime
            .start_execution(task(FUNCTION, json!({})), start(json!({})))
            .await;
        assert_eq!(events.recv().await, Some("begun"));
        if shut_down {
            runtime.shut_down().await;
            assert_eq!(events.try_recv(), Ok("dropped"));
        } else {
            drop(runtime);
            assert_eq!(events.recv().await, Some("dropped"));
        }
        let outcome = end_of(handle).await;
        assert!(
            matches!(&outcome, Outcome::Aborted(ErrorOutput { cause: Some(cause), .. }) if cause.contains("shut down")),
            "{outcome:?}"
        );
        assert_eq!(
            elsewhere.send_task_heartbeat("x").await,
            Err(TokenError::ShutDown)
        );
        let late = elsewhere
            .run(task(FUNCTION, json!({})), start(json!({})))
            .await;
        assert!(matches!(late, Outcome::Aborted(_)), "{late:?}");
    }
}

/// Submits every task, and reports its token.
fn submitting() -> (impl Performer, mpsc::UnboundedReceiver<String>) {
    let (told, tokens) = mpsc::unbounded_channel();
    let handler = task_fn(move |task: Task| {
        told.send(task.token().to_owned()).unwrap();
        async { Ok(TaskAnswer::Submitted(json!({"MessageId": "m"}))) }
    });
    (handler, tokens)
}

#[tokio::test]
async fn a_token_answers_a_task_once() {
    let fields = json!({"Parameters": {"Token.$": "$$.Task.Token"}});
    for (resource, fields) in [
        (CALLBACK, fields),
        ("arn:aws:states:::ecs:runTask.sync", json!({})),
    ] {
        let (handler, mut tokens) = submitting();
        let runtime = virtual_time().handlers(handler).build();
        let handle = runtime
            .start_execution(task(resource, fields), start(json!({})))
            .await;
        let token = tokens.recv().await.unwrap();
        runtime.send_task_heartbeat(&token).await.unwrap();
        runtime
            .send_task_success(&token, json!("answer"))
            .await
            .unwrap();
        assert_eq!(end_of(handle).await, succeeded(json!("answer")));
        let again = runtime.send_task_success(&token, json!(2)).await;
        assert_eq!(again, Err(TokenError::InvalidToken(token.clone())));
        let text = TokenError::InvalidToken("t".to_owned()).to_string();
        assert_eq!(
            text,
            "Invalid Token: no task that waits for an answer has the token `t`"
        );
        assert!(runtime.send_task_heartbeat("no such token").await.is_err());
    }
}

#[tokio::test]
async fn a_token_fails_a_task() {
    let (handler, mut tokens) = submitting();
    let runtime = virtual_time().handlers(handler).build();
    let handle = runtime
        .start_execution(task(CALLBACK, json!({})), start(json!({})))
        .await;
    let token = tokens.recv().await.unwrap();
    let error = TaskError::new("Refused", "by a person");
    runtime.send_task_failure(&token, error).await.unwrap();
    assert_eq!(
        failure(end_of(handle).await),
        ("Refused".to_owned(), "by a person".to_owned())
    );
}

#[tokio::test]
async fn a_submitted_task_times_out_by_the_virtual_clock() {
    let (handler, mut tokens) = submitting();
    let runtime = virtual_time().handlers(handler).build();
    let hold = runtime.clock().hold();
    let program = task(
        CALLBACK,
        json!({"HeartbeatSeconds": 30, "TimeoutSeconds": 3600}),
    );
    let handle = runtime.start_execution(program, start(json!({}))).await;
    let token = tokens.recv().await.unwrap();
    runtime.send_task_heartbeat(&token).await.unwrap();
    assert_eq!(runtime.now(), seconds(0), "a held clock does not jump");
    drop(hold);
    let outcome = end_of(handle).await;
    assert!(failure(outcome).0.ends_with("Timeout"));
    assert_eq!(runtime.now(), seconds(30));
    assert_eq!(
        runtime.send_task_heartbeat(&token).await,
        Err(TokenError::InvalidToken(token))
    );
}

#[tokio::test]
async fn two_tasks_with_one_token_are_not_confused() {
    let (handler, mut tokens) = submitting();
    let runtime = virtual_time().handlers(handler).build();
    let first = runtime
        .start_execution(task(CALLBACK, json!({})), start(json!({})))
        .await;
    let token = tokens.recv().await.unwrap();
    let (error, cause) = failure(
        runtime
            .run(task(CALLBACK, json!({})), start(json!({})))
            .await,
    );
    assert_eq!(error, "States.TaskFailed");
    assert!(cause.contains("different names"), "{cause}");
    runtime
        .send_task_success(&token, json!("first"))
        .await
        .unwrap();
    assert_eq!(end_of(first).await, succeeded(json!("first")));
}

#[tokio::test]
async fn a_detached_task_lets_a_handler_be_tried_alone() {
    let invocations = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&invocations);
    let collect = move |invocation: &asl_engine::TaskInvocation| {
        kept.lock().unwrap().push(invocation.clone());
        Ok(json!(null))
    };
    asl_engine::drive(task(FUNCTION, json!({})), start(json!(3)), collect);
    let task = Task::detached(invocations.lock().unwrap().remove(0));
    task.heartbeat();
    assert!(!task.is_cancelled());
    let handler = asl_engine::runtime::value_fn(|input| async move { Ok(input) });
    let answer = handler.perform(Request::Task(task)).await;
    assert_eq!(answer, Ok(TaskAnswer::Completed(json!(3)).into()));
}

fn items_of_a_task(fields: serde_json::Value) -> Arc<asl_engine::Program> {
    let mut task = json!({"Type": "Task", "Resource": FUNCTION, "TimeoutSeconds": 5, "End": true});
    let fields = fields.as_object().expect("fields").clone();
    task.as_object_mut().expect("a state").extend(fields);
    let processor = json!({"StartAt": "T", "States": {"T": task}});
    program(json!({"StartAt": "M", "States": {
        "M": {"Type": "Map", "ItemProcessor": processor, "End": true}}}))
}

/// Runs a Map of three items whose task fails at once with States.Timeout. Returns the events of the tasks and the time of
/// the failure.
async fn timed_out(error: TaskError, fields: serde_json::Value) -> (Vec<String>, Timestamp) {
    let handlers = TaskHandlers::new().route(
        "*",
        task_fn(move |_| std::future::ready(Err::<TaskAnswer, _>(error.clone()))),
    );
    let recorder = Arc::new(HistoryRecorder::default());
    let runtime = virtual_time()
        .handlers(handlers)
        .observer(Arc::clone(&recorder))
        .build();
    let input = start(json!([1, 2, 3]));
    let mut handle = runtime
        .start_execution(items_of_a_task(fields), input)
        .await;
    let ended = handle.ended().await;
    let Outcome::Failed(error) = &ended.outcome else {
        panic!("it is to fail: {ended:?}");
    };
    assert_eq!(error.error.as_deref(), Some("States.Timeout"));
    let events = recorder.take(handle.id());
    let types = events.iter().map(|event| event.event_type().to_string());
    let after_start = types.skip_while(|name| name != "LambdaFunctionTimedOut");
    (after_start.collect(), ended.stop_date)
}

/// Recorded from the service: all tasks that are due together have timed out before their Map fails.
#[tokio::test]
async fn tasks_that_are_said_to_time_out_do_so_together_when_they_are_due() {
    let by_itself = TaskError::without_cause("States.Timeout");
    let (events, at) = timed_out(by_itself, json!({})).await;
    let timed_out = ["LambdaFunctionTimedOut"; 3];
    let mut expected = timed_out.to_vec();
    expected.extend(["MapIterationFailed", "TaskStateAborted"]);
    expected.extend(["MapIterationAborted", "TaskStateAborted"].repeat(2));
    expected.extend(["MapStateFailed", "ExecutionFailed"]);
    assert_eq!(events, expected);
    assert_eq!(at, seconds(5));
}

#[tokio::test]
async fn a_task_that_says_why_it_timed_out_or_owes_heartbeats_does_so_at_once() {
    let (events, at) = timed_out(TaskError::new("States.Timeout", "too slow"), json!({})).await;
    assert_eq!(
        events
            .iter()
            .filter(|name| *name == "LambdaFunctionTimedOut")
            .count(),
        1
    );
    assert_eq!(at, seconds(0));
    let by_itself = TaskError::without_cause("States.Timeout");
    let (_, at) = timed_out(by_itself, json!({"HeartbeatSeconds": 2})).await;
    assert_eq!(at, seconds(0));
}
