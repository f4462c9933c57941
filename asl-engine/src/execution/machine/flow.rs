//! Flows: what runs within an execution. The machine itself is one, each branch of a Parallel State and each
//! iteration of an inline Map State is one more.
use super::ids::{FlowId, Owner};
use super::phase::Phase;
use super::scope::ScopeVariables;
use crate::data::{Data, MapItem};
use crate::program::StateIndex;
use asl_model::Timestamp;
use smallvec::SmallVec;
use std::sync::Arc;

/// A flow of states. Its position in the current state is its [`Phase`], which is stored next to it.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// None for the machine's own flow.
    pub(crate) owner: Option<Owner>,
    pub(crate) state: StateIndex,
    /// The state's raw input, until the state is left; then its output, the raw input of the next.
    pub(crate) input: Data,
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
    pub(crate) retrier_counts: SmallVec<[u64; 2]>,
    /// `$$.Task.Token` of the state at hand.
    pub(crate) task_token: Option<Arc<str>>,
    /// The item that a Map State's ItemSelector is about.
    pub(crate) selecting: Option<Box<MapItem>>,
}

impl Flow {
    pub(crate) fn new(
        owner: Option<Owner>,
        state: StateIndex,
        input: Data,
        last_event_id: u64,
    ) -> Box<Self> {
        Box::<Self>::default().start_in(owner, state, input, last_event_id)
    }

    /// Begins in an empty flow, or in one that was [cleared](Self::clear).
    fn start_in(
        mut self: Box<Self>,
        owner: Option<Owner>,
        state: StateIndex,
        input: Data,
        last_event_id: u64,
    ) -> Box<Self> {
        self.owner = owner;
        self.state = state;
        self.input = input;
        self.entered_at = Timestamp::default();
        self.left_event_id = last_event_id;
        self.entered_event_id = 0;
        self.last_event_id = last_event_id;
        self
    }

    /// Empties a flow that ended, and returns its data.
    fn clear(&mut self) -> Data {
        self.forget_state();
        self.variables = ScopeVariables::default();
        self.selecting = None;
        std::mem::take(&mut self.input)
    }

    /// Resets the data of the current state (2024 specification, Complex retry scenarios: retriers start again).
    #[inline]
    pub(crate) fn forget_state(&mut self) {
        let was_retried = self.retry_count > 0 || !self.retrier_counts.is_empty();
        if was_retried || self.task_token.is_some() {
            self.forget_attempts();
        }
    }

    #[cold]
    fn forget_attempts(&mut self) {
        self.retry_count = 0;
        self.retrier_counts.clear();
        self.task_token = None;
    }
}

/// All flows of an execution; places are used again.
#[derive(Debug, Default)]
pub(crate) struct Flows {
    places: Vec<Place>,
    free: Vec<u32>,
    /// Bytes of all variables of all flows.
    variable_bytes: u64,
    /// The allocation of a flow that ended, for the next one.
    spare: Option<Box<Flow>>,
}

#[derive(Debug)]
struct Place {
    generation: u32,
    /// None if it is free, or where its flow is being run.
    flow: Option<(Box<Flow>, Phase)>,
}

impl Flows {
    /// Begins a flow, about to enter its first state.
    pub(crate) fn start(
        &mut self,
        owner: Option<Owner>,
        state: StateIndex,
        input: Data,
        last_event_id: u64,
    ) -> FlowId {
        let flow = match self.spare.take() {
            Some(spare) => spare.start_in(owner, state, input, last_event_id),
            None => Flow::new(owner, state, input, last_event_id),
        };
        self.insert(flow)
    }

    /// Returns a new flow, about to enter its first state.
    pub(crate) fn insert(&mut self, flow: Box<Flow>) -> FlowId {
        let content = Some((flow, Phase::Entering));
        if let Some(place) = self.free.pop()
            && let Some(slot) = self.places.get_mut(place as usize)
        {
            slot.flow = content;
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
            flow: content,
        });
        FlowId {
            place,
            generation: 0,
        }
    }

    fn slot(&mut self, id: FlowId) -> Option<&mut Place> {
        self.places
            .get_mut(id.place as usize)
            .filter(|slot| slot.generation == id.generation)
    }

    fn at(&self, id: FlowId) -> Option<&(Box<Flow>, Phase)> {
        self.places
            .get(id.place as usize)
            .filter(|slot| slot.generation == id.generation)?
            .flow
            .as_ref()
    }

    /// A flow that is not being run.
    pub(crate) fn get(&self, id: FlowId) -> Option<&Flow> {
        self.at(id).map(|(flow, _)| &**flow)
    }

    /// Returns the phase of a flow that is not running.
    pub(crate) fn phase(&self, id: FlowId) -> Option<&Phase> {
        self.at(id).map(|(_, phase)| phase)
    }

    /// Takes a flow out of its place, to run it; [`put`](Self::put) or [`release`](Self::release) follows. None if the name
    /// is stale.
    #[inline]
    pub(crate) fn take(&mut self, id: FlowId) -> Option<(Box<Flow>, Phase)> {
        self.slot(id)?.flow.take()
    }

    /// Puts a flow back into the place that it was taken from.
    #[inline]
    pub(crate) fn put(&mut self, id: FlowId, flow: Box<Flow>, phase: Phase) {
        let slot = self.slot(id);
        debug_assert!(slot.is_some(), "a flow that runs keeps its place");
        if let Some(slot) = slot {
            slot.flow = Some((flow, phase));
        }
    }

    /// The place of a flow that was taken out is free again: nothing names the flow any more. Returns its data.
    pub(crate) fn release(&mut self, id: FlowId, mut flow: Box<Flow>) -> Data {
        if let Some(slot) = self.slot(id) {
            slot.generation = slot.generation.wrapping_add(1);
            // After the machine's own flow there is no other.
            if flow.owner.is_some() {
                self.free.push(id.place);
            }
            self.variable_bytes = self.variable_bytes.saturating_sub(flow.variables.bytes());
        }
        let data = flow.clear();
        self.spare = Some(flow);
        data
    }

    /// Bytes of all variables that are in scope anywhere.
    pub(crate) fn variable_bytes(&self) -> u64 {
        self.variable_bytes
    }

    pub(crate) fn set_variable_bytes(&mut self, bytes: u64) {
        self.variable_bytes = bytes;
    }

    /// Returns all flows that are not being run, in the order of their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (FlowId, &Flow, &Phase)> {
        self.places.iter().enumerate().filter_map(|(place, slot)| {
            let (flow, phase) = slot.flow.as_ref()?;
            let id = FlowId {
                place: place as u32,
                generation: slot.generation,
            };
            Some((id, &**flow, phase))
        })
    }

    /// Replaces every phase, in the order of the places.
    pub(crate) fn replace_phases(&mut self, mut replace: impl FnMut(Phase) -> Phase) {
        for slot in &mut self.places {
            if let Some((flow, phase)) = slot.flow.take() {
                slot.flow = Some((flow, replace(phase)));
            }
        }
    }

    /// Places as they are kept: the generation of each, and its flow.
    pub(crate) fn places(&self) -> impl Iterator<Item = (u32, Option<(&Flow, &Phase)>)> {
        self.places.iter().map(|slot| {
            let content = slot.flow.as_ref().map(|(flow, phase)| (&**flow, phase));
            (slot.generation, content)
        })
    }

    /// Free places, the next to be used last.
    pub(crate) fn free_places(&self) -> &[u32] {
        &self.free
    }

    /// Flows as they were kept.
    pub(crate) fn from_places(
        places: impl Iterator<Item = (u32, Option<(Box<Flow>, Phase)>)>,
        free: Vec<u32>,
    ) -> Self {
        let places: Vec<Place> = places
            .map(|(generation, flow)| Place { generation, flow })
            .collect();
        let flows = places.iter().filter_map(|slot| slot.flow.as_ref());
        let variable_bytes = flows.map(|(flow, _)| flow.variables.bytes()).sum();
        Self {
            places,
            free,
            variable_bytes,
            spare: None,
        }
    }
}
