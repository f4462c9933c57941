//! Results of the reference implementation 2.0.6 for many expressions, recorded by `reference/record.mjs`.
use asl_jsonata::{Environment, Expression};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Returns the outcome of a case as its file shows it.
fn outcome(expression: &str, input: &Value) -> String {
    let expression = match Expression::parse(expression) {
        Ok(expression) => expression,
        Err(error) => return error.to_string(),
    };
    match expression.evaluate(&mut Environment::from_input(input)) {
        Ok(Some(value)) => value.to_string(),
        Ok(None) => "undefined".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn recorded(case: &Value) -> String {
    match (case.get("value"), case.get("code"), case.get("message")) {
        (Some(value), ..) => value.to_string(),
        (_, Some(Value::String(code)), Some(Value::String(message))) => {
            format!("{code}: {message}")
        }
        _ => "undefined".to_owned(),
    }
}

fn check(topic: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/reference/{topic}.json"));
    let file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut differences = String::new();
    for case in file["cases"].as_array().unwrap() {
        let expression = case["expression"].as_str().unwrap();
        let input = case["input"].as_str().unwrap();
        let (found, expected) = (outcome(expression, &file["inputs"][input]), recorded(case));
        if found != expected {
            differences +=
                &format!("{expression} over {input}\n  expected {expected}\n  found    {found}\n");
        }
    }
    assert!(differences.is_empty(), "{topic}:\n{differences}");
}

macro_rules! topics {
    ($($topic:ident),* $(,)?) => {
        $(
            #[test]
            fn $topic() {
                check(stringify!($topic));
            }
        )*
    };
}

topics!(
    arrays,
    bindings,
    conditions,
    constructors,
    encoding,
    eval,
    functions,
    grouping,
    higher_order,
    integers,
    matching,
    number_pictures,
    numbers,
    objects,
    operators,
    ordering,
    paths,
    predicates,
    signatures,
    strings,
    times,
    transforms,
    wildcards,
);
