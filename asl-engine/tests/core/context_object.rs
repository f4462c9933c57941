//! The Context Object (2022 specification, The Context Object; its fields are the service's).
use crate::case::{Case, fail, ok};
use serde_json::{Value, json};

/// Returns the Context Object that the state sees.
fn seen(case: Case) -> Value {
    Value::clone(&case.run().output())
}

fn see() -> Value {
    json!({"Type": "Pass", "Parameters": {"context.$": "$$"}, "OutputPath": "$.context"})
}

#[test]
fn it_names_the_execution_the_state_and_the_machine() {
    let context = seen(Case::of_state(see()).input(json!({"a": 1})));
    let prefix = "arn:aws:states:us-east-1:111111111111";
    let expected = json!({
        "Execution": {
            "Id": format!("{prefix}:execution:StateMachine:execution"),
            "Input": {"a": 1},
            "StartTime": "2024-01-01T00:00:00.000Z",
            "Name": "execution",
            "RoleArn": "arn:aws:iam::111111111111:role/StateMachine",
            "RedriveCount": 0,
        },
        "StateMachine": {"Id": format!("{prefix}:stateMachine:StateMachine"), "Name": "StateMachine"},
        "State": {"EnteredTime": "2024-01-01T00:00:00.000Z", "Name": "State"},
    });
    assert_eq!(context, expected);
}

#[test]
fn entered_time_is_when_the_state_was_entered() {
    let case = Case::of_state(json!({"Type": "Wait", "Seconds": 90, "Next": "See"}));
    let mut state = see();
    state["End"] = json!(true);
    let context = seen(case.state("See", state));
    assert_eq!(context["State"]["EnteredTime"], "2024-01-01T00:01:30.000Z");
    assert_eq!(context["State"]["Name"], "See");
    assert_eq!(
        context["Execution"]["StartTime"],
        "2024-01-01T00:00:00.000Z"
    );
}

#[test]
fn a_retried_state_sees_its_retry_count_and_its_first_entered_time() {
    let state = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish",
        "Parameters": {"count.$": "$$.State.RetryCount", "entered.$": "$$.State.EnteredTime"},
        "Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 10}]});
    let run = Case::of_state(state)
        .task("State", fail("E", ""))
        .task("State", ok(json!(1)))
        .run();
    let entered = "2024-01-01T00:00:00.000Z";
    let expected = [0, 1].map(|count| json!({"count": count, "entered": entered}));
    assert_eq!(run.payloads("State"), expected);
}

#[test]
fn the_next_state_has_no_retries_and_no_token() {
    let case = Case::new(json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
              "Parameters": {"t.$": "$$.Task.Token"},
              "Retry": [{"ErrorEquals": ["E"]}], "Next": "See"},
        "See": {"Type": "Pass", "Parameters": {"context.$": "$$"}, "OutputPath": "$.context", "End": true},
    }}));
    let context = seen(case.task("T", fail("E", "")).task("T", ok(json!(1))));
    assert_eq!(context["State"].get("RetryCount"), None);
    assert_eq!(context.get("Task"), None);
}

#[test]
fn after_a_map_there_is_no_item_any_more() {
    let pass = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "InputPath": "$$.Map.Item.Value", "End": true}}});
    let mut state = see();
    state["End"] = json!(true);
    let case = Case::of_state(json!({"Type": "Map", "ItemProcessor": pass, "Next": "See"}))
        .state("See", state)
        .input(json!([1]));
    assert_eq!(seen(case).get("Map"), None);
}

#[test]
fn a_start_overrides_it_field_by_field() {
    let over = json!({
        "Execution": {"Name": "mine"},
        "State": {"RetryCount": 9},
        "Task": {"Token": "t"},
        "Map": {"Item": {"Index": 4}},
        "Custom": [1],
    });
    let over = over.as_object().cloned().unwrap_or_default();
    let context = seen(Case::of_state(see()).starting(|start| start.context = over));
    assert_eq!(context["Execution"]["Name"], "mine");
    assert_eq!(
        context["Execution"]["RoleArn"],
        "arn:aws:iam::111111111111:role/StateMachine"
    );
    assert_eq!(context["State"]["RetryCount"], 9);
    assert_eq!(context["State"]["Name"], "State");
    assert_eq!(context["Task"], json!({"Token": "t"}));
    assert_eq!(context["Map"], json!({"Item": {"Index": 4}}));
    assert_eq!(context["Custom"], json!([1]));
}

#[test]
fn its_fields_keep_their_order_whatever_states_came_before() {
    let see = |next: &str| json!({"Type": "Pass", "Parameters": {"c.$": "$$"}, "ResultPath": "$.c", "Next": next});
    let processor = json!({"StartAt": "First", "States": {
        "First": see("Task"),
        "Task": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
                 "Parameters": {"context.$": "$$", "token.$": "$$.Task.Token"}, "ResultPath": null, "Next": "Last"},
        "Last": see("End"),
        "End": {"Type": "Succeed"},
    }});
    // The case runs a second time from saved texts, which begin with a new Context Object: the outputs are compared.
    let over = json!({"Custom": 1, "Task": {"Mine": 2}});
    let case = |over: Value| {
        Case::of_state(json!({"Type": "Map", "ItemProcessor": processor, "MaxConcurrency": 1}))
            .starting(|start| start.context = over.as_object().cloned().unwrap_or_default())
            .input(json!([{}, {}]))
            .task("Task", ok(json!(1)))
            .task("Task", ok(json!(1)))
    };
    for over in [over, json!({})] {
        let run = case(over.clone()).run();
        let task = &run.payloads("Task")[1]["context"];
        let names: Vec<&str> = task
            .as_object()
            .map(|fields| fields.keys().map(String::as_str).collect())
            .unwrap_or_default();
        let expected: &[&str] = if over["Custom"].is_null() {
            &["Execution", "StateMachine", "State", "Task", "Map"]
        } else {
            &[
                "Execution",
                "StateMachine",
                "State",
                "Task",
                "Map",
                "Custom",
            ]
        };
        assert_eq!(names, expected);
    }
}

/// Recorded from the service.
#[test]
fn a_path_that_finds_nothing_in_it_shows_the_whole_of_it() {
    let pass = json!({"Type": "Pass", "Parameters": {"x.$": "$$.Map.Item.Value"}, "End": true});
    let run = Case::of_state(pass).input(json!({"a": 1})).run();
    let cause = run.outcome.and_then(|outcome| outcome.failure()?.cause);
    let cause = cause.expect("a cause");
    let begin = "The JSONPath '$$.Map.Item.Value' specified for the field 'x.$' could not be found in the input '{\"Execution\":{\"Id\":\"arn:";
    for part in [
        begin,
        "\"Input\":{\"a\":1},\"StartTime\":\"",
        "\"RoleArn\":\"",
    ] {
        assert!(cause.contains(part), "{cause}");
    }
}
