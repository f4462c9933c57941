//! Kinds of expressions: a path, a call of an intrinsic function, JSONata.
use super::fault::{self, Fault};
use crate::source::Source;
use asl_intrinsics::Intrinsic;
use asl_intrinsics::random::SplitMix64;
use asl_jsonata::{DelimitedText, Documents, delimited};
use asl_model::{DiagnosticCode, Timestamp};
use asl_path::{Path, Root};
use serde_json::Value;

/// The data, the moment and the randomness of one evaluation.
pub(crate) struct Evaluation {
    pub(crate) documents: Documents,
    pub(crate) now: Timestamp,
    pub(crate) random: SplitMix64,
    /// Expressions are JSONata and nothing else.
    pub(crate) is_jsonata: bool,
}

impl Evaluation {
    /// Evaluates what a field of a state may hold, or JSONata where that is requested.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Result<Value, Fault> {
        if self.is_jsonata {
            return self.plain_jsonata(expression);
        }
        match delimited(expression) {
            DelimitedText::Expression(inner) => self.states_jsonata(inner),
            DelimitedText::HalfOpen => Err(half_open(expression)),
            DelimitedText::Text if expression.trim_start().starts_with('$') => {
                self.path(expression)
            }
            DelimitedText::Text if expression.trim_start().starts_with("States.") => {
                self.call(expression)
            }
            DelimitedText::Text => Err(malformed(
                0,
                "expected a path that starts with $, an intrinsic function that starts with States., or JSONata between {% and %}",
            )),
        }
    }

    /// Returns the value, or prints the error.
    pub(crate) fn evaluate_or_tell(&mut self, expression: &str) -> Option<Value> {
        self.evaluate(expression)
            .inspect_err(|fault| fault.print(&Source::expression(expression)))
            .ok()
    }

    fn path(&self, expression: &str) -> Result<Value, Fault> {
        let path = Path::parse(expression)
            .map_err(|error| malformed(error.position(), error.message()))?;
        let value = path.evaluate(&self.documents).map_err(|error| {
            let name = match error.is_limit() {
                true => fault::RUNTIME,
                false => fault::PATH_FAILURE,
            };
            Fault::failed(name, error.to_string()).with_hint(jsonata_instead(&path, expression))
        })?;
        Ok(value.into_owned())
    }

    fn call(&mut self, expression: &str) -> Result<Value, Fault> {
        let call = Intrinsic::parse(expression)
            .map_err(|error| malformed(error.position(), error.message()))?;
        call.evaluate(&self.documents, &mut self.random)
            .map_err(|error| {
                let name = match error.query_error() {
                    Some(fault) if fault.is_limit() => fault::RUNTIME,
                    _ => fault::INTRINSIC_FAILURE,
                };
                Fault::failed(name, error.to_string())
            })
    }
}

/// `$states` is no variable: who reads it means JSONata.
fn jsonata_instead(path: &Path, expression: &str) -> Option<String> {
    let is_states = matches!(path.root(), Root::Variable(name) if &**name == "states");
    is_states.then(|| {
        let expression = expression.trim();
        format!("$states exists only in JSONata: {{% {expression} %}}")
    })
}

fn malformed(position: usize, cause: &str) -> Fault {
    Fault::invalid(DiagnosticCode::SchemaValidationFailed, position, cause)
}

/// Delimiters of which one is missing, or not at the very beginning or end.
fn half_open(expression: &str) -> Fault {
    let (position, cause) = match expression.starts_with("{%") {
        true => (
            expression.trim_end().len(),
            "expected %} at the end of a JSONata expression that starts with {%",
        ),
        false => (
            0,
            "expected {% at the start of a JSONata expression that ends with %}",
        ),
    };
    Fault::invalid(DiagnosticCode::InvalidJsonataExpression, position, cause)
}
