//! State of one execution in the runtime.
use super::link::Link;
use super::member::Member;
use super::shared::SharedState;
use super::timers::TimerKey;
use crate::execution::Departures;
use crate::row::Row;
use crate::runtime::{ExecutionId, RunningExecution};
use crate::tree::{ExecutionTree, TreeShare};
use crate::{EffectId, ErrorPlace, Execution, HeldEstimate, Input, Outcome, PendingEffect};
use asl_model::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// An execution in the runtime: while it waits, these bytes and its own are all there is of it.
#[derive(Debug)]
pub(in crate::runtime) struct HostedExecution {
    pub(super) execution: Execution,
    pub(super) member: Arc<Member>,
    pub(super) started: Timestamp,
    /// The waiter for its end.
    pub(super) awaited_by: AwaitedBy,
    /// Its entry among the timers.
    pub(super) armed: Option<TimerKey>,
    /// True if it is in the ready queue because it used up the budget of one call.
    pub(super) continues: bool,
    /// True if its turns are had next to the event loop, which only takes its input in.
    pub(super) computes: bool,
    /// Effects without an answer; boxed, since a map's first entry makes room for eleven.
    pub(super) effects: Row<EffectId, Box<HostedEffect>>,
    /// Results of effects that wait for the execution's turn, in order for each effect.
    pub(super) answers: BTreeMap<(EffectId, u64), Input>,
    /// Children that run.
    pub(super) children: BTreeMap<EffectId, ExecutionId>,
    /// The tree that it is part of, if there are children, and its share of what that takes.
    pub(super) tree: Option<Arc<ExecutionTree>>,
    pub(super) share: TreeShare,
    /// Estimated memory, if an observer watches it.
    pub(super) held: Option<HeldEstimate>,
    /// Its place among those that run at a time, if they are limited.
    place: Option<OwnedSemaphorePermit>,
}

impl HostedExecution {
    /// Returns the tasks that no performer has yet, if the execution has something due: it may be their timeouts.
    pub(super) fn tasks_to_postpone(&self, now: Timestamp) -> Vec<EffectId> {
        if self.execution.next_due().is_none_or(|due| due > now) {
            return Vec::new();
        }
        let waits = |effect: &HostedEffect| {
            let link = effect.link.as_ref();
            link.is_some_and(|link| link.handover().postpone())
        };
        let effects = self.effects.iter();
        effects
            .filter(|(_, effect)| waits(effect))
            .map(|(id, _)| id)
            .collect()
    }

    /// Takes the first answers of tasks that the execution does not know.
    pub(super) fn submissions(&mut self) -> Vec<Input> {
        let effects = self.effects.values_mut();
        effects.filter_map(|effect| effect.submission()).collect()
    }

    /// Returns true if it is to be stopped, not to be run.
    pub(super) fn is_cut_off(&self) -> bool {
        let is_child = matches!(self.awaited_by, AwaitedBy::Parent(..));
        is_child && self.tree.as_ref().is_some_and(|tree| tree.is_cut_off())
    }
}

/// The waiter for the end of an execution.
#[derive(Debug)]
pub(super) enum AwaitedBy {
    /// The holder of an [`ExecutionHandle`](crate::runtime::ExecutionHandle).
    Handle(oneshot::Sender<Box<EndedExecution>>),
    /// The execution whose distributed Map started it.
    Parent(ExecutionId, EffectId),
}

/// An ended execution.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EndedExecution {
    /// The outcome.
    pub outcome: Outcome,
    /// Transitions made: states entered, and retries.
    pub transitions: u64,
    /// Time of the start on the runtime's clock.
    pub start_date: Timestamp,
    /// Time of the end.
    pub stop_date: Timestamp,
    /// Location of the error that failed the execution, if known.
    pub failed_at: Option<ErrorPlace>,
    /// Points at which the execution followed the service instead of the specification, without its child executions.
    pub departures: Departures,
}

impl HostedExecution {
    /// Creates an execution that a caller started or resumed; its end is sent to `ended`.
    pub(in crate::runtime) fn from_start(
        shared: &Arc<SharedState>,
        id: ExecutionId,
        execution: Execution,
        place: Option<OwnedSemaphorePermit>,
        ended: oneshot::Sender<Box<EndedExecution>>,
    ) -> Box<Self> {
        let running = RunningExecution {
            id,
            root: id,
            identity: Arc::clone(&execution.start_parameters().identity),
            child: None,
        };
        let member = Member::new(running, Arc::clone(shared));
        if execution
            .pending()
            .any(|pending| pending.is_known_by_token())
        {
            // A token may be returned as soon as the execution has been handed over.
            member.claim_name();
        }
        let mut hosted = Self::new(member, execution, AwaitedBy::Handle(ended));
        hosted.place = place;
        hosted
    }

    pub(super) fn new(member: Member, execution: Execution, awaited_by: AwaitedBy) -> Box<Self> {
        Box::new(Self {
            started: execution.start_parameters().now,
            execution,
            member: Arc::new(member),
            awaited_by,
            armed: None,
            continues: false,
            computes: false,
            effects: Row::default(),
            answers: BTreeMap::new(),
            children: BTreeMap::new(),
            tree: None,
            share: TreeShare::default(),
            held: None,
            place: None,
        })
    }
}

/// An effect without an answer.
#[derive(Debug)]
pub(super) struct HostedEffect {
    pub(super) pending: PendingEffect,
    /// True if the performer's future is not done.
    pub(super) at_work: bool,
    /// Number of pending sleeps of the performer.
    pub(super) sleeps: usize,
    /// Link to the performer.
    pub(super) link: Option<Arc<Link>>,
}

impl HostedEffect {
    /// Creates an effect without a performer.
    pub(super) fn new(pending: PendingEffect) -> Self {
        Self {
            pending,
            at_work: false,
            sleeps: 0,
            link: None,
        }
    }

    /// Returns true if a virtual clock must wait for it.
    pub(super) fn is_busy(&self) -> bool {
        self.at_work && self.sleeps == 0
    }

    /// Takes the first answer, if there is one that the execution does not know.
    pub(super) fn submission(&mut self) -> Option<Input> {
        let output = self.link.as_ref()?.take_submission()?;
        self.pending.record_submission(output)
    }
}

impl Drop for HostedEffect {
    /// Notifies the performer that the result is no longer needed.
    fn drop(&mut self) {
        if let Some(link) = self.link.take() {
            link.cancel();
        }
    }
}
