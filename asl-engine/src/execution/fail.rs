//! Fail States (2022 specification, Fail State; ErrorPath and CausePath as the service has them).
use super::error::{EvaluationFault, StateError, names};
use super::flow::FlowId;
use super::input_output::Evaluation;
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
        let context = self.take_context(id, state);
        let mut evaluation = self.evaluation(program, &context);
        let evaluated = text(&mut evaluation, "ErrorPath", error, &raw)
            .and_then(|error| Ok((error, text(&mut evaluation, "CausePath", cause, &raw)?)));
        self.return_context(context);
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

/// The text of "Error" or "Cause", or of its Path, which must select a string.
fn text(
    evaluation: &mut Evaluation<'_>,
    name: &str,
    field: Option<&TextField>,
    input: &Value,
) -> Result<Option<String>, EvaluationFault> {
    let (source, value) = match field {
        None => return Ok(None),
        Some(TextField::Text(text)) => return Ok(Some(text.clone())),
        Some(TextField::Expression(_)) => {
            return Err(EvaluationFault::runtime("JSONata is not supported."));
        }
        Some(TextField::Path(path)) => (path.source(), evaluation.find(path, input)?.into_owned()),
        Some(TextField::Intrinsic(intrinsic)) => {
            let roots = StateRoots {
                input,
                context: evaluation.context,
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
            "The {name} parameter must select a string: {source} == {other}"
        ))),
    }
}
