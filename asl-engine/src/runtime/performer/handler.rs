//! Task handlers: what an embedder implements to have tasks done.
use super::{PerformResult, Performer, Request, Task, storage};
use crate::runtime::ExecutionId;
use crate::{Answer, StorageRequest, TaskAnswer, TaskError};
use futures::FutureExt;
use futures::future::{BoxFuture, Either, select};
use serde_json::Value;
use std::future::ready;
use std::pin::pin;

/// Performs tasks. Closures become handlers by [`handler_fn`] and [`task_fn`], and several handlers one by
/// [`TaskHandlers`](super::TaskHandlers).
///
/// ```
/// use asl_engine::runtime::{BoxFuture, Task, TaskAnswer, TaskError, TaskHandler};
///
/// struct Greeter { greeting: String }
///
/// impl TaskHandler for Greeter {
///     fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
///         let greeting = self.greeting.clone();
///         Box::pin(async move {
///             let name = task.payload()["name"].as_str().ok_or_else(|| TaskError::new("NoName", "whom to greet?"))?;
///             Ok(TaskAnswer::Completed(format!("{greeting}, {name}").into()))
///         })
///     }
/// }
/// ```
pub trait TaskHandler: Send + Sync + 'static {
    /// Begins a task; the future performs it, as [`Performer::perform`] says.
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>>;

    /// An execution that a caller started (not a child) ended: data kept for it can be released.
    fn execution_ended(&self, root: ExecutionId) {
        let _ = root;
    }
}

/// Returns a handler of an async closure from payload to result. Where the task is cancelled, the closure's future is
/// dropped.
///
/// ```
/// use asl_engine::runtime::{Runtime, handler_fn};
/// use serde_json::json;
///
/// let double = handler_fn(|input| async move { Ok(json!(input["n"].as_i64().unwrap_or(0) * 2)) });
/// let builder = Runtime::builder().handlers(double);
/// ```
pub fn handler_fn<F, R>(closure: F) -> impl Performer
where
    F: Fn(Value) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, TaskError>> + Send + 'static,
{
    TaskFn(move |task: Task| {
        let work = closure(task.payload().clone());
        async move {
            match select(pin!(work), pin!(task.cancelled())).await {
                Either::Left((result, _)) => result,
                Either::Right(((), _)) => Err(TaskError::failed("the task was cancelled")),
            }
        }
    })
}

/// A handler of an async closure that gets the whole task: its token, number of retries, state, heartbeat and cancellation.
/// It answers with the result or with a [`TaskAnswer`]. A task that is cancelled continues until the closure looks at
/// [`Task::cancelled`].
///
/// ```
/// use asl_engine::runtime::{Runtime, Task, TaskAnswer, task_fn};
/// use serde_json::json;
///
/// let handler = task_fn(|task: Task| async move {
///     println!("attempt {} of {}", task.retry_count(), task.state_name());
///     task.heartbeat();
///     Ok(TaskAnswer::Submitted(json!({"answer with": task.token()})))
/// });
/// let builder = Runtime::builder().handlers(handler);
/// ```
pub fn task_fn<F, R, A>(closure: F) -> impl Performer
where
    F: Fn(Task) -> R + Send + Sync + 'static,
    R: Future<Output = Result<A, TaskError>> + Send + 'static,
    A: Into<TaskAnswer> + 'static,
{
    TaskFn(closure)
}

struct TaskFn<F>(F);

impl<F, R, A> Performer for TaskFn<F>
where
    F: Fn(Task) -> R + Send + Sync + 'static,
    R: Future<Output = Result<A, TaskError>> + Send + 'static,
    A: Into<TaskAnswer> + 'static,
{
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match request {
            Request::Task(task) => (self.0)(task)
                .map(|answer| answer.map(|answer| Answer::Task(answer.into())))
                .boxed(),
            Request::Storage(task) => ready(Err(storage::refusal(task.request()))).boxed(),
        }
    }

    fn can_perform_storage(&self, _request: &StorageRequest) -> bool {
        false
    }
}
