//! "Error" and "Cause" of a Fail State (2024 specification, Fail State).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use asl_model::TextField;
use serde_json::Value;

/// Returns the text of "Error" or "Cause", or of its Path or expression, which must give a string.
pub(crate) fn fail_text(
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
        Some(TextField::Path(path)) => match evaluation.find_reference(path, input) {
            Some(value) => (path.source(), value.clone()),
            None => {
                let document = evaluation.roots(input).document(path).unwrap_or(input);
                let field = format!("{name}Path");
                let detail = evaluation.not_found_text(path, &field, document);
                return Err(EvaluationFault::runtime(detail).at(field));
            }
        },
        Some(TextField::Intrinsic(intrinsic)) => {
            let value = evaluation.call(intrinsic, input);
            let value = value.map_err(|fault| fault.at(format_args!("{name}Path")))?;
            (intrinsic.source(), value)
        }
    };
    match value {
        Value::String(text) => Ok(Some(text)),
        other => Err(EvaluationFault::runtime(format!(
            "The {name}Path parameter must select a string: {source} == {other}"
        ))
        .at(format_args!("{name}Path"))),
    }
}
