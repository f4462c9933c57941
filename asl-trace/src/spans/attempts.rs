//! Attempts: of tasks, and of all branches or iterations of a state; and failures.
use super::flows::Opening;
use super::{Effect, Spans};
use crate::visit::{Visit, VisitFailure};
use asl_engine::ErrorOutput;
use asl_engine::history::{HistoryEvent, StateType};
use asl_model::Timestamp;
use std::sync::Arc;

/// The error of a state that takes too long (2024 specification, Appendix A). Its events need not name it.
const TIMEOUT: &str = "States.Timeout";

impl Spans {
    pub(super) fn start_task(&mut self, event: &HistoryEvent, before: u64) -> Effect {
        let flow = self.resumed(event, StateType::Task).unwrap_or(before);
        let attempt = self.visit_mut(flow);
        Effect {
            attempt: attempt.and_then(|visit| visit.start_attempt(event.timestamp)),
            ..Effect::of_visit(flow)
        }
    }

    pub(super) fn end_attempt(&mut self, event: &HistoryEvent, flow: u64) -> Effect {
        let attempt = self.visit_mut(flow);
        Effect {
            attempt: attempt.and_then(|visit| visit.end_attempt(event.timestamp)),
            ..Effect::of_visit(flow)
        }
    }

    /// Starts all branches or iterations of a state, for the first time or again.
    pub(super) fn start_holder(
        &mut self,
        event: &HistoryEvent,
        before: u64,
        of: StateType,
    ) -> Effect {
        let resumed = self.resumed(event, of);
        let id = resumed.unwrap_or_else(|| self.started_holder(event, before, of));
        let failure = self.visit(before).and_then(|visit| visit.failure.clone());
        if let Some(visit) = self.visit_mut(id).filter(|visit| visit.attempts() > 0) {
            visit.failure = visit.failure.take().or(failure);
        }
        let interrupted = self.end_inner(id);
        let attempt = self.visit_mut(id);
        let attempt = attempt.and_then(|visit| visit.start_attempt(event.timestamp));
        if let Some(flow) = self.flows.get_mut(&id) {
            flow.branches = 0;
        }
        if of == StateType::Parallel {
            let (parent, iteration) = (id, None);
            self.openings
                .insert(event.id, Opening { parent, iteration });
        }
        Effect {
            attempt,
            interrupted,
            ..Effect::of_visit(id)
        }
    }

    /// Returns the flow of a state that starts. A first start follows the state's own entry. A retry follows a failure inside
    /// the state: the nearest state of its type that can be retried.
    pub(super) fn started_holder(&self, event: &HistoryEvent, before: u64, of: StateType) -> u64 {
        let follows_entry =
            |visit: &Visit| visit.state_type == of && visit.event_id == event.previous_event_id;
        if self.visit(before).is_some_and(follows_entry) {
            return before;
        }
        let is_type = |visit: &Visit| visit.state_type == of;
        let may_be_retried = |visit: &Visit| {
            is_type(visit) && visit.attempts() > 0 && self.tree.may_be_retried(&visit.state)
        };
        let found = self.search(before, may_be_retried);
        found.unwrap_or_else(|| self.nearest(before, is_type))
    }

    pub(super) fn end_holder(
        &mut self,
        event: &HistoryEvent,
        before: u64,
        of: StateType,
    ) -> Effect {
        let flow = self.nearest(before, |visit| visit.state_type == of);
        self.end_attempt(event, flow)
    }

    /// Records the final failure of a Parallel or Map State: of the nearest that has not failed yet.
    pub(super) fn fail_holder(
        &mut self,
        event: &HistoryEvent,
        before: u64,
        of: StateType,
    ) -> Effect {
        let is_it = |visit: &Visit| visit.state_type == of && !visit.has_given_up;
        let flow = self.nearest(before, is_it);
        let inner = self.visit(before).and_then(|visit| visit.failure.clone());
        let Some(visit) = self.visit_mut(flow) else {
            return Effect::of_visit(flow);
        };
        visit.has_given_up = true;
        let inner = inner.or_else(|| visit.inner_failure.clone());
        let failure = visit.failure.take().or(inner);
        let failure = failure.unwrap_or_else(|| VisitFailure {
            at: event.timestamp,
            error_output: Arc::default(),
            is_timeout: false,
            origin: visit.event_id,
        });
        self.record_failure(event.timestamp, flow, failure)
    }

    pub(super) fn fail(&mut self, event: &HistoryEvent, flow: u64) -> Effect {
        let Some(visit) = self.visit(flow) else {
            return Effect::of_visit(flow);
        };
        let mut error_output = event.details.error_output().unwrap_or_default();
        let is_timeout = event.event_type().ends_with("TimedOut");
        if is_timeout && error_output.error.is_none() {
            error_output.error = Some(TIMEOUT.to_owned());
        }
        let failure = VisitFailure {
            at: event.timestamp,
            error_output: Arc::new(error_output),
            is_timeout,
            origin: visit.event_id,
        };
        self.record_failure(event.timestamp, flow, failure)
    }

    /// Records a failure in a visit, and in the enclosing ones that it may end.
    pub(super) fn record_failure(
        &mut self,
        at: Timestamp,
        flow: u64,
        failure: VisitFailure,
    ) -> Effect {
        let mut outer = self.flows.get(&flow).and_then(|flow| flow.parent);
        while let Some((parent, _)) = outer {
            if let Some(visit) = self.visit_mut(parent) {
                visit.inner_failure = Some(failure.clone());
            }
            outer = self.flows.get(&parent).and_then(|flow| flow.parent);
        }
        let attempt = self.visit_mut(flow).and_then(|visit| {
            visit.failure = Some(failure);
            visit.end_attempt(at)
        });
        Effect {
            attempt,
            ..Effect::of_visit(flow)
        }
    }

    /// Records the failure of the execution, also in a state that has no failure event of its own, or one without error.
    pub(super) fn fail_execution(&mut self, event: &HistoryEvent, flow: u64) -> Effect {
        let unknown = ErrorOutput::default();
        match self.visit(flow).map(|visit| visit.failure.as_ref()) {
            Some(None) => self.fail(event, flow),
            Some(Some(failure)) if *failure.error_output == unknown => {
                let error_output = event.details.error_output().unwrap_or_default();
                let failure = VisitFailure {
                    error_output: Arc::new(error_output),
                    ..failure.clone()
                };
                self.record_failure(event.timestamp, flow, failure)
            }
            _ => Effect::of_visit(flow),
        }
    }
}
