//! Errors of states, results, and how executions end.
use super::damage::{DamageContext as _, Read};
use super::values::{ValueIndex, ValueTable, Values};
use crate::data::Data;
use crate::error_output::ErrorOutput;
use crate::execution::error::{Catchable, StateError};
use crate::outcome::Outcome;
use serde::{Deserialize, Serialize};

/// An error that a state reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedError {
    #[serde(flatten)]
    error_output: ErrorOutput,
    catchable: SavedCatchable,
    missed_heartbeat: bool,
    of_branch: bool,
}

/// Handlers that may retry or catch an error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SavedCatchable {
    Always,
    ByName,
    Never,
}

impl SavedError {
    pub(super) fn new(error: &StateError) -> Self {
        let StateError {
            error_output,
            catchable,
            missed_heartbeat,
            of_branch,
            place: _,
        } = error;
        Self {
            error_output: error_output.clone(),
            catchable: match catchable {
                Catchable::Always => SavedCatchable::Always,
                Catchable::ByName => SavedCatchable::ByName,
                Catchable::Never => SavedCatchable::Never,
            },
            missed_heartbeat: *missed_heartbeat,
            of_branch: *of_branch,
        }
    }

    pub(super) fn error(self) -> Box<StateError> {
        Box::new(StateError {
            error_output: self.error_output,
            catchable: match self.catchable {
                SavedCatchable::Always => Catchable::Always,
                SavedCatchable::ByName => Catchable::ByName,
                SavedCatchable::Never => Catchable::Never,
            },
            missed_heartbeat: self.missed_heartbeat,
            of_branch: self.of_branch,
            place: None,
        })
    }
}

/// The result of a state's work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedResult {
    Succeeded(ValueIndex),
    Failed(SavedError),
}

impl SavedResult {
    pub(super) fn result(self, values: &mut Values) -> Read<Result<Data, Box<StateError>>> {
        Ok(match self {
            Self::Succeeded(index) => Ok(values.data(index).within("succeeded")?),
            Self::Failed(error) => Err(error.error()),
        })
    }
}

/// The outcome of an execution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedOutcome {
    Succeeded(ValueIndex),
    Failed(ErrorOutput),
    TimedOut,
    Aborted(ErrorOutput),
}

impl SavedOutcome {
    pub(super) fn new(outcome: &Outcome, table: &mut ValueTable) -> Self {
        match outcome.clone() {
            Outcome::Succeeded(output) => Self::Succeeded(table.shared(&output)),
            Outcome::Failed(error_output) => Self::Failed(error_output),
            Outcome::TimedOut => Self::TimedOut,
            Outcome::Aborted(error_output) => Self::Aborted(error_output),
        }
    }

    pub(super) fn outcome(self, values: &mut Values) -> Read<Outcome> {
        Ok(match self {
            Self::Succeeded(index) => Outcome::Succeeded(values.shared(index).within("succeeded")?),
            Self::Failed(error_output) => Outcome::Failed(error_output),
            Self::TimedOut => Outcome::TimedOut,
            Self::Aborted(error_output) => Outcome::Aborted(error_output),
        })
    }
}
