//! `asl eval`.

mod completion;
mod documents;
mod evaluation;
mod fault;
mod jsonata;
mod session;

use crate::arguments::{EvalArguments, Format};
use crate::exit::{Exit, Failure, print, print_json, print_value};
use crate::source::{Source, check_stdin, is_piped};
use asl_intrinsics::random::SplitMix64;
pub(crate) use completion::complete;
pub(crate) use evaluation::Evaluation;
use serde_json::{Value, json};
use session::Session;
use std::io::{self, IsTerminal};

/// Evaluates one expression, or those that a person types.
pub(crate) fn eval(arguments: &EvalArguments) -> Result<Exit, Failure> {
    let input = input(arguments);
    check_stdin(&[
        ("the input", Some(input)),
        ("the context", arguments.context.as_deref()),
        ("the variables", arguments.vars.as_deref()),
        ("the result", arguments.result.as_deref()),
        ("the error output", arguments.error_output.as_deref()),
    ])?;
    let evaluation = Evaluation {
        documents: documents::read(arguments, input)?,
        now: arguments.time_and_chance.now()?,
        random: SplitMix64::new(arguments.time_and_chance.seed()),
        is_jsonata: arguments.jsonata,
    };
    match &arguments.expression {
        Some(expression) => evaluate(evaluation, &read_expression(expression)?, arguments),
        None if io::stdin().is_terminal() => Session::new(evaluation, arguments)?.run(),
        None => Err(Failure::new(
            "no expression: pass one, or @FILE, or run the command in a terminal",
        )),
    }
}

/// Returns the argument of `-i`; by default piped input, unless stdin is used otherwise.
fn input(arguments: &EvalArguments) -> &str {
    let others = [
        &arguments.context,
        &arguments.vars,
        &arguments.result,
        &arguments.error_output,
    ];
    let is_taken = others.iter().any(|it| it.as_deref() == Some("-"));
    match arguments.input.is_given() || is_taken || !is_piped() {
        true => arguments.input.argument(),
        false => "-",
    }
}

/// Returns the expression, or that of the file that is named.
fn read_expression(argument: &str) -> Result<Source, Failure> {
    match argument.strip_prefix('@') {
        // What ends a file's last line is no part of the expression.
        Some(_) => Source::read_argument("the expression", argument).map(|source| Source {
            text: source.text.trim_end().to_owned(),
            ..source
        }),
        None => Ok(Source::expression(argument)),
    }
}

fn evaluate(
    mut evaluation: Evaluation,
    expression: &Source,
    arguments: &EvalArguments,
) -> Result<Exit, Failure> {
    let result = evaluation.evaluate(&expression.text);
    match (result, arguments.report) {
        (Ok(Value::String(text)), Format::Text) if arguments.raw_output => print(text)?,
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
