//! What an expression applies to.
use crate::arguments::EvalArguments;
use crate::exit::Failure;
use crate::source::Source;
use asl_jsonata::{StatesVariable, Variables};
use asl_path::Roots;
use serde_json::{Map, Value};

/// The documents and the variables that the arguments give.
pub(super) struct Documents {
    pub(super) input: Value,
    context: Value,
    variables: Map<String, Value>,
    result: Option<Value>,
    error_output: Option<Value>,
}

impl Documents {
    /// Reads them.
    pub(super) fn read(arguments: &EvalArguments) -> Result<Self, Failure> {
        let optional = |option: &str, argument: &Option<String>| {
            let read = |argument: &String| Source::read_argument(option, argument)?.json();
            argument.as_ref().map(read).transpose()
        };
        Ok(Self {
            input: arguments.input.read()?,
            context: optional("--context", &arguments.context)?
                .unwrap_or_else(|| Value::Object(Map::new())),
            variables: match &arguments.vars {
                Some(argument) => variables(Source::read_argument("--vars", argument)?)?,
                None => Map::new(),
            },
            result: optional("--result", &arguments.result)?,
            error_output: optional("--error-output", &arguments.error_output)?,
        })
    }

    /// `$states`.
    pub(super) fn states(&self) -> StatesVariable<'_> {
        StatesVariable {
            input: Some(&self.input),
            result: self.result.as_ref(),
            error_output: self.error_output.as_ref(),
            context: Some(&self.context),
        }
    }
}

/// An object of variables, none of which takes the place of `$states`.
fn variables(source: Source) -> Result<Map<String, Value>, Failure> {
    let variables = source.json_object("--vars")?;
    for name in variables.keys() {
        if name == "states" {
            return Err(Failure::new(
                "--vars must not hold \"states\": $states is made of -i, --context, --result and --error-output",
            ));
        }
        if let Some(rest) = name.strip_prefix('$') {
            return Err(Failure::new(format!(
                "--vars holds {name:?}: names are written without $, as {rest:?}"
            )));
        }
    }
    Ok(variables)
}

impl Roots for Documents {
    fn input(&self) -> &Value {
        &self.input
    }
    fn context(&self) -> &Value {
        &self.context
    }
    fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }
}

impl Variables for Documents {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)
    }
}
