//! The loop of the core: which flow runs next, for how long, and what becomes of it.
use super::error::StateError;
use super::evaluate::InspectionEvent;
use super::machine::error_handling::handle_error;
use super::machine::{Broken, FlowId, Machine, Next, Phase, Resumption, StepResult, Turn, place};
use super::output::Output;
use super::states;
use super::undo::undoable;
use crate::Program;
use crate::history::EventDetails;
use std::hint::cold_path;
use std::sync::Arc;

/// Outputs that may wait before a flow lets its host take them.
const MAX_QUEUED_OUTPUTS: usize = 256;

/// Returns the next output for the host.
pub(super) fn poll_output(machine: &mut Machine, program: &Program) -> Output {
    loop {
        if let Some(output) = machine.outputs.pop_front() {
            return output;
        }
        if let Some(outcome) = &machine.outcome {
            return Output::Done(outcome.clone());
        }
        machine.check_memory();
        if machine.has_ended() {
            continue;
        }
        if machine.has_yielded() {
            cold_path();
            // Only core 2 ended an overdue execution here: its journals fix the length of turns. Now inputs end it, so that
            // its end does not depend on that length.
            if machine.turn.ends_by_transitions() && machine.is_overdue() {
                machine.time_out();
                continue;
            }
            let until = Some(machine.now);
            return Output::Wait { until };
        }
        match machine.ready.pop_front() {
            Some(id) => run(machine, program, id),
            // Flows that were due before the deadline have run.
            None if machine.is_overdue() => machine.time_out(),
            None => {
                let until = machine.next_due();
                return Output::Wait { until };
            }
        }
    }
}

/// Runs a flow until it waits, ends, or has to let others go first.
fn run(machine: &mut Machine, program: &Program, id: FlowId) {
    // A flow that was let go while it was ready is gone.
    let Some((mut turn, phase)) = take_flow(machine, program, id) else {
        return;
    };
    let mut last = Ok(Next::Again(phase));
    loop {
        last = match last {
            Ok(Next::To(state)) if !turn.machine.has_ended() => {
                turn.flow.state = state;
                turn.state = program.state(state);
                if must_pause(turn.machine) {
                    Ok(pause(&mut turn, Phase::Entering))
                } else {
                    enter(&mut turn)
                }
            }
            Ok(Next::Again(phase)) if must_pause(turn.machine) => Ok(pause(&mut turn, phase)),
            Ok(Next::Again(Phase::Broken(broken))) => {
                cold_path();
                let begun = turn.machine.start_move();
                let mended = handle_child_error(&mut turn, *broken);
                turn.machine.count_move(begun);
                mended
            }
            Ok(Next::Again(Phase::Failed(error))) => {
                cold_path();
                fail(&mut turn, error)
            }
            Ok(Next::Again(Phase::Entering)) => enter(&mut turn),
            Ok(Next::Again(phase)) => {
                let begun = turn.machine.start_move();
                let stepped = step(&mut turn, phase);
                moved(&mut turn, stepped, begun)
            }
            last => break finish(turn, last),
        };
    }
}

/// Records a move; handling its error is a separate move.
#[inline]
fn moved(turn: &mut Turn<'_>, stepped: StepResult, begun: Option<u64>) -> ErrorDecision {
    turn.machine.count_move(begun);
    match stepped {
        Ok(next) => Ok(next),
        Err(error) => move_failed(turn, error),
    }
}

#[cold]
fn move_failed(turn: &mut Turn<'_>, error: Box<StateError>) -> ErrorDecision {
    match turn.machine.turn.is_over() && !turn.machine.has_ended() {
        true => Ok(Next::Again(Phase::Failed(error))),
        false => fail(turn, error),
    }
}

/// An error is retried or caught, or the flow has failed.
#[inline(never)]
fn fail(turn: &mut Turn<'_>, error: Box<StateError>) -> ErrorDecision {
    let begun = turn.machine.start_move();
    let handled = undoable(turn, |turn| handle_error(turn, error));
    turn.machine.count_move(begun);
    handled.map_err(FailedFlow::from)
}

/// The flow continues in this phase when its host comes back.
fn pause(turn: &mut Turn<'_>, phase: Phase) -> Next {
    if !turn.machine.has_ended() {
        turn.machine.ready.push_front(turn.id);
    }
    Next::Wait(phase)
}

/// Returns true if the flow must pause: the budget is used up, outputs are pending, or a count of the data is due. Events
/// share the data of their state, so they are returned before the next write, which would otherwise copy the shared data.
#[inline]
fn must_pause(machine: &Machine) -> bool {
    let queued = machine.outputs.len();
    machine.turn.is_over()
        || (queued > 0 && (machine.records_history || queued >= MAX_QUEUED_OUTPUTS))
        || machine.memory.is_to_be_counted()
        || machine.has_ended()
}

/// Takes a flow out of its place.
#[inline]
fn take_flow<'t>(
    machine: &'t mut Machine,
    program: &'t Program,
    id: FlowId,
) -> Option<(Turn<'t>, Phase)> {
    let (flow, phase) = machine.flows.take(id)?;
    let state = program.state(flow.state);
    let turn = Turn {
        machine,
        program,
        state,
        id,
        flow,
        undone_phase: None,
    };
    Some((turn, phase))
}

/// The decision about a flow's errors: the next step, or a final failure with the rest of its state.
type ErrorDecision = Result<Next, FailedFlow>;

/// A flow that failed.
struct FailedFlow {
    error: Box<StateError>,
    /// Point from which a redrive continues.
    resumption: Resumption,
}

impl From<Box<StateError>> for FailedFlow {
    fn from(error: Box<StateError>) -> Self {
        Self {
            error,
            resumption: Resumption::Attempt,
        }
    }
}

/// Does what the phase of a flow requests.
#[inline]
fn step(turn: &mut Turn<'_>, phase: Phase) -> StepResult {
    match phase {
        Phase::Attempting => attempt(turn),
        Phase::Succeeded(result) => undoable(turn, |turn| states::settle(turn, result.into())),
        Phase::Waited => undoable(turn, |turn| {
            turn.undone_phase = Some(Phase::Waited);
            states::waited(turn)
        }),
        Phase::Map(iterations) => undoable(turn, |turn| states::iterate(turn, iterations)),
        Phase::DistributedMap(distributed) => {
            undoable(turn, |turn| states::run_children(turn, distributed))
        }
        waiting => Ok(Next::Wait(waiting)),
    }
}

/// Handles the failure of a state's child: if it is retried or caught, the children are discarded.
#[inline(never)]
fn handle_child_error(turn: &mut Turn<'_>, broken: Broken) -> ErrorDecision {
    let Broken { error, children } = broken;
    match undoable(turn, |turn| handle_error(turn, error)) {
        Ok(Next::Again(Phase::Failed(error))) if turn.machine.turn.is_abandoned() => {
            Ok(Next::Again(Phase::Broken(Box::new(Broken {
                error,
                children,
            }))))
        }
        Ok(next) => {
            turn.machine.release_children(&children);
            Ok(next)
        }
        Err(error) => Err(FailedFlow {
            error,
            resumption: Resumption::Children(Box::new(children)),
        }),
    }
}

/// Enters a state: its event, and its first attempt.
#[inline]
fn enter(turn: &mut Turn<'_>) -> ErrorDecision {
    let flow = &mut *turn.flow;
    flow.entered_at = turn.machine.now;
    flow.left_event_id = flow.last_event_id;
    if turn.machine.records_history {
        cold_path();
        record_entry(turn);
        turn.flow.entered_event_id = turn.flow.last_event_id;
        turn.machine.turn.count_entry();
        // The event is handed out before the state's data is written.
        return Ok(Next::Again(Phase::Attempting));
    }
    flow.last_event_id = turn.machine.count_event();
    flow.entered_event_id = flow.last_event_id;
    turn.machine.turn.count_entry();
    if turn.machine.turn.is_over() {
        return Ok(Next::Again(Phase::Attempting));
    }
    let begun = turn.machine.start_move();
    let stepped = attempt(turn);
    moved(turn, stepped, begun)
}

fn record_entry(turn: &mut Turn<'_>) {
    let state = turn.state;
    let input = turn.flow.input.share();
    let start = &turn.machine.start;
    let input_text = start
        .input_text
        .clone()
        .filter(|_| Arc::ptr_eq(&input, &start.input));
    turn.record(|| EventDetails::StateEntered {
        state_type: state.state_type,
        name: Arc::clone(&state.name),
        input,
        input_text,
    });
}

/// Does a state's work, for the first time or again.
#[inline]
fn attempt(turn: &mut Turn<'_>) -> StepResult {
    let machine = &mut *turn.machine;
    // The event of entering the state may have been the last that the limit allows.
    if machine.has_ended() {
        cold_path();
        return Ok(Next::Wait(Phase::Interrupted(Resumption::Attempt)));
    }
    undoable(turn, try_attempt)
}

#[inline]
fn try_attempt(turn: &mut Turn<'_>) -> StepResult {
    let machine = &mut *turn.machine;
    machine.turn.count_transition();
    machine.transitions += 1;
    let transitions = machine.transitions;
    if let Some(max) = machine.start.limits.max_transitions
        && transitions > max
    {
        return Ok(exceed_transitions(turn, max));
    }
    if turn.machine.inspector.is_some() {
        report_attempt(turn);
    }
    states::attempt(turn)
}

#[cold]
fn exceed_transitions(turn: &mut Turn<'_>, max: u64) -> Next {
    let cause = format!(
        "the execution made more than {max} transitions, the limit that it was started with"
    );
    let last = turn.flow.last_event_id;
    turn.machine
        .fail_execution(last, StateError::runtime(cause));
    Next::Wait(Phase::Interrupted(Resumption::Attempt))
}

#[cold]
fn report_attempt(turn: &mut Turn<'_>) {
    if let Some(inspector) = &mut turn.machine.inspector {
        let place = place(&turn.state.name, turn.id, turn.flow.owner, turn.machine.now);
        let (input, retry_count) = (&*turn.flow.input, turn.flow.retry_count);
        inspector.inspected(place, InspectionEvent::Attempt { input, retry_count });
    }
}

/// Puts a flow back, or ends it.
fn finish(turn: Turn<'_>, last: ErrorDecision) {
    let Turn {
        machine,
        program,
        id,
        mut flow,
        ..
    } = turn;
    if machine.has_ended() {
        cold_path();
        let resumption = match last {
            Ok(Next::Wait(phase) | Next::Yield(phase) | Next::Again(phase)) => {
                machine.cancel(&phase);
                Resumption::from_phase(phase)
            }
            Ok(Next::To(_) | Next::End) => Resumption::Attempt,
            Err(failed) => failed.resumption,
        };
        return machine.flows.put(id, flow, Phase::Interrupted(resumption));
    }
    match last {
        Ok(Next::Wait(phase)) => machine.flows.put(id, flow, phase),
        Ok(Next::Yield(phase) | Next::Again(phase)) => {
            machine.flows.put(id, flow, phase);
            machine.ready.push_back(id);
        }
        Ok(Next::To(state)) => {
            flow.state = state;
            machine.flows.put(id, flow, Phase::Entering);
            machine.ready.push_back(id);
        }
        Ok(Next::End) => {
            let (last, owner) = (flow.last_event_id, flow.owner);
            let output = machine.flows.release(id, flow);
            match owner {
                None => machine.succeed_execution(last, output.into_shared()),
                Some(owner) => resume(machine, program, owner.flow, |turn, phase| {
                    states::child_succeeded(turn, phase, owner.index, last, output)
                }),
            }
        }
        Err(FailedFlow { error, resumption }) => {
            cold_path();
            let (last, owner) = (flow.last_event_id, flow.owner);
            machine.flows.put(id, flow, Phase::Interrupted(resumption));
            match owner {
                // Recorded: States.Runtime in a branch ends the execution at once.
                Some(owner) if error.is_catchable() => {
                    resume(machine, program, owner.flow, |turn, phase| {
                        states::child_failed(turn, phase, owner.index, last, error)
                    })
                }
                _ => machine.fail_execution(last, *error),
            }
        }
    }
}

/// Something happened to a flow that waits: an answer, a timer, the end of a child. It continues when it is polled.
pub(super) fn resume(
    machine: &mut Machine,
    program: &Program,
    id: FlowId,
    happened: impl FnOnce(&mut Turn<'_>, Phase) -> StepResult,
) {
    let Some((mut turn, phase)) = take_flow(machine, program, id) else {
        return;
    };
    let last = match happened(&mut turn, phase) {
        Ok(next) => Ok(next),
        Err(error) => Ok(Next::Yield(Phase::Failed(error))),
    };
    finish(turn, last);
}
