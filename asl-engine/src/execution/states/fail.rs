//! Fail States (2024 specification, Fail State).
use crate::error_output::ErrorOutput;
use crate::execution::error::StateError;
use crate::execution::evaluate::fail_text;
use crate::execution::machine::{StepResult, Turn};
use asl_model::TextField;

pub(super) fn fail(
    turn: &mut Turn<'_>,
    error: Option<&TextField>,
    cause: Option<&TextField>,
) -> StepResult {
    let (error, cause) = turn.evaluate(|evaluation, raw| {
        let error = fail_text(evaluation, "Error", error, raw)?;
        Ok((error, fail_text(evaluation, "Cause", cause, raw)?))
    })?;
    let profile = turn.program.profile();
    Err(Box::new(StateError::reported(
        ErrorOutput { error, cause },
        profile,
    )))
}
