//! `asl eval`.

mod documents;
mod fault;
mod jsonata;

use crate::arguments::{EvalArguments, Format};
use crate::exit::{Exit, Failure, print_json, print_value};
use crate::source::check_stdin;
use asl_intrinsics::Intrinsic;
use asl_intrinsics::random::SplitMix64;
use asl_jsonata::{Delimited, Documents, delimited};
use asl_model::{DiagnosticCode, Timestamp};
use asl_path::Path;
use fault::Fault;
use serde_json::{Value, json};

/// Evaluates one expression.
pub(crate) fn eval(arguments: &EvalArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the input", Some(arguments.input.argument())),
        ("the context", arguments.context.as_deref()),
        ("the variables", arguments.vars.as_deref()),
        ("the result", arguments.result.as_deref()),
        ("the error output", arguments.error_output.as_deref()),
    ])?;
    let evaluation = Evaluation {
        documents: documents::read(arguments)?,
        now: arguments.time_and_chance.now()?,
        random: SplitMix64::new(arguments.time_and_chance.seed()),
    };
    let expression = &arguments.expression;
    let result = match arguments.jsonata {
        true => evaluation.plain_jsonata(expression),
        false => evaluation.evaluate(expression),
    };
    match (result, arguments.report) {
        (Ok(value), Format::Text) => print_value(&value)?,
        (Ok(value), Format::Json) => print_json(json!({ "value": value }))?,
        (Err(fault), Format::Text) => {
            fault.print(expression);
            return Ok(Exit::Failed);
        }
        (Err(fault), Format::Json) => {
            print_json(json!({ "error": fault.error, "cause": fault.cause }))?;
            return Ok(Exit::Failed);
        }
    }
    Ok(Exit::Success)
}

/// The data, the moment and the randomness of one evaluation.
struct Evaluation {
    documents: Documents,
    now: Timestamp,
    random: SplitMix64,
}

impl Evaluation {
    /// Evaluates what a field of a state may hold.
    fn evaluate(self, expression: &str) -> Result<Value, Fault> {
        match delimited(expression) {
            Delimited::Expression(inner) => self.states_jsonata(inner),
            Delimited::HalfOpen => Err(half_open(expression)),
            Delimited::Text if expression.trim_start().starts_with('$') => self.path(expression),
            Delimited::Text if expression.trim_start().starts_with("States.") => {
                self.call(expression)
            }
            Delimited::Text => Err(malformed(
                0,
                "expected a path, which begins with $, an intrinsic function, which begins with States., or JSONata between {% and %}",
            )),
        }
    }

    fn path(&self, expression: &str) -> Result<Value, Fault> {
        let path = Path::parse(expression)
            .map_err(|error| malformed(error.position(), error.message()))?;
        let value = path.evaluate(&self.documents).map_err(|error| {
            let name = match error.is_limit() {
                true => fault::RUNTIME,
                false => fault::PATH_FAILURE,
            };
            Fault::failed(name, error.to_string())
        })?;
        Ok(value.into_owned())
    }

    fn call(mut self, expression: &str) -> Result<Value, Fault> {
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

fn malformed(position: usize, cause: &str) -> Fault {
    Fault::invalid(DiagnosticCode::SchemaValidationFailed, position, cause)
}

/// Delimiters of which one is missing, or not at the very beginning or end.
fn half_open(expression: &str) -> Fault {
    let (position, cause) = match expression.starts_with("{%") {
        true => (
            expression.trim_end().len(),
            "expected %} as the last characters of a JSONata expression that begins with {%",
        ),
        false => (
            0,
            "expected {% as the first characters of a JSONata expression that ends with %}",
        ),
    };
    Fault::invalid(DiagnosticCode::InvalidJsonataExpression, position, cause)
}
