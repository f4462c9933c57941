//! Suspended executions: they do not continue, and stay as they are.
use crate::database::executions;
use crate::store::Store;
use asl_backend::BackendError;
use std::time::Duration;

/// The number of suspended executions, and the first of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SuspendedExecutions {
    /// Number of suspended executions.
    pub count: u64,
    /// The first suspended executions.
    pub executions: Vec<SuspendedExecution>,
}

/// A suspended execution.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuspendedExecution {
    /// ARN of the execution.
    pub arn: String,
    /// The reason.
    pub why: String,
}

impl Store {
    /// Returns the suspended executions, at most `limit` of them with their ARNs.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read, or the store is being closed.
    pub async fn suspended(&self, limit: usize) -> Result<SuspendedExecutions, BackendError> {
        /// Maximum time to wait for the response.
        const PATIENCE: Duration = Duration::from_secs(5);
        let looked_at = self.inner.loops.loading.finish();
        // Those that are still looked at continue, as far as anybody knows.
        let _ = tokio::time::timeout(PATIENCE, looked_at).await;
        // What was found when the store was opened is written by then.
        self.inner.shared.write(Vec::new()).await?;
        let (count, executions) = self
            .read(move |connection| executions::list_suspended(connection, limit))
            .await?;
        let executions = executions.into_iter();
        Ok(SuspendedExecutions {
            count,
            executions: executions
                .map(|(arn, why)| SuspendedExecution { arn, why })
                .collect(),
        })
    }

    /// Returns how far the system clock was behind the latest stored time when the store was opened.
    pub fn clock_was_behind(&self) -> Duration {
        self.inner.shared.clock.was_behind()
    }
}
