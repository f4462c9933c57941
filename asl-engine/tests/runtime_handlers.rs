//! Handlers that take and return types of their own, block, and are cancelled.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::OrError as _;
use asl_engine::runtime::{IntoTaskError, Runtime, Task, TaskError, TaskHandlers};
use runtime_support::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::sync::{Mutex, mpsc};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

#[derive(Deserialize)]
struct Order {
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    price: u32,
}

#[derive(Serialize)]
struct Receipt {
    paid: u32,
}

#[derive(Debug)]
enum CardError {
    Declined { limit: u32 },
}

impl IntoTaskError for CardError {
    fn into_task_error(self) -> TaskError {
        let Self::Declined { limit } = self;
        TaskError::new("CardDeclined", format!("the limit is {limit}"))
    }
}

async fn charge(order: Order) -> Result<Receipt, CardError> {
    let paid = order.items.iter().map(|item| item.price).sum();
    match paid {
        ..=100 => Ok(Receipt { paid }),
        _ => Err(CardError::Declined { limit: 100 }),
    }
}

/// Runs a task of these handlers, which have a route `f`, on the given payload.
async fn run(handlers: TaskHandlers, payload: Value) -> asl_engine::Outcome {
    let runtime = virtual_time().handlers(handlers).build();
    runtime.run(task("f", json!({})), start(payload)).await
}

#[tokio::test]
async fn a_function_takes_and_returns_types_of_its_own() {
    let handlers = || TaskHandlers::new().on("f", charge);
    let order = json!({"items": [{"price": 1}, {"price": 2}]});
    assert_eq!(run(handlers(), order).await, succeeded(json!({"paid": 3})));
    let order = json!({"items": [{"price": 101}]});
    let failure = failure(run(handlers(), order).await);
    assert_eq!(failure.0, "CardDeclined");
    assert_eq!(failure.1, "the limit is 100");
}

#[tokio::test]
async fn a_catcher_names_the_error_of_a_function() {
    let definition = json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": "f", "End": true,
            "Catch": [{"ErrorEquals": ["CardDeclined"], "ResultPath": "$.error", "Next": "C"}]},
        "C": {"Type": "Pass", "OutputPath": "$.error.Cause", "End": true}}});
    let handlers = TaskHandlers::new().on("f", charge);
    let runtime = virtual_time().handlers(handlers).build();
    let input = json!({"items": [{"price": 101}]});
    let outcome = runtime.run(program(definition), start(input)).await;
    assert_eq!(outcome, succeeded(json!("the limit is 100")));
}

#[tokio::test]
async fn a_payload_that_does_not_fit_is_an_error_that_names_the_place() {
    let order = json!({"items": [{"price": 1}, {"price": "2"}]});
    let (error, cause) = failure(run(TaskHandlers::new().on("f", charge), order).await);
    assert_eq!(error, TaskError::INVALID_PAYLOAD);
    let expected = "the payload is not what the handler takes: at `items[1].price`: \
         invalid type: string \"2\", expected u32";
    assert_eq!(cause, expected);
    let (error, cause) = failure(run(TaskHandlers::new().on("f", charge), json!({})).await);
    assert_eq!(error, TaskError::INVALID_PAYLOAD);
    let expected = "the payload is not what the handler takes: missing field `items`";
    assert_eq!(cause, expected);
}

#[tokio::test]
async fn a_result_that_cannot_be_json_is_an_error() {
    async fn odd(_: Value) -> Result<HashMap<Vec<u8>, u8>, Infallible> {
        Ok(HashMap::from([(vec![1], 1)]))
    }
    let (error, cause) = failure(run(TaskHandlers::new().on("f", odd), json!({})).await);
    assert_eq!(error, TaskError::INVALID_RESULT);
    assert_eq!(
        cause,
        "the result of the handler cannot be JSON: key must be a string"
    );
}

#[tokio::test]
async fn a_handler_returns_boxed_errors_and_names_others() {
    async fn boxed(text: String) -> Result<u32, Box<dyn Error + Send + Sync>> {
        if text.is_empty() {
            return Err(TaskError::new("Empty", "there is nothing").into());
        }
        Ok(text.parse::<u32>()?)
    }
    async fn named(text: String) -> Result<u32, TaskError> {
        text.parse::<u32>().or_error("NoNumber")
    }
    let invalid = "invalid digit found in string";
    let of = |error: &str, cause: &str| (error.to_owned(), cause.to_owned());
    let handlers = || TaskHandlers::new().on("f", boxed);
    assert_eq!(run(handlers(), json!("7")).await, succeeded(json!(7)));
    let failed = failure(run(handlers(), json!("x")).await);
    assert_eq!(failed, of("States.TaskFailed", invalid));
    let failed = failure(run(handlers(), json!("")).await);
    assert_eq!(failed, of("Empty", "there is nothing"));
    let failed = failure(run(TaskHandlers::new().on("f", named), json!("x")).await);
    assert_eq!(failed, of("NoNumber", invalid));
}

#[tokio::test]
async fn a_blocking_function_runs_beside_the_others() {
    let (release, released) = mpsc::channel();
    let released = Mutex::new(released);
    let waiting = move |n: u32| -> Result<u32, Infallible> {
        let released = released.lock().expect("no panic");
        released.recv().expect("it is released");
        Ok(n + 1)
    };
    // On one thread, so that it would block all.
    let runtime = Runtime::builder()
        .handlers(TaskHandlers::new().on_blocking("f", waiting))
        .build();
    let slow = task("f", json!({}));
    let mut slow = runtime.start_execution(slow, start(json!(2))).await;
    let quick = program(json!({"StartAt": "W", "States": {"W": {"Type": "Pass", "End": true}}}));
    assert_eq!(
        runtime.run(quick, start(json!(1))).await,
        succeeded(json!(1))
    );
    release.send(()).expect("it waits");
    assert_eq!(slow.outcome().await, succeeded(json!(3)));
}

#[tokio::test]
async fn a_blocking_function_fails_as_others_do() {
    let failing = |n: u32| -> Result<u32, TaskError> {
        match n {
            0 => panic!("nothing to do"),
            _ => Err(TaskError::new("One", "is not enough")),
        }
    };
    let handlers = || TaskHandlers::new().on_blocking("f", failing);
    let (error, _) = failure(run(handlers(), json!(1)).await);
    assert_eq!(error, "One");
    let (_, cause) = failure(run(handlers(), json!(0)).await);
    assert_eq!(cause, "the handler of `f` panicked: nothing to do");
    let (error, _) = failure(run(handlers(), json!("2")).await);
    assert_eq!(error, TaskError::INVALID_PAYLOAD);
}

/// Says when it is dropped.
struct Guard(UnboundedSender<&'static str>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[tokio::test]
async fn a_cancelled_task_is_dropped_unless_it_cleans_up() {
    let (said, mut heard) = unbounded_channel();
    let says = said.clone();
    let hanging = move |_: Task| {
        let guard = Guard(says.clone());
        async move {
            let _guard = guard;
            std::future::pending::<Result<Value, TaskError>>().await
        }
    };
    let cleaning = move |task: Task| {
        let said = said.clone();
        async move {
            task.cancelled().await;
            tokio::task::yield_now().await;
            said.send("cleaned").or_failed()?;
            Ok(json!(null))
        }
    };
    let handlers = TaskHandlers::new()
        .on_task("hanging", hanging)
        .on_task_uncancelled("cleaning", cleaning);
    let runtime = Runtime::builder().handlers(handlers).build();
    for (resource, end) in [("hanging", "dropped"), ("cleaning", "cleaned")] {
        let timing_out = task(resource, json!({"TimeoutSeconds": 1}));
        let outcome = runtime.run(timing_out, start(json!({}))).await;
        assert_eq!(failure(outcome).0, "States.Timeout");
        assert_eq!(heard.recv().await, Some(end));
    }
}
