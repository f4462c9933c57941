//! Documents for an expression.
use crate::arguments::EvalArguments;
use crate::exit::Failure;
use crate::source::Source;
use asl_jsonata::Documents;
use serde_json::{Map, Value};

/// Reads what the arguments give; where the input is, `input` says.
pub(super) fn read(arguments: &EvalArguments, input: &str) -> Result<Documents, Failure> {
    let optional = |option: &str, argument: &Option<String>| {
        let read = |argument: &String| Source::read_argument(option, argument)?.json();
        argument.as_ref().map(read).transpose()
    };
    let documents = Documents::default()
        .with_input(read_input(input)?)
        .with_variables(match &arguments.vars {
            Some(argument) => variables(Source::read_argument("--vars", argument)?)?,
            None => Map::new(),
        })
        .with_result(optional("--result", &arguments.result)?)
        .with_error_output(optional("--error-output", &arguments.error_output)?);
    Ok(match optional("--context", &arguments.context)? {
        Some(context) => documents.with_context(context),
        None => documents,
    })
}

/// Reads the input; empty input from a program counts as no input.
fn read_input(argument: &str) -> Result<Value, Failure> {
    let source = Source::read_argument("--input", argument)?;
    match argument == "-" && source.text.is_empty() {
        true => Ok(Value::Object(Map::new())),
        false => source.json(),
    }
}

/// Returns an object of variables, none of which takes the place of `$states`.
fn variables(source: Source) -> Result<Map<String, Value>, Failure> {
    let variables = source.json_object("--vars")?;
    for name in variables.keys() {
        if name == "states" {
            return Err(Failure::new(
                "--vars must not contain \"states\": $states is built from -i, --context, --result and --error-output",
            ));
        }
        if let Some(rest) = name.strip_prefix('$') {
            return Err(Failure::new(format!(
                "--vars contains {name:?}: write names without $, as {rest:?}"
            )));
        }
    }
    Ok(variables)
}
