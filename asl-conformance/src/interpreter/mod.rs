//! The interpreter of this workspace.
mod evaluation;
mod execution;
mod testing;
mod validation;
mod visits;

use crate::{Case, Run, Subject, Validation};
use serde_json::Value;

/// The interpreter of `asl-engine`, with the diagnostics of `asl-model` and the TestState API of `asl-test-state`. Executions
/// run by a virtual clock. The accounts, spans and histories of an execution must name the same visits of states.
///
/// ```
/// use asl_conformance::{Conformance, Interpreter};
///
/// let report = Conformance::own().with_filter("exec/wait").judge(&mut Interpreter)?;
/// assert!(report.holds());
/// # Ok::<(), asl_conformance::CasesError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "it has no state")]
pub struct Interpreter;

impl Subject for Interpreter {
    fn execute(&mut self, case: &Case) -> Result<Run, String> {
        execution::run(case)
    }

    fn validate(&mut self, case: &Case) -> Result<Validation, String> {
        Ok(validation::validate(case))
    }

    fn evaluate(&mut self, case: &Case) -> Result<Result<Value, String>, String> {
        Ok(evaluation::evaluate(case))
    }

    fn test_state(&mut self, request: &Value) -> Option<Value> {
        testing::answer(request)
    }
}
