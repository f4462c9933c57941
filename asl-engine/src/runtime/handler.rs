//! Task handlers: what an embedder implements to have tasks done.
use super::{ExecutionId, Task};
use crate::{TaskAnswer, TaskError};
use futures::FutureExt;
use futures::future::{BoxFuture, Either, select};
use serde_json::Value;
use std::sync::Arc;

/// Performs tasks. Closures become handlers by [`handler_fn`], and several handlers one by
/// [`TaskHandlers`](super::TaskHandlers).
///
/// ```
/// use asl_engine::runtime::{Task, TaskAnswer, TaskError, TaskHandler};
/// use futures::future::{BoxFuture, FutureExt};
///
/// struct Greeter { greeting: String }
///
/// impl TaskHandler for Greeter {
///     fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
///         let greeting = self.greeting.clone();
///         async move {
///             let name = task.payload()["name"].as_str().ok_or_else(|| TaskError::new("NoName", "whom to greet?"))?;
///             Ok(TaskAnswer::Completed(format!("{greeting}, {name}").into()))
///         }
///         .boxed()
///     }
/// }
/// ```
pub trait TaskHandler: Send + Sync + 'static {
    /// Begins a task; the future performs it.
    ///
    /// The runtime calls this in the order in which its executions ask for tasks, and must not be blocked by it. The
    /// future runs as a task of tokio (with a virtual clock its first step runs in the runtime itself, so that answers
    /// that are there at once come in a fixed order): long computations belong into `spawn_blocking`. A panic fails the
    /// task, and nothing else.
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>>;

    /// An execution that someone started (not a child) ended: what was kept for it can go.
    fn execution_ended(&self, root: ExecutionId) {
        let _ = root;
    }
}

/// A handler of an async closure from payload to result. Where the task is cancelled, the closure's future is dropped.
///
/// ```
/// use asl_engine::runtime::{Runtime, handler_fn};
/// use serde_json::json;
///
/// let double = handler_fn(|input| async move { Ok(json!(input["n"].as_i64().unwrap_or(0) * 2)) });
/// let builder = Runtime::builder().handlers(double);
/// ```
pub fn handler_fn<F, R>(closure: F) -> impl TaskHandler
where
    F: Fn(Value) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, TaskError>> + Send + 'static,
{
    HandlerFn(closure)
}

struct HandlerFn<F>(F);

impl<F, R> TaskHandler for HandlerFn<F>
where
    F: Fn(Value) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, TaskError>> + Send + 'static,
{
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let work = Box::pin((self.0)(task.payload().clone()));
        async move {
            let cancelled = std::pin::pin!(task.cancelled());
            match select(work, cancelled).await {
                Either::Left((result, _)) => result.map(TaskAnswer::Completed),
                Either::Right(((), _)) => Err(TaskError::failed("the task was cancelled")),
            }
        }
        .boxed()
    }
}

impl<H: TaskHandler + ?Sized> TaskHandler for Arc<H> {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        (**self).invoke(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        (**self).execution_ended(root);
    }
}
