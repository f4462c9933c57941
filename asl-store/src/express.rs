//! Express executions that somebody waits for: nothing of them is kept.
use crate::outcome;
use crate::shared::Shared;
use asl_engine::runtime::{Clock, ExecutionHandle, Performer, Runtime};
use asl_engine::{ErrorOutput, Outcome, Program, Start};
use asl_host::MockHandler;
use asl_host::engine::EndedExpress;
use std::sync::{Arc, OnceLock};

/// The host of Express executions that somebody waits for.
#[derive(Default)]
pub(crate) struct ExpressHost(OnceLock<Runtime>);

impl ExpressHost {
    /// Runs an execution to its end; it stops where the future is dropped.
    pub(crate) async fn run(
        &self,
        shared: &Arc<Shared>,
        program: Program,
        start: Start,
        test_case: Option<MockHandler>,
    ) -> EndedExpress {
        let mocked = test_case.map(|mocks| runtime(mocks.otherwise(performer(shared))));
        let runtime = match &mocked {
            Some(mocked) => mocked,
            None => self.0.get_or_init(|| runtime(performer(shared))),
        };
        let mut running = Running {
            handle: Some(runtime.start_execution(program, start).await),
            tokio: shared.tokio.clone(),
        };
        let Some(handle) = &mut running.handle else {
            // It is taken when this is dropped, not before.
            return ended(&Outcome::TimedOut, Default::default(), Default::default());
        };
        let end = handle.ended().await;
        running.handle = None;
        ended(&end.outcome, end.start_date, end.stop_date)
    }
}

fn performer(shared: &Shared) -> Arc<dyn Performer> {
    Arc::clone(&shared.options.performer)
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

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.tokio
                .spawn(async move { handle.stop(ErrorOutput::default()).await });
        }
    }
}

fn ended(
    outcome: &Outcome,
    start_date: asl_engine::Timestamp,
    stop_date: asl_engine::Timestamp,
) -> EndedExpress {
    let (status, output, error_output) = outcome::parts(outcome);
    EndedExpress {
        start_date,
        stop_date,
        status,
        output,
        error_output,
    }
}
