//! All flows of an execution, held against each other.
use super::damage::{Damage, DamageContext as _, Read, ensure};
use super::flow::{SavedFlow, SavedPlace};
use super::flow_id::SavedFlowId;
use super::restoring::RestoreContext;
use super::values::ValueTable;
use crate::execution::machine::{FlowId, Flows, Owner, Phase, Queue};
use crate::execution::states;
use crate::outcome::Outcome;
use crate::program::{ScopeIndex, StateAction, StateIndex};
use std::collections::BTreeSet;

/// All flows of an execution, with the places that are free.
pub(super) struct SavedFlows {
    pub(super) places: Vec<SavedPlace>,
    /// The next to be used last.
    pub(super) free: Vec<u32>,
}

/// Data that flows are checked against.
pub(super) struct Shape<'s> {
    pub(super) outcome: Option<&'s Outcome>,
    /// The scope that the execution runs.
    pub(super) scope: ScopeIndex,
    pub(super) max_child_executions: Option<u64>,
    pub(super) ready: &'s Queue<FlowId>,
}

impl SavedFlows {
    pub(super) fn new(flows: &Flows, table: &mut ValueTable) -> Self {
        let places = flows.places().map(|(generation, flow)| SavedPlace {
            generation,
            flow: flow.map(|(flow, phase)| SavedFlow::new(flow, phase, table)),
        });
        Self {
            places: places.collect(),
            free: flows.free_places().to_vec(),
        }
    }

    pub(super) fn flows(self, shape: &Shape<'_>, save: &mut RestoreContext<'_>) -> Read<Flows> {
        self.check_free().within("free")?;
        self.check_family(shape, save)?;
        let places = self.places.into_iter().enumerate();
        let places = places.map(|(place, SavedPlace { generation, flow })| {
            let id = FlowId {
                place: place as u32,
                generation,
            };
            let flow = flow.map(|flow| flow.flow(id, save)).transpose();
            Ok((generation, flow.within(format_args!("flows[{place}]"))?))
        });
        let places: Vec<_> = places.collect::<Read<_>>()?;
        let flows = Flows::from_places(places.into_iter(), self.free);
        check_phases(&flows, shape)?;
        Ok(flows)
    }

    /// Checks that each free place is listed once.
    fn check_free(&self) -> Read<()> {
        let listed: BTreeSet<u32> = self.free.iter().copied().collect();
        ensure(
            listed.len() == self.free.len(),
            "each place once",
            "one twice",
        )?;
        let places = self.places.iter().enumerate();
        let empty = places.filter(|(_, place)| place.flow.is_none());
        let empty: BTreeSet<u32> = empty.map(|(place, _)| place as u32).collect();
        ensure(listed == empty, "the places without a flow", "others")
    }

    /// Checks that exactly one flow is the execution's own, that every other is a branch or an iteration of an existing flow,
    /// and that no flow owns itself.
    fn check_family(&self, shape: &Shape<'_>, save: &mut RestoreContext<'_>) -> Read<()> {
        let mut own = 0;
        for (place, saved) in self.places.iter().enumerate() {
            let Some(flow) = &saved.flow else { continue };
            let id = FlowId {
                place: place as u32,
                generation: saved.generation,
            };
            let checked = match flow.owner() {
                Some(owner) => self.check_child(id, flow, owner, save),
                None => {
                    own += 1;
                    let state = flow.state_index(save);
                    state.and_then(|state| check_scope(state, own_scope(shape, save), save))
                }
            };
            checked.within(format_args!("flows[{place}]"))?;
        }
        let succeeded = matches!(shape.outcome, Some(Outcome::Succeeded(_)));
        let expected = usize::from(!succeeded);
        let flows = format_args!("{expected} without an owner");
        ensure(own == expected, flows, own).within("flows")
    }

    fn check_child(
        &self,
        id: FlowId,
        flow: &SavedFlow,
        owner: Owner,
        save: &mut RestoreContext<'_>,
    ) -> Read<()> {
        let Some(parent) = self.get(owner.flow) else {
            let named = SavedFlowId::from(owner.flow);
            return Err(Damage::new(format!(
                "its owner, flow {named}, is not there"
            )));
        };
        let parent = save
            .program
            .state(parent.state_index(save).within("owner")?);
        let scope = match &parent.action {
            StateAction::Parallel { branches, .. } => branches.get(owner.index as usize).copied(),
            StateAction::Map(map) => Some(map.scope),
            _ => None,
        };
        let Some(scope) = scope else {
            let (name, index) = (&parent.name, owner.index);
            return Err(Damage::new(format!(
                "its owner is in state {name}, which has no branch or iteration {index}"
            )));
        };
        check_scope(flow.state_index(save)?, scope, save)?;
        save.add_child(owner.flow, owner.index, id)
    }

    fn get(&self, id: FlowId) -> Option<&SavedFlow> {
        let place = self.places.get(id.place as usize);
        place
            .filter(|place| place.generation == id.generation)?
            .flow
            .as_ref()
    }
}

/// Returns the scope of the flow without an owner.
fn own_scope(shape: &Shape<'_>, save: &RestoreContext<'_>) -> ScopeIndex {
    match &save.start.at {
        Some(at) => save.program.scope_of(at.state.0),
        None => shape.scope,
    }
}

fn check_scope(state: StateIndex, scope: ScopeIndex, save: &RestoreContext<'_>) -> Read<()> {
    let found = save.program.scope_of(state);
    let expected = format_args!("a state of scope {}", scope.0);
    ensure(
        found == scope,
        expected,
        format_args!("one of scope {}", found.0),
    )
    .within("state")
}

/// Checks that ended flows and flows below a failed state are interrupted, and that flows that can continue are ready.
fn check_phases(flows: &Flows, shape: &Shape<'_>) -> Read<()> {
    let ready: BTreeSet<FlowId> = shape.ready.iter().copied().collect();
    let places = flows.places().count();
    let within = |id: &FlowId| (id.place as usize) < places;
    ensure(
        ready.iter().all(within),
        "flows of places that are there",
        "others",
    )
    .within("ready")?;
    let none = shape.outcome.is_none() || ready.is_empty();
    ensure(none, "none, since the execution has ended", "some").within("ready")?;
    for (id, flow, phase) in flows.iter() {
        let above = flow.owner.and_then(|owner| flows.phase(owner.flow));
        let stopped = shape.outcome.is_some()
            || matches!(above, Some(Phase::Broken(_) | Phase::Interrupted(_)));
        let interrupted = matches!(phase, Phase::Interrupted(_));
        let place = format_args!("flows[{}]/phase", id.place);
        let said = |interrupted| match interrupted {
            true => "an interrupted flow",
            false => "one that is not",
        };
        ensure(interrupted == stopped, said(stopped), said(interrupted)).within(place)?;
        let waits = !can_go_on(phase, shape.max_child_executions) || ready.contains(&id);
        ensure(waits, "in the ready queue, since it can go on", "not there").within(place)?;
    }
    Ok(())
}

/// Returns true if a flow continues without an answer, a timer or the end of a child.
fn can_go_on(phase: &Phase, max_child_executions: Option<u64>) -> bool {
    match phase {
        Phase::Entering
        | Phase::Attempting
        | Phase::Succeeded(_)
        | Phase::Failed(_)
        | Phase::Waited
        | Phase::Broken(_) => true,
        Phase::Map(map) => map.queued || map.has_room() || map.running.is_empty(),
        Phase::DistributedMap(map) => states::can_go_on(map, max_child_executions),
        Phase::Waiting(_)
        | Phase::Task(_)
        | Phase::Retrying(_)
        | Phase::Parallel(_)
        | Phase::Interrupted(_) => false,
    }
}
