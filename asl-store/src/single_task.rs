//! Tasks of no execution.
use crate::event_loop::panicked;
use crate::shared::Shared;
use asl_engine::runtime::Task;
use asl_engine::{Answer, ErrorOutput, TaskAnswer, TaskError, TaskInvocation};
use futures::FutureExt as _;
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// Performs a task among those of executions, and waits for its answer.
pub(crate) async fn perform(
    shared: Arc<Shared>,
    invocation: TaskInvocation,
) -> Result<Value, ErrorOutput> {
    // The semaphore is never closed.
    let _permit = shared.performing.acquire().await;
    let performer = Arc::clone(&shared.options.performer);
    let task = Task::detached(invocation);
    let work = AssertUnwindSafe(async move { performer.perform(task.into()).await });
    let answer = work.catch_unwind().await;
    let answer = answer.unwrap_or_else(|panic| Err(panicked(&*panic)));
    let unexpected = |what: &str| {
        let cause = format!("expected a result, found {what}, which no execution waits for");
        Err(TaskError::failed(cause).error_output)
    };
    match answer {
        Ok(Answer::Task(TaskAnswer::Completed(result))) => Ok(result),
        Ok(Answer::Task(TaskAnswer::Submitted(_))) => unexpected("that the task was handed on"),
        Ok(_) => unexpected("the answer of an object store"),
        Err(error) => Err(error.error_output),
    }
}
