//! Executions that a task of another execution waits for.
use super::ExternalEvent;
use asl_backend::NestedTask;
use asl_engine::{EffectId, TaskTokens, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A task that waits for the end of an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Waiter {
    pub(crate) execution_arn: Arc<str>,
    pub(crate) effect: EffectId,
}

impl Waiter {
    /// Returns the task that a token names.
    pub(crate) fn new(nested: &NestedTask, tokens: &dyn TaskTokens) -> Option<Self> {
        let task = tokens.verify(&nested.token)?;
        Some(Self {
            execution_arn: task.execution_arn.into(),
            effect: task.effect,
        })
    }
}

/// A message of a nested execution to the waiting task.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct NestedMessage {
    pub(crate) waiter: Waiter,
    /// The execution that is waited for.
    pub(crate) nested: Arc<str>,
    pub(crate) at: Timestamp,
    /// One after another.
    pub(crate) what: Vec<ExternalEvent>,
}
