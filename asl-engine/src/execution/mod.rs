//! The sans-IO core: one execution of a program.

mod input;
mod output;
mod start;

pub use input::{Input, StorageResult, StoredObject};
pub use output::{
    ChildExecution, EffectId, Output, StorageOperation, StorageRequest, TaskInvocation,
};
pub use start::Start;

use crate::{Outcome, Program};
use asl_model::Timestamp;
use std::sync::Arc;

/// One execution of a program: pure data and rules, without clock, threads or sockets.
///
/// Call [`handle_input`](Self::handle_input) with what happened, then [`poll_output`](Self::poll_output) until it
/// returns [`Output::Wait`] or [`Output::Done`].
#[derive(Debug)]
pub struct Execution {
    program: Arc<Program>,
    start: Start,
}

impl Execution {
    /// A new execution, not yet run: poll it.
    pub fn start(program: Arc<Program>, start: Start) -> Self {
        Self { program, start }
    }
    /// A child execution of a distributed Map, as [`Output::StartChildExecution`] describes it.
    pub fn start_child(program: Arc<Program>, child: ChildExecution) -> Self {
        Self {
            program,
            start: child.start,
        }
    }
    /// Tells what happened at `now`; an unknown or stale effect id is ignored.
    pub fn handle_input(&mut self, now: Timestamp, input: Input) {
        let _ = (now, input, &self.program);
    }
    /// What the host must do next.
    #[must_use]
    pub fn poll_output(&mut self) -> Output {
        Output::Done(Outcome::Succeeded(self.start.input.clone()))
    }
    /// Transitions made so far: states entered, and retries.
    pub fn transitions(&self) -> u64 {
        0
    }
}
