//! The tokio host: drives many executions, has their tasks done, keeps the clock.
//!
//! Event loops share the executions of a [`Runtime`], each in a thread of its own; by a virtual clock it is one, in a task of
//! tokio. An execution that waits is bytes in a table and an entry in a queue of timers, neither a task nor a thread; only
//! [`Performer`]s, that is task handlers and object stores, run as tasks of tokio. One that blocks its thread delays other
//! tasks of that thread, but no execution that does not wait for them.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use asl_engine::runtime::{Clock, Runtime, TaskHandlers};
//! use asl_model::Timestamp;
//! use serde_json::json;
//!
//! let runtime = Runtime::builder()
//!     .clock(Clock::virtual_from(Timestamp::from_milliseconds(0)))
//!     .handlers(TaskHandlers::new().on_value("Double", |input| async move { Ok(json!(input["n"].as_i64().unwrap_or(0) * 2)) }))
//!     .build();
//! assert_eq!(runtime.now(), Timestamp::from_milliseconds(0));
//! # });
//! ```
mod admission;
mod builder;
mod chance;
mod clock;
mod event_loop;
mod handle;
mod identifier;
mod observer;
mod performer;
mod spans;
mod tokens;

pub use crate::answer::{Answer, IntoTaskError, OrError, TaskAnswer, TaskError};
pub use admission::{UnhandledTask, UnhandledTasks};
pub use builder::RuntimeBuilder;
pub use clock::{Clock, ClockHold};
pub use event_loop::EndedExecution;
pub use handle::{ExecutionHandle, RuntimeHandle, TokenError};
pub use identifier::{ChildOf, ExecutionId, RunningExecution};
pub use observer::{HistoryRecorder, Observer};
pub use performer::{
    BoxFuture, EffectHost, MemoryStorage, PerformResult, Performer, Request, Storage, StorageTask,
    Task, TaskHandler, TaskHandlers, blocking_fn, entity_tag, follow, followed_task, follows,
    handler_fn, is_submitted, matches_pattern, task_fn, uncancelled_task_fn, value_fn,
    with_storage,
};

use event_loop::{Command, EventLoopRun};
use std::ops::Deref;

/// Runs executions. All that can be asked of it, it has from [`RuntimeHandle`].
///
/// Dropping it aborts what still runs: executions end without another step, handlers are cancelled and their futures
/// dropped.
#[derive(Debug)]
pub struct Runtime {
    handle: RuntimeHandle,
    event_loops: Vec<EventLoopRun>,
}

impl Runtime {
    /// Returns a runtime with the system's clock, and without handlers, storage and observer unless they are given.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    /// Returns a way to this runtime that can be cloned and kept elsewhere.
    pub fn handle(&self) -> &RuntimeHandle {
        &self.handle
    }

    /// Ends as dropping does, and waits until every handler's future is dropped.
    pub async fn shut_down(mut self) {
        for senders in self.handle.shared.loops() {
            // A loop that is gone already has nothing left to drop.
            let _ = senders.commands.send(Command::ShutDown).await;
        }
        for event_loop in &mut self.event_loops {
            event_loop.ended().await;
        }
    }
}

impl Deref for Runtime {
    type Target = RuntimeHandle;

    fn deref(&self) -> &RuntimeHandle {
        &self.handle
    }
}
