//! Succeed States (2024 specification, Succeed State).
use crate::execution::machine::{StepResult, Turn};

pub(super) fn succeed(turn: &mut Turn<'_>) -> StepResult {
    let state = turn.state;
    let output = turn.evaluate(|evaluation, raw| evaluation.unchanged_output(state, raw))?;
    turn.leave(output)
}
