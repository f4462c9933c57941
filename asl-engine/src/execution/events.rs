//! Events: counted always, recorded where asked for.
use super::Output;
use super::error::StateError;
use super::fault::EvaluationFault;
use super::flow::FlowId;
use super::machine::Machine;
use crate::Outcome;
use crate::history::{EventDetails, HistoryEvent};
use std::sync::Arc;

impl Machine {
    /// Counts an event, outputs it where history is recorded, and gives its id.
    pub(super) fn record(
        &mut self,
        previous_event_id: u64,
        details: impl FnOnce() -> EventDetails,
    ) -> u64 {
        let id = self.count_event();
        if self.start.record_history && !self.has_ended() {
            let event = HistoryEvent {
                id,
                previous_event_id,
                timestamp: self.now,
                details: details(),
            };
            self.outputs.push_back(Output::Event(Box::new(event)));
        }
        id
    }

    /// Counts an event of a flow and makes it the flow's last.
    pub(super) fn record_in(&mut self, id: FlowId, details: impl FnOnce() -> EventDetails) -> u64 {
        let previous = self.flows.get(id).map_or(0, |flow| flow.last_event_id);
        let event_id = self.record(previous, details);
        if let Some(flow) = self.flows.get_mut(id) {
            flow.last_event_id = event_id;
        }
        event_id
    }

    /// Counts an event. The last one that the limit allows is the failure for reaching it.
    pub(super) fn count_event(&mut self) -> u64 {
        self.event_count += 1;
        let limit = self.start.limits.max_history_events;
        let limited = self.start.state_machine_type == asl_model::StateMachineType::Standard;
        if let Some(max) =
            limit.filter(|max| limited && self.event_count >= *max && !self.has_ended())
        {
            let cause =
                format!("The execution reached the maximum number of history events ({max}).");
            self.end_with_event(
                self.event_count,
                self.event_count.saturating_sub(1),
                StateError::runtime(cause),
            );
        }
        self.event_count
    }

    fn end_with_event(&mut self, id: u64, previous_event_id: u64, error: StateError) {
        let (error, cause) = (error.error, error.cause);
        self.push_event(id, previous_event_id, || EventDetails::ExecutionFailed {
            error: error.clone(),
            cause: cause.clone(),
        });
        self.end(Outcome::Failed { error, cause });
    }

    fn push_event(
        &mut self,
        id: u64,
        previous_event_id: u64,
        details: impl FnOnce() -> EventDetails,
    ) {
        if self.start.record_history {
            let event = HistoryEvent {
                id,
                previous_event_id,
                timestamp: self.now,
                details: details(),
            };
            self.outputs.push_back(Output::Event(Box::new(event)));
        }
    }

    /// The last event and the end: nothing caught `error`.
    pub(super) fn fail_execution(&mut self, previous_event_id: u64, error: StateError) {
        if self.has_ended() {
            return;
        }
        self.event_count += 1;
        self.end_with_event(self.event_count, previous_event_id, error);
    }

    pub(super) fn succeed_execution(
        &mut self,
        previous_event_id: u64,
        output: Arc<serde_json::Value>,
    ) {
        if self.has_ended() {
            return;
        }
        self.event_count += 1;
        let shared = Arc::clone(&output);
        self.push_event(self.event_count, previous_event_id, || {
            EventDetails::ExecutionSucceeded { output: shared }
        });
        self.end(Outcome::Succeeded(output));
    }

    /// The machine's own TimeoutSeconds passed (specification, Top-level fields).
    pub(super) fn time_out(&mut self) {
        let previous = self.event_count;
        self.event_count += 1;
        self.push_event(self.event_count, previous, || {
            EventDetails::ExecutionTimedOut {
                error: None,
                cause: None,
            }
        });
        self.end(Outcome::TimedOut);
    }

    pub(super) fn stop(&mut self, error: Option<String>, cause: Option<String>) {
        let previous = self.event_count;
        self.event_count += 1;
        self.push_event(self.event_count, previous, || {
            EventDetails::ExecutionAborted {
                error: error.clone(),
                cause: cause.clone(),
            }
        });
        self.end(Outcome::Aborted { error, cause });
    }

    /// A fault in evaluating the fields of the state at hand, with the cause as the service words it; where an
    /// expression is at fault, its event.
    pub(super) fn fault(
        &mut self,
        id: FlowId,
        state_name: &Arc<str>,
        fault: EvaluationFault,
    ) -> StateError {
        let (left, entered, last) = self.flows.get(id).map_or((0, 0, 0), |flow| {
            (
                flow.left_event_id,
                flow.entered_event_id,
                flow.last_event_id,
            )
        });
        // Recorded: an expression that fails before anything else happened in the state links to what was before it.
        let before = fault.is_of_expression() && last == entered;
        let location = fault.location().map(str::to_owned);
        let error = fault.in_state(state_name, entered);
        if let Some(location) = location {
            let event_id = self.record(if before { left } else { last }, || {
                EventDetails::EvaluationFailed {
                    state: Arc::clone(state_name),
                    location: Some(location),
                    error: error.error.clone().unwrap_or_default(),
                    cause: error.cause.clone().unwrap_or_default(),
                }
            });
            if let Some(flow) = self.flows.get_mut(id) {
                flow.last_event_id = event_id;
            }
        }
        error
    }

    /// The limit on payloads that `data` is over, as an error of the state at hand.
    pub(super) fn check_limits(
        &self,
        data: &mut super::data::Data,
        named: &str,
    ) -> Result<(), StateError> {
        match data.excess(&self.start.limits) {
            None => Ok(()),
            Some(super::data::Excess::Bytes) => Err(StateError::data_limit(format!(
                "The state/task '{named}' returned a result with a size exceeding the maximum number of bytes service limit."
            ))),
            Some(super::data::Excess::Depth) => Err(self.too_deep(named)),
        }
    }

    pub(super) fn too_deep(&self, named: &str) -> StateError {
        StateError::runtime(format!(
            "the data of state '{named}' is nested deeper than {} levels, the limit on data",
            self.start.limits.max_data_depth
        ))
    }
}
