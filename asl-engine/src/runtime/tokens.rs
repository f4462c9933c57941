//! Task tokens of a runtime: made and verified by one maker, and the executions that they name.
use super::ExecutionId;
use crate::{EffectId, TaskTokens};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The source of the task tokens of a runtime, and the executions that they belong to.
pub(super) struct TokenBook {
    maker: Arc<dyn TaskTokens>,
    /// Only of executions that have a task with a token, by ARN.
    executions: Mutex<HashMap<Arc<str>, ExecutionId>>,
}

impl TokenBook {
    pub(super) fn new(maker: Arc<dyn TaskTokens>) -> Self {
        Self {
            maker,
            executions: Mutex::default(),
        }
    }

    pub(super) fn maker(&self) -> &Arc<dyn TaskTokens> {
        &self.maker
    }

    /// Returns the task that a token names, which may be done long ago.
    pub(super) fn find(&self, token: &str) -> Option<(ExecutionId, EffectId)> {
        let task = self.maker.verify(token)?;
        let execution = self.executions().get(&*task.execution_arn).copied()?;
        Some((execution, task.effect))
    }

    /// Notes whose ARN this is; false if it is that of another.
    pub(super) fn enter(&self, arn: &Arc<str>, execution: ExecutionId) -> bool {
        match self.executions().entry(Arc::clone(arn)) {
            Entry::Vacant(entry) => *entry.insert(execution) == execution,
            Entry::Occupied(entry) => *entry.get() == execution,
        }
    }

    /// The execution of this ARN is gone.
    pub(super) fn leave(&self, arn: &str) {
        self.executions().remove(arn);
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.executions().is_empty()
    }

    fn executions(&self) -> MutexGuard<'_, HashMap<Arc<str>, ExecutionId>> {
        self.executions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
