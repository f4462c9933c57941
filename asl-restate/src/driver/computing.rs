//! Computing executions: a turn holds a thread, so that it delays nothing else, and time passes after each turn.
use super::{Driver, DurableHost, HostInterruption};
use asl_engine::{Input, Step, Timestamp, TurnLimits};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::OwnedSemaphorePermit;

/// A turn of some ten milliseconds: each but the last of a computation is an entry of the journal. It ends at the same place whenever
/// the journal is replayed, so this belongs to the version of the services.
pub(crate) const TURN: TurnLimits = TurnLimits {
    cost: 100_000,
    evaluation_steps: None,
};

/// Does what may take long without delaying other tasks.
pub(crate) fn block_thread<T>(work: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|handle| handle.runtime_flavor());
    match flavor {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

impl<H: DurableHost> Driver<H> {
    /// Reports the core what happened, if anything did, within one turn.
    pub(super) fn step(&mut self, at: Timestamp, input: Option<Input>) -> Step {
        block_thread(|| self.execution.step(at, input))
    }

    /// Waits for one of the threads on which executions compute for longer than a turn, where this one does.
    pub(super) async fn wait_for_thread(
        &mut self,
    ) -> Result<Option<OwnedSemaphorePermit>, HostInterruption> {
        if !self.execution.has_yielded() {
            return Ok(None);
        }
        let permit = self.host.threads().acquire_owned().await;
        let permit = permit.map_err(|error| HostInterruption(error.to_string()))?;
        Ok(Some(permit))
    }

    /// Returns the time at which time passes next: immediately in the middle of a computation.
    pub(super) fn next_moment(&self) -> Option<Timestamp> {
        match self.execution.has_yielded() {
            true => Some(self.execution.now()),
            false => self.execution.wake(),
        }
    }
}
