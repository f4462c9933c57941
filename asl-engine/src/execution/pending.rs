//! Pending effects of an execution.
use super::Execution;
use super::machine::{FlowId, MapRunCounts, Phase, Stage, TaskProgress};
use super::output::{EffectId, StorageRequest};
use super::states::pending_child;
use super::step::Effect;
use crate::distributed::StorageCall;
use crate::program::StateAction;
use asl_model::Timestamp;

/// An effect without an answer, as it was requested.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PendingEffect {
    /// The effect.
    pub effect: Effect,
    /// Progress of the effect: for an object store or a child execution, always [`TaskProgress::Asked`].
    pub progress: TaskProgress,
}

impl PendingEffect {
    /// Returns true if someone may have a token by which it will be answered.
    #[cfg(feature = "runtime")]
    pub(crate) fn is_known_by_token(&self) -> bool {
        match &self.effect {
            Effect::Task(task) => task.task_token.is_some() || self.progress != TaskProgress::Asked,
            Effect::Storage(_) | Effect::Child(_) => false,
        }
    }
}

/// The inputs that complete an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AwaitedAnswer {
    /// `TaskSucceeded`, `TaskFailed`, `TaskHeartbeat` and, if set, `TaskSubmitted`.
    Task {
        /// True if the service's first answer is awaited too.
        submission: bool,
    },
    /// `StorageSucceeded` or `StorageFailed`.
    Storage,
    /// `ChildExecutionEnded`.
    Child,
}

/// A Map Run that is under way.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MapRunStatus {
    /// ARN of the child.
    pub arn: String,
    /// Child executions of the Map Run.
    pub executions: MapRunCounts,
    /// Items that there are; 0 while they are read.
    pub items: u64,
    /// Items that failed.
    pub failed_items: u64,
    /// Children that run at a time; 0 for no limit.
    pub max_concurrency: u64,
    /// Items that may fail.
    pub tolerated_failure_count: u64,
    /// Percentage of the items that may fail.
    pub tolerated_failure_percentage: f64,
    /// The last event of its state: the one that the event of its end follows, as long as nothing else happens in it.
    pub last_event: u64,
}

impl Execution {
    /// Returns all pending effects in the order of their requests. A host that restored the execution, or lost its work,
    /// performs them again; no effect is completed twice.
    pub fn pending(&self) -> impl Iterator<Item = PendingEffect> {
        let waiting = self.machine.effects.waiting();
        waiting.filter_map(|(id, flow)| self.pending_effect(id, flow))
    }

    fn pending_effect(&self, id: EffectId, flow: FlowId) -> Option<PendingEffect> {
        let asked = |effect| {
            Some(PendingEffect {
                effect,
                progress: TaskProgress::Asked,
            })
        };
        let asked_of_storage = |StorageCall { bucket, operation }| {
            asked(Effect::Storage(Box::new(StorageRequest {
                id,
                bucket,
                operation,
            })))
        };
        match self.machine.flows.phase(flow)? {
            Phase::Task(pending) => Some(PendingEffect {
                effect: Effect::Task(pending.invocation.clone()),
                progress: pending.progress.clone(),
            }),
            Phase::DistributedMap(map) => match &map.stage {
                Stage::Reading { reading, .. } => asked_of_storage(reading.call()),
                Stage::Writing(writing) => asked_of_storage(StorageCall {
                    bucket: writing.bucket.clone(),
                    operation: writing.operation.clone(),
                }),
                Stage::Running(run) => {
                    if let Some(source) = run.source.as_ref().filter(|it| it.effect == Some(id)) {
                        return asked_of_storage(source.reading.call());
                    }
                    let state = self.program.state(self.machine.flows.get(flow)?.state);
                    let StateAction::Map(map_state) = &state.action else {
                        return None;
                    };
                    let child = pending_child(&self.machine, map_state, map, id)?;
                    asked(Effect::Child(Box::new(child)))
                }
            },
            _ => None,
        }
    }

    /// Returns the inputs that complete this effect; None if they would be ignored, and need not be journaled.
    pub fn awaits(&self, id: EffectId) -> Option<AwaitedAnswer> {
        let flow = self.machine.effects.get(id)?;
        match self.machine.flows.phase(flow)? {
            Phase::Task(pending) => {
                let state = self.program.state(self.machine.flows.get(flow)?.state);
                let submission = matches!(&state.action, StateAction::Task(task)
                    if super::states::task::awaits_submission(task, pending));
                Some(AwaitedAnswer::Task { submission })
            }
            Phase::DistributedMap(map) => Some(match &map.stage {
                Stage::Reading { .. } | Stage::Writing(_) => AwaitedAnswer::Storage,
                Stage::Running(run) if run.read_effect() == Some(id) => AwaitedAnswer::Storage,
                Stage::Running(_) => AwaitedAnswer::Child,
            }),
            _ => None,
        }
    }

    /// Returns the next moment at which a wait, a timeout or a retry is due, or the execution ends by itself.
    pub fn wake(&self) -> Option<Timestamp> {
        self.machine.next_due()
    }

    /// The Map Runs that are under way.
    pub fn map_runs(&self) -> impl Iterator<Item = MapRunStatus> {
        self.machine.flows.iter().filter_map(|(_, flow, phase)| {
            let Phase::DistributedMap(map) = phase else {
                return None;
            };
            let (executions, failed_items) = match &map.stage {
                Stage::Reading { .. } => (MapRunCounts::default(), 0),
                Stage::Running(run) => (run.counts, run.failed_items),
                Stage::Writing(writing) => (writing.run.counts, writing.run.failed_items),
            };
            let tolerated = map.request.tolerated_failure.unwrap_or_default();
            Some(MapRunStatus {
                arn: map.map_run_arn.clone(),
                executions,
                items: u64::from(map.request.items.length),
                failed_items,
                max_concurrency: map.request.max_concurrency,
                tolerated_failure_count: tolerated.count().unwrap_or_default(),
                tolerated_failure_percentage: tolerated.percentage().unwrap_or_default(),
                last_event: flow.last_event_id,
            })
        })
    }
}
