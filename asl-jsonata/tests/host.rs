//! Functions of the embedding program, and cancellation.
use asl_jsonata::{Environment, EvaluationError, Expression, Functions, Limits};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// `$given(…)` returns its arguments, each in an array, which is empty for an undefined one.
fn functions() -> Functions {
    Functions::new()
        .with("given", 1, |arguments| {
            let shown = arguments
                .iter()
                .map(|it| it.clone().map_or(json!([]), |it| json!([it])));
            Ok::<_, String>(Some(shown.collect::<Vec<Value>>().into()))
        })
        .with("nothing", 0, |_| Ok::<_, String>(None))
        .with("sum", 1, |_| Ok::<_, String>(Some(json!("my own"))))
        .with("fail", 0, |_| Err::<Option<Value>, _>("no tax for 'X'"))
}

fn evaluate(source: &str) -> Result<Option<Value>, EvaluationError> {
    let (functions, input) = (functions(), json!({"a": 1, "list": [1, 2]}));
    let variables = BTreeMap::from([("nothing".to_owned(), json!("a variable"))]);
    let mut environment = Environment::from_input(&input).with_functions(&functions);
    if source.contains("variable") {
        environment = environment.with_variables(&variables);
    }
    Expression::parse(source)
        .unwrap()
        .evaluate(&mut environment)
}

#[test]
fn functions_are_values_as_those_of_the_language_are() {
    for (source, result) in [
        ("$given(a)", json!([[1]])),
        ("$given()", json!([[]])),
        ("$given(missing)", json!([[]])),
        (
            "$given(1, {'b': [2]}, null)",
            json!([[1], [{"b": [2]}], [null]]),
        ),
        ("a ~> $given", json!([[1]])),
        ("$map(list, $given)", json!([[[1]], [[2]]])),
        ("($f := $given(?); $f(7))", json!([[7]])),
        ("list.$given($)", json!([[1], [2]])),
        ("$sum(list)", json!("my own")),
        (
            "($sum := function($x) { 'bound' }; $sum(list))",
            json!("bound"),
        ),
        ("$exists($nothing())", json!(false)),
        ("$type($given)", json!("function")),
        ("'variable' & $nothing", json!("variablea variable")),
        ("$eval('$given(2)')", json!([[2]])),
    ] {
        assert_eq!(evaluate(source), Ok(Some(result)), "{source}");
    }
    assert_eq!(evaluate("$nothing()"), Ok(None));
}

#[test]
fn errors_of_functions_have_their_names() {
    let failed = |source| evaluate(source).unwrap_err();
    let error = failed("1 + $fail()");
    assert_eq!(
        (error.code(), error.message()),
        ("D3137", "$fail: no tax for 'X'")
    );
    assert_eq!(
        failed("$given(1, $sum)").message(),
        "$given: argument 2 is a function"
    );
}

#[test]
fn what_functions_take_and_return_is_limited() {
    let many = Functions::new().with("many", 0, |_| Ok::<_, String>(Some(vec![0; 10_000].into())));
    let deep = (0..500).fold(json!(0), |inner, _| json!([inner]));
    let many = many.with("deep", 0, move |_| Ok::<_, String>(Some(deep.clone())));
    let limits = Limits::default()
        .with_max_steps(5_000)
        .with_max_data_depth(100);
    for source in ["$many()", "$deep()"] {
        let mut environment = Environment::from_input(&Value::Null)
            .with_functions(&many)
            .with_limits(limits);
        let error = Expression::parse(source)
            .unwrap()
            .evaluate(&mut environment)
            .unwrap_err();
        assert!(error.is_limit(), "{source}: {error}");
    }
}

#[test]
fn a_cancelled_evaluation_ends_within_a_piece_of_steps() {
    let (cancelled, calls) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicU64::new(0)),
    );
    let (cancels, counts) = (Arc::clone(&cancelled), Arc::clone(&calls));
    let functions = Functions::new().with("tick", 0, move |_| {
        if counts.fetch_add(1, Ordering::Relaxed) == 10 {
            cancels.store(true, Ordering::Relaxed);
        }
        Ok::<_, String>(None)
    });
    let limits = Limits::default().with_max_steps(u64::MAX);
    let endless = Expression::parse("($f := function() { ($tick(); $f()) }; $f())").unwrap();
    let mut environment = Environment::from_input(&Value::Null)
        .with_functions(&functions)
        .with_limits(limits)
        .with_cancellation(&cancelled);
    let error = endless.evaluate(&mut environment).unwrap_err();
    assert!(error.is_cancellation() && !error.is_limit(), "{error}");
    assert!(environment.steps < 3 << 16, "{}", environment.steps);
    assert!(calls.load(Ordering::Relaxed) < 1 << 16);
    // One that is cancelled before it begins does nothing, and `$eval` does not hide it.
    let before = environment.steps;
    for source in ["1 + 1", "$eval('1 + 1')"] {
        let error = Expression::parse(source)
            .unwrap()
            .evaluate(&mut environment)
            .unwrap_err();
        assert!(error.is_cancellation(), "{error}");
    }
    assert_eq!(environment.steps, before);
}

proptest! {
    #[test]
    fn a_flag_that_nobody_sets_changes_nothing(steps in 0..200_000_u64, rounds in 0..60_000_u64) {
        let source = format!("$sum([1..{rounds}].($ * 2))");
        let expression = Expression::parse(&source).unwrap();
        let limits = Limits::default().with_max_steps(steps);
        let flag = AtomicBool::new(false);
        let mut without = Environment::from_input(&Value::Null).with_limits(limits);
        let mut with = Environment::from_input(&Value::Null).with_limits(limits).with_cancellation(&flag);
        prop_assert_eq!(expression.evaluate(&mut with), expression.evaluate(&mut without));
        prop_assert_eq!(with.steps, without.steps);
    }
}
