//! Evaluates the expressions of cases.
use crate::Case;
use asl_intrinsics::Intrinsic;
use asl_intrinsics::random::SplitMix64;
use asl_jsonata::{DelimitedText, Dialect, Documents, Expression, StatesField, delimited};
use asl_model::Timestamp;
use asl_path::Path;
use serde_json::{Map, Value};

/// Evaluates the expression of a case.
pub(super) fn evaluate(case: &Case) -> Result<Value, String> {
    let empty = || Value::Object(Map::new());
    let documents = Documents::default()
        .with_input(case.input.clone().unwrap_or_default())
        .with_context(case.context.clone().unwrap_or_else(empty))
        .with_variables(case.variables.clone());
    evaluate_with(&case.expr, &documents, case.start_time()?)
}

/// As `asl eval` does it: JSONata stands between `{%` and `%}`, a call begins with `States.`, a path with `$`.
fn evaluate_with(expression: &str, documents: &Documents, now: Timestamp) -> Result<Value, String> {
    match delimited(expression) {
        DelimitedText::Expression(jsonata) => evaluate_jsonata(jsonata, documents, now),
        DelimitedText::HalfOpen => {
            Err("a JSONata string begins with {% and ends with %}".to_owned())
        }
        DelimitedText::Text if expression.trim_start().starts_with("States.") => {
            let call = Intrinsic::parse(expression).map_err(|error| error.to_string())?;
            call.evaluate(documents, &mut SplitMix64::new(0))
                .map_err(|error| error.to_string())
        }
        DelimitedText::Text => {
            let path = Path::parse(expression).map_err(|error| error.to_string())?;
            let value = path
                .evaluate(documents)
                .map_err(|error| error.to_string())?;
            Ok(value.into_owned())
        }
    }
}

/// As a field that has the state input and the Context Object, such as Arguments.
fn evaluate_jsonata(source: &str, documents: &Documents, now: Timestamp) -> Result<Value, String> {
    let options = asl_jsonata::Options::default().with_dialect(Dialect::StatesLanguage);
    let expression = Expression::parse_with(source, &options).map_err(|error| error.to_string())?;
    let references = expression.references();
    if !references.unsupported.is_empty() {
        return Err("the expression uses what the States Language does not support".to_owned());
    }
    let has = |field| {
        matches!(
            field,
            Some(StatesField::Input | StatesField::Context) | None
        )
    };
    if let Some(absent) = references.states.iter().find(|used| !has(used.field)) {
        let name = absent.name.as_deref().unwrap_or_default();
        return Err(format!("$states.{name} has no value here"));
    }
    let value = expression
        .evaluate(
            &mut documents
                .environment()
                .with_time(now.milliseconds())
                .with_random(&mut SplitMix64::new(0)),
        )
        .map_err(|error| error.to_string())?;
    value.ok_or_else(|| "the expression returned nothing (undefined)".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpreter, Kind, judge};
    use serde_json::json;

    fn holds(case: Value) -> bool {
        let case = serde_json::from_value(case).expect("a case");
        judge::judge(Kind::Eval, &case, &mut Interpreter).is_some_and(|verdict| verdict.holds())
    }

    #[test]
    fn jsonata_reads_the_input_the_context_object_and_variables() {
        assert!(holds(json!({
            "expr": "{% [$states.input, $states.context.a, $x] %}",
            "input": 1, "context": {"a": 2}, "variables": {"x": 3}, "expect": {"value": [1, 2, 3]}})));
        assert!(!holds(json!({"expr": "{% $x %}", "expect": {"value": 3}})));
    }

    #[test]
    fn what_no_field_may_hold_is_an_error() {
        for expression in ["{% 1", "{% $ %}", "{% $states.result %}", "{% $nothing %}"] {
            assert!(
                holds(
                    json!({"expr": expression, "expect": {"error": "States.QueryEvaluationError"}})
                ),
                "{expression}"
            );
        }
    }

    #[test]
    fn paths_and_functions_read_variables_too() {
        let variables = json!({"x": {"n": 2}});
        assert!(holds(
            json!({"expr": "$x.n", "variables": variables, "expect": {"value": 2}})
        ));
        assert!(holds(
            json!({"expr": "States.MathAdd($x.n, 1)", "variables": variables, "expect": {"value": 3}})
        ));
    }
}
