//! The jobs that are followed.
use std::time::Duration;
use tokio::sync::watch;

/// The jobs that are followed at the moment. A process waits for them before it ends, so that jobs of stopped tasks are stopped.
#[derive(Debug)]
pub struct RunningJobs(watch::Sender<usize>);

impl Default for RunningJobs {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

impl RunningJobs {
    /// Waits until no job is followed any more, for at most so long. Returns the number of those that still are.
    pub async fn finish(&self, grace: Duration) -> usize {
        let mut count = self.0.subscribe();
        // Those that take longer are counted below.
        let _ = tokio::time::timeout(grace, count.wait_for(|count| *count == 0)).await;
        *self.0.borrow()
    }

    /// Counts one more, until the returned value is dropped.
    pub(in crate::aws) fn add(&self) -> RunningJob<'_> {
        self.0.send_modify(|count| *count += 1);
        RunningJob(self)
    }
}

/// A job that is followed.
pub(in crate::aws) struct RunningJob<'j>(&'j RunningJobs);

impl Drop for RunningJob<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}
