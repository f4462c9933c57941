//! Parallel States (2024 specification, Parallel State).
use super::broken::broken;
use super::mocked;
use crate::data::{Data, Measure, weigh};
use crate::execution::error::StateError;
use crate::execution::machine::{
    FLOW, Next, Owner, ParallelBranches, Phase, Resumption, StepResult, Turn, check_data,
};
use crate::history::EventDetails;
use crate::program::ScopeIndex;
use serde_json::Value;

pub(super) fn start(turn: &mut Turn<'_>, branches: &[ScopeIndex]) -> StepResult {
    let processing = &turn.state.processing;
    let mut effective =
        turn.evaluate(|evaluation, raw| evaluation.effective_input(processing, raw))?;
    check_data(&mut effective, &turn.machine.start.limits, &turn.state.name)?;
    let started = turn.record(|| EventDetails::ParallelStateStarted);
    if turn.machine.has_ended() {
        return Ok(Next::Wait(Phase::Interrupted(Resumption::Attempt)));
    }
    if mocked::children(turn).is_some() {
        return mocked::parallel(turn);
    }
    // Each branch copies its input where it writes into it.
    let weight = FLOW + weigh(&effective);
    turn.charge(weight.saturating_mul(branches.len() as u64))?;
    let mut flows = Vec::with_capacity(branches.len());
    for (index, scope) in branches.iter().enumerate() {
        let owner = Owner {
            flow: turn.id,
            index: index as u32,
        };
        let first = turn.program.start_of(*scope);
        let input = effective.duplicate();
        let branch = (turn.machine.flows).start(Some(owner), first, input, started);
        turn.machine.ready.push_back(branch);
        flows.push(Some(branch));
    }
    let running = flows.len();
    Ok(Next::Wait(Phase::Parallel(Box::new(ParallelBranches {
        flows,
        outputs: vec![Value::Null; running],
        running,
        outputs_measure: Measure::EMPTY_ARRAY,
    }))))
}

/// Handles the end of a branch.
pub(super) fn branch_succeeded(
    turn: &mut Turn<'_>,
    mut branches: Box<ParallelBranches>,
    index: u32,
    last_event_id: u64,
    output: Data,
) -> StepResult {
    branches.outputs_measure = branches.outputs_measure.with_element(output.measure);
    let place = index as usize;
    if let (Some(flow), Some(kept)) = (
        branches.flows.get_mut(place),
        branches.outputs.get_mut(place),
    ) {
        *flow = None;
        *kept = output.into_value();
    }
    branches.running = branches.running.saturating_sub(1);
    if branches.running > 0 {
        return Ok(Next::Wait(Phase::Parallel(branches)));
    }
    turn.flow.last_event_id = last_event_id;
    let ParallelBranches {
        outputs,
        outputs_measure,
        ..
    } = *branches;
    let result = Data::new(Value::Array(outputs), outputs_measure);
    Ok(Next::Yield(Phase::Succeeded(result.into())))
}

/// Handles the failure of a branch: the state fails, and the other branches are cancelled.
pub(super) fn branch_failed(
    turn: &mut Turn<'_>,
    branches: Box<ParallelBranches>,
    index: u32,
    last_event_id: u64,
    mut error: Box<StateError>,
) -> StepResult {
    turn.flow.last_event_id = last_event_id;
    error.of_branch = true;
    Ok(broken(turn, Phase::Parallel(branches), index, error))
}
