//! Express executions in this process, which are not stored.
use super::express_memory::ExpressMemory;
use super::{BackendError, EndedExpress, ExecutionEnd, MemoryBudget};
use asl_engine::runtime::{Clock, ExecutionHandle, Performer, Runtime, RuntimeBuilder};
use asl_engine::{Outcome, Program, RestoreError, SavedExecution, Start, Timestamp};
use asl_performers::MockHandler;
use std::num::NonZeroUsize;
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
        let mocked = test_case.map(|mocks| {
            let mocks = mocks.otherwise(Arc::clone(&self.performer));
            // For one execution.
            self.hosting(Runtime::builder().event_loops(NonZeroUsize::MIN), mocks)
        });
        let hosting = mocked.as_ref().unwrap_or_else(|| self.unmocked());
        let handle = hosting.runtime.start_execution(program, start).await;
        let id = handle.id();
        let Some(memory) = &hosting.memory else {
            return Ok(end_of(handle).await);
        };
        tokio::select! {
            ended = end_of(handle) => Ok(ended),
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
        Ok(end_of(resumed).await)
    }

    fn unmocked(&self) -> &ExpressRuntime {
        let performer = || Arc::clone(&self.performer);
        self.runtime
            .get_or_init(|| self.hosting(Runtime::builder(), performer()))
    }

    fn hosting(&self, builder: RuntimeBuilder, performer: impl Performer) -> ExpressRuntime {
        let mut builder = builder.clock(Clock::real()).handlers(performer);
        let budget = self.memory.clone();
        let memory = budget.map(|budget| Arc::new(ExpressMemory::new(budget)));
        if let Some(memory) = &memory {
            builder = builder.observer(Arc::clone(memory));
        }
        let runtime = builder.build();
        ExpressRuntime { runtime, memory }
    }
}

/// Waits for the end of an execution, which stops when its caller no longer waits for it.
async fn end_of(handle: ExecutionHandle) -> EndedExpress {
    let end = handle.stop_when_dropped().ended().await;
    ended(&end.outcome, end.start_date, end.stop_date)
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
