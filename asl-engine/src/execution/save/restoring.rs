//! Context for restoring the parts of a save, and their claims: timers, effects and children.
use super::damage::{Damage, DamageContext as _, Read, ensure};
use super::flow_id::SavedFlowId;
use super::values::Values;
use crate::execution::machine::{FlowId, Timer, TimerOwner};
use crate::execution::output::EffectId;
use crate::execution::start::Start;
use crate::program::Program;
use asl_model::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A timer; the owner is the part of the save that has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedTimer {
    at: Timestamp,
    number: u64,
}

impl From<Timer> for SavedTimer {
    fn from(Timer { at, number }: Timer) -> Self {
        Self { at, number }
    }
}

/// Context for restoring the parts of a save, and their claims.
pub(super) struct RestoreContext<'p> {
    pub(super) program: &'p Program,
    pub(super) start: &'p Start,
    pub(super) values: Values,
    pub(super) next_timer: u64,
    pub(super) next_effect: u64,
    pub(super) event_count: u64,
    /// By number.
    timers: BTreeMap<u64, (Timer, TimerOwner)>,
    effects: BTreeMap<EffectId, FlowId>,
    /// Unclaimed branches and iterations, by owner.
    children: BTreeMap<FlowId, BTreeMap<u32, FlowId>>,
}

impl<'p> RestoreContext<'p> {
    pub(super) fn new(
        program: &'p Program,
        start: &'p Start,
        values: Values,
        (next_timer, next_effect, event_count): (u64, u64, u64),
    ) -> Self {
        Self {
            program,
            start,
            values,
            next_timer,
            next_effect,
            event_count,
            timers: BTreeMap::new(),
            effects: BTreeMap::new(),
            children: BTreeMap::new(),
        }
    }

    /// Returns a timer that waits, which nothing else may have.
    pub(super) fn claim_timer(&mut self, saved: SavedTimer, owner: TimerOwner) -> Read<Timer> {
        let SavedTimer { at, number } = saved;
        let timer = Timer { at, number };
        ensure(
            number < self.next_timer,
            format_args!("a timer numbered below {}", self.next_timer),
            number,
        )?;
        match self.timers.insert(number, (timer, owner)) {
            None => Ok(timer),
            Some(_) => Err(Damage::new(format!("timer {number} is there twice"))),
        }
    }

    /// An effect that was begun; nothing need wait for it.
    pub(super) fn effect(&self, id: u64) -> Read<EffectId> {
        let next = self.next_effect;
        let holds = id < next;
        ensure(holds, format_args!("an effect below {next}"), id).within("effect")?;
        Ok(EffectId(id))
    }

    /// Returns an effect without an answer, which nothing else may have.
    pub(super) fn claim_effect(&mut self, id: u64, flow: FlowId) -> Read<EffectId> {
        let id = self.effect(id)?;
        match self.effects.insert(id, flow) {
            None => Ok(id),
            Some(_) => Err(Damage::new(format!("effect {} is there twice", id.0))),
        }
    }

    /// An event that was counted, or 0 for none.
    pub(super) fn event(&self, name: &str, id: u64) -> Read<u64> {
        let count = self.event_count;
        let expected = format_args!("at most {count}, the number of events");
        ensure(id <= count, expected, id).within(name)?;
        Ok(id)
    }

    /// A flow is the branch or iteration of this index of its owner.
    pub(super) fn add_child(&mut self, owner: FlowId, index: u32, child: FlowId) -> Read<()> {
        let siblings = self.children.entry(owner).or_default();
        match siblings.insert(index, child) {
            None => Ok(()),
            Some(other) => Err(Damage::new(format!(
                "its owner has flow {other} for index {index} already",
                other = SavedFlowId::from(other)
            ))),
        }
    }

    /// Returns the branches or iterations of a flow whose state has some.
    pub(super) fn claim_children(&mut self, owner: FlowId) -> BTreeMap<u32, FlowId> {
        self.children.remove(&owner).unwrap_or_default()
    }

    /// Returns all that was claimed; an error where a flow belongs to one that has no children.
    #[expect(clippy::type_complexity, reason = "taken apart where it is called")]
    pub(super) fn finish(self) -> Read<(Vec<(Timer, TimerOwner)>, Vec<(EffectId, FlowId)>)> {
        if let Some((owner, children)) = self.children.first_key_value() {
            let child = children.values().next().copied().unwrap_or(*owner);
            let damage = Damage::new(format!(
                "flow {} belongs to flow {}, whose state has no branches or iterations under way",
                SavedFlowId::from(child),
                SavedFlowId::from(*owner)
            ));
            return Err(damage.within("flows"));
        }
        let timers = self.timers.into_values().collect();
        Ok((timers, self.effects.into_iter().collect()))
    }
}
