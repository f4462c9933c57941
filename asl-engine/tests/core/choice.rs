//! Choice States (2022 specification, Choice State).
use crate::case::{Case, Run};
use asl_model::Profile;
use serde_json::{Value, json};

/// Runs a Choice State with one rule, and returns the way that it took.
fn choose(rule: Value, input: Value) -> Run {
    let mut rule = rule;
    rule["Next"] = json!("Yes");
    Case::of_state(json!({"Type": "Choice", "Choices": [rule], "Default": "No"}))
        .state("Yes", json!({"Type": "Pass", "Result": true, "End": true}))
        .state("No", json!({"Type": "Pass", "Result": false, "End": true}))
        .input(input)
        .run()
}

#[track_caller]
fn assert_choice(rule: Value, input: Value, expected: bool) {
    choose(rule, input).succeeds(json!(expected));
}

#[test]
fn the_first_rule_that_matches_is_taken() {
    let rule =
        |next: &str, than: i64| json!({"Variable": "$", "NumericGreaterThan": than, "Next": next});
    let choice = json!({"Type": "Choice", "Choices": [rule("A", 9), rule("B", 5), rule("C", 1)]});
    Case::of_state(choice)
        .state("A", json!({"Type": "Fail"}))
        .state("B", json!({"Type": "Succeed"}))
        .state("C", json!({"Type": "Fail"}))
        .input(json!(7))
        .run()
        .succeeds(json!(7));
}

#[test]
fn rules_and_the_texts_that_they_compare_are_charged() {
    let run = |rule: Value, count: usize, steps: u64| {
        let rule = json!({"And": vec![rule; count], "Next": "Yes"});
        Case::of_state(json!({"Type": "Choice", "Choices": [rule]}))
            .state("Yes", json!({"Type": "Succeed"}))
            .input(json!({"n": 1, "t": "a".repeat(320), "u": "a".repeat(320)}))
            .limits(|limits| limits.max_expression_steps = steps)
            .run()
    };
    let cause = |steps: u64| {
        format!(
            "An error occurred while executing the state 'State' (entered at the event id #2). The Choice Rules of the state take more than {steps} steps."
        )
    };
    let number = json!({"Variable": "$.n", "NumericEquals": 1});
    assert_eq!(
        run(number.clone(), 9, 10).outcome.map(|it| it.status()),
        Some("SUCCEEDED")
    );
    run(number, 10, 10).fails("States.Runtime", &cause(10));
    for (rule, steps) in [
        (
            json!({"Variable": "$.t", "StringLessThanEqualsPath": "$.u"}),
            10,
        ),
        (
            json!({"Variable": "$.t", "StringEquals": "a".repeat(320)}),
            10,
        ),
        (json!({"Variable": "$.t", "StringMatches": "*a*"}), 10),
    ]
    .map(|(rule, steps)| (rule, 1 + 3 * (1 + steps)))
    {
        // The texts of an equality differ in nothing.
        let rule = json!({"Or": [rule]});
        let least = steps + 3;
        assert_eq!(
            run(rule.clone(), 3, least).outcome.map(|it| it.status()),
            Some("SUCCEEDED"),
            "{rule}"
        );
        run(rule, 3, least - 1).fails("States.Runtime", &cause(least - 1));
    }
}

#[test]
fn no_match_and_no_default_fail_as_the_profile_says() {
    let run = |profile: Profile| {
        let rule = json!({"Variable": "$", "NumericEquals": 1, "Next": "A"});
        Case::of_state(json!({"Type": "Choice", "Choices": [rule]}))
            .caught_by("A")
            .input(json!(2))
            .profile(profile)
            .run()
    };
    let cause = "An error occurred while executing the state 'State' (entered at the event id #2). Failed to transition out \
        of the state. The state does not point to a next state.";
    // Recorded from the service.
    run(Profile::Aws).fails("States.Runtime", cause);
    run(Profile::Spec).fails("States.NoChoiceMatched", cause);
}

#[test]
fn a_variable_that_finds_nothing_fails_the_execution() {
    let run = choose(json!({"Variable": "$.a", "NumericEquals": 1}), json!({}));
    run.fails_with("States.Runtime");
}

#[test]
fn is_present_asks_whether_a_variable_finds_something() {
    assert_choice(
        json!({"Variable": "$.a", "IsPresent": true}),
        json!({"a": null}),
        true,
    );
    assert_choice(
        json!({"Variable": "$.a", "IsPresent": true}),
        json!({}),
        false,
    );
    assert_choice(
        json!({"Variable": "$.a", "IsPresent": false}),
        json!({}),
        true,
    );
    assert_choice(
        json!({"Variable": "$.a", "IsPresent": false}),
        json!({"a": 1}),
        false,
    );
}

#[test]
fn and_stops_at_the_first_rule_that_does_not_match() {
    let missing = json!({"Variable": "$.gone", "NumericEquals": 1});
    let guarded =
        |present: bool| json!({"And": [{"Variable": "$.gone", "IsPresent": present}, missing]});
    assert_choice(guarded(true), json!({}), false);
    choose(guarded(false), json!({})).fails_with("States.Runtime");
}

#[test]
fn or_stops_at_the_first_rule_that_matches() {
    let missing = json!({"Variable": "$.gone", "NumericEquals": 1});
    let guarded =
        |present: bool| json!({"Or": [{"Variable": "$.gone", "IsPresent": present}, missing]});
    assert_choice(guarded(false), json!({}), true);
    choose(guarded(true), json!({})).fails_with("States.Runtime");
}

#[test]
fn not_turns_a_rule_round_and_nests() {
    let is_one = json!({"Variable": "$", "NumericEquals": 1});
    assert_choice(json!({"Not": is_one}), json!(2), true);
    assert_choice(json!({"Not": {"Not": is_one}}), json!(2), false);
    assert_choice(
        json!({"Not": {"And": [is_one, {"Or": [is_one]}]}}),
        json!(1),
        false,
    );
}

#[test]
fn a_comparison_of_another_type_does_not_match() {
    for (operator, operand) in [
        ("StringEquals", json!("1")),
        ("StringLessThan", json!("9")),
        ("BooleanEquals", json!(true)),
        ("TimestampLessThan", json!("2024-01-01T00:00:00Z")),
        ("StringMatches", json!("*")),
    ] {
        assert_choice(json!({"Variable": "$", operator: operand}), json!(1), false);
    }
    assert_choice(
        json!({"Variable": "$", "NumericEquals": 1}),
        json!("1"),
        false,
    );
    let not = json!({"Not": {"Variable": "$", "NumericEquals": 1}});
    assert_choice(not, json!("1"), true);
}

#[test]
fn numbers_compare_by_value() {
    let operators = |input: Value| {
        [
            "",
            "LessThan",
            "LessThanEquals",
            "GreaterThan",
            "GreaterThanEquals",
        ]
        .map(|operator| {
            let name = if operator.is_empty() {
                "NumericEquals".to_owned()
            } else {
                format!("Numeric{operator}")
            };
            let run = choose(json!({"Variable": "$", name: 1}), input.clone());
            run.outcome == Some(asl_engine::Outcome::Succeeded(json!(true).into()))
        })
    };
    assert_eq!(operators(json!(0.5)), [false, true, true, false, false]);
    assert_eq!(operators(json!(1.0)), [true, false, true, false, true]);
    assert_eq!(operators(json!(2)), [false, false, false, true, true]);
}

#[test]
fn large_whole_numbers_compare_exactly() {
    let rule = json!({"Variable": "$", "NumericEquals": 9_007_199_254_740_993_u64});
    assert_choice(rule, json!(9_007_199_254_740_992_u64), false);
}

#[test]
fn strings_compare_by_their_utf_16_code_units() {
    assert_choice(
        json!({"Variable": "$", "StringLessThan": "b"}),
        json!("a"),
        true,
    );
    // U+1F600 is the surrogates D83D DE00 in UTF-16, below U+FF41, and above it as UTF-8.
    assert_choice(
        json!({"Variable": "$", "StringLessThan": "\u{ff41}"}),
        json!("\u{1f600}"),
        true,
    );
}

#[test]
fn timestamps_compare_as_moments() {
    let rule = json!({"Variable": "$", "TimestampEquals": "2024-01-01T00:00:00Z"});
    assert_choice(rule, json!("2024-01-01T01:00:00+01:00"), true);
    let rule = json!({"Variable": "$", "TimestampLessThan": "2024-01-01T00:00:00Z"});
    assert_choice(rule.clone(), json!("2023-12-31T23:59:59.999Z"), true);
    assert_choice(rule, json!("no timestamp"), false);
}

#[test]
fn path_variants_compare_two_values_of_the_input() {
    let input =
        json!({"a": 1, "b": 1.0, "s": "x", "t": true, "n": null, "d": "2024-01-01T00:00:00Z"});
    for (operator, variable, other, expected) in [
        ("NumericEqualsPath", "$.a", "$.b", true),
        ("NumericLessThanPath", "$.a", "$.b", false),
        ("NumericGreaterThanEqualsPath", "$.a", "$.s", false),
        ("StringEqualsPath", "$.s", "$.s", true),
        ("StringEqualsPath", "$.s", "$.a", false),
        ("BooleanEqualsPath", "$.t", "$.t", true),
        ("BooleanEqualsPath", "$.n", "$.n", false),
        ("TimestampLessThanEqualsPath", "$.d", "$.d", true),
        (
            "TimestampGreaterThanPath",
            "$.d",
            "$$.Execution.StartTime",
            false,
        ),
    ] {
        assert_choice(
            json!({"Variable": variable, operator: other}),
            input.clone(),
            expected,
        );
    }
}

#[test]
fn a_path_operand_that_finds_nothing_fails_the_execution() {
    let rule = json!({"Variable": "$.a", "NumericEqualsPath": "$.gone"});
    choose(rule, json!({"a": 1})).fails_with("States.Runtime");
}

#[test]
fn type_tests_tell_the_types_of_json_apart() {
    let values = [
        json!(null),
        json!(1),
        json!("x"),
        json!(true),
        json!("2024-01-01T00:00:00Z"),
    ];
    for (test, expected) in [
        ("IsNull", [true, false, false, false, false]),
        ("IsNumeric", [false, true, false, false, false]),
        ("IsString", [false, false, true, false, true]),
        ("IsBoolean", [false, false, false, true, false]),
        ("IsTimestamp", [false, false, false, false, true]),
    ] {
        for (value, expected) in values.iter().zip(expected) {
            assert_choice(
                json!({"Variable": "$.v", test: true}),
                json!({"v": value}),
                expected,
            );
            assert_choice(
                json!({"Variable": "$.v", test: false}),
                json!({"v": value}),
                !expected,
            );
        }
    }
}

#[test]
fn a_variable_may_be_of_the_context_object() {
    let rule = json!({"Variable": "$$.Execution.Name", "StringEquals": "execution"});
    assert_choice(rule, json!({}), true);
}

#[test]
fn string_matches_knows_stars_and_their_escapes() {
    for (pattern, text, expected) in [
        ("log-*.txt", "log-1.txt", true),
        ("log-*.txt", "log-1.txt ", false),
        ("a\\*b", "a*b", true),
        ("a\\*b", "axb", false),
        ("a\\\\*", "a\\b", true),
    ] {
        assert_choice(
            json!({"Variable": "$", "StringMatches": pattern}),
            json!(text),
            expected,
        );
    }
}

#[test]
fn string_matches_with_an_open_backslash_fails_when_it_is_evaluated() {
    for input in [json!("abc\\"), json!(1)] {
        let run = choose(json!({"Variable": "$", "StringMatches": "abc\\"}), input);
        run.fails_with("States.Runtime");
    }
    let open = json!({"Variable": "$", "StringMatches": "abc\\"});
    let other = json!({"Variable": "$", "StringMatches": "*"});
    assert_choice(json!({"Or": [other, open]}), json!("a"), true);
}
