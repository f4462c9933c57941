//! Pending effects, and the flows that wait for them.
use super::ids::FlowId;
use crate::execution::output::EffectId;
use crate::row::Row;

/// Effects without an answer.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    waiting: Row<EffectId, FlowId>,
    next: u64,
}

impl Effects {
    /// Returns a new effect that a flow waits for.
    pub(crate) fn add(&mut self, flow: FlowId) -> EffectId {
        let id = self.next_id();
        self.wait(id, flow);
        id
    }

    /// Returns the next id; [`wait`](Self::wait) follows, or nothing does.
    pub(crate) fn next_id(&mut self) -> EffectId {
        let id = EffectId(self.next);
        self.next += 1;
        id
    }

    /// A flow waits for the effect that was named last.
    pub(crate) fn wait(&mut self, id: EffectId, flow: FlowId) {
        self.waiting.insert(id, flow);
    }

    /// Returns the flow that waits for it.
    pub(crate) fn get(&self, id: EffectId) -> Option<FlowId> {
        self.waiting.get(id).copied()
    }

    /// Removes an effect; returns true if a flow waited for it.
    pub(crate) fn remove(&mut self, id: EffectId) -> bool {
        self.waiting.remove(id).is_some()
    }

    /// Returns the number of the next effect.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// The ids from this one on were named for nothing.
    pub(crate) fn take_back(&mut self, next: u64) {
        self.next = next;
    }

    /// Returns all effects without an answer, with the flows that wait for them.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (EffectId, FlowId)> {
        self.waiting.iter().map(|(id, flow)| (id, *flow))
    }

    /// Effects as they were kept, by their ids.
    pub(crate) fn from_kept(waiting: Vec<(EffectId, FlowId)>, next: u64) -> Self {
        Self {
            waiting: waiting.into_iter().collect(),
            next,
        }
    }
}
