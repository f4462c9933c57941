//! One flow being run, and what comes next for it.
use super::flow::Flow;
use super::ids::{FlowId, Owner};
use super::kernel::Machine;
use super::phase::Phase;
use super::visible::Scopes;
use crate::Program;
use crate::data::{Data, OutOfMemory};
use crate::execution::error::StateError;
use crate::execution::evaluate::{
    ActiveInspector, Assignments, Evaluation, EvaluationFault, InspectedPlace, InspectionEvent,
    ParentFlow, StateOutput,
};
use crate::history::EventDetails;
use crate::program::{ResultPath, StateIndex, StateProgram};
use asl_model::Timestamp;
use serde_json::Value;
use std::cell::Cell;
use std::sync::Arc;

/// One flow being run, taken out of its place; put back when the turn ends.
pub(crate) struct Turn<'t> {
    pub(crate) machine: &'t mut Machine,
    pub(crate) program: &'t Program,
    /// The state that the flow is in.
    pub(crate) state: &'t StateProgram,
    pub(crate) id: FlowId,
    pub(crate) flow: Box<Flow>,
    /// Phase of the flow after an undo, if that is not an attempt of its state.
    pub(crate) undone_phase: Option<Phase>,
}

/// The next step of a flow.
#[derive(Debug)]
pub(crate) enum Next {
    /// The state is left for this one: its output is in the flow.
    To(StateIndex),
    /// The state was the last of its scope: its output is in the flow.
    End,
    /// Nothing before an answer, a timer or a child's end.
    Wait(Phase),
    /// It continues, after those that could continue before.
    Yield(Phase),
    /// It continues at once.
    Again(Phase),
}

/// An error is the state's own: Retry, Catch or the end of the flow, as [`super::error_handling`] decides.
pub(crate) type StepResult = Result<Next, Box<StateError>>;

/// Replacement for the Context Object if a state does not read it.
static NONE: Value = Value::Null;

/// The event of entering the first state, which comes after ExecutionStarted.
const FIRST_ENTRY: u64 = 2;

impl<'t> Turn<'t> {
    /// Returns true if the state changes its data only by its own work, and no inspector is set.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.state.is_plain && self.machine.inspector.is_none()
    }

    /// Exits the state to `next`, with the flow's data as its output.
    #[inline]
    pub(crate) fn leave_unchanged(&mut self, next: Option<StateIndex>) -> Next {
        if self.machine.records_history {
            self.record_unchanged_exit(next);
        } else {
            self.flow.last_event_id = self.machine.count_event();
        }
        self.flow.forget_state();
        self.next(next)
    }

    #[inline(never)]
    fn record_unchanged_exit(&mut self, next: Option<StateIndex>) {
        self.record_exit(&Assignments::new(), next);
    }

    /// ResultPath of a plain state: its data is combined with, or replaced by, its result, and it is left.
    #[inline]
    pub(crate) fn combine(&mut self, path: &ResultPath, result: Data) -> StepResult {
        match path {
            ResultPath::Replace => self.replace_data(result)?,
            ResultPath::Discard => {}
            ResultPath::Write(path) => self.write_data(path, result)?,
        }
        Ok(self.leave_unchanged(self.state.next))
    }

    /// Returns the next step; an execution of a single state ends with it.
    #[inline]
    fn next(&self, next: Option<StateIndex>) -> Next {
        match next {
            Some(next) if !self.machine.is_of_one_state => Next::To(next),
            _ => Next::End,
        }
    }

    /// Charges data that is about to be created.
    #[inline]
    pub(crate) fn charge(&mut self, weight: u64) -> Result<(), Box<StateError>> {
        let charged = self.machine.memory.charge(weight);
        charged.map_err(out_of_memory)
    }

    /// Evaluates fields of the state at hand over its raw input.
    #[inline]
    pub(crate) fn evaluate<T>(
        &mut self,
        evaluate: impl FnOnce(&mut Evaluation<'_>, &mut Data) -> Result<T, EvaluationFault>,
    ) -> Result<T, Box<StateError>> {
        let context = self
            .state
            .uses_context
            .then(|| self.machine.take_context(&self.flow, self.state));
        let mut evaluation = Evaluation {
            // After another state the service shows it printed anew.
            sent: (self.machine.start.sent()).filter(|_| self.flow.entered_event_id == FIRST_ENTRY),
            context: context.as_ref().unwrap_or(&NONE),
            variables: &Scopes {
                own: &self.flow.variables,
                owner: self.flow.owner,
                flows: &self.machine.flows,
            },
            steps: Cell::new(0),
            max_steps: self.machine.max_evaluation_steps(),
            choice_steps: Cell::new(0),
            random: &mut self.machine.random,
            limits: &self.machine.start.limits,
            made_before: self.machine.memory.created(),
            memory: &mut self.machine.memory,
            profile: self.program.profile(),
            departures: &mut self.machine.departures,
            now: self.machine.now,
            inspector: self.machine.inspector.as_deref_mut().map(|inspector| {
                let place = place(&self.state.name, self.id, self.flow.owner, self.machine.now);
                ActiveInspector { inspector, place }
            }),
        };
        let evaluated = evaluate(&mut evaluation, &mut self.flow.input);
        let (steps, max_steps) = (evaluation.steps_taken(), evaluation.max_steps);
        self.machine.turn.charge_evaluation(steps);
        if let Some(context) = context {
            self.machine.return_context(context);
        }
        evaluated.map_err(|fault| self.failed_evaluation(fault, steps >= max_steps))
    }

    /// Returns an evaluation failed: by its own fault, unless it took all steps that there were before its move is
    /// abandoned.
    #[cold]
    fn failed_evaluation(&mut self, fault: EvaluationFault, took_all: bool) -> Box<StateError> {
        if took_all && self.machine.turn.evaluation_room() == 0 {
            self.machine.turn.abandon();
            return Box::new(StateError::runtime(""));
        }
        self.fault(fault)
    }

    /// Returns true if what the flow just did is about to be undone.
    #[inline]
    pub(crate) fn is_abandoned(&self) -> bool {
        self.machine.turn.is_abandoned()
    }

    /// Returns a fault in evaluating the fields of the state, with the cause as the service words it; where an expression is
    /// at fault, its event.
    #[cold]
    pub(crate) fn fault(&mut self, mut fault: EvaluationFault) -> Box<StateError> {
        let flow = &mut *self.flow;
        let (left, entered, last) = (
            flow.left_event_id,
            flow.entered_event_id,
            flow.last_event_id,
        );
        // Recorded: an expression that fails before anything else happened in the state links to what was before it.
        let before = fault.is_of_expression() && last == entered;
        let (has_event, location) = (fault.has_event(), fault.location().map(str::to_owned));
        let field = fault.take_pointer();
        let mut error = fault.in_state(&self.state.name, entered);
        error.place_in(&self.state.name, field);
        if has_event {
            let previous = if before { left } else { last };
            let state = &self.state.name;
            flow.last_event_id = self
                .machine
                .record(previous, || EventDetails::EvaluationFailed {
                    state: Arc::clone(state),
                    location,
                    error: error.error_output.error.clone().unwrap_or_default(),
                    cause: error.error_output.cause.clone().unwrap_or_default(),
                });
        }
        Box::new(error)
    }

    /// Counts an event of the flow, records it where requested, and makes it the flow's last.
    #[inline]
    pub(crate) fn record(&mut self, details: impl FnOnce() -> EventDetails) -> u64 {
        let id = self.machine.record(self.flow.last_event_id, details);
        self.flow.last_event_id = id;
        id
    }

    /// Reports an event to the inspector, if there is one.
    #[inline]
    pub(crate) fn inspect<'v>(&mut self, inspected: impl FnOnce() -> InspectionEvent<'v>) {
        if let Some(inspector) = &mut self.machine.inspector {
            let place = place(&self.state.name, self.id, self.flow.owner, self.machine.now);
            inspector.inspected(place, inspected());
        }
    }

    /// Leaves the state for its "Next": limits, event, variables.
    #[inline]
    pub(crate) fn leave(&mut self, output: StateOutput<'_>) -> StepResult {
        self.leave_to(output, self.state.next)
    }

    /// Leaves the state for `next`; None ends the flow.
    #[inline]
    pub(crate) fn leave_to(
        &mut self,
        output: StateOutput<'_>,
        next: Option<StateIndex>,
    ) -> StepResult {
        if !output.assigned.is_empty() {
            self.check_variables(&output.assigned)?;
        }
        self.apply_output(output.data)?;
        if self.machine.records_history || self.machine.inspector.is_some() {
            self.record_exit(&output.assigned, next);
        } else {
            self.flow.last_event_id = self.machine.count_event();
        }
        if !output.assigned.is_empty() {
            let bytes = self.variable_bytes_after(&output.assigned);
            self.machine.flows.set_variable_bytes(bytes);
            self.flow.variables.assign(output.assigned);
        }
        self.flow.forget_state();
        Ok(self.next(next))
    }

    fn record_exit(&mut self, assigned: &Assignments, next: Option<StateIndex>) {
        let state = self.state;
        if let Some(inspector) = &mut self.machine.inspector {
            let next = next.map(|next| &*self.program.state(next).name);
            let output = &self.flow.input;
            let place = place(&state.name, self.id, self.flow.owner, self.machine.now);
            inspector.inspected(place, InspectionEvent::Left { output, next });
        }
        if !self.machine.records_history {
            self.flow.last_event_id = self.machine.count_event();
            return;
        }
        let output = self.flow.input.share();
        let assigned_variables = assigned
            .iter()
            .map(|assignment| {
                let value = self.flow.variables.after(assignment);
                (Arc::clone(&assignment.name), value)
            })
            .collect();
        self.record(|| EventDetails::StateExited {
            state_type: state.state_type,
            name: Arc::clone(&state.name),
            output,
            assigned_variables,
        });
    }
}

#[cold]
fn out_of_memory(error: OutOfMemory) -> Box<StateError> {
    Box::new(StateError::runtime(error.to_string()))
}

/// Returns the context of an event.
#[cold]
pub(crate) fn place(
    state: &Arc<str>,
    flow: FlowId,
    owner: Option<Owner>,
    now: Timestamp,
) -> InspectedPlace<'_> {
    InspectedPlace {
        state,
        now,
        flow: flow.number(),
        parent: owner.map(|owner| ParentFlow {
            flow: owner.flow.number(),
            index: owner.index.into(),
        }),
    }
}
