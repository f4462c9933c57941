//! Performers: what does what executions ask for.
//!
//! They know nothing of the host that asks them: it gives each request an [`EffectHost`] to talk with meanwhile.
mod handler;
mod host;
mod invocation;
mod pattern;
mod routing;
mod storage;
mod task;

pub use futures::future::BoxFuture;
pub use handler::{TaskHandler, handler_fn, task_fn};
pub use host::EffectHost;
pub use routing::TaskHandlers;
pub use storage::{MemoryStorage, Storage, StorageTask, entity_tag, with_storage};
pub use task::Task;

pub(super) use routing::no_handler;
pub(super) use storage::WithStorage;

use super::ExecutionId;
use crate::{Answer, ProgramTask, StorageRequest, TaskError};
use std::future::ready;
use std::sync::Arc;

/// What came of a request.
pub type PerformResult = Result<Answer, TaskError>;

/// Performs what executions ask for: tasks, and reads and writes in object stores.
///
/// A request has at most one first answer, where it was only handed on ([`Task::submit`]), and one final answer, which
/// the future gives, unless it says that the answer comes later by the task's token. Until then it may say that it is
/// alive, and is told when nobody waits any more.
///
/// [`TaskHandler`]s are performers, and so are [`TaskHandlers`], which choose among several, mocks, and the closures of
/// [`handler_fn`] and [`task_fn`]. A [`Storage`] becomes part of one by
/// [`RuntimeBuilder::storage`](super::RuntimeBuilder::storage).
pub trait Performer: Send + Sync + 'static {
    /// Begins what is asked for; the future performs it.
    ///
    /// A host calls this in the order in which its executions ask, and must not be blocked by it. The first step of the
    /// future runs in the host itself, so that an answer which is there at once costs no task of tokio, and such answers
    /// come in a fixed order; the rest runs as a task of tokio. Long computations belong into `spawn_blocking`. A panic
    /// fails the request, and nothing else.
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult>;

    /// Whether it would do a task of a program, as far as can be told before the program runs:
    /// [`RuntimeHandle::check`](super::RuntimeHandle::check) asks this.
    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        let _ = task;
        true
    }

    /// Whether it would do this in an object store, as far as can be told before it is asked: a host that keeps executions
    /// asks this before it has something done anew.
    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        let _ = request;
        true
    }

    /// An execution that someone started (not a child) ended: what was kept for it can go.
    fn execution_ended(&self, root: ExecutionId) {
        let _ = root;
    }
}

/// What a performer is asked for.
#[derive(Debug)]
pub enum Request {
    /// A task; the answer is an [`Answer::Task`].
    Task(Task),
    /// Something in an object store; the answer is an [`Answer::Storage`].
    Storage(StorageTask),
}

impl From<Task> for Request {
    fn from(task: Task) -> Self {
        Self::Task(task)
    }
}

impl From<StorageTask> for Request {
    fn from(task: StorageTask) -> Self {
        Self::Storage(task)
    }
}

impl<H: TaskHandler + ?Sized> Performer for H {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        match request {
            Request::Task(task) => {
                let answer = self.invoke(task);
                Box::pin(async { answer.await.map(Answer::Task) })
            }
            Request::Storage(task) => Box::pin(ready(Err(storage::refusal(task.request())))),
        }
    }

    fn can_perform_storage(&self, _request: &StorageRequest) -> bool {
        false
    }

    fn execution_ended(&self, root: ExecutionId) {
        TaskHandler::execution_ended(self, root);
    }
}

impl<P: Performer + ?Sized> Performer for Arc<P> {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
        (**self).perform(request)
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        (**self).can_perform(task)
    }

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        (**self).can_perform_storage(request)
    }

    fn execution_ended(&self, root: ExecutionId) {
        (**self).execution_ended(root);
    }
}
