//! Express executions in this process: nothing of them is kept.
use super::{Ended, EndedExpress};
use crate::MockHandler;
use asl_engine::runtime::{Clock, ExecutionHandle, Performer, Runtime};
use asl_engine::{ErrorOutput, Outcome, Program, RestoreError, SavedExecution, Start, Timestamp};
use std::sync::{Arc, OnceLock};

/// The host of Express executions, which run in the process that is asked.
pub struct ExpressHost {
    performer: Arc<dyn Performer>,
    runtime: OnceLock<Runtime>,
}

impl std::fmt::Debug for ExpressHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExpressHost").finish_non_exhaustive()
    }
}

impl ExpressHost {
    /// One whose tasks this performs. Its runtime is made when the first execution runs.
    pub fn new(performer: Arc<dyn Performer>) -> Self {
        Self {
            performer,
            runtime: OnceLock::new(),
        }
    }

    /// Runs an execution to its end, on the tokio runtime that this is called in; it stops where the future is dropped.
    pub async fn run(
        &self,
        program: Program,
        start: Start,
        test_case: Option<MockHandler>,
    ) -> EndedExpress {
        let mocked = test_case.map(|mocks| runtime(mocks.otherwise(Arc::clone(&self.performer))));
        let runtime = mocked.as_ref().unwrap_or_else(|| self.runtime());
        Running::new(runtime.start_execution(program, start).await)
            .ended()
            .await
    }

    /// The same for an execution that is made already and has not run, as a child of a distributed Map is.
    ///
    /// # Errors
    /// Where the runtime does not take it.
    pub async fn run_made(
        &self,
        program: Program,
        made: SavedExecution,
    ) -> Result<EndedExpress, RestoreError> {
        let resumed = self.runtime().resume(made, program).await?;
        Ok(Running::new(resumed).ended().await)
    }

    fn runtime(&self) -> &Runtime {
        let performer = || Arc::clone(&self.performer);
        self.runtime.get_or_init(|| runtime(performer()))
    }
}

fn runtime(performer: impl Performer) -> Runtime {
    let builder = Runtime::builder().clock(Clock::real());
    builder.handlers(performer).build()
}

/// An execution that is stopped where nobody waits for it any more.
struct Running {
    handle: Option<ExecutionHandle>,
    tokio: tokio::runtime::Handle,
}

impl Running {
    fn new(handle: ExecutionHandle) -> Self {
        Self {
            handle: Some(handle),
            tokio: tokio::runtime::Handle::current(),
        }
    }

    async fn ended(mut self) -> EndedExpress {
        let Some(handle) = &mut self.handle else {
            // It is taken when this is dropped, not before.
            return ended(&Outcome::TimedOut, Default::default(), Default::default());
        };
        let end = handle.ended().await;
        self.handle = None;
        ended(&end.outcome, end.start_date, end.stop_date)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.tokio
                .spawn(async move { handle.stop(ErrorOutput::default()).await });
        }
    }
}

fn ended(outcome: &Outcome, start_date: Timestamp, stop_date: Timestamp) -> EndedExpress {
    let Ended {
        status,
        output,
        error_output,
    } = outcome.into();
    EndedExpress {
        start_date,
        stop_date,
        status,
        output,
        error_output,
    }
}
