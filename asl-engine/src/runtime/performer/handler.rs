//! Task handlers: what an embedder implements to have tasks done.
use super::{PerformResult, Performer, Request, Task, storage};
use crate::runtime::ExecutionId;
use crate::{Answer, IntoTaskError, StorageRequest, TaskAnswer, TaskError, TaskInvocation};
use futures::FutureExt;
use futures::future::{BoxFuture, Either, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::future::ready;
use std::pin::pin;
use std::sync::Arc;

/// Performs tasks. Functions become handlers by [`handler_fn`], [`value_fn`], [`blocking_fn`] and
/// [`task_fn`], and several handlers one by [`TaskHandlers`](super::TaskHandlers).
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

    /// Returns true if it follows the job that a task of `.sync` submits, as [`Performer::follows`] says.
    fn follows(&self, task: &TaskInvocation) -> bool {
        let _ = task;
        false
    }

    /// An execution that a caller started (not a child) ended: data kept for it can be released.
    fn execution_ended(&self, root: ExecutionId) {
        let _ = root;
    }
}

/// Returns a handler of an async function that takes and returns types of its own: the payload is deserialized for it, and
/// its result is serialized. Where the task is cancelled, the function's future is dropped.
///
/// A payload that does not fit fails the task with [`TaskError::INVALID_PAYLOAD`].
///
/// ```
/// use asl_engine::runtime::{IntoTaskError, Runtime, TaskError, handler_fn};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Deserialize)]
/// struct Order { amount: u32 }
/// #[derive(Serialize)]
/// struct Receipt { paid: u32 }
/// struct Declined;
///
/// impl IntoTaskError for Declined {
///     fn into_task_error(self) -> TaskError {
///         TaskError::new("CardDeclined", "the amount is too high")
///     }
/// }
///
/// async fn charge(order: Order) -> Result<Receipt, Declined> {
///     if order.amount > 1_000 { Err(Declined) } else { Ok(Receipt { paid: order.amount }) }
/// }
///
/// let builder = Runtime::builder().handlers(handler_fn(charge));
/// ```
pub fn handler_fn<F, I, R, O, E>(function: F) -> impl Performer
where
    F: Fn(I) -> R + Send + Sync + 'static,
    I: DeserializeOwned + 'static,
    R: Future<Output = Result<O, E>> + Send + 'static,
    O: Serialize + 'static,
    E: IntoTaskError + 'static,
{
    let function = Arc::new(function);
    TaskFn(move |task: Task| {
        let function = Arc::clone(&function);
        cancellable(task, move |task| {
            let work = task.input().map(|input| function(input));
            async move { result_of(work?.await) }
        })
    })
}

/// Returns a handler of an async closure from payload to result, both JSON. Where the task is cancelled, the closure's future
/// is dropped.
///
/// ```
/// use asl_engine::runtime::{Runtime, value_fn};
/// use serde_json::json;
///
/// let double = value_fn(|input| async move { Ok(json!(input["n"].as_i64().unwrap_or(0) * 2)) });
/// let builder = Runtime::builder().handlers(double);
/// ```
pub fn value_fn<F, R>(closure: F) -> impl Performer
where
    F: Fn(Value) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Value, TaskError>> + Send + 'static,
{
    let closure = Arc::new(closure);
    TaskFn(move |task: Task| {
        let closure = Arc::clone(&closure);
        cancellable(task, move |task| closure(task.payload().clone()))
    })
}

/// Returns a handler of a function that computes for long or blocks, as one that reads files does: it runs on a thread for
/// such functions (`tokio::task::spawn_blocking`) and delays nothing else. Its types are those of [`handler_fn`].
///
/// Such a function cannot be cancelled: where its task is, its result is ignored.
///
/// ```
/// use asl_engine::OrError;
/// use asl_engine::runtime::{Runtime, blocking_fn};
///
/// let read = blocking_fn(|path: String| std::fs::read_to_string(path).or_error("NoTemplate"));
/// let builder = Runtime::builder().handlers(read);
/// ```
pub fn blocking_fn<F, I, O, E>(function: F) -> impl Performer
where
    F: Fn(I) -> Result<O, E> + Send + Sync + 'static,
    I: DeserializeOwned + 'static,
    O: Serialize + 'static,
    E: IntoTaskError + 'static,
{
    let function = Arc::new(function);
    TaskFn(move |task: Task| {
        let function = Arc::clone(&function);
        cancellable(task, move |task| {
            let payload = task.shared_payload();
            let work = move || result_of(function(deserialize(&payload)?));
            async move {
                match tokio::task::spawn_blocking(work).await {
                    Ok(result) => result,
                    Err(error) => match error.try_into_panic() {
                        Ok(panic) => std::panic::resume_unwind(panic),
                        Err(error) => Err(TaskError::failed(error.to_string())),
                    },
                }
            }
        })
    })
}

/// Returns a handler of an async closure that gets the whole task: its token, number of retries, state, heartbeat and
/// cancellation. It answers with the result or with a [`TaskAnswer`]. Where the task is cancelled, the closure's future is
/// dropped.
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
    let closure = Arc::new(closure);
    TaskFn(move |task: Task| {
        let closure = Arc::clone(&closure);
        cancellable(task.clone(), move |_| closure(task))
    })
}

/// As [`task_fn`], but a task that is cancelled continues until the closure looks at [`Task::cancelled`], and may clean up.
pub fn uncancelled_task_fn<F, R, A>(closure: F) -> impl Performer
where
    F: Fn(Task) -> R + Send + Sync + 'static,
    R: Future<Output = Result<A, TaskError>> + Send + 'static,
    A: Into<TaskAnswer> + 'static,
{
    TaskFn(closure)
}

/// Works until the result is there or the task is cancelled.
async fn cancellable<R, A>(task: Task, work: impl FnOnce(&Task) -> R) -> Result<A, TaskError>
where
    R: Future<Output = Result<A, TaskError>>,
{
    let work = work(&task);
    match select(pin!(work), pin!(task.cancelled())).await {
        Either::Left((result, _)) => result,
        Either::Right(((), _)) => Err(TaskError::cancelled()),
    }
}

/// Converts a payload to a type of the embedder.
pub(super) fn deserialize<I: DeserializeOwned>(payload: &Value) -> Result<I, TaskError> {
    serde_path_to_error::deserialize(payload).map_err(|error| {
        let (path, error) = (error.path().to_string(), error.inner());
        let cause = match path.as_str() {
            "." => format!("the payload is not what the handler takes: {error}"),
            path => format!("the payload is not what the handler takes: at `{path}`: {error}"),
        };
        TaskError::new(TaskError::INVALID_PAYLOAD, cause)
    })
}

/// Converts the result of an embedder's function.
fn result_of<O: Serialize, E: IntoTaskError>(result: Result<O, E>) -> Result<Value, TaskError> {
    let output = result.map_err(IntoTaskError::into_task_error)?;
    serde_json::to_value(output).map_err(|error| {
        let cause = format!("the result of the handler cannot be JSON: {error}");
        TaskError::new(TaskError::INVALID_RESULT, cause)
    })
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
