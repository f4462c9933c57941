//! Intended differences from the reference (README, "Differences from the reference").
use asl_jsonata::{Environment, Expression};
use serde_json::{Value, json};

fn evaluate(source: &str, input: &Value) -> Option<Value> {
    let expression = Expression::parse(source).unwrap();
    let value = expression.evaluate(&mut Environment::from_input(input));
    value.unwrap_or_else(|error| panic!("{source}: {error}"))
}

#[test]
fn constructors_evaluate_one_item_after_the_other() {
    let input = json!({});
    assert_eq!(evaluate("[$x := 1, $x]", &input), Some(json!([1, 1])));
    let fields = evaluate("{'a': $x := 1, 'b': $x}", &input);
    assert_eq!(fields, Some(json!({"a": 1, "b": 1})));
}

#[test]
fn grouping_leaves_the_data_alone() {
    let input = json!({"none": []});
    let source = "[none{'a': 1}, $$]";
    assert_eq!(
        evaluate(source, &input),
        Some(json!([{"a": 1}, {"none": []}]))
    );
}

#[test]
fn what_fails_in_the_reference_without_a_code_has_a_value() {
    let input = json!({"a": {"n": 1}});
    for (source, expected) in [
        ("nope#$i{$string($i): 1}", Some(json!({}))),
        ("[1][5].a[]", None),
        ("a ~> |n|{'z': 1}|", Some(json!({"n": 1}))),
    ] {
        assert_eq!(evaluate(source, &input), expected, "{source}");
    }
}

#[test]
fn functions_that_are_passed_can_be_applied_partially() {
    let source =
        "($flipped := function($f) { $f(1, ?) }; $flipped(function($a, $b) { $a - $b })(5))";
    assert_eq!(evaluate(source, &json!({})), Some(json!(-4)));
    let source = "($cut := function($f) { $f(?, 1, 2) }; $cut($substring)('abcd'))";
    assert_eq!(evaluate(source, &json!({})), Some(json!("bc")));
}

#[test]
fn a_predicate_after_a_call_in_brackets_is_met_by_its_result() {
    let source = "(function($x) { ($sort($x))[0] })([3, 1, 2])";
    assert_eq!(evaluate(source, &json!({})), Some(json!(1)));
}

#[test]
fn eval_at_the_end_of_a_function_sees_its_variables() {
    let source = "(function($x) { $eval('$x + 1') })(3)";
    assert_eq!(evaluate(source, &json!({})), Some(json!(4)));
}

#[test]
fn weeks_of_the_first_century_are_its_own() {
    let source = "$fromMillis(-60588950400000, '[Y0001]-[M01]-[D01] is in week [W] of [X], [w] of month [x]')";
    let expected = "0050-01-05 is in week 1 of 50, 1 of month 1";
    assert_eq!(evaluate(source, &json!({})), Some(json!(expected)));
}
