//! Parallel States, and what they share with inline Map States: flows that belong to a flow.
use super::Output;
use super::data::Data;
use super::error::StateError;
use super::flow::{Flow, FlowId, Owner, Phase};
use super::machine::{Machine, Step};
use super::measure::Measure;
use super::timers::Timer;
use crate::Program;
use crate::history::{EventDetails, StateType};
use crate::program::{ScopeIndex, StateProgram};
use serde_json::Value;

/// The branches of a Parallel State that runs.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct ParallelBranches {
    /// By branch; None once it ended.
    flows: Vec<Option<FlowId>>,
    outputs: Vec<Value>,
    running: usize,
    /// What the outputs so far add up to.
    outputs_measure: Measure,
}

impl Machine {
    pub(super) fn start_branches(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        branches: &[ScopeIndex],
    ) -> Step {
        let mut raw = self.take_input(id);
        let effective = self.evaluate(program, id, state, |evaluation| {
            let selected = evaluation.selected_input(&state.processing, &raw)?;
            evaluation.arguments(&state.processing, selected, &mut raw)
        });
        if let Some(flow) = self.flows.get_mut(id) {
            flow.children_failed = false;
            flow.input = raw;
        }
        let mut effective = match effective {
            Ok(effective) => effective,
            Err(fault) => return self.fail_state_with(program, id, state, fault),
        };
        if let Err(error) = self.check_limits(&mut effective, &state.name) {
            return self.handle_error(program, id, state, error);
        }
        let started = self.record_in(id, || EventDetails::ParallelStateStarted);
        let mut flows = Vec::with_capacity(branches.len());
        for (index, scope) in branches.iter().enumerate() {
            let owner = Owner {
                flow: id,
                index: index as u32,
            };
            let branch = self.flows.insert(Flow::new(
                Some(owner),
                program.start_of(*scope),
                effective.duplicate(),
                started,
            ));
            self.ready.push_back(branch);
            flows.push(Some(branch));
        }
        let running = flows.len();
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Parallel(Box::new(ParallelBranches {
                flows,
                outputs: vec![Value::Null; running],
                running,
                outputs_measure: Measure::EMPTY_ARRAY,
            }));
        }
        Step::Stop
    }

    /// A flow reached the end of its scope with `output`.
    pub(super) fn finish_flow(&mut self, program: &Program, id: FlowId, output: Data) {
        let Some(flow) = self.flows.remove(id) else {
            return;
        };
        let Some(owner) = flow.owner else {
            return self.succeed_execution(flow.last_event_id, output.into_shared());
        };
        let Some(container) = self.flows.get_mut(owner.flow) else {
            return;
        };
        let finished = match &mut container.phase {
            Phase::Parallel(branches) => branches.finish(owner.index, output),
            Phase::Map(_) => {
                return self.iteration_succeeded(program, owner, flow.last_event_id, output);
            }
            _ => false,
        };
        if finished {
            self.finish_parallel(owner.flow, flow.last_event_id);
        }
    }

    fn finish_parallel(&mut self, id: FlowId, last_event_id: u64) {
        let Some(flow) = self.flows.get_mut(id) else {
            return;
        };
        let Phase::Parallel(branches) = &mut flow.phase else {
            return;
        };
        let outputs = Value::Array(std::mem::take(&mut branches.outputs));
        let result = Data::new(outputs, branches.outputs_measure);
        flow.phase = Phase::Settled(Box::new(Ok(result)));
        flow.last_event_id = last_event_id;
        // Recorded: what follows links to the last branch's event, not to this one.
        self.record(last_event_id, || EventDetails::ParallelStateSucceeded);
        self.ready.push_back(id);
    }

    /// A flow failed: it ends its owner's work, or the execution.
    pub(super) fn fail_flow(&mut self, program: &Program, id: FlowId, error: StateError) -> Step {
        let Some(flow) = self.flows.remove(id) else {
            return Step::Stop;
        };
        let Some(owner) = flow.owner else {
            self.fail_execution(flow.last_event_id, error);
            return Step::Stop;
        };
        let Some(container) = self.flows.get_mut(owner.flow) else {
            return Step::Stop;
        };
        match &mut container.phase {
            Phase::Parallel(branches) => {
                branches.forget(owner.index);
                container.last_event_id = flow.last_event_id;
                container.children_failed = true;
                let error = StateError {
                    of_branch: true,
                    ..error
                };
                self.settle_container(owner.flow, error);
            }
            Phase::Map(_) => self.iteration_failed(program, owner, flow.last_event_id, error),
            _ => {}
        }
        Step::Stop
    }

    /// Ends a Parallel or inline Map State with an error: its other flows are cancelled.
    pub(super) fn settle_container(&mut self, id: FlowId, error: StateError) {
        self.cancel_flows_of(id);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.phase = Phase::Settled(Box::new(Err(error)));
            self.ready.push_back(id);
        }
    }

    /// The event of a state that failed for good: after its retriers, before its catchers.
    pub(super) fn record_failure(&mut self, id: FlowId, state: &StateProgram) {
        let failed = self.flows.get(id).is_some_and(|flow| flow.children_failed);
        match state.state_type {
            StateType::Parallel if failed => {
                self.record_in(id, || EventDetails::ParallelStateFailed);
            }
            StateType::Map if failed => {
                self.record_in(id, || EventDetails::MapStateFailed);
            }
            _ => {}
        }
    }

    /// Cancels all flows below `id`: their tasks, timers and children.
    pub(super) fn cancel_flows_of(&mut self, id: FlowId) {
        let mut pending = self.flows_of(id);
        while let Some(id) = pending.pop() {
            pending.extend(self.flows_of(id));
            if let Some(flow) = self.flows.remove(id) {
                self.cancel_phase(flow.phase);
            }
        }
    }

    fn flows_of(&self, id: FlowId) -> Vec<FlowId> {
        match self.flows.get(id).map(|flow| &flow.phase) {
            Some(Phase::Parallel(branches)) => branches.flows.iter().copied().flatten().collect(),
            Some(Phase::Map(iterations)) => iterations.flows().collect(),
            _ => Vec::new(),
        }
    }

    /// Undoes what a phase waits for.
    pub(super) fn cancel_phase(&mut self, phase: Phase) {
        match phase {
            Phase::Task(pending) => {
                let unanswered = self.effects.remove(&pending.effect).is_some();
                self.cancel_timers(
                    pending
                        .deadline
                        .into_iter()
                        .chain(pending.heartbeat.map(|heartbeat| heartbeat.timer)),
                );
                if unanswered {
                    self.outputs
                        .push_back(Output::CancelTask { id: pending.effect });
                }
            }
            Phase::Waiting(timer) | Phase::Retrying(timer) => self.timers.cancel(timer),
            Phase::DistributedMap(map) => self.cancel_distributed_map(&map),
            _ => {}
        }
    }

    fn cancel_timers(&mut self, timers: impl Iterator<Item = Timer>) {
        for timer in timers {
            self.timers.cancel(timer);
        }
    }

    /// Cancels all that is under way, in the order in which it began.
    pub(super) fn cancel_everything(&mut self) {
        self.ready.clear();
        for flow in self.flows.drain() {
            self.cancel_phase(flow.phase);
        }
    }

    /// A flow's timer is due.
    pub(super) fn timer_fired(&mut self, program: &Program, id: FlowId, timer: Timer) {
        let Some(flow) = self.flows.get_mut(id) else {
            return;
        };
        match &flow.phase {
            Phase::Waiting(waiting) if *waiting == timer => {
                self.finish_wait(id);
                self.ready.push_back(id);
            }
            Phase::Retrying(retrying) if *retrying == timer => {
                flow.phase = Phase::Reattempting;
                self.ready.push_back(id);
            }
            Phase::Task(_) => self.task_timer_fired(program, id, timer),
            _ => {}
        }
    }
}

impl ParallelBranches {
    /// Keeps a branch's output; true where it was the last.
    fn finish(&mut self, index: u32, output: Data) -> bool {
        self.forget(index);
        self.outputs_measure = self.outputs_measure.with_element(output.measure);
        if let Some(place) = self.outputs.get_mut(index as usize) {
            *place = output.into_value();
        }
        self.running = self.running.saturating_sub(1);
        self.running == 0
    }

    fn forget(&mut self, index: u32) {
        if let Some(place) = self.flows.get_mut(index as usize) {
            *place = None;
        }
    }
}
