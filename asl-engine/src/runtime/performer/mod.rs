//! Performers: what does what executions request.
//!
//! They know nothing of the host that asks them: it gives each request an [`EffectHost`] to talk with meanwhile.
mod following;
mod handler;
mod host;
mod invocation;
mod pattern;
mod routing;
mod storage;
mod task;

pub use following::{follow, followed_task, follows, is_submitted};
pub use futures::future::BoxFuture;
pub use handler::{TaskHandler, blocking_fn, handler_fn, task_fn, uncancelled_task_fn, value_fn};
pub use host::EffectHost;
pub use pattern::matches_pattern;
pub use routing::TaskHandlers;
pub use storage::{MemoryStorage, Storage, StorageTask, entity_tag, with_storage};
pub use task::Task;

pub(super) use routing::no_handler;
pub(super) use storage::WithStorage;

use super::ExecutionId;
use crate::{Answer, ProgramTask, StorageRequest, TaskError, TaskInvocation};
use std::future::ready;
use std::sync::Arc;

/// The result of a request.
pub type PerformResult = Result<Answer, TaskError>;

/// Performs the requests of executions: tasks, and reads and writes in object stores.
///
/// A request has at most one first result, if it is submitted ([`Task::submit`]), and one final result. The future returns
/// the final result, or reports that it arrives later with the task's token. Until then the performer may send heartbeats,
/// and is notified when the result is no longer needed.
///
/// [`TaskHandler`]s are performers, and so are [`TaskHandlers`], which choose among several handlers, mocks, and the
/// closures of [`handler_fn`] and [`task_fn`]. A [`Storage`] becomes part of one with
/// [`RuntimeBuilder::storage`](super::RuntimeBuilder::storage).
pub trait Performer: Send + Sync + 'static {
    /// Starts a request, which the future performs.
    ///
    /// By a real clock, the runtime calls this in a task of tokio, concurrently with other requests. A performer that blocks
    /// the thread of its task delays other performers, but no execution that does not wait for them; long computations
    /// belong into `spawn_blocking`. By a virtual clock, it is called in the order in which the executions ask, and the first step of
    /// the future runs in the event loop itself, so that answers which are there at once come in a fixed order. A panic
    /// fails the request, and nothing else.
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult>;

    /// Returns true if it can perform a task of a program, as far as is known before the program runs:
    /// [`RuntimeHandle::check`](super::RuntimeHandle::check) calls this.
    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        let _ = task;
        true
    }

    /// Returns true if it can perform this request to an object store, as far as is known in advance. A host that stores
    /// executions calls this before it repeats a request.
    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        let _ = request;
        true
    }

    /// Returns true if it follows the job that a task of `.sync` submits.
    ///
    /// Such a task is performed twice. At first the performer submits the job, and answers [`TaskAnswer::Submitted`]. The
    /// host keeps that, and has the task performed again with [`Task::submission`], this time until the job is over. After a
    /// restart it only asks the second time, so that no job is submitted again.
    ///
    /// [`TaskAnswer::Submitted`]: crate::TaskAnswer::Submitted
    fn follows(&self, task: &TaskInvocation) -> bool {
        let _ = task;
        false
    }

    /// An execution that a caller started (not a child) ended: data kept for it can be released.
    fn execution_ended(&self, root: ExecutionId) {
        let _ = root;
    }
}

/// A request to a performer.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "hosts handle each")]
pub enum Request {
    /// A task; the answer is an [`Answer::Task`].
    Task(Task),
    /// An object storage request; its result is an [`Answer::Storage`].
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

    fn follows(&self, task: &TaskInvocation) -> bool {
        TaskHandler::follows(self, task)
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

    fn follows(&self, task: &TaskInvocation) -> bool {
        (**self).follows(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        (**self).execution_ended(root);
    }
}
