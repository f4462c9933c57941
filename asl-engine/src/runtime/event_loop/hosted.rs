//! What the runtime keeps of one execution.
use super::link::Link;
use super::member::Member;
use super::shared::Shared;
use super::timers::TimerKey;
use crate::execution::Departures;
use crate::row::Row;
use crate::runtime::{ExecutionId, RunningExecution};
use crate::tree::{ExecutionTree, TreeShare};
use crate::{EffectId, ErrorPlace, Execution, HeldEstimate, Input, Outcome, PendingEffect};
use asl_model::Timestamp;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::oneshot;

/// An execution in the runtime: while it waits, these bytes and its own are all there is of it.
#[derive(Debug)]
pub(in crate::runtime) struct Hosted {
    pub(super) execution: Execution,
    pub(super) member: Arc<Member>,
    pub(super) started: Timestamp,
    /// Who is told of its end.
    pub(super) awaited_by: AwaitedBy,
    /// Its entry among the timers.
    pub(super) armed: Option<TimerKey>,
    /// Whether it is in the ready queue because it used up the budget of one call.
    pub(super) continues: bool,
    /// Whether its turns are had beside the event loop, which only takes its input in.
    pub(super) computes: bool,
    /// Effects without an answer; boxed, since a map's first entry makes room for eleven.
    pub(super) effects: Row<EffectId, Box<HostedEffect>>,
    /// What came of effects and waits for the execution's turn, in the order in which it did of each.
    pub(super) answers: BTreeMap<(EffectId, u64), Input>,
    /// Children that run.
    pub(super) children: BTreeMap<EffectId, ExecutionId>,
    /// The tree that it is part of, where there are children, and its share of what that takes.
    pub(super) tree: Option<Arc<ExecutionTree>>,
    pub(super) share: TreeShare,
    /// Estimated memory, if an observer watches it.
    pub(super) held: Option<HeldEstimate>,
}

impl Hosted {
    /// Whether it is to be stopped, not to be run.
    pub(super) fn is_cut_off(&self) -> bool {
        let is_child = matches!(self.awaited_by, AwaitedBy::Parent(..));
        is_child && self.tree.as_ref().is_some_and(|tree| tree.is_cut_off())
    }
}

/// Who is told of an execution's end.
#[derive(Debug)]
pub(super) enum AwaitedBy {
    /// The holder of an [`ExecutionHandle`](crate::runtime::ExecutionHandle).
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
    /// Where in the definition the error arose that it failed with, where that is known.
    pub failed_at: Option<ErrorPlace>,
    /// Where it went on as the service does, and not as the specification says; its child executions are not looked at.
    pub departures: Departures,
}

impl Hosted {
    /// An execution that someone started or resumed, whose end is told to `ended`.
    pub(in crate::runtime) fn from_start(
        shared: &Arc<Shared>,
        id: ExecutionId,
        execution: Execution,
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
        Self::new(member, execution, AwaitedBy::Handle(ended))
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
        })
    }
}

/// An effect without an answer.
#[derive(Debug)]
pub(super) struct HostedEffect {
    pub(super) pending: PendingEffect,
    /// Whether the performer's future is not done.
    pub(super) at_work: bool,
    /// How many of the performer's sleeps are not over.
    pub(super) sleeps: usize,
    /// To whoever performs it.
    pub(super) link: Option<Arc<Link>>,
}

impl HostedEffect {
    /// One that nobody works at yet.
    pub(super) fn new(pending: PendingEffect) -> Self {
        Self {
            pending,
            at_work: false,
            sleeps: 0,
            link: None,
        }
    }

    /// Whether a virtual clock must wait for it.
    pub(super) fn is_busy(&self) -> bool {
        self.at_work && self.sleeps == 0
    }

    /// Takes the first answer, where there is one that the execution does not know.
    pub(super) fn submission(&mut self) -> Option<Input> {
        let output = self.link.as_ref()?.take_submission()?;
        self.pending.submitted(output)
    }
}

impl Drop for HostedEffect {
    /// Nobody waits for it any more: whoever performs it is told.
    fn drop(&mut self) {
        if let Some(link) = self.link.take() {
            link.cancel();
        }
    }
}
