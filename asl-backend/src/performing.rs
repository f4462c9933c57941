//! Having requests performed by what may panic.
use asl_engine::runtime::{PerformResult, Performer, Request, Task};
use asl_engine::{Answer, ErrorOutput, TaskAnswer, TaskError, TaskInvocation};
use futures::FutureExt as _;
use serde_json::Value;
use std::any::Any;
use std::panic::AssertUnwindSafe;

/// Has a request performed; a panic of the performer fails it, and nothing else.
pub async fn perform(performer: &dyn Performer, request: Request) -> PerformResult {
    caught(async { performer.perform(request).await }).await
}

/// Has a job followed that was submitted, as [`asl_engine::runtime::follow`] says; a panic of the performer fails it.
pub async fn follow(performer: &dyn Performer, task: Task, first: PerformResult) -> PerformResult {
    caught(async { asl_engine::runtime::follow(performer, task, first).await }).await
}

async fn caught(work: impl Future<Output = PerformResult>) -> PerformResult {
    let answer = AssertUnwindSafe(work).catch_unwind().await;
    answer.unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// Runs a task without an execution, and waits for its result.
///
/// # Errors
///
/// The error of the task. A task that was only submitted fails too, because no execution waits for its token.
pub async fn perform_alone(
    performer: &dyn Performer,
    invocation: TaskInvocation,
) -> Result<Value, ErrorOutput> {
    let unexpected = |what: &str| {
        let cause = format!("expected a result, found {what}, for which no execution waits");
        Err(TaskError::failed(cause).error_output)
    };
    match perform(performer, Task::detached(invocation).into()).await {
        Ok(Answer::Task(TaskAnswer::Completed(result))) => Ok(result),
        Ok(Answer::Task(TaskAnswer::Submitted(_))) => unexpected("that the task was handed on"),
        Ok(_) => unexpected("the answer of an object store"),
        Err(error) => Err(error.error_output),
    }
}

/// Returns the error of a task whose handler panicked.
fn panicked(panic: &(dyn Any + Send)) -> TaskError {
    let told = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let told = told.or_else(|| panic.downcast_ref::<String>().cloned());
    let told = told.unwrap_or_default();
    TaskError::new(
        "States.Runtime",
        format!("the task's handler panicked: {told}"),
    )
}
