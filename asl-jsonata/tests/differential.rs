//! Generated expressions over generated documents: what the evaluator gives next to what another implementation,
//! jsonata-core, gives.
use asl_jsonata::{Environment, Expression};
use jsonata_core::evaluator::{Context, Evaluator, EvaluatorOptions};
use jsonata_core::value::JValue;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Outcome of an expression; all errors are equal.
#[derive(Debug, PartialEq)]
enum Outcome {
    Value(Value),
    Undefined,
    Error,
}

fn ours(source: &str, input: &Value) -> Outcome {
    let Ok(expression) = Expression::parse(source) else {
        return Outcome::Error;
    };
    match expression.evaluate(&mut Environment::from_input(input)) {
        Ok(Some(value)) => Outcome::Value(value),
        Ok(None) => Outcome::Undefined,
        Err(_) => Outcome::Error,
    }
}

fn theirs(source: &str, input: &Value) -> Outcome {
    let Ok(ast) = jsonata_core::parser::parse(source) else {
        return Outcome::Error;
    };
    let options = EvaluatorOptions::default();
    let mut evaluator = Evaluator::with_options(Context::new(), options);
    match evaluator.evaluate(&ast, &JValue::from(input.clone())) {
        Ok(JValue::Undefined) => Outcome::Undefined,
        Ok(value) => Outcome::Value(Value::from(&value)),
        Err(_) => Outcome::Error,
    }
}

/// Numbers by value: 1 and 1.0 are the same.
fn canonical(outcome: Outcome) -> Outcome {
    fn canonical_value(value: Value) -> Value {
        match value {
            Value::Number(number) => json!(number.as_f64()),
            Value::Array(items) => items.into_iter().map(canonical_value).collect(),
            Value::Object(fields) => {
                let fields = fields.into_iter();
                let fields = fields.map(|(name, value)| (name, canonical_value(value)));
                Value::Object(fields.collect::<Map<_, _>>())
            }
            other => other,
        }
    }
    match outcome {
        Outcome::Value(value) => Outcome::Value(canonical_value(value)),
        other => other,
    }
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "d"]).prop_map(str::to_owned)
}

fn document() -> impl Strategy<Value = Value> {
    let scalar = prop::sample::select(vec![
        json!(0),
        json!(1),
        json!(2),
        json!(1.5),
        json!(""),
        json!("x"),
        json!("y"),
        json!(true),
        json!(false),
        json!(null),
    ]);
    let value = scalar.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(name(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    prop::collection::btree_map(name(), value, 2..5)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()))
}

fn literal() -> impl Strategy<Value = String> {
    let literals = vec!["0", "1", "2", "'x'", "'y'", "true", "false", "null"];
    prop::sample::select(literals).prop_map(str::to_owned)
}

/// Returns an expression that needs no brackets around it. Transforms are missing: jsonata-core changes every object that is
/// equal to a match.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![3 => name(), 2 => literal(), 1 => Just("$".to_owned())];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            4 => path(inner.clone()),
            2 => operation(inner.clone()),
            1 => prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|items| format!("[{}]", items.join(", "))),
            1 => inner.clone().prop_map(|value| format!("{{'p': {value}}}")),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(test, then, otherwise)| format!("({test} ? {then} : {otherwise})")),
            1 => (inner.clone(), inner.clone())
                .prop_map(|(value, body)| format!("($v := {value}; [$v, {body}])")),
            1 => (inner.clone(), inner.clone())
                .prop_map(|(argument, body)| format!("function($x) {{ [$x, {body}] }}({argument})")),
            1 => (function(), inner.clone())
                .prop_map(|(function, argument)| format!("${function}({argument})")),
            1 => inner.clone().prop_map(|items| format!("$map({items}, function($x) {{ [$x] }})")),
            // In an array, since jsonata-core takes null for nothing here.
            1 => (inner.clone(), literal())
                .prop_map(|(items, one)| format!("$filter([{items}, 1], function($x) {{ $x = {one} }})")),
            1 => (function(), inner.clone())
                .prop_map(|(function, value)| format!("({value} ~> ${function})")),
            1 => (inner.clone(), inner)
                .prop_map(|(key, value)| format!("a{{$type({key}): {value}}}")),
            1 => (name(), name()).prop_map(|(items, key)| format!("{items}#$i.[$i, {key}]")),
            1 => (name(), name()).prop_map(|(outer, inner)| format!("{outer}.{inner}.%")),
            1 => (name(), name()).prop_map(|(items, key)| format!("({items}^({key})).{key}")),
        ]
    })
}

/// Without `$exists`, which jsonata-core says of the input is false.
fn function() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["count", "boolean", "not", "type", "string"])
}

fn operation(inner: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let operators = vec!["+", "-", "*", "=", "!=", "<", ">=", "&", "and", "or", "in"];
    (inner.clone(), prop::sample::select(operators), inner)
        .prop_map(|(left, operator, right)| format!("({left} {operator} {right})"))
}

fn path(inner: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> {
    let step = prop_oneof![
        6 => name(),
        1 => Just("*".to_owned()),
        1 => inner.clone().prop_map(|step| format!("({step})")),
        1 => inner.clone().prop_map(|value| format!("{{'q': {value}}}")),
    ];
    // Predicates that nothing does not meet: jsonata-core does not ask them of nothing, which the reference does.
    let comparison = (prop_oneof![name(), Just("$".to_owned())], literal());
    let predicate = prop_oneof![
        3 => Just(String::new()),
        1 => prop::sample::select(vec!["[0]", "[1]", "[-1]"]).prop_map(str::to_owned),
        1 => name().prop_map(|name| format!("[{name}]")),
        1 => comparison.prop_map(|(left, right)| format!("[{left} = {right}]")),
    ];
    let step = (step, predicate).prop_map(|(step, predicate)| step + &predicate);
    prop::collection::vec(step, 1..4).prop_map(|steps| steps.join("."))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn both_implementations_agree(source in expression(), input in document()) {
        let (ours, theirs) = (canonical(ours(&source, &input)), canonical(theirs(&source, &input)));
        prop_assert_eq!(ours, theirs, "{} over {}", source, input);
    }
}
