//! JSONata: as a field of a state holds it, and by itself.
use super::Evaluation;
use super::fault::{Fault, QUERY_FAILURE};
use asl_jsonata::{
    Dialect, Environment, EvaluationError, Expression, Options, StatesField, StatesReference,
    UnsupportedUse, Variables,
};
use serde_json::Value;

/// Bytes of the argument before the expression itself.
const DELIMITER: usize = "{%".len();

impl Evaluation {
    /// Evaluates what stands between `{%` and `%}`, under the restrictions of the States Language.
    pub(super) fn states_jsonata(mut self, text: &str) -> Result<Value, Fault> {
        let expression = parse(text, Dialect::StatesLanguage, DELIMITER)?;
        restrict(&expression, &self)?;
        let result = expression.evaluate(&mut Environment {
            input: None,
            states: Some(self.documents.states()),
            variables: &self.documents,
            now: self.now.milliseconds(),
            random: Some(&mut self.random),
            limits: asl_jsonata::Limits::default(),
        });
        self.value(result, &expression, DELIMITER)
    }

    /// Evaluates an expression over the input, as any JSONata would.
    pub(super) fn plain_jsonata(mut self, text: &str) -> Result<Value, Fault> {
        let expression = parse(text, Dialect::Jsonata, 0)?;
        let result = expression.evaluate(&mut Environment {
            variables: &self.documents,
            now: self.now.milliseconds(),
            random: Some(&mut self.random),
            ..Environment::of_input(&self.documents.input)
        });
        self.value(result, &expression, 0)
    }

    /// The value, or the failure as a state would report it; `start` is where the expression begins in the argument.
    fn value(
        &self,
        result: Result<Option<Value>, EvaluationError>,
        expression: &Expression,
        start: usize,
    ) -> Result<Value, Fault> {
        let text = expression.source().trim();
        let (cause, position) = match result {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => (
                format!("The JSONata expression '{text}' returned nothing (undefined)."),
                None,
            ),
            Err(error) => (
                format!(
                    "The JSONata expression '{text}' threw an error during evaluation. {error}"
                ),
                error.position.map(|position| start + position),
            ),
        };
        Err(Fault::failed(QUERY_FAILURE, cause)
            .at(position)
            .with_hint(self.missing_variable(expression)))
    }

    /// Points to the first variable of the expression that has no value.
    fn missing_variable(&self, expression: &Expression) -> Option<String> {
        let mut names = expression
            .references()
            .variables
            .iter()
            .map(|used| &used.name);
        let name = names.find(|name| Variables::variable(&self.documents, name).is_none())?;
        Some(format!(
            "${name} has no value: give it with --vars '{{\"{name}\": …}}'"
        ))
    }
}

fn parse(text: &str, dialect: Dialect, start: usize) -> Result<Expression, Fault> {
    let options = Options {
        dialect,
        ..Options::default()
    };
    Expression::parse_with(text, &options)
        .map_err(|error| Fault::invalid(start + error.position, error.to_string()))
}

/// Refuses what the States Language does, and fields of `$states` that were not given (2024 specification, JSONata
/// Restrictions).
fn restrict(expression: &Expression, evaluation: &Evaluation) -> Result<(), Fault> {
    let references = expression.references();
    let unsupported = references.unsupported.iter().map(unsupported);
    let states = references.states.iter();
    let missing = states.filter_map(|used| missing_field(used, evaluation));
    let first = unsupported.chain(missing).min_by_key(|(at, _)| *at);
    match first {
        Some((position, cause)) => Err(Fault::invalid(DELIMITER + position, cause)),
        None => Ok(()),
    }
}

fn unsupported(used: &UnsupportedUse) -> (usize, String) {
    match used {
        UnsupportedUse::Input { position } => (
            *position,
            "$ names nothing at the top level of an expression: the state's input is $states.input".to_owned(),
        ),
        UnsupportedUse::Root { position } => (
            *position,
            "$$ is not supported: the state's input is $states.input, the Context Object $states.context".to_owned(),
        ),
        UnsupportedUse::FieldName { name, position } => (
            *position,
            format!("{name} names nothing at the top level of an expression: a field of the state's input is $states.input.{name}"),
        ),
        UnsupportedUse::Eval { position } => (
            *position,
            "$eval is not supported: $parse reads JSON".to_owned(),
        ),
    }
}

/// A field of `$states` that does not exist here, and how to give it.
fn missing_field(used: &StatesReference, evaluation: &Evaluation) -> Option<(usize, String)> {
    let states = evaluation.documents.states();
    let cause = match (used.field, &used.name) {
        (Some(StatesField::Result), _) if states.result.is_none() => {
            "$states.result does not exist here: give it with --result".to_owned()
        }
        (Some(StatesField::ErrorOutput), _) if states.error_output.is_none() => {
            "$states.errorOutput does not exist here: give it with --error-output".to_owned()
        }
        (None, Some(name)) => {
            format!("$states has no field {name}: it has input, context, result and errorOutput")
        }
        _ => return None,
    };
    Some((used.position, cause))
}
