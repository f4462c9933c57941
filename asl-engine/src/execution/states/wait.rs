//! Wait States (2024 specification, Wait State).
use crate::execution::evaluate::wait_end;
use crate::execution::machine::{Next, Phase, StepResult, TimerOwner, Turn};
use asl_model::WaitDuration;

pub(super) fn wait(turn: &mut Turn<'_>, duration: &WaitDuration) -> StepResult {
    let processing = &turn.state.processing;
    let until = turn.evaluate(|evaluation, raw| wait_end(evaluation, processing, duration, raw))?;
    // A wait that is over at once needs no input of the host.
    if until <= turn.machine.now {
        return Ok(Next::Again(Phase::Waited));
    }
    let timer = turn.machine.timers.set(until, TimerOwner::Flow(turn.id));
    Ok(Next::Wait(Phase::Waiting(timer)))
}

/// The wait is over: the state's input continues.
pub(super) fn waited(turn: &mut Turn<'_>) -> StepResult {
    super::succeed::succeed(turn)
}
