//! Events: counted always, recorded where requested.
use super::kernel::Machine;
use crate::Outcome;
use crate::execution::error::StateError;
use crate::execution::output::Output;
use crate::history::{EventDetails, HistoryEvent};
use asl_model::StateMachineType;
use std::hint::cold_path;

impl Machine {
    /// Counts an event, puts it out where history is recorded, and gives its id.
    #[inline]
    pub(crate) fn record(
        &mut self,
        previous_event_id: u64,
        details: impl FnOnce() -> EventDetails,
    ) -> u64 {
        let id = self.count_event();
        if !self.has_ended() {
            self.put_event(id, previous_event_id, details);
        }
        id
    }

    /// Counts an event. The last one that the limit allows is the failure for reaching it.
    #[inline]
    pub(crate) fn count_event(&mut self) -> u64 {
        self.event_count += 1;
        if self
            .start
            .limits
            .max_history_events
            .is_some_and(|max| self.event_count >= max)
        {
            self.reach_event_limit();
        }
        self.event_count
    }

    #[cold]
    fn reach_event_limit(&mut self) {
        let limited = self.start.state_machine_type == StateMachineType::Standard;
        // Undoing the move takes this count back too.
        if !limited || self.has_ended() || self.turn.is_undoing() {
            return;
        }
        self.turn.forbid_undo();
        let max = self.start.limits.max_history_events.unwrap_or_default();
        let cause = format!("The execution reached the maximum number of history events ({max}).");
        let previous = self.event_count.saturating_sub(1);
        self.end_with_failure(self.event_count, previous, StateError::runtime(cause));
    }

    /// The last event of an execution that failed, and its end.
    pub(super) fn end_with_failure(&mut self, id: u64, previous_event_id: u64, error: StateError) {
        let output = error.error_output;
        self.put_event(id, previous_event_id, || {
            EventDetails::ExecutionFailed(output.clone())
        });
        self.end(Outcome::Failed(output));
    }

    /// Puts an event out that is counted already, where history is recorded.
    #[inline]
    pub(super) fn put_event(
        &mut self,
        id: u64,
        previous_event_id: u64,
        details: impl FnOnce() -> EventDetails,
    ) {
        if self.records_history {
            cold_path();
            let event = HistoryEvent {
                id,
                previous_event_id,
                timestamp: self.now,
                details: details(),
            };
            self.outputs.push_back(Output::Event(Box::new(event)));
        }
    }
}
