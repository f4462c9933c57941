//! A state that one of its branches, iterations or child executions failed.
use crate::execution::error::StateError;
use crate::execution::machine::{Broken, Next, Phase, Turn};

/// A state that one of its children failed: the others are cancelled, and the error is handled when it is polled.
pub(super) fn broken(turn: &mut Turn<'_>, children: Phase, error: Box<StateError>) -> Next {
    turn.machine.interrupt_children(&children);
    Next::Yield(Phase::Broken(Box::new(Broken { error, children })))
}
