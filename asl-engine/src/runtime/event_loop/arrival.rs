//! What reaches an event loop from tasks and from other loops.
use super::computing::ComputedTurn;
use super::hosted::Hosted;
use crate::runtime::ExecutionId;
use crate::tree::ExecutionTree;
use crate::{EffectId, Input};
use asl_model::Timestamp;
use std::sync::Arc;
use tokio::sync::oneshot;

/// What reaches an event loop from tasks and from other loops; it never has to wait.
#[derive(Debug)]
pub(in crate::runtime) enum Arrival {
    /// A child execution, which runs here.
    Begin(Box<Hosted>),
    /// An execution had its turn beside the loop.
    Computed(Box<ComputedTurn>),
    /// What an execution is to be told.
    Input(ExecutionId, Input),
    /// What the executions of this tree, and of this root, hold is to be counted.
    Count(Arc<ExecutionTree>, ExecutionId),
    /// Of a task of this execution.
    Notice(ExecutionId, EffectId, Notice),
}

/// What whoever performs a task says meanwhile.
#[derive(Debug)]
pub(in crate::runtime) enum Notice {
    /// Alive; each task has at most one of these on its way.
    Heartbeat,
    /// It was handed on; its link has the first answer.
    Submitted,
    /// Nothing to do before this moment.
    Sleep {
        until: Timestamp,
        wake: oneshot::Sender<()>,
    },
    /// A sleep was given up before its time.
    SleepLeft,
}
