//! Executions that do not go on.
use crate::database::executions;
use crate::store::Store;
use asl_host::engine::EngineError;
use std::time::Duration;

/// Executions that do not go on, and are kept as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SuspendedExecutions {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub executions: Vec<HeldExecution>,
}

/// An execution that does not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldExecution {
    /// Its ARN.
    pub arn: String,
    /// Why.
    pub why: String,
}

impl Store {
    /// The executions that do not go on, as many of them as are wanted by name.
    ///
    /// # Errors
    /// Where the database cannot be read, or the store is being closed.
    pub async fn held(&self, limit: usize) -> Result<SuspendedExecutions, EngineError> {
        /// What takes longer to be looked at is not waited for.
        const PATIENCE: Duration = Duration::from_secs(5);
        let looked_at = self.inner.loops.loading.finish();
        // Those that are still looked at go on, as far as anybody knows.
        let _ = tokio::time::timeout(PATIENCE, looked_at).await;
        // What was found when the store was opened is written by then.
        self.inner.shared.write(Vec::new()).await?;
        let (count, executions) = self
            .read(move |connection| executions::held(connection, limit))
            .await?;
        let executions = executions.into_iter();
        Ok(SuspendedExecutions {
            count,
            executions: executions
                .map(|(arn, why)| HeldExecution { arn, why })
                .collect(),
        })
    }

    /// How far the system's clock was behind the latest moment that is kept, when the store was opened.
    pub fn clock_was_behind(&self) -> Duration {
        self.inner.shared.clock.was_behind()
    }
}
