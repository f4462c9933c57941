//! Shared code of the property tests: documents, a generator of random bits, JSON values.
#![allow(dead_code, reason = "no test file uses all of it")]

use asl_intrinsics::random::SplitMix64;
use asl_intrinsics::{EvaluationError, EvaluationLimits, Intrinsic};
use asl_path::Roots;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

pub(crate) struct Documents {
    pub(crate) input: Value,
    pub(crate) context: Value,
}

impl Roots for Documents {
    fn input(&self) -> &Value {
        &self.input
    }
    fn context(&self) -> &Value {
        &self.context
    }
}

/// Parses and evaluates `source` with `input` as `$`.
pub(crate) fn evaluate(source: &str, input: Value) -> Result<Value, EvaluationError> {
    evaluate_with(source, input, EvaluationLimits::default())
}

pub(crate) fn evaluate_with(
    source: &str,
    input: Value,
    limits: EvaluationLimits,
) -> Result<Value, EvaluationError> {
    let call = Intrinsic::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let documents = Documents {
        input,
        context: json!({}),
    };
    call.evaluate_with(&documents, &mut SplitMix64::new(1), &limits)
}

/// Calls a function with values, each handed over by a path.
pub(crate) fn call(function: &str, arguments: &[Value]) -> Result<Value, EvaluationError> {
    let names = || (0..arguments.len()).map(|index| format!("a{index}"));
    let input: Map<String, Value> = names().zip(arguments.iter().cloned()).collect();
    let paths: Vec<String> = names().map(|name| format!("$.{name}")).collect();
    evaluate(
        &format!("States.{function}({})", paths.join(", ")),
        Value::Object(input),
    )
}

/// Returns the result of [`call`] for valid arguments.
pub(crate) fn called(function: &str, arguments: &[Value]) -> Value {
    call(function, arguments).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// Few different values, so that equal ones are common.
pub(crate) fn json() -> impl Strategy<Value = Value> {
    nested(4, 32)
}

/// Long enough for a function that treats many items otherwise than few.
pub(crate) fn array() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(nested(2, 6), 0..24)
}

fn nested(depth: u32, size: u32) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..4).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("finite", |float| float.is_finite())
            .prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(depth, size, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec(("[a-c]{0,2}", inner), 0..6)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}
