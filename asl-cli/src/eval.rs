//! `asl eval`.
use crate::arguments::{EvalArguments, Format};
use crate::exit::{Exit, Failure, print, print_value};
use crate::snippet::Snippet;
use crate::source::{Source, check_stdin};
use crate::terminal::{self, ERROR, STRONG};
use asl_intrinsics::{Intrinsic, RandomSource};
use asl_path::{Path, Roots};
use serde_json::{Map, Value, json};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Evaluates one expression.
pub(crate) fn eval(arguments: &EvalArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the input", Some(arguments.input.argument())),
        ("the context", arguments.context.as_deref()),
    ])?;
    let documents = Documents {
        input: arguments.input.read()?,
        context: match &arguments.context {
            Some(context) => Source::read_argument("--context", context)?.json()?,
            None => Value::Object(Map::new()),
        },
    };
    match (
        evaluate(&arguments.expression, &documents),
        arguments.report,
    ) {
        (Ok(value), Format::Text) => print_value(&value)?,
        (Ok(value), Format::Json) => print(json!({ "value": value }))?,
        (Err(fault), Format::Text) => {
            fault.print(&arguments.expression);
            return Ok(Exit::Failed);
        }
        (Err(fault), Format::Json) => {
            print(json!({ "error": fault.error, "cause": fault.cause }))?;
            return Ok(Exit::Failed);
        }
    }
    Ok(Exit::Success)
}

fn evaluate(expression: &str, documents: &Documents) -> Result<Value, Fault> {
    let text = expression.trim_start();
    if text.starts_with("{%") {
        return Err(Fault::invalid(
            0,
            "JSONata is not supported yet: write a path or an intrinsic function",
        ));
    }
    if text.starts_with('$') {
        let path = Path::parse(expression)
            .map_err(|error| Fault::invalid(error.position(), error.message()))?;
        let value = path.evaluate(documents).map_err(|error| Fault {
            error: PATH_FAILURE,
            cause: error.to_string(),
            position: None,
        })?;
        return Ok(value.into_owned());
    }
    if text.starts_with("States.") {
        let call = Intrinsic::parse(expression)
            .map_err(|error| Fault::invalid(error.position(), error.message()))?;
        return call
            .evaluate(documents, &mut SystemRandom)
            .map_err(|error| Fault {
                error: INTRINSIC_FAILURE,
                cause: error.to_string(),
                position: None,
            });
    }
    Err(Fault::invalid(
        0,
        "expected a path, which begins with $, or an intrinsic function, which begins with States.",
    ))
}

/// What a state reports whose Parameters hold a path without a value.
const PATH_FAILURE: &str = "States.ParameterPathFailure";
/// What a state reports whose intrinsic function fails.
const INTRINSIC_FAILURE: &str = "States.IntrinsicFailure";
/// What the service calls the fault of a definition that holds such a text.
const INVALID: &str = "SCHEMA_VALIDATION_FAILED";

/// Why an expression has no value.
struct Fault {
    error: &'static str,
    cause: String,
    /// Byte offset, where the text itself is at fault.
    position: Option<usize>,
}

impl Fault {
    fn invalid(position: usize, cause: &str) -> Self {
        Self {
            error: INVALID,
            cause: cause.to_owned(),
            position: Some(position),
        }
    }

    fn print(&self, expression: &str) {
        let Self { error, cause, .. } = self;
        terminal::error_line(&format!(
            "{ERROR}{error}{ERROR:#}{STRONG}: {cause}{STRONG:#}"
        ));
        if let Some(position) = self.position {
            let before = expression.get(..position).unwrap_or(expression);
            let line = 1 + before.matches('\n').count();
            let column = 1 + before.rsplit('\n').next().unwrap_or("").chars().count();
            let snippet = Snippet::new("expression", expression, line, column);
            terminal::error_line(&snippet.to_string());
        }
    }
}

/// What the expression applies to.
struct Documents {
    input: Value,
    context: Value,
}

impl Roots for Documents {
    fn input(&self) -> &Value {
        &self.input
    }
    fn context(&self) -> &Value {
        &self.context
    }
}

/// Randomness of the system, by way of the standard library's hash keys.
pub(crate) struct SystemRandom;

impl RandomSource for SystemRandom {
    fn next_u64(&mut self) -> u64 {
        RandomState::new().build_hasher().finish()
    }
}
