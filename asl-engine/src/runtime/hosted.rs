//! What the runtime keeps of one execution.
use super::identifier::ExecutionId;
use super::timers::Place;
use super::tokens::Member;
use crate::{EffectId, Execution, Outcome, Resource};
use asl_model::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{oneshot, watch};

/// An execution in the runtime: while it waits, these bytes and its own are all there is of it.
#[derive(Debug)]
pub(super) struct Hosted {
    pub(super) execution: Execution,
    pub(super) identity: Arc<Member>,
    pub(super) started: Timestamp,
    /// Who is told of its end.
    pub(super) awaited_by: AwaitedBy,
    /// Its entry among the timers.
    pub(super) armed: Option<Place>,
    /// Whether it is in the ready queue because it used up the budget of one call.
    pub(super) continues: bool,
    /// Tasks without an answer; boxed, since a map's first entry makes room for eleven.
    pub(super) tasks: BTreeMap<EffectId, Box<PendingTask>>,
    /// Children that run.
    pub(super) children: BTreeMap<EffectId, ExecutionId>,
}

/// Who is told of an execution's end.
#[derive(Debug)]
pub(super) enum AwaitedBy {
    /// The holder of an [`ExecutionHandle`](super::ExecutionHandle).
    Handle(oneshot::Sender<Box<EndedExecution>>),
    /// The execution whose distributed Map started it.
    Parent(ExecutionId, EffectId),
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq)]
pub struct EndedExecution {
    /// The outcome.
    pub outcome: Outcome,
    /// Transitions made: states entered, and retries.
    pub transitions: u64,
    /// When it started, by the runtime's clock.
    pub start_date: Timestamp,
    /// When it ended.
    pub stop_date: Timestamp,
}

impl Hosted {
    pub(super) fn new(
        identity: Member,
        execution: Execution,
        started: Timestamp,
        awaited_by: AwaitedBy,
    ) -> Box<Self> {
        Box::new(Self {
            execution,
            identity: Arc::new(identity),
            started,
            awaited_by,
            armed: None,
            continues: false,
            tasks: BTreeMap::new(),
            children: BTreeMap::new(),
        })
    }
}

/// A task without an answer.
#[derive(Debug)]
pub(super) struct PendingTask {
    pub(super) resource: Arc<Resource>,
    /// Whether the core knows that the request was taken.
    pub(super) submitted: bool,
    /// Whether the handler's future is not done.
    pub(super) at_work: bool,
    /// How many of the handler's sleeps are not over.
    pub(super) sleeps: usize,
    /// Tells whoever holds the [`Task`](super::Task); dropping it does too.
    pub(super) canceller: Option<watch::Sender<bool>>,
}

impl PendingTask {
    /// Whether a virtual clock must wait for it.
    pub(super) fn is_busy(&self) -> bool {
        self.at_work && self.sleeps == 0
    }
}
