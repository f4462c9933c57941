//! What came of a case.
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

/// What came of a case: everything that any format of a report shows.
#[derive(Debug, Clone)]
pub struct CaseReport {
    /// The case.
    pub name: String,
    /// The test file, where it is of one.
    pub file: Option<PathBuf>,
    /// Where the case begins in it.
    pub position: Option<Position>,
    /// What is not as expected, the first of it first; none where the case passed.
    pub differences: Vec<Difference>,
    /// How the execution went; none where it could not begin, which is a difference.
    pub run: Option<CaseRun>,
    /// What it reached of the definitions that ran, its own first, where it was [to count that](crate::Case::with_coverage).
    pub covered: Vec<ReachedPoints>,
    /// How long it took, by the system's clock.
    pub elapsed: Duration,
}

/// How the execution of a case went.
#[derive(Debug, Clone)]
pub struct CaseRun {
    /// How it ended.
    pub outcome: Outcome,
    /// When it started, by the case's clock.
    pub start_date: Timestamp,
    /// When it ended.
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
    /// From start to end, by the case's clock.
    pub fn duration(&self) -> Duration {
        self.stop_date.duration_since(self.start_date)
    }

    /// The states of the machine itself, without those within others.
    pub fn path(&self) -> impl Iterator<Item = &str> {
        let outermost = self.visits.iter().filter(|visit| visit.depth == 0);
        outermost.map(|visit| &*visit.state)
    }
}

/// One thing that is not as expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// What was looked at: the field of `expect`, or `mocks`.
    pub subject: &'static str,
    /// What is wrong, in words.
    pub message: String,
    /// Where two values differ, if it is of values.
    pub values: Option<JsonDifference>,
    /// The state in which it arose, where that can be told.
    pub state: Option<String>,
    /// Where in the test file it is expected.
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
    /// Whether all is as expected.
    pub fn has_passed(&self) -> bool {
        self.differences.is_empty()
    }

    /// How the execution went, where the case passed.
    ///
    /// # Errors
    /// What is not as expected.
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

/// Why a case did not pass. `{:?}` prints the same for people as `{}`, so that one which leaves a test by `?` can be read.
#[derive(Clone, PartialEq)]
pub struct CaseFailure {
    /// The case.
    pub name: String,
    /// What is not as expected.
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

impl std::error::Error for CaseFailure {}
