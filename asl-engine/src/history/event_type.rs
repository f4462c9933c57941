//! The names of events: the "type" of the service's API.
use super::{EventDetails, HistoryEvent, StateType};

impl HistoryEvent {
    /// The event's type as the API has it (HistoryEvent, `type`).
    ///
    /// ```
    /// use asl_engine::history::{EventDetails, HistoryEvent};
    /// let event = HistoryEvent {
    ///     id: 3,
    ///     previous_event_id: 2,
    ///     timestamp: Default::default(),
    ///     details: EventDetails::MapStateStarted { length: 4 },
    /// };
    /// assert_eq!(event.event_type(), "MapStateStarted");
    /// ```
    pub fn event_type(&self) -> &'static str {
        self.details.event_type()
    }
}

impl EventDetails {
    fn event_type(&self) -> &'static str {
        match self {
            Self::ExecutionStarted { .. } => "ExecutionStarted",
            Self::ExecutionRedriven { .. } => "ExecutionRedriven",
            Self::ExecutionSucceeded { .. } => "ExecutionSucceeded",
            Self::ExecutionFailed(_) => "ExecutionFailed",
            Self::ExecutionTimedOut(_) => "ExecutionTimedOut",
            Self::ExecutionAborted(_) => "ExecutionAborted",
            Self::StateEntered { state_type, .. } => entered(*state_type),
            Self::StateExited { state_type, .. } => exited(*state_type),
            Self::LambdaFunctionScheduled { .. } => "LambdaFunctionScheduled",
            Self::LambdaFunctionStarted => "LambdaFunctionStarted",
            Self::LambdaFunctionSucceeded { .. } => "LambdaFunctionSucceeded",
            Self::LambdaFunctionFailed(_) => "LambdaFunctionFailed",
            Self::LambdaFunctionTimedOut(_) => "LambdaFunctionTimedOut",
            Self::ActivityScheduled { .. } => "ActivityScheduled",
            Self::ActivityStarted { .. } => "ActivityStarted",
            Self::ActivitySucceeded { .. } => "ActivitySucceeded",
            Self::ActivityFailed(_) => "ActivityFailed",
            Self::ActivityTimedOut(_) => "ActivityTimedOut",
            Self::TaskScheduled { .. } => "TaskScheduled",
            Self::TaskStarted { .. } => "TaskStarted",
            Self::TaskSubmitted { .. } => "TaskSubmitted",
            Self::TaskSucceeded { .. } => "TaskSucceeded",
            Self::TaskFailed { .. } => "TaskFailed",
            Self::TaskTimedOut { .. } => "TaskTimedOut",
            Self::MapStateStarted { .. } => "MapStateStarted",
            Self::MapStateSucceeded => "MapStateSucceeded",
            Self::MapStateFailed => "MapStateFailed",
            Self::MapIterationStarted { .. } => "MapIterationStarted",
            Self::MapIterationSucceeded { .. } => "MapIterationSucceeded",
            Self::MapIterationFailed { .. } => "MapIterationFailed",
            Self::MapIterationAborted { .. } => "MapIterationAborted",
            Self::StateAborted { state_type } => aborted(*state_type),
            Self::ParallelStateStarted => "ParallelStateStarted",
            Self::ParallelStateSucceeded => "ParallelStateSucceeded",
            Self::ParallelStateFailed => "ParallelStateFailed",
            Self::MapRunStarted { .. } => "MapRunStarted",
            Self::MapRunSucceeded => "MapRunSucceeded",
            Self::MapRunFailed(_) => "MapRunFailed",
            Self::EvaluationFailed { .. } => "EvaluationFailed",
            Self::LambdaFunctionScheduleFailed(_) => "LambdaFunctionScheduleFailed",
            Self::LambdaFunctionStartFailed(_) => "LambdaFunctionStartFailed",
            Self::ActivityScheduleFailed(_) => "ActivityScheduleFailed",
            Self::TaskStartFailed { .. } => "TaskStartFailed",
            Self::TaskSubmitFailed { .. } => "TaskSubmitFailed",
            Self::MapRunRedriven { .. } => "MapRunRedriven",
        }
    }

    /// Returns the member that holds the event's details; None for an event that has none.
    pub(super) fn details_member(&self) -> Option<&'static str> {
        Some(match self {
            Self::ExecutionStarted { .. } => "executionStartedEventDetails",
            Self::ExecutionRedriven { .. } => "executionRedrivenEventDetails",
            Self::ExecutionSucceeded { .. } => "executionSucceededEventDetails",
            Self::ExecutionFailed(_) => "executionFailedEventDetails",
            Self::ExecutionTimedOut(_) => "executionTimedOutEventDetails",
            Self::ExecutionAborted(_) => "executionAbortedEventDetails",
            Self::StateEntered { .. } => "stateEnteredEventDetails",
            Self::StateExited { .. } => "stateExitedEventDetails",
            Self::LambdaFunctionScheduled { .. } => "lambdaFunctionScheduledEventDetails",
            Self::LambdaFunctionSucceeded { .. } => "lambdaFunctionSucceededEventDetails",
            Self::LambdaFunctionFailed(_) => "lambdaFunctionFailedEventDetails",
            Self::LambdaFunctionTimedOut(_) => "lambdaFunctionTimedOutEventDetails",
            Self::ActivityScheduled { .. } => "activityScheduledEventDetails",
            Self::ActivityStarted { .. } => "activityStartedEventDetails",
            Self::ActivitySucceeded { .. } => "activitySucceededEventDetails",
            Self::ActivityFailed(_) => "activityFailedEventDetails",
            Self::ActivityTimedOut(_) => "activityTimedOutEventDetails",
            Self::TaskScheduled { .. } => "taskScheduledEventDetails",
            Self::TaskStarted { .. } => "taskStartedEventDetails",
            Self::TaskSubmitted { .. } => "taskSubmittedEventDetails",
            Self::TaskSucceeded { .. } => "taskSucceededEventDetails",
            Self::TaskFailed { .. } => "taskFailedEventDetails",
            Self::TaskTimedOut { .. } => "taskTimedOutEventDetails",
            Self::MapStateStarted { .. } => "mapStateStartedEventDetails",
            Self::MapIterationStarted { .. } => "mapIterationStartedEventDetails",
            Self::MapIterationSucceeded { .. } => "mapIterationSucceededEventDetails",
            Self::MapIterationFailed { .. } => "mapIterationFailedEventDetails",
            Self::MapIterationAborted { .. } => "mapIterationAbortedEventDetails",
            Self::MapRunStarted { .. } => "mapRunStartedEventDetails",
            Self::MapRunFailed(_) => "mapRunFailedEventDetails",
            Self::EvaluationFailed { .. } => "evaluationFailedEventDetails",
            Self::LambdaFunctionScheduleFailed(_) => "lambdaFunctionScheduleFailedEventDetails",
            Self::LambdaFunctionStartFailed(_) => "lambdaFunctionStartFailedEventDetails",
            Self::ActivityScheduleFailed(_) => "activityScheduleFailedEventDetails",
            Self::TaskStartFailed { .. } => "taskStartFailedEventDetails",
            Self::TaskSubmitFailed { .. } => "taskSubmitFailedEventDetails",
            Self::MapRunRedriven { .. } => "mapRunRedrivenEventDetails",
            Self::LambdaFunctionStarted
            | Self::StateAborted { .. }
            | Self::MapStateSucceeded
            | Self::MapStateFailed
            | Self::ParallelStateStarted
            | Self::ParallelStateSucceeded
            | Self::ParallelStateFailed
            | Self::MapRunSucceeded => return None,
        })
    }
}

fn entered(state_type: StateType) -> &'static str {
    match state_type {
        StateType::Pass => "PassStateEntered",
        StateType::Task => "TaskStateEntered",
        StateType::Choice => "ChoiceStateEntered",
        StateType::Wait => "WaitStateEntered",
        StateType::Succeed => "SucceedStateEntered",
        StateType::Fail => "FailStateEntered",
        StateType::Parallel => "ParallelStateEntered",
        StateType::Map => "MapStateEntered",
    }
}

/// Returns the API knows none of a Fail State, which is never left.
fn exited(state_type: StateType) -> &'static str {
    match state_type {
        StateType::Pass => "PassStateExited",
        StateType::Task => "TaskStateExited",
        StateType::Choice => "ChoiceStateExited",
        StateType::Wait => "WaitStateExited",
        StateType::Succeed => "SucceedStateExited",
        StateType::Fail => "FailStateExited",
        StateType::Parallel => "ParallelStateExited",
        StateType::Map => "MapStateExited",
    }
}

/// Returns the API knows those of Task, Wait, Parallel and Map States.
fn aborted(state_type: StateType) -> &'static str {
    match state_type {
        StateType::Pass => "PassStateAborted",
        StateType::Task => "TaskStateAborted",
        StateType::Choice => "ChoiceStateAborted",
        StateType::Wait => "WaitStateAborted",
        StateType::Succeed => "SucceedStateAborted",
        StateType::Fail => "FailStateAborted",
        StateType::Parallel => "ParallelStateAborted",
        StateType::Map => "MapStateAborted",
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::tests::one_of_each;
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_event_has_a_type_of_its_own() {
        let events = one_of_each();
        let types: BTreeSet<_> = events.iter().map(HistoryEvent::event_type).collect();
        assert_eq!(types.len(), events.len());
    }

    #[test]
    fn a_details_member_is_the_type_in_lower_camel_case() {
        for event in one_of_each() {
            let Some(member) = event.details.details_member() else {
                continue;
            };
            let of_state = matches!(
                event.details,
                EventDetails::StateEntered { .. } | EventDetails::StateExited { .. }
            );
            let kind = event.event_type();
            // The details of all types of states are one member: "Pass" of "PassStateEntered" is not in its name.
            let kind = if of_state { &kind[4..] } else { kind };
            let (first, rest) = kind.split_at(1);
            assert_eq!(
                member,
                format!("{}{rest}EventDetails", first.to_lowercase())
            );
        }
    }

    #[test]
    fn state_types_name_their_events() {
        for state_type in [
            StateType::Pass,
            StateType::Task,
            StateType::Choice,
            StateType::Wait,
            StateType::Succeed,
            StateType::Fail,
            StateType::Parallel,
            StateType::Map,
        ] {
            let name = state_type.as_str();
            assert_eq!(entered(state_type), format!("{name}StateEntered"));
            assert_eq!(exited(state_type), format!("{name}StateExited"));
            assert_eq!(aborted(state_type), format!("{name}StateAborted"));
        }
    }
}
