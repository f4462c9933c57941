//! Pass States (2024 specification, Pass State).
use crate::execution::machine::{Stepped, Turn};
use crate::program::Literal;

pub(super) fn pass(turn: &mut Turn<'_>, result: Option<&Literal>) -> Stepped {
    let state = turn.state;
    let output = turn.evaluate(|evaluation, raw| evaluation.passed(state, result, raw))?;
    turn.leave(output)
}
