//! A comparing function that only compares keys is not called: the outcome is that of calling it.
use asl_jsonata::{Environment, EvaluationError, Expression};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The code and the message of an error; positions differ with the texts.
type Outcome = Result<Option<String>, (String, String)>;

fn evaluated(source: &str, input: &Value) -> Outcome {
    let expression = Expression::parse(source).unwrap();
    let mut environment = Environment::from_input(input);
    let failed = |error: EvaluationError| (error.code().to_owned(), error.message().to_owned());
    let value = expression.evaluate(&mut environment).map_err(failed)?;
    Ok(value.map(|value| value.to_string()))
}

/// As it is written, and with a block around the comparison, which has to be evaluated each time.
fn both(items: &str, comparison: &str, input: &Value) -> (Outcome, Outcome) {
    let by_keys = format!("$sort({items}, function($a, $b) {{ {comparison} }})");
    let by_calls = format!("$sort({items}, function($a, $b) {{ ({comparison}) }})");
    (evaluated(&by_keys, input), evaluated(&by_calls, input))
}

fn key() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(0),
        json!(1),
        json!(2.5),
        json!(-1),
        json!("a"),
        json!("b"),
        json!("aa"),
        json!("\u{10000}"),
        json!("\u{ffff}"),
        json!(null),
        json!(true),
        json!([]),
        json!([1]),
        json!([1, 2]),
        json!({"k": 1}),
        json!([{"k": 1}, {"k": 2}]),
    ])
}

/// Keys that mostly are of one type, so that most sorts do not fail.
fn keys() -> impl Strategy<Value = Vec<Value>> {
    let numbers = prop::sample::select(vec![json!(0), json!(1), json!(2.5), json!(-1), json!(7)]);
    let texts = prop::sample::select(vec![json!("a"), json!("b"), json!("aa"), json!("\u{ffff}")]);
    prop_oneof![
        prop::collection::vec(numbers, 0..20),
        prop::collection::vec(texts, 0..20),
        prop::collection::vec(key(), 0..8),
    ]
}

fn item(at: usize, key: &Value) -> Value {
    match at % 7 {
        // An item without the key now and then.
        6 => json!({"at": at}),
        _ => json!({"at": at, "k": key, "o": {"k": key}}),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sorting_by_keys_is_sorting_by_calls(
        keys in keys(),
        complete in any::<bool>(),
        operator in prop::sample::select(vec!["<", "<=", ">", ">="]),
        sides in prop::sample::select(vec![
            ("$a.k", "$b.k"),
            ("$b.k", "$a.k"),
            ("$a.o.k", "$b.o.k"),
            ("$a.k", "$b.o.k"),
            ("$a.at", "$b.k"),
            ("$a.o", "$b.o"),
            ("$a.k.k", "$b.k.k"),
        ]),
    ) {
        let items = keys.iter().enumerate();
        let items = items.map(|(at, key)| item(if complete { 0 } else { at }, key));
        let input = json!({"items": items.collect::<Vec<_>>(), "keys": keys});
        let (left, right) = sides;
        let (by_keys, by_calls) = both("items", &format!("{left} {operator} {right}"), &input);
        prop_assert_eq!(by_keys, by_calls);
        for comparison in [format!("$a {operator} $b"), format!("$b {operator} $a")] {
            let (by_keys, by_calls) = both("keys", &comparison, &input);
            prop_assert_eq!(by_keys, by_calls);
        }
    }
}

#[test]
fn items_that_the_expression_made_have_keys_too() {
    let input = json!({"items": [{"k": 3}, {"k": 1}, {"k": 2}]});
    for items in [
        "items.{'k': -k}",
        "items.{'k': [k, k]}",
        "items.{'k': $append(k, [])}",
        "items.k.(-$)",
        "$map(items, function($item) { $item.k = 1 ? $sum : $item })",
        "items#$i",
    ] {
        let (by_keys, by_calls) = both(items, "$a.k > $b.k", &input);
        assert_eq!(by_keys, by_calls, "{items}");
        let (by_keys, by_calls) = both(items, "$a > $b", &input);
        assert_eq!(by_keys, by_calls, "{items}");
    }
}

#[test]
fn functions_that_do_more_are_called() {
    let input = json!([3, 1, 2]);
    for (function, expected) in [
        ("function($a, $b) { $a > $b and $b > 1 }", "[3,1,2]"),
        ("function($a, $b) { $b > 1 }", "[2,3,1]"),
        ("function($a, $b) { $a > $a }", "[3,1,2]"),
        ("function($a, $a) { $a > $a }", "[3,1,2]"),
        ("function($a) { $a > $b }", "[3,1,2]"),
        ("function($a, $b, $c) { $a > $b }", "[1,2,3]"),
        ("function($a, $b)<nn:b> { $a > $b }", "[1,2,3]"),
        ("function($a, $b) { $a > $b }(?, 5)", "[3,1,2]"),
        ("function($a, $b) { -$a > -$b }", "[3,2,1]"),
    ] {
        let found = evaluated(&format!("$sort($, {function})"), &input);
        assert_eq!(found, Ok(Some(expected.to_owned())), "{function}");
    }
}

#[test]
fn the_error_of_a_comparison_has_the_place_of_its_operator() {
    let input = json!([{"k": 1}, {"k": "a"}]);
    let source = "$sort($, function($a, $b) { $a.k > $b.k })";
    let expression = Expression::parse(source).unwrap();
    let error = expression.evaluate(&mut Environment::from_input(&input));
    let error = error.unwrap_err();
    assert_eq!(
        (error.code(), error.position()),
        ("T2009", source.find('>'))
    );
}
