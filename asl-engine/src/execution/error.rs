//! Errors that states report, and which retriers and catchers may see them.
use crate::distributed::ToleratedFailure;
use crate::error_names;
use crate::error_output::ErrorOutput;
use asl_model::Profile;
use std::sync::Arc;

/// Handlers that may retry or catch an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Catchable {
    /// Its name, and the wildcards.
    Always,
    /// Its name alone: the wildcards pass it by.
    ByName,
    /// Nothing: it ends the execution.
    Never,
}

/// Location of an error in the definition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorPlace {
    /// The state, whose name is unique in the definition (2024 specification, States).
    pub state: Arc<str>,
    /// JSON Pointer from the state to the field with the error, if there is one: `/Arguments/amount`. The name of a
    /// template's field does not include the suffix `.$`.
    pub field: Option<String>,
}

/// An error that a state reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StateError {
    pub(crate) error_output: ErrorOutput,
    pub(crate) catchable: Catchable,
    /// A States.Timeout that is a missing heartbeat: States.HeartbeatTimeout in Retry and Catch alone.
    pub(crate) missed_heartbeat: bool,
    /// The error of a branch, reported by its Parallel State: States.BranchFailed in Retry and Catch.
    pub(crate) of_branch: bool,
    /// Location of the error, if known; saves do not contain it.
    pub(crate) place: Option<Box<ErrorPlace>>,
}

impl StateError {
    pub(crate) fn new(error: &str, cause: impl Into<String>) -> Self {
        Self::from_output(ErrorOutput::new(error, cause))
    }

    pub(crate) fn without_cause(error: &str) -> Self {
        Self::from_output(ErrorOutput::without_cause(error))
    }

    fn from_output(error_output: ErrorOutput) -> Self {
        Self {
            error_output,
            catchable: Catchable::Always,
            missed_heartbeat: false,
            of_branch: false,
            place: None,
        }
    }

    /// Sets the state of the error, unless a nested location is known.
    pub(crate) fn place_in(&mut self, state: &Arc<str>, field: Option<String>) {
        self.place.get_or_insert_with(|| {
            let state = Arc::clone(state);
            Box::new(ErrorPlace { state, field })
        });
    }

    /// As a task or a Fail State reports it.
    pub(crate) fn reported(error_output: ErrorOutput, profile: Profile) -> Self {
        let catchable = match error_output.error.as_deref() {
            Some(error_names::RUNTIME) => Catchable::Never,
            Some(error_names::DATA_LIMIT_EXCEEDED)
                if !profile.wildcards_match_reported_data_limits() =>
            {
                Catchable::ByName
            }
            _ => Catchable::Always,
        };
        Self {
            catchable,
            ..Self::from_output(error_output)
        }
    }

    /// States.Runtime: never retried nor caught (the service's guide to errors).
    pub(crate) fn runtime(cause: impl Into<String>) -> Self {
        Self {
            catchable: Catchable::Never,
            ..Self::new(error_names::RUNTIME, cause)
        }
    }

    /// States.DataLimitExceeded of what a state itself made.
    pub(crate) fn data_limit(cause: impl Into<String>) -> Self {
        Self {
            catchable: Catchable::ByName,
            ..Self::new(error_names::DATA_LIMIT_EXCEEDED, cause)
        }
    }

    /// Creates the error for a result that exceeds the maximum payload size; `named` is the state or task in the message.
    pub(crate) fn too_large(named: &str) -> Self {
        Self::data_limit(too_large_text(named))
    }

    /// More iterations or children failed than their Map State tolerates (2024 specification, Map State).
    pub(crate) fn too_many_failures() -> Self {
        Self::new(
            error_names::EXCEED_TOLERATED_FAILURE_THRESHOLD,
            ToleratedFailure::CAUSE,
        )
    }

    pub(crate) fn heartbeat_timeout() -> Self {
        Self {
            missed_heartbeat: true,
            ..Self::without_cause(error_names::TIMEOUT)
        }
    }

    /// Returns true if a retrier, a catcher or a tolerance may be about it.
    pub(crate) fn is_catchable(&self) -> bool {
        self.catchable != Catchable::Never
    }

    /// Returns true if it ended a task by timing out.
    pub(crate) fn is_timeout(&self) -> bool {
        matches!(
            self.error_output.error.as_deref(),
            Some(error_names::TIMEOUT | error_names::HEARTBEAT_TIMEOUT)
        )
    }

    /// Returns true if a name of an "ErrorEquals" matches (the service's guide to errors, Error names).
    pub(crate) fn matches(&self, name: &str) -> bool {
        let wildcard = self.catchable == Catchable::Always;
        match name {
            _ if self.catchable == Catchable::Never => false,
            error_names::ALL => wildcard,
            error_names::TASK_FAILED => {
                (wildcard && !self.is_timeout())
                    || self.error_output.error.as_deref() == Some(error_names::TASK_FAILED)
            }
            error_names::TIMEOUT => self.is_timeout(),
            error_names::HEARTBEAT_TIMEOUT => {
                self.missed_heartbeat
                    || self.error_output.error.as_deref() == Some(error_names::HEARTBEAT_TIMEOUT)
            }
            // 2022 specification, Appendix A; the error keeps the name that the branch gave it.
            error_names::BRANCH_FAILED if self.of_branch => true,
            name => self.error_output.error.as_deref() == Some(name),
        }
    }
}

/// Returns the service's text for a result that is too long.
pub(crate) fn too_large_text(named: &str) -> String {
    format!(
        "The state/task '{named}' returned a result with a size exceeding the maximum number of bytes service limit."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_failed_matches_all_but_timeouts() {
        let timeout = StateError::without_cause(error_names::TIMEOUT);
        assert!(
            !timeout.matches(error_names::TASK_FAILED)
                && timeout.matches(error_names::ALL)
                && timeout.matches(error_names::TIMEOUT)
        );
        assert!(StateError::without_cause("Custom").matches(error_names::TASK_FAILED));
        assert!(!StateError::heartbeat_timeout().matches(error_names::TASK_FAILED));
    }

    #[test]
    fn a_missed_heartbeat_is_both_timeouts() {
        let missed = StateError::heartbeat_timeout();
        assert!(
            missed.matches(error_names::TIMEOUT) && missed.matches(error_names::HEARTBEAT_TIMEOUT)
        );
        assert!(
            !StateError::without_cause(error_names::TIMEOUT)
                .matches(error_names::HEARTBEAT_TIMEOUT)
        );
    }

    #[test]
    fn the_error_of_a_branch_is_a_failed_branch_too() {
        let failed = StateError {
            of_branch: true,
            ..StateError::without_cause("Custom")
        };
        assert!(failed.matches("States.BranchFailed") && failed.matches("Custom"));
        assert!(!StateError::without_cause("Custom").matches("States.BranchFailed"));
    }

    #[test]
    fn nothing_catches_a_runtime_error() {
        let runtime = StateError::runtime("x");
        assert!(
            [
                error_names::ALL,
                error_names::TASK_FAILED,
                error_names::RUNTIME
            ]
            .iter()
            .all(|name| !runtime.matches(name))
        );
    }

    #[test]
    fn wildcards_pass_by_the_limit_of_a_states_own_output() {
        let limit = StateError::data_limit("x");
        assert!(
            !limit.matches(error_names::ALL)
                && !limit.matches(error_names::TASK_FAILED)
                && limit.matches(error_names::DATA_LIMIT_EXCEEDED)
        );
        let reported = |profile| {
            StateError::reported(
                ErrorOutput::without_cause(error_names::DATA_LIMIT_EXCEEDED),
                profile,
            )
        };
        assert!(
            reported(Profile::Aws).matches(error_names::ALL)
                && !reported(Profile::Spec).matches(error_names::ALL)
        );
    }
}
