//! Messages to an event loop from tasks and from other loops.
use super::computing_threads::ComputedTurn;
use super::hosted::HostedExecution;
use crate::runtime::ExecutionId;
use crate::tree::ExecutionTree;
use crate::{EffectId, Input};
use asl_model::Timestamp;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A message to an event loop from tasks and from other loops; sending never waits.
#[derive(Debug)]
pub(in crate::runtime) enum Arrival {
    /// A child execution, which runs here.
    Begin(Box<HostedExecution>),
    /// An execution had its turn next to the loop.
    Computed(Box<ComputedTurn>),
    /// An input for an execution.
    Input(ExecutionId, Input),
    /// The data of the executions of this tree and of this root must be counted.
    Count(Arc<ExecutionTree>, ExecutionId),
    /// Of a task of this execution.
    Notice(ExecutionId, EffectId, Notice),
}

/// A message of a performer while it works.
#[derive(Debug)]
pub(in crate::runtime) enum Notice {
    /// The performer begins, later than the timeouts of the task expect.
    Begun,
    /// Alive; each task has at most one of these on its way.
    Heartbeat,
    /// It was passed on; its link has the first answer.
    Submitted,
    /// Nothing to do before this moment.
    Sleep {
        until: Timestamp,
        wake: oneshot::Sender<()>,
    },
    /// A sleep was given up before its time.
    SleepLeft,
}
