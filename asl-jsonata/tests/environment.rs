//! Environments of expressions, and data that expressions only pass through.
use asl_jsonata::{
    Dialect, Environment, EvaluationError, Expression, Options, StatesVariable, Variables,
};
use serde_json::{Map, Value, json};

struct NamedVariables(Map<String, Value>);

impl Variables for NamedVariables {
    fn variable(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }
}

fn in_state(source: &str, variables: &Value) -> Result<Option<Value>, EvaluationError> {
    let (input, context) = (json!({"x": [1, 2]}), json!({"State": {"Name": "S"}}));
    let variables = NamedVariables(variables.as_object().cloned().unwrap_or_default());
    let options = Options::default().with_dialect(Dialect::StatesLanguage);
    let mut environment = Environment::from_states(
        StatesVariable::default()
            .with_input(&input)
            .with_context(&context),
    )
    .with_variables(&variables);
    let expression = Expression::parse_with(source, &options).unwrap();
    expression.evaluate(&mut environment)
}

#[test]
fn states_has_the_fields_that_there_are() {
    for (source, expected) in [
        ("$states.input.x", Some(json!([1, 2]))),
        ("$states.context.State.Name", Some(json!("S"))),
        ("$states.result", None),
        ("$states.errorOutput.Error", None),
        ("$keys($states)", Some(json!(["input", "context"]))),
        ("$states.*.State.Name", Some(json!("S"))),
        ("($states := 1; $states)", Some(json!(1))),
    ] {
        assert_eq!(in_state(source, &json!({})), Ok(expected), "{source}");
    }
}

#[test]
fn variables_are_those_of_the_state_machine_unless_the_expression_binds_them() {
    let variables = json!({"a": {"b": 1}, "sum": 5, "states": "hidden"});
    for (source, expected) in [
        ("$a.b", Some(json!(1))),
        ("($a := 2; $a)", Some(json!(2))),
        ("(($a := 2); $a.b)", Some(json!(1))),
        ("function($a) { $a }(3)", Some(json!(3))),
        ("$nope", None),
        ("$sum", Some(json!(5))),
        ("$states.input.x[0]", Some(json!(1))),
    ] {
        assert_eq!(in_state(source, &variables), Ok(expected), "{source}");
    }
    let error = in_state("$sum([1])", &variables).unwrap_err();
    assert_eq!(error.code(), "T1006");
}

#[test]
fn states_is_a_variable_like_others_outside_of_the_states_language() {
    let (input, variables) = (
        json!({}),
        NamedVariables(Map::from_iter([("states".to_owned(), json!(1))])),
    );
    let mut environment = Environment::from_input(&input).with_variables(&variables);
    let expression = Expression::parse("$states").unwrap();
    assert_eq!(expression.evaluate(&mut environment), Ok(Some(json!(1))));
}

#[test]
fn without_an_input_there_is_no_context() {
    let mut environment = Environment::from_states(StatesVariable::default());
    for source in ["$", "$$", "a", "*", "**", "a.b", "$.a", "$[0]"] {
        let expression = Expression::parse(source).unwrap();
        assert_eq!(expression.evaluate(&mut environment), Ok(None), "{source}");
    }
}

#[test]
fn without_a_source_of_random_numbers_there_are_none() {
    let error = in_state("$random()", &json!({})).unwrap_err();
    assert_eq!(error.message(), "there is no source of random numbers here");
}

fn text_over(source: &str, input: &str) -> String {
    let input = serde_json::from_str(input).unwrap();
    let expression = Expression::parse(source).unwrap();
    let value = expression.evaluate(&mut Environment::from_input(&input));
    value
        .unwrap()
        .map_or_else(String::new, |value| value.to_string())
}

#[test]
fn numbers_that_are_passed_on_keep_their_digits() {
    let input = r#"{"large": 9007199254740993, "whole": 1.0, "items": [18446744073709551615]}"#;
    for (source, expected) in [
        ("large", "9007199254740993"),
        ("[large, whole]", "[9007199254740993,1.0]"),
        ("{'n': large}.n", "9007199254740993"),
        ("items[0]", "18446744073709551615"),
        ("items ~> $map(function($n) { $n })", "18446744073709551615"),
        (
            "$ ~> |$|{'a': 1}, ['items', 'whole']|",
            r#"{"large":9007199254740993,"a":1}"#,
        ),
        ("large + 0", "9007199254740992"),
        ("whole + 0", "1"),
        ("whole / 2", "0.5"),
        ("-whole", "-1"),
        ("0 * -1", "0"),
    ] {
        assert_eq!(text_over(source, input), expected, "{source}");
    }
}

#[test]
fn fields_keep_their_order() {
    let input = r#"{"z": 1, "10": 2, "a": {"y": 1, "9": 2}}"#;
    for (source, expected) in [
        ("$", r#"{"z":1,"10":2,"a":{"y":1,"9":2}}"#),
        ("{'q': z, '5': a}", r#"{"q":1,"5":{"y":1,"9":2}}"#),
        (
            "*{$string($): $}",
            r#"{"1":1,"2":2,"{\"y\":1,\"9\":2}":{"y":1,"9":2}}"#,
        ),
    ] {
        assert_eq!(text_over(source, input), expected, "{source}");
    }
}

#[test]
fn numbers_that_json_has_not_are_no_result_of_plain_jsonata() {
    for source in ["1 / 0", "0 / 0", "[1 / 0]", "5 % 0"] {
        let expression = Expression::parse(source).unwrap();
        let error = expression.evaluate(&mut Environment::from_input(&Value::Null));
        assert_eq!(error.unwrap_err().code(), "D1001", "{source}");
    }
}

#[test]
fn a_function_is_no_result() {
    for source in [
        "$sum",
        "function() { 1 }",
        "$sum ~> $string",
        "|a|{}|",
        "/a/",
        "$sum(?)",
    ] {
        let expression = Expression::parse(source).unwrap();
        let error = expression.evaluate(&mut Environment::from_input(&Value::Null));
        let error = error.unwrap_err();
        assert_eq!(
            error.message(),
            "The expression returns a function, which is no JSON",
            "{source}"
        );
    }
}

#[test]
fn errors_say_where() {
    for (source, position) in [
        ("a + 'x'", 2),
        ("[1, a.b & $nope('x')]", 15),
        ("$map([1], function($x) { 1 + 'x' })", 27),
        ("($f := function() { $sum('x') }; $f())", 24),
        ("a ~> 'x'", 2),
        ("{'a': 1, 'a': 2}", 0),
        ("-'x'", 0),
    ] {
        let expression = Expression::parse(source).unwrap();
        let input = json!({"a": 1});
        let error = expression.evaluate(&mut Environment::from_input(&input));
        assert_eq!(error.unwrap_err().position(), Some(position), "{source}");
    }
}
