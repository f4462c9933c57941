//! Leaving a state: its event, its variables, and where the flow goes on.
use super::data::Data;
use super::flow::{FlowId, Phase};
use super::machine::{Machine, Step};
use super::state_output::StateOutput;
use crate::Program;
use crate::history::EventDetails;
use crate::program::{StateIndex, StateProgram};
use std::sync::Arc;

impl Machine {
    /// Leaves a state for its "Next": its event, and the transition.
    pub(super) fn leave(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        output: StateOutput,
    ) -> Step {
        self.leave_to(program, id, state, output, state.next)
    }

    /// Leaves a state for `next`; None ends the flow.
    pub(super) fn leave_to(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        mut output: StateOutput,
        next: Option<StateIndex>,
    ) -> Step {
        if let Err(error) = self.check_output(id, state, &mut output) {
            return self.fail_flow(program, id, error);
        }
        if self.start.record_history {
            self.record_exit(id, state, &mut output);
        } else {
            let event_id = self.count_event();
            if let Some(flow) = self.flows.get_mut(id) {
                flow.last_event_id = event_id;
            }
        }
        if !output.assigned.is_empty() {
            self.flows.assign(id, output.assigned);
        }
        let Some(flow) = self.flows.get_mut(id) else {
            return Step::Stop;
        };
        // Specification, Complex retry scenarios: retriers start anew with the next state.
        flow.retry_count = 0;
        flow.retrier_counts.clear();
        flow.task_token = None;
        match next {
            Some(next) => {
                flow.state = next;
                flow.input = output.data;
                flow.phase = Phase::Entering;
                Step::Continue
            }
            None => {
                self.finish_flow(program, id, output.data);
                Step::Stop
            }
        }
    }

    fn record_exit(&mut self, id: FlowId, state: &StateProgram, output: &mut StateOutput) {
        let shared = output.data.share();
        let name = Arc::clone(&state.name);
        let assigned_variables = output
            .assigned
            .iter()
            .map(|(name, variable)| (Arc::clone(name), Arc::clone(&variable.value)))
            .collect();
        self.record_in(id, || EventDetails::StateExited {
            state_type: state.state_type,
            name,
            output: shared,
            assigned_variables,
        });
    }

    /// The limits on what a state leaves behind, as an error of the state.
    #[inline(always)]
    pub(super) fn check_output(
        &self,
        id: FlowId,
        state: &StateProgram,
        output: &mut StateOutput,
    ) -> Result<(), super::error::StateError> {
        self.check_limits(&mut output.data, &state.name)?;
        if output.assigned.is_empty() {
            return Ok(());
        }
        self.check_variables(id, &state.name, &output.assigned)
    }

    /// A state that passes its input on: Succeed.
    pub(super) fn pass_through(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
    ) -> Step {
        let raw = self.take_input(id);
        let output = self.evaluate(program, id, state, |evaluation| {
            evaluation.passed_through(state, raw)
        });
        match output {
            Ok(output) => self.leave(program, id, state, output),
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }

    /// Takes the raw input of a state that needs it no more.
    pub(super) fn take_input(&mut self, id: FlowId) -> Data {
        self.flows
            .get_mut(id)
            .map(|flow| std::mem::take(&mut flow.input))
            .unwrap_or_default()
    }

    /// A second owner of the raw input of a state that may need it again.
    pub(super) fn share_input(&mut self, id: FlowId) -> Data {
        self.flows
            .get_mut(id)
            .map(|flow| flow.input.duplicate())
            .unwrap_or_default()
    }
}
