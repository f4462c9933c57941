//! Pass States.
use super::flow::FlowId;
use super::machine::{Machine, Step};
use crate::Program;
use crate::program::{Literal, StateProgram};

impl Machine {
    pub(super) fn pass(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        result: Option<&Literal>,
    ) -> Step {
        let raw = self.take_input(id);
        let output = self.evaluate(program, id, state, |evaluation| {
            evaluation.pass(state, result, raw)
        });
        match output {
            Ok(output) => self.leave(program, id, state, output),
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }
}
