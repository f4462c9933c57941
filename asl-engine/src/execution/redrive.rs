//! Redrive: an execution that did not succeed continues from its end (developer guide, Redriving executions).
use super::machine::{
    Flow, FlowId, Flows, Machine, MapRun, Phase, Resumption, Stage, TimerOwner, deadline,
};
use crate::Program;
use crate::history::EventDetails;
use crate::outcome::Outcome;
use crate::program::ScopeIndex;
use asl_model::StateMachineType;

/// Returns true if a redrive would be taken: of a Standard execution that failed, timed out or was stopped.
pub(super) fn can_be_redriven(machine: &Machine) -> bool {
    machine.start.state_machine_type == StateMachineType::Standard
        && matches!(
            machine.outcome,
            Some(Outcome::Failed(_) | Outcome::TimedOut | Outcome::Aborted(_))
        )
}

pub(super) fn redrive(machine: &mut Machine, program: &Program) {
    if !can_be_redriven(machine) {
        return;
    }
    machine.outcome = None;
    machine.redrive_count += 1;
    machine.failed_at = None;
    machine.redriven_at = Some(machine.now);
    machine.deadline = deadline(program, machine.start.state_machine_type, machine.now);
    machine.forget_context();
    let redrive_count = machine.redrive_count;
    let event = machine.record(machine.event_count, || EventDetails::ExecutionRedriven {
        redrive_count,
    });
    if machine.has_ended() {
        return;
    }
    let scope = machine.item.as_ref().map(|item| item.scope);
    if scope.is_none_or(|scope| scope == ScopeIndex(0))
        && let Some(seconds) = program.timeout_seconds
    {
        let due = machine.now.plus_seconds(seconds);
        machine.timers.set(due, TimerOwner::Machine);
    }
    let mut ids: Vec<_> = machine.flows.iter().map(|(id, ..)| id).collect();
    ids.sort_by_cached_key(|id| place_in_tree(&machine.flows, *id));
    for id in ids {
        if let Some((mut flow, phase)) = machine.flows.take(id) {
            let (phase, is_ready) = resumed(&mut flow, phase, event);
            machine.flows.put(id, flow, phase);
            if is_ready {
                machine.ready.push_back(id);
            }
        }
    }
}

/// Returns the indexes of a flow's branches and iterations, outermost first: states come before their children, and children
/// are in order.
fn place_in_tree(flows: &Flows, id: FlowId) -> Vec<u32> {
    let mut path = Vec::new();
    let mut owner = flows.get(id).and_then(|flow| flow.owner);
    while let Some(place) = owner {
        path.push(place.index);
        owner = flows.get(place.flow).and_then(|flow| flow.owner);
    }
    path.reverse();
    path
}

/// Returns the phase from which a flow continues, and whether it continues immediately.
fn resumed(flow: &mut Flow, phase: Phase, event: u64) -> (Phase, bool) {
    flow.retry_count = 0;
    flow.retrier_counts.clear();
    flow.last_event_id = event;
    let Phase::Interrupted(resumption) = phase else {
        return (phase, true);
    };
    match resumption {
        Resumption::Enter => (Phase::Entering, true),
        Resumption::Attempt => (Phase::Attempting, true),
        Resumption::Children(phase) => match *phase {
            Phase::Map(mut iterations) => {
                iterations.queued = iterations.has_room() || iterations.running.is_empty();
                let is_ready = iterations.queued;
                iterations.freed_by_event_id = event;
                (Phase::Map(iterations), is_ready)
            }
            Phase::DistributedMap(mut distributed) => match &mut distributed.stage {
                Stage::Running(run) => {
                    start_again(run);
                    (Phase::DistributedMap(distributed), true)
                }
                // Nothing of it was done: the state's attempt is made anew.
                Stage::Reading { .. } | Stage::Writing(_) => (Phase::Attempting, true),
            },
            children => (children, false),
        },
    }
}

/// The children that did not succeed run again.
fn start_again(run: &mut MapRun) {
    run.running.clear();
    run.running_weight = 0;
    if let Some(source) = &mut run.source {
        source.effect = None;
    }
    run.failed_items = 0;
    run.again = run
        .results
        .iter()
        .enumerate()
        .filter(|(_, result)| !matches!(result.outcome, Some(Outcome::Succeeded(_))))
        .map(|(index, _)| index as u32)
        .collect();
    let counts = &mut run.counts;
    (
        counts.running,
        counts.failed,
        counts.timed_out,
        counts.aborted,
    ) = (0, 0, 0, 0);
    counts.pending = counts.total.saturating_sub(counts.succeeded);
}
