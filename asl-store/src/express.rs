//! Express executions that somebody waits for: nothing of them is kept.
use crate::outcome;
use crate::shared::Shared;
use asl_engine::runtime::{Clock, ExecutionHandle, Runtime};
use asl_engine::{ErrorOutput, Outcome, Program, Start};
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
    ) -> EndedExpress {
        let runtime = self.0.get_or_init(|| {
            let performer = Arc::clone(&shared.options.performer);
            Runtime::builder()
                .clock(Clock::real())
                .handlers(performer)
                .build()
        });
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
