//! Interpreters that are held to the cases: the one of this workspace, or any other one.
use super::case::Case;
use super::exec::CaseRun;
use super::validate::Validation;
use super::{eval, exec, validate};
use serde_json::Value;

/// An interpreter.
pub(super) trait Subject {
    /// Runs the execution of a case.
    ///
    /// # Errors
    /// The reason why it does not run.
    fn execute(&mut self, case: &Case) -> Result<CaseRun, String>;

    /// Validates the definition of a case.
    ///
    /// # Errors
    /// The reason why there is no verdict.
    fn validate(&mut self, case: &Case) -> Result<Validation, String>;

    /// Evaluates the expression of a case: its value, or the cause of its failure.
    ///
    /// # Errors
    /// The reason why it is not evaluated.
    fn evaluate(&mut self, case: &Case) -> Result<Result<Value, String>, String>;

    /// Returns true if it has the TestState API.
    fn tests_states(&self) -> bool;
}

/// The crates of this workspace.
pub(super) struct Workspace;

impl Subject for Workspace {
    fn execute(&mut self, case: &Case) -> Result<CaseRun, String> {
        exec::run(case)
    }

    fn validate(&mut self, case: &Case) -> Result<Validation, String> {
        Ok(validate::run(case))
    }

    fn evaluate(&mut self, case: &Case) -> Result<Result<Value, String>, String> {
        Ok(eval::run(case))
    }

    fn tests_states(&self) -> bool {
        true
    }
}
