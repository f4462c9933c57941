//! The tokio runtime as host, on one thread.
use super::stubs::Stubs;
use asl_engine::runtime::{Clock, Runtime, Task, TaskHandler};
use asl_engine::{Outcome, Program, Start, TaskAnswer, TaskError};
use asl_model::Timestamp;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};
use std::sync::{Arc, Mutex, PoisonError};

/// A runtime that lives as long as the measurement.
pub(super) struct TokioHost {
    tokio: tokio::runtime::Runtime,
    runtime: Runtime,
    stubs: StubHandler,
}

/// The stubs of the execution that runs.
#[derive(Clone, Default)]
struct StubHandler(Arc<Mutex<Stubs>>);

impl TokioHost {
    pub(super) fn new() -> Result<Self, String> {
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|error| error.to_string())?;
        let stubs = StubHandler::default();
        let handler = stubs.clone();
        let clock = Clock::virtual_from(Timestamp::from_milliseconds(1_700_000_000_000));
        let runtime =
            tokio.block_on(async { Runtime::builder().clock(clock).handlers(handler).build() });
        Ok(Self {
            tokio,
            runtime,
            stubs,
        })
    }

    /// Runs one execution to its end; its outcome and the transitions it made.
    pub(super) fn run(&self, program: &Arc<Program>, start: Start) -> (Outcome, u64) {
        *self.stubs.0.lock().unwrap_or_else(PoisonError::into_inner) = Stubs::default();
        let ended = self.tokio.block_on(async {
            let mut execution = self
                .runtime
                .start_execution(Arc::clone(program), start)
                .await;
            execution.ended().await
        });
        (ended.outcome, ended.transitions)
    }
}

impl TaskHandler for StubHandler {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let mut stubs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let payload = Arc::clone(&task.invocation().payload);
        let answer = stubs.answer(task.resource(), payload);
        let answer = answer.map(|output| TaskAnswer::Completed(Arc::unwrap_or_clone(output)));
        ready(answer.map_err(|(error, cause)| TaskError::new(error, cause))).boxed()
    }
}
