//! Fail States (2024 specification, Fail State).
use super::error::{StateError, names};
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::flow::FlowId;
use super::machine::{Machine, Step};
use super::roots::StateRoots;
use crate::Program;
use crate::program::StateProgram;
use asl_model::TextField;
use serde_json::Value;

impl Machine {
    pub(super) fn fail_state(
        &mut self,
        program: &Program,
        id: FlowId,
        state: &StateProgram,
        error: Option<&TextField>,
        cause: Option<&TextField>,
    ) -> Step {
        let raw = self.take_input(id);
        let evaluated = self.evaluate(program, id, state, |evaluation| {
            let error = text(evaluation, "Error", error, &raw)?;
            Ok((error, text(evaluation, "Cause", cause, &raw)?))
        });
        match evaluated {
            Ok((error, cause)) => self.fail_flow(
                program,
                id,
                StateError::reported(error, cause, program.profile()),
            ),
            Err(fault) => self.fail_state_with(program, id, state, fault),
        }
    }
}

/// The text of "Error" or "Cause", or of its Path or expression, which must give a string.
fn text(
    evaluation: &mut Evaluation<'_>,
    name: &str,
    field: Option<&TextField>,
    input: &Value,
) -> Result<Option<String>, EvaluationFault> {
    let (source, value) = match field {
        None => return Ok(None),
        Some(TextField::Text(text)) => return Ok(Some(text.clone())),
        Some(TextField::Expression(string)) => {
            return evaluation.string(name, string, input).map(Some);
        }
        Some(TextField::Path(path)) => (path.source(), evaluation.find(path, input)?.into_owned()),
        Some(TextField::Intrinsic(intrinsic)) => {
            let roots = StateRoots {
                input,
                context: evaluation.context,
                variables: evaluation.variables,
            };
            let value = intrinsic
                .evaluate(&roots, evaluation.random)
                .map_err(|error| {
                    EvaluationFault::new(names::INTRINSIC_FAILURE, error.to_string())
                })?;
            (intrinsic.source(), value)
        }
    };
    match value {
        Value::String(text) => Ok(Some(text)),
        other => Err(EvaluationFault::runtime(format!(
            "The {name}Path parameter must select a string: {source} == {other}"
        ))),
    }
}
