//! The end of an execution, and of its work in progress.
use super::flow::Flows;
use super::ids::FlowId;
use super::kernel::Machine;
use super::phase::{MapRun, Phase, Resumption, Stage};
use crate::error_output::ErrorOutput;
use crate::execution::error::StateError;
use crate::execution::output::Output;
use crate::history::EventDetails;
use crate::{Outcome, Program};
use asl_model::{StateMachineType, Timestamp};
use serde_json::Value;
use std::sync::Arc;

impl Machine {
    /// Nothing caught `error`.
    pub(crate) fn fail_execution(&mut self, previous_event_id: u64, mut error: StateError) {
        if self.has_ended() {
            return;
        }
        self.failed_at = error.place.take();
        self.event_count += 1;
        self.end_with_failure(self.event_count, previous_event_id, error);
    }

    /// The machine's own flow reached its end.
    pub(crate) fn succeed_execution(&mut self, previous_event_id: u64, output: Arc<Value>) {
        if self.has_ended() {
            return;
        }
        self.event_count += 1;
        self.put_event(self.event_count, previous_event_id, || {
            EventDetails::ExecutionSucceeded {
                output: Arc::clone(&output),
            }
        });
        self.end(Outcome::Succeeded(output));
    }

    /// The machine's own TimeoutSeconds passed (2024 specification, Top-level fields).
    pub(crate) fn time_out(&mut self) {
        self.event_count += 1;
        // Recorded from the service: it follows from no event.
        self.put_event(self.event_count, 0, || {
            EventDetails::ExecutionTimedOut(ErrorOutput::default())
        });
        self.end(Outcome::TimedOut);
    }

    /// Returns the time at which a timer or the deadline of the execution is due. None after the end.
    pub(crate) fn next_due(&self) -> Option<Timestamp> {
        let deadline = self.deadline.filter(|_| !self.has_ended());
        match (self.timers.next_due(), deadline) {
            (Some(due), Some(deadline)) => Some(due.min(deadline)),
            (due, deadline) => due.or(deadline),
        }
    }

    /// Returns true if the execution has run for as long as it may.
    pub(crate) fn is_overdue(&self) -> bool {
        self.deadline.is_some_and(|deadline| deadline <= self.now)
    }

    /// Returns true for a moment before the deadline.
    pub(crate) fn is_in_time(&self, moment: Timestamp) -> bool {
        self.deadline.is_none_or(|deadline| moment < deadline)
    }

    /// Stopped from outside.
    pub(crate) fn stop(&mut self, error_output: ErrorOutput) {
        self.event_count += 1;
        // Recorded from the service: it follows from no event.
        self.put_event(self.event_count, 0, || {
            EventDetails::ExecutionAborted(error_output.clone())
        });
        self.end(Outcome::Aborted(error_output));
    }

    /// Ends the execution: nothing that was under way continues, but for the flow that is being run, which is interrupted
    /// when it is put back. What did not succeed keeps its flows for a redrive.
    pub(super) fn end(&mut self, outcome: Outcome) {
        if self.outcome.is_some() {
            return;
        }
        self.ready.clear();
        let mut flows = std::mem::take(&mut self.flows);
        if matches!(outcome, Outcome::Succeeded(_)) {
            for (_, _, phase) in flows.iter() {
                self.cancel(phase);
            }
            flows = Flows::default();
        } else {
            flows.replace_phases(|phase| self.interrupt(phase));
        }
        self.flows = flows;
        self.timers.clear();
        self.outcome = Some(outcome);
    }

    /// Undoes what a phase waits for, and keeps where a redrive would continue.
    pub(crate) fn interrupt(&mut self, phase: Phase) -> Phase {
        self.cancel(&phase);
        Phase::Interrupted(Resumption::from_phase(phase))
    }

    /// Interrupts all flows below one in this phase.
    pub(crate) fn interrupt_children(&mut self, phase: &Phase) {
        let mut pending = children(phase);
        while let Some(id) = pending.pop() {
            if let Some((flow, phase)) = self.flows.take(id) {
                pending.extend(children(&phase));
                let phase = self.interrupt(phase);
                self.flows.put(id, flow, phase);
            }
        }
    }

    /// Lets a flow go, with all below it.
    pub(crate) fn release_flow(&mut self, id: FlowId) {
        if let Some((flow, phase)) = self.flows.take(id) {
            self.cancel(&phase);
            self.flows.release(id, flow);
            self.release_children(&phase);
        }
    }

    /// Lets all flows below one in this phase go: their tasks, timers and children.
    pub(crate) fn release_children(&mut self, phase: &Phase) {
        let mut pending = children(phase);
        while let Some(id) = pending.pop() {
            if let Some((flow, phase)) = self.flows.take(id) {
                pending.extend(children(&phase));
                self.cancel(&phase);
                self.flows.release(id, flow);
            }
        }
    }

    /// Undoes what a phase waits for.
    pub(crate) fn cancel(&mut self, phase: &Phase) {
        match phase {
            Phase::Task(pending) => {
                if let Some(timers) = &pending.timers {
                    let heartbeat = timers.heartbeat.map(|heartbeat| heartbeat.timer);
                    for timer in timers.deadline.into_iter().chain(heartbeat) {
                        self.timers.cancel(timer);
                    }
                }
                let id = pending.invocation.id;
                if self.effects.remove(id) {
                    self.outputs.push_back(Output::CancelTask { id });
                }
            }
            Phase::Waiting(timer) | Phase::Retrying(timer) => self.timers.cancel(*timer),
            Phase::DistributedMap(map) => self.cancel_map_run(&map.stage),
            _ => {}
        }
    }

    /// Undoes what a Map Run waits for.
    pub(crate) fn cancel_map_run(&mut self, stage: &Stage) {
        match stage {
            Stage::Reading { effect, .. } => {
                self.effects.remove(*effect);
            }
            Stage::Writing(writing) => {
                self.effects.remove(writing.effect);
            }
            Stage::Running(run) => self.cancel_children(run),
        }
    }

    /// Stops the children of a Map Run, and the reading of its items.
    pub(crate) fn cancel_children(&mut self, run: &MapRun) {
        if let Some(effect) = run.read_effect() {
            self.effects.remove(effect);
        }
        for effect in run.running.keys() {
            if self.effects.remove(*effect) {
                self.outputs
                    .push_back(Output::StopChildExecution { id: *effect });
            }
        }
    }
}

/// Returns the deadline of an execution that started or was redriven at `begun`: on the service, a Standard execution can
/// run for a year, and an Express execution for five minutes (quotas of the service).
pub(crate) fn deadline(
    program: &Program,
    state_machine_type: StateMachineType,
    begun: Timestamp,
) -> Option<Timestamp> {
    const YEAR: u64 = 365 * 24 * 60 * 60;
    const FIVE_MINUTES: u64 = 5 * 60;
    let seconds = match state_machine_type {
        StateMachineType::Standard => YEAR,
        StateMachineType::Express => FIVE_MINUTES,
    };
    let ends = program.profile().ends_long_executions();
    ends.then(|| begun.plus_seconds(seconds))
}

/// Returns the flows right below one in this phase.
fn children(phase: &Phase) -> Vec<FlowId> {
    match phase {
        Phase::Parallel(branches) => branches.flows.iter().copied().flatten().collect(),
        Phase::Map(iterations) => iterations.running.values().copied().collect(),
        Phase::Broken(broken) => children(&broken.children),
        Phase::Interrupted(Resumption::Children(phase)) => children(phase),
        _ => Vec::new(),
    }
}
