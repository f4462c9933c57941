//! The effects of an execution that have no answer yet.
use super::link::Link;
use crate::database::row::ByNumber;
use asl_backend::activity_task;
use asl_engine::{Effect, EffectId, PendingEffect, TaskProgress, Timestamp};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Heartbeats are journaled so many times an interval at most.
const HEARTBEATS: u32 = 8;

/// The effects of an execution without an answer.
#[derive(Default)]
pub(crate) struct Effects {
    // A tree would take a node of a dozen places for the one effect that most executions have.
    in_flight: HashMap<EffectId, InFlight, ByNumber>,
    /// Number of running effects.
    performing: usize,
}

/// An effect without an answer.
pub(crate) struct InFlight {
    pub(crate) pending: PendingEffect,
    /// Link to the performer; None before it starts, and if only a worker can complete the effect.
    link: Option<Arc<Link>>,
    /// True if a performer works at it, or will once what requested it is durable.
    is_performing: bool,
    /// Attempt of the state, if a test case answers it.
    pub(crate) attempt: Option<u64>,
    /// Time of the last journaled heartbeat.
    heartbeat: Option<Timestamp>,
}

impl InFlight {
    /// Returns true if a heartbeat now says something: not where the task needs none, and not shortly after another.
    pub(crate) fn hears_heartbeat(&mut self, now: Timestamp) -> bool {
        let Effect::Task(task) = &self.pending.effect else {
            return false;
        };
        let Some(seconds) = task.heartbeat_seconds else {
            return false;
        };
        let apart = Duration::from_secs(seconds) / HEARTBEATS;
        let is_early = |last: Timestamp| now.duration_since(last) < apart;
        if self.heartbeat.is_some_and(is_early) {
            return false;
        }
        self.heartbeat = Some(now);
        true
    }

    /// Returns true if a performer works at it.
    pub(crate) fn is_performing(&self) -> bool {
        self.is_performing
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if let Some(link) = self.link.take() {
            link.cancel();
        }
    }
}

impl Effects {
    /// One more that is waited for.
    pub(crate) fn insert(&mut self, pending: PendingEffect, attempt: Option<u64>) {
        let effect = InFlight {
            link: None,
            is_performing: false,
            attempt,
            heartbeat: None,
            pending,
        };
        self.in_flight.insert(effect.pending.effect.id(), effect);
    }

    pub(crate) fn get(&self, id: EffectId) -> Option<&InFlight> {
        self.in_flight.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: EffectId) -> Option<&mut InFlight> {
        self.in_flight.get_mut(&id)
    }

    /// A performer begins, or will.
    pub(crate) fn start(&mut self, id: EffectId, link: Arc<Link>) {
        if let Some(effect) = self.in_flight.get_mut(&id) {
            self.performing += usize::from(!effect.is_performing);
            effect.is_performing = true;
            effect.link = Some(link);
        }
    }

    /// A performer has answered. Whether that is waited for.
    pub(crate) fn answered(&mut self, id: EffectId) -> bool {
        let Some(effect) = self.in_flight.get_mut(&id) else {
            return false;
        };
        self.performing -= usize::from(std::mem::take(&mut effect.is_performing));
        true
    }

    /// Removes an effect that is no longer needed.
    pub(crate) fn remove(&mut self, id: EffectId) -> Option<InFlight> {
        let effect = self.in_flight.remove(&id)?;
        self.performing -= usize::from(effect.is_performing);
        Some(effect)
    }

    /// Returns true if any is being performed.
    pub(crate) fn are_performed(&self) -> bool {
        self.performing > 0
    }

    /// Takes the links to performers, so that dropping this does not cancel them.
    pub(crate) fn take_links(
        &mut self,
        of: impl Fn(&InFlight) -> bool,
    ) -> Vec<(EffectId, Arc<Link>)> {
        let effects = self.in_flight.iter_mut();
        effects
            .filter(|(_, effect)| of(effect))
            .filter_map(|(id, effect)| Some((*id, effect.link.take()?)))
            .collect()
    }

    /// All, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &InFlight> {
        self.in_flight.values()
    }

    /// Of which this is true, in the order in which they were requested.
    pub(crate) fn ids(&self, of: impl Fn(&InFlight) -> bool) -> Vec<EffectId> {
        let those = self.in_flight.iter().filter(|(_, effect)| of(effect));
        let mut ids: Vec<EffectId> = those.map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids
    }
}

/// Returns the activity whose worker must do a task, if it is an activity task.
pub(super) fn activity_of(pending: &PendingEffect) -> Option<&str> {
    Some(&activity_task(pending)?.resource.uri)
}

/// Returns true if no performer has started it yet.
pub(super) fn is_asked(pending: &PendingEffect) -> bool {
    matches!(pending.progress, TaskProgress::Asked)
}
