//! Redrive: states continue, and their events are linked to the event of the redrive (developer guide, Redriving executions).
use super::{Effect, Spans};
use asl_engine::history::{HistoryEvent, StateType};
use std::collections::VecDeque;

/// A redrive. All events that continue a state are linked to its event.
#[derive(Debug)]
pub(super) struct Redrive {
    pub(super) event_id: u64,
    /// The flows that continue, in the order of branches and iterations.
    pub(super) flows: VecDeque<u64>,
}

impl Spans {
    /// Prepares for the events that continue states.
    pub(super) fn redrive(&mut self, event: &HistoryEvent, before: u64) -> Effect {
        let mut flows: Vec<(Vec<u64>, u64)> = Vec::new();
        for (id, flow) in &mut self.flows {
            let Some(visit) = &mut flow.visit else {
                continue;
            };
            visit.has_given_up = false;
            let place = flow.holders.iter().map(|holder| holder.index);
            flows.push((place.collect(), *id));
        }
        flows.sort();
        self.redrive = Some(Redrive {
            event_id: event.id,
            flows: flows.into_iter().map(|(_, id)| id).collect(),
        });
        Effect::of_execution(before)
    }

    /// Returns the next flow that continues in a state of a type, if the event continues one after a redrive.
    pub(super) fn resumed(&mut self, event: &HistoryEvent, of: StateType) -> Option<u64> {
        let redrive = self.redrive.as_mut()?;
        if redrive.event_id != event.previous_event_id {
            return None;
        }
        let flows = &self.flows;
        let is_it = |id: &u64| {
            let visit = flows.get(id).and_then(|flow| flow.visit.as_ref());
            visit.is_some_and(|visit| visit.state_type == of)
        };
        let at = redrive.flows.iter().position(is_it)?;
        redrive.flows.remove(at)
    }
}
