//! Result of a case.
use crate::compare::JsonDifference;
use crate::coverage::ReachedPoints;
use crate::record::{Call, Visit};
use asl_engine::Outcome;
use asl_engine::Timestamp;
use asl_model::Position;
use serde_json::{Map, Value};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The result of a case, with all data for reports.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CaseReport {
    /// Name of the case.
    pub name: String,
    /// The test file, if the case is from one.
    pub file: Option<PathBuf>,
    /// Position of the case in the file.
    pub position: Option<Position>,
    /// Failed expectations in order; empty if the case passed.
    pub differences: Vec<Difference>,
    /// Record of the execution; None if it could not start, which is a difference.
    pub run: Option<CaseRun>,
    /// Coverage of the definitions that ran, its own first, if [counted](crate::Case::with_coverage).
    pub covered: Vec<ReachedPoints>,
    /// Duration on the system clock.
    pub elapsed: Duration,
}

/// The record of an execution of a case.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CaseRun {
    /// The outcome.
    pub outcome: Outcome,
    /// Time of the start on the case's clock.
    pub start_date: Timestamp,
    /// Time of the end.
    pub stop_date: Timestamp,
    /// States entered, and retries.
    pub transitions: u64,
    /// Every state that was entered, those of branches, iterations and children included, in order.
    pub visits: Vec<Visit>,
    /// Every task that was called, in order.
    pub calls: Vec<Call>,
    /// The machine's own variables at the end.
    pub variables: Map<String, Value>,
    /// The state in which it failed, as an index of `visits`.
    pub failed_in: Option<usize>,
}

impl CaseRun {
    /// Returns the time from start to end, by the case's clock.
    pub fn duration(&self) -> Duration {
        self.stop_date.duration_since(self.start_date)
    }

    /// Returns the states of the machine itself, without those within others.
    pub fn path(&self) -> impl Iterator<Item = &str> {
        let outermost = self.visits.iter().filter(|visit| visit.depth == 0);
        outermost.map(|visit| &*visit.state)
    }
}

/// A difference from an expectation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The field of `expect`, or `mocks`.
    pub subject: &'static str,
    /// The problem in words.
    pub message: String,
    /// The difference of two values, if values are compared.
    pub values: Option<JsonDifference>,
    /// The state that caused the difference, if known.
    pub state: Option<String>,
    /// Position of the expectation in the test file.
    pub position: Option<Position>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.message)?;
        match &self.state {
            Some(state) => write!(f, " (in state `{state}`)"),
            None => Ok(()),
        }
    }
}

impl CaseReport {
    /// Returns true if all is as expected.
    pub fn has_passed(&self) -> bool {
        self.differences.is_empty()
    }

    /// Returns the record if the case passed.
    ///
    /// # Errors
    ///
    /// The failed expectations.
    pub fn into_result(self) -> Result<CaseRun, CaseFailure> {
        match self.run {
            Some(run) if self.differences.is_empty() => Ok(run),
            _ => Err(CaseFailure {
                name: self.name,
                differences: self.differences,
            }),
        }
    }
}

/// The reason why a case did not pass. `{:?}` prints the same text as `{}`, so that an error that leaves a test through `?`
/// is readable.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct CaseFailure {
    /// Name of the case.
    pub name: String,
    /// The failed expectations.
    pub differences: Vec<Difference>,
}

impl fmt::Display for CaseFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the case `{}` failed", self.name)?;
        for difference in &self.differences {
            write!(f, "\n  {difference}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for CaseFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
