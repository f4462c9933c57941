//! Phases of flows, as plain data.
use super::ids::FlowId;
use super::timers::Timer;
use crate::data::{Measure, SharedData};
use crate::distributed::{Batch, Batcher, ChildResult, ItemReading};
use crate::execution::error::StateError;
use crate::execution::evaluate::MapRequest;
use crate::execution::output::{EffectId, StorageOperation, TaskInvocation};
use crate::row::Row;
use asl_model::Timestamp;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The position of a flow in its state.
#[derive(Debug)]
pub(crate) enum Phase {
    /// About to enter the state.
    Entering,
    /// About to make an attempt: entered, or after a retrier's delay.
    Attempting,
    /// A Wait State, until its timer.
    Waiting(Timer),
    /// A Task State, until its answer.
    Task(PendingTask),
    /// A state that failed, until its next attempt.
    Retrying(Timer),
    Parallel(Box<ParallelBranches>),
    Map(Box<MapIterations>),
    DistributedMap(Box<DistributedMap>),
    /// The state's work ended with this result, not processed yet.
    Succeeded(SharedData),
    /// The state failed: its retriers and catchers are to be asked.
    Failed(Box<StateError>),
    /// A Wait State that is over.
    Waited,
    /// A branch, an iteration or a child execution failed the state: its retriers and catchers are to be asked.
    Broken(Box<Broken>),
    /// Stopped or failed, and kept for a redrive, which continues from here.
    Interrupted(Resumption),
}

/// A state that one of its children failed.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) error: Box<StateError>,
    /// The phase with its children, interrupted.
    pub(crate) children: Phase,
}

/// The point from which a redrive continues a flow.
#[derive(Debug)]
pub(crate) enum Resumption {
    /// The state was not entered yet.
    Enter,
    /// The state's attempt is made anew.
    Attempt,
    /// The state's children continue.
    Children(Box<Phase>),
}

impl Resumption {
    /// Returns the point from which a flow in this phase continues.
    pub(crate) fn from_phase(phase: Phase) -> Self {
        match phase {
            Phase::Entering => Self::Enter,
            Phase::Parallel(_) | Phase::Map(_) | Phase::DistributedMap(_) => {
                Self::Children(Box::new(phase))
            }
            Phase::Broken(broken) => Self::Children(Box::new(broken.children)),
            Phase::Interrupted(resumption) => resumption,
            Phase::Attempting
            | Phase::Waiting(_)
            | Phase::Task(_)
            | Phase::Retrying(_)
            | Phase::Succeeded(_)
            | Phase::Failed(_)
            | Phase::Waited => Self::Attempt,
        }
    }
}

/// An invocation that has no answer yet.
#[derive(Debug)]
pub(crate) struct PendingTask {
    /// The request, to be repeated by a host that lost it.
    pub(crate) invocation: Arc<TaskInvocation>,
    pub(crate) timers: Option<Box<TaskTimers>>,
    pub(crate) progress: TaskProgress,
}

/// Progress of a task.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum TaskProgress {
    /// The task was requested.
    Asked,
    /// An activity's worker took it up.
    Started,
    /// The service took the request of a `.sync` or `.waitForTaskToken` integration, with this first answer.
    Submitted(#[serde(with = "crate::saved::shared_text")] Arc<Value>),
}

/// The timers of a task.
#[derive(Debug, Default)]
pub(crate) struct TaskTimers {
    /// Of the whole task.
    pub(crate) deadline: Option<Timer>,
    pub(crate) heartbeat: Option<Heartbeat>,
}

/// Time of the next heartbeat.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Heartbeat {
    pub(crate) timer: Timer,
    pub(crate) seconds: u64,
    /// Later than the timer where heartbeats came since: it is set anew when it fires.
    pub(crate) due: Timestamp,
}

/// The branches of a Parallel State that runs.
#[derive(Debug)]
pub(crate) struct ParallelBranches {
    /// By branch; None once it succeeded.
    pub(crate) flows: Vec<Option<FlowId>>,
    pub(crate) outputs: Vec<Value>,
    pub(crate) running: usize,
    /// Total measure of the outputs so far.
    pub(crate) outputs_measure: Measure,
}

/// The iterations of an inline Map State that runs.
#[derive(Debug)]
pub(crate) struct MapIterations {
    pub(crate) request: MapRequest,
    pub(crate) next: u32,
    /// Iterations under way, by index.
    pub(crate) running: Row<u32, FlowId>,
    /// By iteration, of those that began; a tolerated failure leaves none.
    pub(crate) outputs: Vec<Option<Value>>,
    /// The event that made room for the next iteration.
    pub(crate) freed_by_event_id: u64,
    /// True if the Map State's flow is in the ready queue already.
    pub(crate) queued: bool,
    pub(crate) failures: u64,
    /// Total measure of the outputs so far.
    pub(crate) outputs_measure: Measure,
}

impl MapIterations {
    pub(crate) fn has_room(&self) -> bool {
        let max = self.request.max_concurrency;
        self.next < self.request.items.length && (max == 0 || (self.running.len() as u64) < max)
    }
}

/// A distributed Map State that runs.
#[derive(Debug)]
pub(crate) struct DistributedMap {
    pub(crate) map_run_arn: String,
    pub(crate) request: MapRequest,
    pub(crate) stage: Stage,
}

/// Stages of a Map Run.
#[derive(Debug)]
pub(crate) enum Stage {
    Reading {
        effect: EffectId,
        reading: Box<ItemReading>,
    },
    Running(Box<MapRun>),
    Writing(Box<ResultExport>),
}

/// The results of a Map Run on their way into a bucket.
#[derive(Debug)]
pub(crate) struct ResultExport {
    pub(crate) effect: EffectId,
    pub(crate) bucket: String,
    /// Number that are running.
    pub(crate) operation: StorageOperation,
    pub(crate) later: VecDeque<StorageOperation>,
    pub(crate) result: Result<Value, Box<StateError>>,
    /// Kept for a redrive.
    pub(crate) run: Box<MapRun>,
}

/// Inputs of the children of a Map Run.
#[derive(Debug)]
pub(crate) enum ChildInputs {
    /// One item each, made when the child starts.
    Items,
    /// One batch each.
    Batches {
        /// "BatchInput", evaluated.
        batch_input: Option<Value>,
        batches: Vec<Batch>,
    },
}

/// The children of a Map Run.
#[derive(Debug)]
pub(crate) struct MapRun {
    pub(crate) inputs: ChildInputs,
    /// Number of children; while a dataset is read, of those whose items are there.
    pub(crate) length: u32,
    pub(crate) next: u32,
    /// Children to start again, from a redrive.
    pub(crate) again: VecDeque<u32>,
    /// Under way, by effect.
    pub(crate) running: BTreeMap<EffectId, RunningChild>,
    /// By child, from the first.
    pub(crate) results: Vec<ChildResult>,
    pub(crate) failed_items: u64,
    pub(crate) counts: MapRunCounts,
    /// Children that each of its children may run at a time.
    pub(crate) grandchildren: Option<u64>,
    /// The rest of a dataset that is read while children run; None once all of it was read.
    pub(crate) source: Option<Box<ItemSource>>,
    /// By child, items that are no longer in the request: of children that run or failed.
    pub(crate) kept: BTreeMap<u32, Value>,
    /// Weight of the inputs of running children, while a dataset is read.
    pub(crate) running_weight: u64,
}

/// A dataset that is read while children run, since its items weigh too much to be held.
#[derive(Debug)]
pub(crate) struct ItemSource {
    pub(crate) reading: ItemReading,
    /// The request for the next part, if it is under way.
    pub(crate) effect: Option<EffectId>,
    /// None if each child gets one item.
    pub(crate) batcher: Option<Batcher>,
    /// Weight of the inputs of running children with which no more items are read.
    pub(crate) max_running_weight: u64,
}

impl MapRun {
    /// Returns the effect of the request for the next items.
    pub(crate) fn read_effect(&self) -> Option<EffectId> {
        self.source.as_ref()?.effect
    }

    /// Items of a child.
    pub(crate) fn item_count(&self, index: u32) -> u64 {
        match &self.inputs {
            ChildInputs::Items => 1,
            ChildInputs::Batches { batches, .. } => batches
                .get(index as usize)
                .map_or(1, |batch| batch.item_count),
        }
    }
}

/// A child that runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunningChild {
    pub(crate) index: u32,
    pub(crate) seed: u64,
    /// Weight of its input, while a dataset is read.
    pub(crate) weight: u64,
}

/// Numbers of children, or items, of a Map Run by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct MapRunCounts {
    /// Total number of child executions.
    pub total: u64,
    /// Number that have not started.
    pub pending: u64,
    /// Number that are running.
    pub running: u64,
    /// Number that succeeded.
    pub succeeded: u64,
    /// Ended with an error.
    pub failed: u64,
    /// Ended by their own TimeoutSeconds.
    pub timed_out: u64,
    /// Number that were aborted.
    pub aborted: u64,
}
