//! JSONata expressions of states (2024 specification, JSONata Evaluation and JSONata Runtime Errors).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::roots::Sources;
use super::variables::ExpressionVariables;
use crate::data::{VALUE, weigh};
use asl_jsonata::{Environment, EvaluationError, JsonataString, Plan, StatesVariable};
use serde_json::{Number, Value};

impl Evaluation<'_> {
    /// Returns the value of an expression, which must have one.
    pub(super) fn jsonata(
        &mut self,
        string: &JsonataString,
        sources: &Sources<'_>,
    ) -> Result<Value, EvaluationFault> {
        if let Plan::Operation(operation) = string.expression().plan()
            && let Some(value) = self.operated(operation, sources)
        {
            self.charge(VALUE)?;
            return Ok(value);
        }
        self.jsonata_with(string, sources, |environment| {
            string.expression().evaluate(environment)
        })?
        .ok_or_else(|| undefined(string))
    }

    /// Evaluates the rest of an expression after its plan, if it has a value.
    pub(super) fn jsonata_rest(
        &mut self,
        string: &JsonataString,
        sources: &Sources<'_>,
    ) -> Result<Option<Value>, EvaluationFault> {
        self.jsonata_with(string, sources, |environment| {
            string.expression().evaluate_rest(environment)
        })
    }

    fn jsonata_with(
        &mut self,
        string: &JsonataString,
        sources: &Sources<'_>,
        evaluate: impl FnOnce(&mut Environment<'_>) -> Result<Option<Value>, EvaluationError>,
    ) -> Result<Option<Value>, EvaluationFault> {
        let limits = self.expression_limits();
        let states = StatesVariable::default()
            .with_input(sources.input)
            .with_result(sources.result)
            .with_error_output(sources.error_output)
            .with_context(Some(self.context).filter(|context| context.is_object()));
        let variables = ExpressionVariables(self.variables);
        let mut environment = Environment::from_states(states)
            .with_variables(&variables)
            .with_time(self.now.milliseconds())
            .with_random(self.random)
            .with_limits(limits);
        environment.steps = self.steps.get();
        let value = evaluate(&mut environment);
        self.steps.set(environment.steps);
        let value = value.map_err(|error| failed(string, &error))?;
        if let Some(value) = &value {
            self.charge(weigh(value))?;
        }
        Ok(value)
    }

    /// The value of the expression that is the whole of `field`, which accepts only one type.
    fn typed<T>(
        &mut self,
        field: &str,
        string: &JsonataString,
        input: &Value,
        expected: &str,
        accept: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<T, EvaluationFault> {
        self.jsonata(string, &Sources::from_input(input))
            .and_then(|value| {
                accept(&value).ok_or_else(|| unexpected_type(string, expected, &value))
            })
            .map_err(|fault| fault.at(field))
    }

    pub(super) fn boolean(
        &mut self,
        field: &str,
        string: &JsonataString,
        input: &Value,
    ) -> Result<bool, EvaluationFault> {
        self.typed(field, string, input, "boolean", Value::as_bool)
    }

    pub(super) fn number(
        &mut self,
        field: &str,
        string: &JsonataString,
        input: &Value,
    ) -> Result<Number, EvaluationFault> {
        self.typed(field, string, input, "number", |value| {
            value.as_number().cloned()
        })
    }

    pub(super) fn string(
        &mut self,
        field: &str,
        string: &JsonataString,
        input: &Value,
    ) -> Result<String, EvaluationFault> {
        self.typed(field, string, input, "string", |value| {
            value.as_str().map(str::to_owned)
        })
    }
}

/// Returns the error of an undefined value, which JSON cannot represent.
fn undefined(string: &JsonataString) -> EvaluationFault {
    EvaluationFault::from_expression(source(string), "returned nothing (undefined).")
}

fn failed(string: &JsonataString, error: &EvaluationError) -> EvaluationFault {
    if error.is_of_result() {
        // Recorded: JSON has no functions.
        return EvaluationFault::from_expression(
            source(string),
            "returned an unsupported result type.",
        );
    }
    let end = error.end_of_cause();
    EvaluationFault::from_expression(
        source(string),
        format!("threw an error during evaluation{end}"),
    )
}

pub(super) fn unexpected_type(
    string: &JsonataString,
    expected: &str,
    value: &Value,
) -> EvaluationFault {
    let found = type_name(value);
    EvaluationFault::from_expression(
        source(string),
        format!(
            "returned an unexpected result type. Expected '{expected}', but was '{found}' for value: {value}"
        ),
    )
}

/// Returns the expression as causes show it.
fn source(string: &JsonataString) -> &str {
    string.expression().source().trim()
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Returns a number without fraction, where `i64` has it.
pub(super) fn integer(number: &Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    number.as_i64().or_else(|| {
        let number = number.as_f64()?;
        (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_model::Timestamp;
    use serde_json::json;

    #[test]
    fn integers_may_be_written_as_floats() {
        let of = |value: Value| integer(value.as_number().expect("a number"));
        assert_eq!(of(json!(3.0)), Some(3));
        assert_eq!(of(json!(-3)), Some(-3));
        assert_eq!(of(json!(3.5)), None);
        assert_eq!(of(json!(1e300)), None);
    }

    #[test]
    fn moments_before_1970_are_negative() {
        assert_eq!(Timestamp::from_milliseconds(-1).milliseconds(), -1);
        assert_eq!(Timestamp::from_milliseconds(1_234).milliseconds(), 1_234);
    }
}
