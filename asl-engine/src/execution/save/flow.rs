//! Flows and the places that they are in.
use super::damage::{DamageContext as _, Read, count, ensure};
use super::flow_id::SavedFlowId;
use super::flow_parts::FlowParts;
use super::phase::SavedPhase;
use super::restoring::RestoreContext;
use super::start::state_index;
use super::values::{ValueIndex, ValueTable};
use crate::execution::machine::{Flow, FlowId, Owner, Phase, ScopeVariables};
use crate::program::{StateIndex, StateProgram};
use asl_model::Timestamp;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A place for a flow, used or free.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedPlace {
    pub(super) generation: u32,
    pub(super) flow: Option<SavedFlow>,
}

/// A flow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedFlow {
    owner: Option<SavedOwner>,
    state: u32,
    phase: SavedPhase,
    input: ValueIndex,
    entered_at: Timestamp,
    left_event: u64,
    entered_event: u64,
    last_event: u64,
    variables: Vec<SavedVariable>,
    retry_count: u64,
    retrier_counts: Vec<u64>,
    task_token: Option<Arc<str>>,
    /// Core 1 wrote it, also if a format leaves names out; nothing goes by it any more.
    #[serde(rename = "children_failed", default, skip_serializing)]
    _children_failed: IgnoredAny,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct SavedOwner {
    flow: SavedFlowId,
    index: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedVariable {
    name: Arc<str>,
    value: ValueIndex,
}

impl SavedFlow {
    pub(super) fn new(flow: &Flow, phase: &Phase, table: &mut ValueTable) -> Self {
        let Flow {
            owner,
            state,
            input,
            entered_at,
            left_event_id,
            entered_event_id,
            last_event_id,
            variables,
            retry_count,
            retrier_counts,
            task_token,
            // Of no longer than one evaluation.
            selecting: _,
        } = flow;
        let variables = variables.iter().map(|(name, variable)| SavedVariable {
            name: Arc::clone(name),
            value: table.shared(&variable.value),
        });
        Self {
            owner: owner.map(|Owner { flow, index }| SavedOwner {
                flow: flow.into(),
                index,
            }),
            state: state.0,
            variables: variables.collect(),
            input: table.data(input),
            phase: SavedPhase::new(phase, table),
            entered_at: *entered_at,
            left_event: *left_event_id,
            entered_event: *entered_event_id,
            last_event: *last_event_id,
            retry_count: *retry_count,
            retrier_counts: retrier_counts.to_vec(),
            task_token: task_token.clone(),
            _children_failed: IgnoredAny,
        }
    }

    pub(super) fn owner(&self) -> Option<Owner> {
        self.owner.map(|SavedOwner { flow, index }| Owner {
            flow: flow.into(),
            index,
        })
    }

    pub(super) fn state_index(&self, save: &RestoreContext<'_>) -> Read<StateIndex> {
        state_index(self.state, save.program).within("state")
    }

    pub(super) fn flow(
        self,
        id: FlowId,
        save: &mut RestoreContext<'_>,
    ) -> Read<(Box<Flow>, Phase)> {
        let owner = self.owner();
        let state = self.state_index(save)?;
        let program = save.program;
        let parts = FlowParts {
            id,
            state: program.state(state),
            retry_count: count("retry_count", self.retry_count)?,
            task_token: self.task_token,
        };
        let last = save.event("last_event", self.last_event)?;
        let input = save.values.data(self.input).within("input")?;
        let mut flow = Flow::new(owner, state, input, last);
        flow.entered_at = self.entered_at;
        flow.left_event_id = save.event("left_event", self.left_event)?;
        flow.entered_event_id = save.event("entered_event", self.entered_event)?;
        flow.variables = variables(self.variables, save).within("variables")?;
        flow.retry_count = parts.retry_count;
        flow.retrier_counts = retrier_counts(self.retrier_counts, parts.state)?.into();
        flow.task_token.clone_from(&parts.task_token);
        let phase = self.phase.phase(&parts, save).within("phase")?;
        Ok((flow, phase))
    }
}

fn variables(saved: Vec<SavedVariable>, save: &mut RestoreContext<'_>) -> Read<ScopeVariables> {
    let read = saved.into_iter().map(|SavedVariable { name, value }| {
        let variable = save.values.variable(value).within(&name)?;
        Ok((name, variable))
    });
    let read: Vec<_> = read.collect::<Read<_>>()?;
    let count = read.len();
    let variables: ScopeVariables = read.into_iter().collect();
    let distinct = variables.iter().count();
    ensure(distinct == count, "each name once", "one twice")?;
    Ok(variables)
}

fn retrier_counts(counts: Vec<u64>, state: &StateProgram) -> Read<Vec<u64>> {
    let retriers = state
        .error_handling()
        .map_or(0, |errors| errors.retriers.len());
    let found = counts.len();
    let expected = format_args!("none, or one for each of {retriers} retriers");
    ensure(found == 0 || found == retriers, expected, found).within("retrier_counts")?;
    for retries in &counts {
        count("retrier_counts", *retries)?;
    }
    Ok(counts)
}
