//! Express executions in this process, which are not stored.
use super::express_memory::ExpressMemory;
use super::{BackendError, EndedExpress, ExecutionEnd, MemoryBudget};
use asl_engine::runtime::{Clock, ExecutionHandle, Performer, Runtime};
use asl_engine::{ErrorOutput, Outcome, Program, RestoreError, SavedExecution, Start, Timestamp};
use asl_performers::MockHandler;
use std::sync::{Arc, OnceLock};

/// Runs Express executions in the current process.
pub struct ExpressHost {
    performer: Arc<dyn Performer>,
    memory: Option<Arc<MemoryBudget>>,
    runtime: OnceLock<ExpressRuntime>,
}

/// A runtime, and what its executions take of the budget.
struct ExpressRuntime {
    runtime: Runtime,
    memory: Option<Arc<ExpressMemory>>,
}

impl std::fmt::Debug for ExpressHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExpressHost").finish_non_exhaustive()
    }
}

impl ExpressHost {
    /// Creates a host whose tasks `performer` runs. The runtime is created when the first execution starts.
    pub fn new(performer: Arc<dyn Performer>) -> Self {
        Self {
            performer,
            memory: None,
            runtime: OnceLock::new(),
        }
    }

    /// Draws what executions hold from this budget.
    pub fn with_memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.memory = Some(budget);
        self
    }

    /// Runs an execution to its end, on the tokio runtime that this is called in; it stops where the future is dropped.
    ///
    /// # Errors
    /// If the execution grows after the budget is spent. It is stopped, and the caller may try again later.
    pub async fn run(
        &self,
        program: Program,
        start: Start,
        test_case: Option<MockHandler>,
    ) -> Result<EndedExpress, BackendError> {
        let mocked =
            test_case.map(|mocks| self.hosting(mocks.otherwise(Arc::clone(&self.performer))));
        let hosting = mocked.as_ref().unwrap_or_else(|| self.unmocked());
        let handle = hosting.runtime.start_execution(program, start).await;
        let id = handle.id();
        let running = RunningExecution::new(handle);
        let Some(memory) = &hosting.memory else {
            return Ok(running.ended().await);
        };
        tokio::select! {
            ended = running.ended() => Ok(ended),
            () = memory.exceeded(id) => Err(BackendError::no_memory()),
        }
    }

    /// Runs an execution that is made already and has not run, as a child of a distributed Map is. It grows as its own limits let
    /// it.
    ///
    /// # Errors
    /// Returns an error if the runtime does not take it.
    pub async fn run_made(
        &self,
        program: Program,
        made: SavedExecution,
    ) -> Result<EndedExpress, RestoreError> {
        let resumed = self.unmocked().runtime.resume(made, program).await?;
        Ok(RunningExecution::new(resumed).ended().await)
    }

    fn unmocked(&self) -> &ExpressRuntime {
        let performer = || Arc::clone(&self.performer);
        self.runtime.get_or_init(|| self.hosting(performer()))
    }

    fn hosting(&self, performer: impl Performer) -> ExpressRuntime {
        let mut builder = Runtime::builder().clock(Clock::real()).handlers(performer);
        let budget = self.memory.clone();
        let memory = budget.map(|budget| Arc::new(ExpressMemory::new(budget)));
        if let Some(memory) = &memory {
            builder = builder.observer(Arc::clone(memory));
        }
        let runtime = builder.build();
        ExpressRuntime { runtime, memory }
    }
}

/// An execution that stops when its caller no longer waits for it.
struct RunningExecution {
    handle: Option<ExecutionHandle>,
    tokio: tokio::runtime::Handle,
}

impl RunningExecution {
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

impl Drop for RunningExecution {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.tokio
                .spawn(async move { handle.stop(ErrorOutput::default()).await });
        }
    }
}

fn ended(outcome: &Outcome, start_date: Timestamp, stop_date: Timestamp) -> EndedExpress {
    let ExecutionEnd {
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
