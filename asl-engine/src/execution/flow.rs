//! Flows: what runs within an execution. The machine itself is one, each branch of a Parallel State and each
//! iteration of an inline Map State is one more.
use super::data::Data;
use super::distributed_map::DistributedMap;
use super::error::StateError;
use super::items::MapItem;
use super::map::MapIterations;
use super::parallel::ParallelBranches;
use super::task::PendingTask;
use super::timers::Timer;
use super::variables::ScopeVariables;
use crate::program::StateIndex;
use asl_model::Timestamp;
use std::sync::Arc;

/// Names a flow; a place that is used again has another generation, so stale names find nothing.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub(crate) struct FlowId {
    place: u32,
    generation: u32,
}

/// One thread of states.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Flow {
    /// None for the machine's own flow.
    pub(crate) owner: Option<Owner>,
    pub(crate) state: StateIndex,
    /// The state's raw input.
    pub(crate) input: Data,
    pub(crate) phase: Phase,
    pub(crate) entered_at: Timestamp,
    /// The event before the state was entered.
    pub(crate) left_event_id: u64,
    pub(crate) entered_event_id: u64,
    pub(crate) last_event_id: u64,
    /// Of the scope that its states are in.
    pub(crate) variables: ScopeVariables,
    /// Retries of the state at hand, over all retriers.
    pub(crate) retry_count: u64,
    /// Retries of the state at hand, by retrier; empty before the first.
    pub(crate) retrier_counts: Vec<u64>,
    /// `$$.Task.Token` of the state at hand.
    pub(crate) task_token: Option<Arc<str>>,
    /// The item that a Map State's ItemSelector is about.
    pub(crate) selecting: Option<MapItem>,
    /// Whether a branch or an iteration failed the state at hand.
    pub(crate) children_failed: bool,
}

/// The Parallel or Map State that a flow is a branch or an iteration of.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub(crate) struct Owner {
    pub(crate) flow: FlowId,
    /// Which branch or iteration.
    pub(crate) index: u32,
}

/// Where a flow is within its state.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Phase {
    /// About to enter the state.
    Entering,
    /// A Wait State, until its timer.
    Waiting(Timer),
    /// A Task State, until its answer.
    Task(PendingTask),
    /// A state that failed, until its next attempt.
    Retrying(Timer),
    /// About to make the next attempt.
    Reattempting,
    Parallel(Box<ParallelBranches>),
    Map(Box<MapIterations>),
    DistributedMap(Box<DistributedMap>),
    /// The state's work ended with this result, not processed yet.
    Settled(Box<Result<Data, StateError>>),
}

impl Flow {
    pub(crate) fn new(
        owner: Option<Owner>,
        state: StateIndex,
        input: Data,
        last_event_id: u64,
    ) -> Self {
        Self {
            owner,
            state,
            input,
            phase: Phase::Entering,
            entered_at: Timestamp::default(),
            left_event_id: last_event_id,
            entered_event_id: 0,
            last_event_id,
            variables: ScopeVariables::default(),
            retry_count: 0,
            retrier_counts: Vec::new(),
            task_token: None,
            selecting: None,
            children_failed: false,
        }
    }
}

/// All flows of an execution; places are used again.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Flows {
    places: Vec<Place>,
    free: Vec<u32>,
    /// Bytes of all variables of all flows.
    variable_bytes: u64,
}

#[derive(Debug, serde::Serialize, serde::Deserialize)]
struct Place {
    generation: u32,
    flow: Option<Flow>,
}

impl Flows {
    pub(crate) fn insert(&mut self, flow: Flow) -> FlowId {
        if let Some(place) = self.free.pop()
            && let Some(slot) = self.places.get_mut(place as usize)
        {
            slot.flow = Some(flow);
            return FlowId {
                place,
                generation: slot.generation,
            };
        }
        if self.places.is_empty() {
            // Most executions have one flow; a vector would make room for four.
            self.places.reserve_exact(1);
        }
        let place = self.places.len() as u32;
        self.places.push(Place {
            generation: 0,
            flow: Some(flow),
        });
        FlowId {
            place,
            generation: 0,
        }
    }

    pub(crate) fn get(&self, id: FlowId) -> Option<&Flow> {
        self.places
            .get(id.place as usize)
            .filter(|slot| slot.generation == id.generation)?
            .flow
            .as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: FlowId) -> Option<&mut Flow> {
        self.places
            .get_mut(id.place as usize)
            .filter(|slot| slot.generation == id.generation)?
            .flow
            .as_mut()
    }

    pub(crate) fn remove(&mut self, id: FlowId) -> Option<Flow> {
        let slot = self
            .places
            .get_mut(id.place as usize)
            .filter(|slot| slot.generation == id.generation)?;
        let flow = slot.flow.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.place);
        self.variable_bytes = self.variable_bytes.saturating_sub(flow.variables.bytes());
        Some(flow)
    }

    /// Bytes of all variables that are in scope anywhere.
    pub(super) fn variable_bytes(&self) -> u64 {
        self.variable_bytes
    }

    pub(super) fn set_variable_bytes(&mut self, bytes: u64) {
        self.variable_bytes = bytes;
    }

    /// Removes all, in the order of their places.
    pub(crate) fn drain(&mut self) -> Vec<Flow> {
        self.free.clear();
        self.variable_bytes = 0;
        std::mem::take(&mut self.places)
            .into_iter()
            .filter_map(|place| place.flow)
            .collect()
    }
}
