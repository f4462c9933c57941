//! InputPath, Parameters, ResultSelector, ResultPath, OutputPath (2022 specification, Input and Output Processing).
use crate::case::{Case, Run, ok};
use asl_model::Profile;
use serde_json::{Value, json};

fn pass(fields: Value, input: Value) -> Run {
    let mut state = json!({"Type": "Pass"});
    merge(&mut state, fields);
    Case::of_state(state).input(input).run()
}

fn task(fields: Value) -> Case {
    let mut state = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish"});
    merge(&mut state, fields);
    Case::of_state(state)
}

fn merge(state: &mut Value, fields: Value) {
    for (name, value) in fields.as_object().expect("fields") {
        state[name] = value.clone();
    }
}

#[test]
fn a_pass_state_without_fields_passes_its_input_on() {
    pass(json!({}), json!({"a": 1})).succeeds(json!({"a": 1}));
}

#[test]
fn input_path_selects_a_part_of_the_input() {
    pass(json!({"InputPath": "$.a"}), json!({"a": {"b": 1}})).succeeds(json!({"b": 1}));
}

#[test]
fn a_null_input_path_stands_for_an_empty_object() {
    pass(json!({"InputPath": null}), json!({"a": 1})).succeeds(json!({}));
}

#[test]
fn an_input_path_may_select_from_the_context_object() {
    pass(json!({"InputPath": "$$.Execution.Name"}), json!({})).succeeds(json!("execution"));
}

#[test]
fn an_input_path_that_finds_nothing_fails_with_a_runtime_error() {
    let run = pass(json!({"InputPath": "$.b"}), json!({"a": 1}));
    let cause = "An error occurred while executing the state 'State' (entered at the event id #2). \
        Invalid path '$.b' : No results for path: $['b']";
    run.fails("States.Runtime", cause);
}

#[test]
fn an_indefinite_path_selects_an_array() {
    pass(
        json!({"InputPath": "$.a[*].b"}),
        json!({"a": [{"b": 1}, {"b": 2}]}),
    )
    .succeeds(json!([1, 2]));
}

#[test]
fn parameters_replace_the_input() {
    let fields = json!({"Parameters": {"fixed": [1], "taken.$": "$.a", "made.$": "States.Format('<{}>', $.a)"}});
    let expected = json!({"fixed": [1], "taken": "x", "made": "<x>"});
    pass(fields, json!({"a": "x"})).succeeds(expected);
}

#[test]
fn parameters_apply_to_what_input_path_selects() {
    let fields = json!({"InputPath": "$.a", "Parameters": {"b.$": "$.b"}});
    pass(fields, json!({"a": {"b": 1}, "b": 2})).succeeds(json!({"b": 1}));
}

#[test]
fn the_fields_of_parameters_keep_their_order() {
    let run = pass(
        json!({"Parameters": {"z": 1, "a.$": "$", "m": {}}}),
        json!(0),
    );
    let output = json!({"z": 1, "a": 0, "m": {}}).to_string();
    assert_eq!(run.outcome.map(|outcome| text(&outcome)), Some(output));
}

fn text(outcome: &asl_engine::Outcome) -> String {
    match outcome {
        asl_engine::Outcome::Succeeded(output) => output.to_string(),
        other => other.status().to_owned(),
    }
}

#[test]
fn parameters_that_find_nothing_fail_with_a_runtime_error_on_the_service() {
    pass(json!({"Parameters": {"a.$": "$.b"}}), json!({})).fails_with("States.Runtime");
}

#[test]
fn parameters_that_find_nothing_are_a_parameter_path_failure_by_the_specification() {
    Case::of_state(json!({"Type": "Pass", "Parameters": {"a.$": "$.b"}}))
        .profile(Profile::Spec)
        .run()
        .fails_with("States.ParameterPathFailure");
}

#[test]
fn an_intrinsic_function_fails_as_the_profile_says() {
    let run = |profile: Profile, call: &str| {
        Case::of_state(json!({"Type": "Pass", "Parameters": {"a.$": call}}))
            .profile(profile)
            .run()
    };
    let place = "An error occurred while executing the state 'State' (entered at the event id #2).";
    // Recorded from the service.
    run(Profile::Aws, "States.MathAdd(1, 'b')").fails(
        "States.Runtime",
        &format!("{place} There was an error while evaluating the intrinsic function: States.MathAdd(1, 'b'). Invalid arguments in States.MathAdd"),
    );
    run(Profile::Aws, "States.Array($$.Nope)").fails(
        "States.Runtime",
        &format!("{place} The function 'States.Array($$.Nope)' had the following error: The JsonPath argument for the field '$.Nope' could not be found in the input '{{}}'"),
    );
    run(Profile::Spec, "States.StringToJson('{')").fails_with("States.IntrinsicFailure");
}

/// Recorded from the service.
#[test]
fn past_the_end_of_an_array_a_payload_path_finds_null() {
    let run = |profile: Profile, path: &str| {
        Case::of_state(json!({"Type": "Pass", "Parameters": {"a.$": path}}))
            .input(json!({"items": [1, 2]}))
            .profile(profile)
            .run()
    };
    run(Profile::Aws, "$.items[5]").succeeds(json!({"a": null}));
    run(Profile::Aws, "$.nope[5]").fails_with("States.Runtime");
    run(Profile::Spec, "$.items[5]").fails_with("States.ParameterPathFailure");
}

/// Recorded from the service.
#[test]
fn causes_show_the_input_as_it_was_sent() {
    let text = "{\n  \"b\": 1\n}";
    let run = |states: Value| {
        Case::new(json!({"StartAt": "A", "States": states}))
            .input(json!({"b": 1}))
            .starting(|start| start.input_text = Some(text.into()))
            .run()
    };
    let failing = json!({"Type": "Pass", "Parameters": {"a.$": "$.a"}, "End": true});
    let shown = |run: Run| {
        let cause = run.outcome.as_ref().and_then(|outcome| outcome.failure());
        let cause = cause.and_then(|failure| failure.cause).unwrap_or_default();
        cause
            .split_once("in the input ")
            .map(|(_, input)| input.to_owned())
    };
    assert_eq!(shown(run(json!({"A": failing}))), Some(format!("'{text}'")));
    for before in [
        json!({"Type": "Pass", "Next": "B"}),
        json!({"Type": "Wait", "Seconds": 0, "Next": "B"}),
    ] {
        let after = json!({"A": before, "B": failing});
        assert_eq!(shown(run(after)).as_deref(), Some("'{\"b\":1}'"));
    }
    let called = json!({"Type": "Pass", "Parameters": {"a.$": "States.Array($.a)"}, "End": true});
    assert_eq!(shown(run(json!({"A": called}))), Some(format!("'{text}'")));
}

#[test]
fn the_result_of_a_pass_state_replaces_its_input() {
    pass(json!({"Result": {"b": 2}}), json!({"a": 1})).succeeds(json!({"b": 2}));
}

#[test]
fn a_null_result_is_a_result() {
    pass(json!({"Result": null}), json!({"a": 1})).succeeds(Value::Null);
}

#[test]
fn a_pass_state_puts_its_result_where_result_path_says() {
    let fields = json!({"Result": 2, "ResultPath": "$.b.c"});
    pass(fields, json!({"a": 1})).succeeds(json!({"a": 1, "b": {"c": 2}}));
}

#[test]
fn a_pass_state_without_result_puts_its_effective_input_there() {
    let fields = json!({"Parameters": {"x": 1}, "ResultPath": "$.b"});
    pass(fields, json!({"a": 1})).succeeds(json!({"a": 1, "b": {"x": 1}}));
    pass(json!({"ResultPath": "$.b"}), json!({"a": 1})).succeeds(json!({"a": 1, "b": {"a": 1}}));
}

#[test]
fn result_path_applies_to_the_raw_input() {
    let fields = json!({"InputPath": "$.a", "Result": 2, "ResultPath": "$.b"});
    pass(fields, json!({"a": 1})).succeeds(json!({"a": 1, "b": 2}));
}

#[test]
fn a_null_result_path_keeps_the_input() {
    task(json!({"ResultPath": null}))
        .input(json!({"a": 1}))
        .task("State", ok(json!("unseen")))
        .run()
        .succeeds(json!({"a": 1}));
}

#[test]
fn a_result_path_of_the_whole_replaces_the_input() {
    task(json!({"ResultPath": "$"}))
        .input(json!({"a": 1}))
        .task("State", ok(json!(2)))
        .run()
        .succeeds(json!(2));
}

#[test]
fn a_result_path_replaces_what_is_there() {
    task(json!({"ResultPath": "$.a[1]"}))
        .input(json!({"a": [1, 2, 3]}))
        .task("State", ok(json!({"b": 0})))
        .run()
        .succeeds(json!({"a": [1, {"b": 0}, 3]}));
}

#[test]
fn a_result_path_into_an_input_that_is_no_object_fails() {
    let run = task(json!({"ResultPath": "$.a"}))
        .input(json!([1]))
        .task("State", ok(json!(2)))
        .run();
    run.fails_with("States.ResultPathMatchFailure");
}

#[test]
fn a_result_path_beyond_an_array_fails() {
    let run = task(json!({"ResultPath": "$.a[3]"}))
        .input(json!({"a": [0]}))
        .task("State", ok(json!(2)))
        .run();
    run.fails_with("States.ResultPathMatchFailure");
}

#[test]
fn a_result_path_that_cannot_apply_can_be_caught_with_the_raw_input() {
    let catch = json!([{"ErrorEquals": ["States.ResultPathMatchFailure"], "ResultPath": "$[0]", "Next": "Caught"}]);
    let run = task(json!({"ResultPath": "$.a", "Catch": catch}))
        .caught_by("Caught")
        .input(json!([1, 2]))
        .task("State", ok(json!(2)))
        .run();
    let output = run.outcome.as_ref().map(text).unwrap_or_default();
    assert!(
        output.starts_with(r#"[{"Error":"States.ResultPathMatchFailure""#)
            && output.ends_with(",2]"),
        "{output}"
    );
}

#[test]
fn result_selector_makes_the_result_of_a_tasks_output() {
    let selector = json!({"b.$": "$.x", "name.$": "$$.State.Name", "c": 1});
    task(json!({"ResultSelector": selector, "ResultPath": "$.r"}))
        .input(json!({"a": 1}))
        .task("State", ok(json!({"x": [1], "y": 2})))
        .run()
        .succeeds(json!({"a": 1, "r": {"b": [1], "name": "State", "c": 1}}));
}

#[test]
fn a_result_selector_that_finds_nothing_can_not_be_caught() {
    let catch = json!([{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]);
    task(json!({"ResultSelector": {"a.$": "$.b"}, "Catch": catch}))
        .caught_by("Caught")
        .task("State", ok(json!({})))
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn output_path_selects_from_the_input_with_its_result() {
    task(json!({"ResultPath": "$.r", "OutputPath": "$.r.x"}))
        .task("State", ok(json!({"x": 7})))
        .run()
        .succeeds(json!(7));
}

#[test]
fn a_null_output_path_stands_for_an_empty_object() {
    task(json!({"OutputPath": null}))
        .task("State", ok(json!({"x": 7})))
        .run()
        .succeeds(json!({}));
}

#[test]
fn an_output_path_that_finds_nothing_fails_with_a_runtime_error() {
    task(json!({"OutputPath": "$.gone"}))
        .task("State", ok(json!({})))
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn an_output_path_may_select_from_the_context_object() {
    pass(json!({"OutputPath": "$$.State.Name"}), json!({})).succeeds(json!("State"));
}

#[test]
fn a_tasks_payload_is_its_effective_input() {
    let run = task(json!({"InputPath": "$.a", "Parameters": {"b.$": "$"}, "ResultPath": null}))
        .input(json!({"a": 1}))
        .task("State", ok(json!(null)))
        .run()
        .succeeds(json!({"a": 1}));
    assert_eq!(run.payloads("State"), [json!({"b": 1})]);
}

#[test]
fn wait_choice_and_succeed_pass_on_what_their_paths_select() {
    for state in [
        json!({"Type": "Wait", "Seconds": 1}),
        json!({"Type": "Succeed"}),
    ] {
        let mut state = state;
        merge(&mut state, json!({"InputPath": "$.a", "OutputPath": "$.b"}));
        let input = json!({"a": {"b": 1}, "b": 2});
        Case::of_state(state).input(input).run().succeeds(json!(1));
    }
    let rule = json!({"Variable": "$.b", "NumericEquals": 1, "Next": "End"});
    let choice =
        json!({"Type": "Choice", "Choices": [rule], "InputPath": "$.a", "OutputPath": "$.b"});
    Case::of_state(choice)
        .caught_by("End")
        .input(json!({"a": {"b": 1}}))
        .run()
        .succeeds(json!(1));
}

#[test]
fn null_paths_of_wait_choice_and_succeed_stand_for_an_empty_object() {
    for field in ["InputPath", "OutputPath"] {
        for kind in [
            json!({"Type": "Wait", "Seconds": 1}),
            json!({"Type": "Succeed"}),
        ] {
            let mut state = kind;
            merge(&mut state, json!({field: null}));
            Case::of_state(state)
                .input(json!({"a": 1}))
                .run()
                .succeeds(json!({}));
        }
    }
}

#[test]
fn parallel_and_map_states_process_their_results_alike() {
    let branch = json!({"StartAt": "B", "States": {"B": {"Type": "Pass", "End": true}}});
    let processing = json!({
        "InputPath": "$.in",
        "ResultSelector": {"first.$": "$[0]"},
        "ResultPath": "$.r",
        "OutputPath": "$.r",
    });
    let mut parallel =
        json!({"Type": "Parallel", "Branches": [branch], "Parameters": {"p.$": "$[1]"}});
    merge(&mut parallel, processing.clone());
    let mut map = json!({"Type": "Map", "ItemProcessor": branch, "ItemSelector": {"p.$": "$[1]"}});
    merge(&mut map, processing);
    for state in [parallel, map] {
        Case::of_state(state)
            .input(json!({"in": [1, 2]}))
            .run()
            .succeeds(json!({"first": {"p": 2}}));
    }
}

#[test]
fn a_path_with_an_unquoted_word_is_accepted_and_fails_when_it_is_used() {
    let path = "$..checks[?(@.status==Failure)]";
    let pass = json!({"Type": "Pass", "InputPath": path, "End": true});
    Case::of_state(pass)
        .input(json!({"checks": []}))
        .run()
        .fails_with("States.Runtime");
}
