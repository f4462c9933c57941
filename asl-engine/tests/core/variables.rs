//! State machine variables: Assign, and who sees which value when (2024 specification, State Machine Variables).
use crate::case::{Case, Run, fail, ok};
use crate::jsonata::{named, passing, state, with};
use asl_engine::history::EventDetails;
use serde_json::{Map, Value, json};

const TASK: &str = "arn:aws:states:::sns:publish";

/// Returns a state, and one after it that shows what it assigned to `x`.
fn then_see(fields: Value) -> Case {
    see_after(with(fields, json!({"Next": "See"})))
}

/// As [`then_see`], of a state that says itself where it leads.
fn see_after(state: Value) -> Case {
    Case::of_state(state).state(
        "See",
        json!({"Type": "Pass", "Parameters": {"x.$": "$x"}, "OutputPath": "$.x", "End": true}),
    )
}

/// Returns the assigned variables of each StateExited event.
fn assigned(run: &Run) -> Vec<Value> {
    let exits = run.events.iter().filter_map(|event| match &event.details {
        EventDetails::StateExited {
            assigned_variables, ..
        } => Some(assigned_variables),
        _ => None,
    });
    exits
        .map(|variables| {
            let fields: Map<_, _> = variables
                .iter()
                .map(|(name, value)| (name.to_string(), (**value).clone()))
                .collect();
            Value::Object(fields)
        })
        .collect()
}

#[test]
fn both_query_languages_assign_and_read() {
    then_see(json!({"Type": "Pass", "Assign": {"x": {"n.$": "$.a", "m": [1]}}}))
        .input(json!({"a": 2}))
        .run()
        .succeeds(json!({"n": 2, "m": [1]}));
    then_see(json!({"Type": "Pass", "QueryLanguage": "JSONata", "Assign": {"x": {"n": "{% $states.input.a + 1 %}"}}}))
        .input(json!({"a": 2}))
        .run()
        .succeeds(json!({"n": 3}));
    Case::of_state(json!({"Type": "Pass", "Assign": {"x": 5}, "Next": "See"}))
        .state(
            "See",
            json!({"Type": "Succeed", "QueryLanguage": "JSONata", "Output": "{% $x + 1 %}"}),
        )
        .run()
        .succeeds(json!(6));
}

#[test]
fn a_new_value_is_seen_from_the_next_state_on() {
    let run = Case::of_state(json!({"Type": "Pass", "Assign": {"x": 5}, "Next": "Again"}))
        .state(
            "Again",
            json!({"Type": "Pass", "QueryLanguage": "JSONata", "Next": "End",
            "Assign": {"x": 42, "newOrOld": "{% $x %}"}, "Output": "{% $x %}"}),
        )
        .state(
            "End",
            json!({"Type": "Succeed", "QueryLanguage": "JSONata",
            "Output": ["{% $states.input %}", "{% $x %}", "{% $newOrOld %}"]}),
        )
        .run()
        .succeeds(json!([5, 42, 5]));
    assert_eq!(
        assigned(&run),
        [json!({"x": 5}), json!({"x": 42, "newOrOld": 5}), json!({})]
    );
}

#[test]
fn the_dollar_of_a_json_path_assign_depends_on_the_state() {
    let see = |fields: Value| {
        then_see(with(fields, json!({"Assign": {"x.$": "$"}}))).input(json!({"a": {"b": 1}}))
    };
    let pass = |fields: Value| see(with(json!({"Type": "Pass"}), fields)).run();
    pass(json!({})).succeeds(json!({"a": {"b": 1}}));
    pass(json!({"InputPath": "$.a"})).succeeds(json!({"b": 1}));
    pass(json!({"Parameters": {"p.$": "$.a.b"}, "ResultPath": null})).succeeds(json!({"p": 1}));
    pass(json!({"Result": 7, "ResultPath": "$.r"})).succeeds(json!(7));
    see(json!({"Type": "Wait", "Seconds": 0, "InputPath": "$.a", "OutputPath": null}))
        .run()
        .succeeds(json!({"b": 1}));
    // The result as it is, before ResultSelector.
    see(json!({"Type": "Task", "Resource": TASK, "ResultSelector": {"s.$": "$.r"}, "ResultPath": "$.t"}))
        .task("State", ok(json!({"r": 2})))
        .run()
        .succeeds(json!({"r": 2}));
    see(json!({"Type": "Parallel", "InputPath": "$.a", "Branches": [passing()], "ResultPath": null}))
        .run()
        .succeeds(json!([{"b": 1}]));
    see(json!({"Type": "Map", "ItemsPath": "$.list", "ItemProcessor": passing(), "ResultPath": null}))
        .input(json!({"list": [3]}))
        .run()
        .succeeds(json!([3]));
}

#[test]
fn assigning_leaves_the_output_as_it_is() {
    Case::of_state(json!({"Type": "Task", "Resource": TASK, "Assign": {"x.$": "$.r", "all.$": "$"}, "ResultPath": "$.t"}))
        .input(json!({"a": 1}))
        .task("State", ok(json!({"r": 2})))
        .run()
        .succeeds(json!({"a": 1, "t": {"r": 2}}));
}

#[test]
fn a_catcher_assigns_in_place_of_the_state() {
    let run = |language: &str, assign: Value| {
        let task = json!({"Type": "Task", "Resource": TASK, "QueryLanguage": language, "Assign": {"x": "done"},
            "Catch": [{"ErrorEquals": ["Other"], "Next": "See"},
                      {"ErrorEquals": ["E"], "Next": "See", "Assign": assign}]});
        then_see(task)
            .input(json!({"a": 1}))
            .task("State", fail("E", "because"))
            .run()
    };
    let error = json!({"Error": "E", "Cause": "because"});
    run("JSONPath", json!({"x.$": "$"})).succeeds(error.clone());
    run("JSONata", json!({"x": "{% $states.errorOutput %}"})).succeeds(error.clone());
    let both = json!({"x": ["{% $states.input.a %}", "{% $states.errorOutput.Error %}"]});
    let run = run("JSONata", both).succeeds(json!([1, "E"]));
    assert_eq!(assigned(&run)[0], json!({"x": [1, "E"]}));
}

#[test]
fn a_jsonata_catcher_may_have_an_output() {
    let run = |catcher: Value| {
        let catcher = with(
            json!({"ErrorEquals": ["States.ALL"], "Next": "Caught"}),
            catcher,
        );
        state(json!({"Type": "Task", "Resource": TASK, "Output": "not this", "Catch": [catcher]}))
            .caught_by("Caught")
            .input(json!({"a": 1}))
            .task("State", fail("E", "because"))
            .run()
    };
    run(json!({})).succeeds(json!({"Error": "E", "Cause": "because"}));
    run(json!({"Output": {"in": "{% $states.input.a %}", "error": "{% $states.errorOutput.Error %}"}}))
        .succeeds(json!({"in": 1, "error": "E"}));
}

#[test]
fn a_choice_rule_assigns_in_place_of_the_state() {
    let see = |language: &str, first: Value, input: Value| {
        let rule = with(json!({"Next": "See", "Assign": {"x": "rule"}}), first);
        see_after(
            json!({"Type": "Choice", "QueryLanguage": language, "Choices": [rule], "Default": "See",
            "Assign": {"x": "state"}}),
        )
        .input(input)
        .run()
    };
    let test = json!({"Variable": "$.n", "NumericEquals": 1});
    see("JSONPath", test.clone(), json!({"n": 1})).succeeds(json!("rule"));
    see("JSONPath", test, json!({"n": 2})).succeeds(json!("state"));
    let test = json!({"Condition": "{% $states.input.n = 1 %}"});
    see("JSONata", test.clone(), json!({"n": 1})).succeeds(json!("rule"));
    see("JSONata", test, json!({"n": 2})).succeeds(json!("state"));
}

#[test]
fn a_rule_without_assign_assigns_nothing() {
    let run = Case::of_state(
        json!({"Type": "Choice", "Assign": {"x": 1}, "Default": "End",
        "Choices": [{"Variable": "$.n", "IsPresent": true, "Next": "End"}]}),
    )
    .state("End", json!({"Type": "Succeed"}))
    .input(json!({"n": 1}))
    .run();
    assert_eq!(assigned(&run)[0], json!({}));
}

#[test]
fn paths_and_intrinsic_functions_read_variables() {
    Case::of_state(json!({"Type": "Pass", "Assign": {"x": {"a": [1, 2], "s": 3}}, "Next": "Choose"}))
        .state("Choose", json!({"Type": "Choice", "Default": "Wrong", "Choices": [
            {"And": [{"Variable": "$x.a[0]", "NumericLessThanPath": "$x.a[1]"}, {"Not": {"Variable": "$y", "IsPresent": true}}],
             "Next": "Wait"}]}))
        .state("Wrong", json!({"Type": "Fail"}))
        .state("Wait", json!({"Type": "Wait", "SecondsPath": "$x.s", "Next": "Work"}))
        .state("Work", json!({"Type": "Task", "Resource": TASK, "TimeoutSecondsPath": "$x.s", "Next": "Each",
            "Parameters": {"f.$": "States.Format('{}', $x.a)"}, "ResultSelector": {"r.$": "$x.s"}}))
        .state("Each", json!({"Type": "Map", "InputPath": "$x", "ItemsPath": "$x.a", "MaxConcurrencyPath": "$x.s",
            "ItemSelector": {"s.$": "$x.s"}, "ItemProcessor": passing(), "Next": "End"}))
        .state("End", json!({"Type": "Pass", "OutputPath": "$x.a", "End": true}))
        .task("Work", ok(json!(1)))
        .run()
        .succeeds(json!([1, 2]));
}

#[test]
fn what_an_output_path_takes_of_a_variable_is_measured() {
    let text = "x".repeat(300_000);
    Case::of_state(json!({"Type": "Pass", "Assign": {"x": text}, "Next": "End"}))
        .state(
            "End",
            json!({"Type": "Pass", "OutputPath": "$x", "End": true}),
        )
        .limits(|limits| (limits.max_variable_bytes, limits.max_assign_bytes) = (None, None))
        .run()
        .fails_with("States.DataLimitExceeded");
}

/// The specification's own example (Variable Scope).
#[test]
fn inner_scopes_read_outer_variables() {
    let processor = json!({"StartAt": "Begin", "States": {
        "Begin": {"Type": "Pass", "Assign": {"inner": "world", "hi": "{% $outer %}"}, "Next": "End"},
        "End": {"Type": "Succeed", "Output": "{% $hi %}"},
    }});
    let run = Case::new(json!({"QueryLanguage": "JSONata", "StartAt": "Get Greeting", "States": {
        "Get Greeting": {"Type": "Pass", "Assign": {"outer": "hello"}, "Next": "Greet Everyone"},
        "Greet Everyone": {"Type": "Map", "ItemProcessor": processor, "Assign": {"outer": 2}, "Next": "Goodbye"},
        "Goodbye": {"Type": "Succeed", "Output": ["{% $states.input %}", "{% $outer %}"]},
    }}))
    .input(json!([0, 0]))
    .run();
    run.succeeds(json!([["hello", "hello"], 2]));
}

#[test]
fn scopes_may_be_nested() {
    let inner = json!({"StartAt": "Inner", "States": {
        "Inner": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% [$a, $b, $states.input] %}", "End": true}}});
    let middle = json!({"StartAt": "Middle", "States": {
        "Middle": {"Type": "Pass", "Assign": {"b.$": "$"}, "Next": "Down"},
        "Down": {"Type": "Map", "QueryLanguage": "JSONata", "Items": [8, 9], "ItemProcessor": inner, "End": true}}});
    Case::of_state(json!({"Type": "Pass", "Assign": {"a": 1}, "Next": "Outer"}))
        .state(
            "Outer",
            json!({"Type": "Parallel", "Branches": [middle, named("Other")], "End": true}),
        )
        .input(json!("in"))
        .run()
        .succeeds(json!([[[1, "in", 8], [1, "in", 9]], "in"]));
}

#[test]
fn iterations_and_branches_do_not_see_each_others_variables() {
    let counting = json!({"StartAt": "Count", "States": {
        "Count": {"Type": "Pass", "QueryLanguage": "JSONata", "End": true,
            "Assign": {"seen": true}, "Output": "{% $exists($seen) %}"}}});
    state(json!({"Type": "Map", "ItemProcessor": counting, "MaxConcurrency": 1}))
        .input(json!([0, 0]))
        .run()
        .succeeds(json!([false, false]));
    let wait = |name: &str, seconds: u64| {
        json!({"StartAt": name, "States": {
            name: {"Type": "Wait", "Seconds": seconds, "Assign": {"own": name}, "Next": format!("{name}2")},
            format!("{name}2"): {"Type": "Wait", "Seconds": 5, "Next": format!("{name}3")},
            format!("{name}3"): {"Type": "Pass", "InputPath": "$own", "End": true}}})
    };
    Case::of_state(json!({"Type": "Parallel", "Branches": [wait("A", 1), wait("B", 2)]}))
        .run()
        .succeeds(json!(["A", "B"]));
}

#[test]
fn variables_go_out_of_scope_with_their_iteration() {
    let assigning = json!({"StartAt": "Assign", "States": {
        "Assign": {"Type": "Pass", "Assign": {"inner": 1}, "End": true}}});
    Case::of_state(json!({"Type": "Map", "ItemProcessor": assigning, "Next": "See"}))
        .state("See", json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $exists($inner) %}", "End": true}))
        .input(json!([1]))
        .run()
        .succeeds(json!(false));
}

#[test]
fn only_the_fields_of_a_distributed_map_see_outer_variables() {
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Item",
        "States": {"Item": {"Type": "Pass", "QueryLanguage": "JSONata", "End": true,
            "Output": {"in": "{% $states.input %}", "seen": "{% $exists($outer) %}"}}}});
    Case::of_state(json!({"Type": "Pass", "Assign": {"outer": [7]}, "Next": "Map"}))
        .state(
            "Map",
            json!({"Type": "Map", "ItemsPath": "$outer", "ItemSelector": {"o.$": "$outer[0]"},
            "ItemProcessor": processor, "End": true}),
        )
        .run()
        .succeeds(json!([{"in": {"o": 7}, "seen": false}]));
}

#[test]
fn a_retry_sees_the_variables_of_the_first_attempt() {
    Case::of_state(json!({"Type": "Pass", "Assign": {"x": 1}, "Next": "Work"}))
        .state("Work", json!({"Type": "Task", "Resource": TASK, "QueryLanguage": "JSONata", "Arguments": "{% $x %}",
            "Assign": {"x": "{% $x + 1 %}"}, "Retry": [{"ErrorEquals": ["E"]}], "Output": "{% $x %}", "End": true}))
        .task("Work", fail("E", ""))
        .task("Work", ok(json!(0)))
        .run()
        .succeeds(json!(1));
}

/// Bytes as JSON text of a value of so many bytes.
fn text_of(bytes: usize) -> Value {
    json!("x".repeat(bytes - 2))
}

const KIBIBYTES_256: usize = 262_144;

fn assign_and_go(assign: Value) -> Run {
    Case::of_state(json!({"Type": "Pass", "Assign": assign})).run()
}

#[test]
fn a_variable_may_have_256_kibibytes() {
    assign_and_go(json!({"x": text_of(KIBIBYTES_256)})).succeeds(json!({}));
    assign_and_go(json!({"x": text_of(KIBIBYTES_256 + 1)})).fails(
        "States.DataLimitExceeded",
        "The state 'State' assigned a value to the variable 'x' with a size exceeding the maximum of 262144 bytes.",
    );
}

#[test]
fn an_assign_may_have_256_kibibytes() {
    let half = KIBIBYTES_256 / 2;
    assign_and_go(json!({"x": text_of(half), "y": text_of(half)})).succeeds(json!({}));
    assign_and_go(json!({"x": text_of(half), "y": text_of(half + 1)})).fails(
        "States.DataLimitExceeded",
        "The state 'State' assigned values to variables with a combined size exceeding the maximum of 262144 bytes.",
    );
}

#[test]
fn what_an_execution_has_of_variables_at_a_time_is_limited() {
    assert_eq!(
        asl_engine::Limits::default().max_variables_bytes,
        Some(10 * 1024 * 1024)
    );
    let run = |y: Value| {
        Case::of_state(json!({"Type": "Pass", "Assign": {"x": text_of(60)}, "Next": "Other"}))
            .state("Other", json!({"Type": "Pass", "Assign": y, "End": true}))
            .limits(|limits| limits.max_variables_bytes = Some(100))
            .run()
    };
    run(json!({"y": text_of(40)})).succeeds(json!({}));
    run(json!({"y": text_of(41)})).fails(
        "States.DataLimitExceeded",
        "The variables of the execution exceed the maximum of 100 bytes when those that the state 'Other' assigned are stored.",
    );
    // A value that takes the place of another counts once.
    run(json!({"x": text_of(100)})).succeeds(json!({}));
}

#[test]
fn what_went_out_of_scope_does_not_count() {
    let iteration = json!({"StartAt": "I", "States": {
        "I": {"Type": "Pass", "Assign": {"x": text_of(60)}, "End": true}}});
    Case::of_state(json!({"Type": "Map", "MaxConcurrency": 1, "ItemProcessor": iteration}))
        .limits(|limits| limits.max_variables_bytes = Some(100))
        .input(json!([0, 0, 0]))
        .run()
        .succeeds(json!([0, 0, 0]));
    let waiting = json!({"StartAt": "I", "States": {
        "I": {"Type": "Pass", "Assign": {"x": text_of(60)}, "Next": "W"},
        "W": {"Type": "Wait", "Seconds": 1, "End": true}}});
    Case::of_state(json!({"Type": "Map", "ItemProcessor": waiting}))
        .limits(|limits| limits.max_variables_bytes = Some(100))
        .input(json!([0, 0]))
        .run()
        .fails_with("States.DataLimitExceeded");
}

#[test]
fn a_limit_on_variables_is_caught_by_its_name() {
    let catch = |name: &str| json!([{"ErrorEquals": [name], "Next": "Caught"}]);
    let run = |name: &str| {
        let state = json!({"Type": "Task", "Resource": TASK, "Assign": {"x.$": "$", "y.$": "$"}, "Catch": catch(name)});
        Case::of_state(state)
            .caught_by("Caught")
            .task("State", ok(text_of(200_000)))
            .run()
    };
    let caught = run("States.DataLimitExceeded");
    assert!(matches!(
        caught.outcome,
        Some(asl_engine::Outcome::Succeeded(_))
    ));
    run("States.ALL").fails_with("States.DataLimitExceeded");
}

#[test]
fn exits_say_what_was_assigned_as_texts() {
    let run = Case::of_state(json!({"Type": "Pass", "Assign": {"b": {"c": 1}, "a": "text"}})).run();
    let exited = run.events[2].to_json();
    assert_eq!(
        exited["stateExitedEventDetails"].to_string(),
        r#"{"name":"State","output":"{}","outputDetails":{"truncated":false},"assignedVariables":{"b":"{\"c\":1}","a":"\"text\""},"assignedVariablesDetails":{"truncated":false}}"#
    );
    let run = Case::of_state(json!({"Type": "Pass"})).run();
    let exited = run.events[2].to_json();
    assert_eq!(
        exited["stateExitedEventDetails"].get("assignedVariables"),
        None
    );
}

#[test]
fn a_variable_without_value_is_a_runtime_error_of_a_path() {
    let fails = |fields: Value, cause: &str| {
        let place =
            "An error occurred while executing the state 'State' (entered at the event id #2).";
        Case::of_state(with(json!({"Type": "Pass"}), fields))
            .state(
                "Later",
                json!({"Type": "Pass", "Assign": {"x": 1}, "End": true}),
            )
            .run()
            .fails("States.Runtime", &format!("{place} {cause}"));
    };
    let next = json!({"Next": "Later"});
    fails(
        with(json!({"Parameters": {"p.$": "$x.a"}}), next.clone()),
        "The JSONPath '$x.a' specified for the field 'p.$' could not be found in the input '{}'",
    );
    fails(
        with(json!({"InputPath": "$x"}), next),
        "Invalid path '$x' : the variable has no value",
    );
}
