//! Which flow waits for which effect.
use super::ids::FlowId;
use crate::execution::output::EffectId;
use std::collections::VecDeque;

/// Effects without an answer, in a row by their ids: these only grow, so a new one comes last.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// None where the answer has come, until enough of the row is such gaps.
    waiting: VecDeque<(EffectId, Option<FlowId>)>,
    gaps: usize,
    next: u64,
}

impl Effects {
    /// A new effect that a flow waits for.
    pub(crate) fn begin(&mut self, flow: FlowId) -> EffectId {
        let id = self.next_id();
        self.wait(id, flow);
        id
    }

    /// The next id; [`wait`](Self::wait) follows, or nothing does.
    pub(crate) fn next_id(&mut self) -> EffectId {
        let id = EffectId(self.next);
        self.next += 1;
        id
    }

    /// A flow waits for the effect that was named last.
    pub(crate) fn wait(&mut self, id: EffectId, flow: FlowId) {
        self.waiting.push_back((id, Some(flow)));
    }

    fn place(&self, id: EffectId) -> Option<usize> {
        match self.waiting.front() {
            Some((first, _)) if *first == id => Some(0),
            _ => self.waiting.binary_search_by_key(&id, |(id, _)| *id).ok(),
        }
    }

    /// The flow that waits for it.
    pub(crate) fn get(&self, id: EffectId) -> Option<FlowId> {
        self.waiting.get(self.place(id)?)?.1
    }

    /// Nobody waits for it any more; whether somebody did.
    pub(crate) fn remove(&mut self, id: EffectId) -> bool {
        let Some((_, flow)) = self.place(id).and_then(|place| self.waiting.get_mut(place)) else {
            return false;
        };
        let waited = flow.take().is_some();
        self.gaps += usize::from(waited);
        self.close_gaps();
        waited
    }

    fn close_gaps(&mut self) {
        while self
            .waiting
            .pop_front_if(|(_, flow)| flow.is_none())
            .is_some()
        {
            self.gaps -= 1;
        }
        while self
            .waiting
            .pop_back_if(|(_, flow)| flow.is_none())
            .is_some()
        {
            self.gaps -= 1;
        }
        if self.gaps > self.waiting.len() / 2 {
            self.waiting.retain(|(_, flow)| flow.is_some());
            self.gaps = 0;
        }
    }

    /// Forgets all; ids go on.
    pub(crate) fn clear(&mut self) {
        self.waiting = VecDeque::new();
        self.gaps = 0;
    }

    /// The number of the next effect.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// All effects without an answer, with the flows that wait for them.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = (EffectId, FlowId)> {
        self.waiting
            .iter()
            .filter_map(|(id, flow)| Some((*id, (*flow)?)))
    }

    /// Effects as they were kept, by their ids.
    pub(crate) fn from_kept(waiting: Vec<(EffectId, FlowId)>, next: u64) -> Self {
        let waiting = waiting.into_iter().map(|(id, flow)| (id, Some(flow)));
        Self {
            waiting: waiting.collect(),
            gaps: 0,
            next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOW: FlowId = FlowId {
        place: 0,
        generation: 0,
    };

    #[test]
    fn a_row_with_gaps_stays_short_and_finds_what_is_there() {
        let mut effects = Effects::default();
        let first = effects.begin(FLOW);
        let second = effects.begin(FLOW);
        for _ in 0..1_000 {
            let short = effects.begin(FLOW);
            let last = effects.begin(FLOW);
            assert!(effects.remove(short) && !effects.remove(short));
            assert_eq!(effects.get(last), Some(FLOW));
            assert!(effects.remove(last));
        }
        assert!(effects.waiting.len() <= 4, "{}", effects.waiting.len());
        assert!(effects.remove(first));
        assert_eq!(
            (effects.get(first), effects.get(second)),
            (None, Some(FLOW))
        );
    }
}
