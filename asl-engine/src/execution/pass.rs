//! Pass States.
use super::data::Data;
use super::flow::FlowId;
use super::machine::{Machine, Step};
use super::measure::Measure;
use crate::Program;
use crate::program::{PassState, StateProgram};

impl Machine {
    pub(super) fn pass(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        pass: &PassState,
    ) -> Step {
        let raw = self.take_input(id);
        let context = self.take_context(id, state);
        let result = pass.result.as_ref().map(|literal| {
            Data::new(
                literal.value.clone(),
                Measure {
                    depth: literal.depth,
                    bytes: literal.bytes,
                },
            )
        });
        let output = self.evaluation(program, &context).pass_output(
            state,
            pass.parameters.as_ref(),
            result,
            &pass.result_path,
            raw,
        );
        self.return_context(context);
        match output {
            Ok(output) => self.leave(program, id, state, output),
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }
}
