//! JSONata: as a field of a state holds it, and by itself.
use super::evaluation::Evaluation;
use super::fault::{Fault, QUERY_FAILURE};
use asl_jsonata::{
    Dialect, Environment, EvaluationError, Expression, Limits, Options, StatesField,
    StatesReference, UnsupportedUse, Variables,
};
use asl_model::DiagnosticCode;
use serde_json::Value;

/// Bytes of the argument before the expression itself.
const DELIMITER: usize = "{%".len();

impl Evaluation {
    /// Evaluates what stands between `{%` and `%}`, under the restrictions of the States Language.
    pub(super) fn states_jsonata(&mut self, text: &str) -> Result<Value, Fault> {
        let expression = parse(text, Dialect::StatesLanguage, DELIMITER)?;
        restrict(&expression, self)?;
        let result = expression.evaluate(
            &mut self
                .documents
                .environment()
                .with_time(self.now.milliseconds())
                .with_random(&mut self.random)
                .with_limits(Limits::states_language()),
        );
        self.value(result, &expression, DELIMITER)
    }

    /// Evaluates an expression over the input, as any JSONata would.
    pub(super) fn plain_jsonata(&mut self, text: &str) -> Result<Value, Fault> {
        let expression = parse(text, Dialect::Jsonata, 0)?;
        let result = expression.evaluate(
            &mut Environment::from_input(&self.documents.input)
                .with_variables(&self.documents)
                .with_time(self.now.milliseconds())
                .with_random(&mut self.random),
        );
        self.value(result, &expression, 0)
    }

    /// Returns the value, or the failure as a state would report it; `start` is where the expression begins in the argument.
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
                    "The JSONata expression '{text}' threw an error during evaluation{}",
                    error.end_of_cause()
                ),
                error.position().map(|position| start + position),
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
        let known = std::iter::once("states").chain(Dialect::StatesLanguage.functions());
        if let Some(meant) = asl_model::nearest(name, known) {
            return Some(format!("${name} has no value; did you mean `${meant}`?"));
        }
        Some(format!(
            "${name} has no value: give it with --vars '{{\"{name}\": …}}'"
        ))
    }
}

fn parse(text: &str, dialect: Dialect, start: usize) -> Result<Expression, Fault> {
    let options = Options::default().with_dialect(dialect);
    Expression::parse_with(text, &options).map_err(|error| {
        let code = DiagnosticCode::InvalidJsonataExpression;
        Fault::invalid(code, start + error.position(), error.to_string())
    })
}

/// Refuses what the service does where a state is created, and fields of `$states` that were not given (2024
/// specification, JSONata Restrictions).
fn restrict(expression: &Expression, evaluation: &Evaluation) -> Result<(), Fault> {
    let references = expression.references();
    let unsupported = references.unsupported.iter().map(unsupported);
    let states = references.states.iter();
    let missing = states.filter_map(|used| missing_field(used, evaluation));
    match unsupported.chain(missing).min_by_key(Fault::position) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

fn unsupported(used: &UnsupportedUse) -> Fault {
    let hint = match used {
        UnsupportedUse::Input { .. } | UnsupportedUse::Root { .. } => {
            "-i is $states.input; with --jsonata it is $".to_owned()
        }
        UnsupportedUse::FieldName { name, .. } => {
            format!("a field of -i is $states.input.{name}; with --jsonata it is {name}")
        }
    };
    refused(used.position(), used.to_string(), &hint)
}

/// Returns a field of `$states` that does not exist here, and how to give it.
fn missing_field(used: &StatesReference, evaluation: &Evaluation) -> Option<Fault> {
    let states = evaluation.documents.states();
    let name = used.name.as_deref()?;
    let hint = match used.field {
        Some(StatesField::Result) if states.result.is_none() => "give it with --result",
        Some(StatesField::ErrorOutput) if states.error_output.is_none() => {
            "give it with --error-output"
        }
        None => "the fields are input, context, result and errorOutput",
        Some(_) => return None,
    };
    let cause = format!("Field '$states.{name}' does not exist.");
    Some(refused(used.position, cause, hint))
}

fn refused(position: usize, cause: String, hint: &str) -> Fault {
    let code = DiagnosticCode::UnsupportedJsonataExpression;
    Fault::invalid(code, DELIMITER + position, cause).with_hint(Some(hint.to_owned()))
}
