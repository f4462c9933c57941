//! Catch and the wildcards of ErrorEquals (2022 specification, Fallback states; the service's guide to errors).
use crate::case::{Answer, Case, Run, fail, fail_without_name, never, ok};
use asl_model::Profile;
use serde_json::{Value, json};

fn task(catchers: Value) -> Case {
    Case::of_state(
        json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "HeartbeatSeconds": 5, "Catch": catchers}),
    )
}

fn run(catchers: Value, answer: Answer) -> Run {
    task(catchers)
        .caught_by("Caught")
        .input(json!({"a": 1}))
        .task("State", answer)
        .run()
}

/// Returns true if a catcher of `name` catches what the task does.
fn catches(name: &str, answer: Answer) -> bool {
    let run = run(json!([{"ErrorEquals": [name], "Next": "Caught"}]), answer);
    matches!(run.outcome, Some(asl_engine::Outcome::Succeeded(_)))
}

#[test]
fn the_error_output_replaces_the_input() {
    let run = run(
        json!([{"ErrorEquals": ["E"], "Next": "Caught"}]),
        fail("E", "because"),
    );
    run.succeeds(json!({"Error": "E", "Cause": "because"}));
}

#[test]
fn the_error_output_goes_where_result_path_says() {
    let catch = |path: Value| json!([{"ErrorEquals": ["E"], "Next": "Caught", "ResultPath": path}]);
    let error = json!({"Error": "E", "Cause": "because"});
    run(catch(json!("$.e")), fail("E", "because")).succeeds(json!({"a": 1, "e": error}));
    run(catch(Value::Null), fail("E", "because")).succeeds(json!({"a": 1}));
    run(catch(json!("$")), fail("E", "because")).succeeds(error);
}

#[test]
fn a_catchers_result_path_that_cannot_apply_fails_the_execution() {
    let catch = json!([{"ErrorEquals": ["States.ALL"], "Next": "Caught", "ResultPath": "$.a.b"}]);
    run(catch, fail("E", "")).fails_with("States.ResultPathMatchFailure");
}

#[test]
fn catching_passes_by_result_selector_and_output_path() {
    let mut state = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish",
        "ResultSelector": {"x.$": "$.x"}, "OutputPath": "$.x",
        "Catch": [{"ErrorEquals": ["E"], "Next": "Caught"}]});
    state["ResultPath"] = json!("$.r");
    Case::of_state(state)
        .caught_by("Caught")
        .task("State", fail("E", "because"))
        .run()
        .succeeds(json!({"Error": "E", "Cause": "because"}));
}

#[test]
fn the_first_catcher_that_names_the_error_catches_it() {
    let catch = json!([
        {"ErrorEquals": ["X"], "Next": "Other"},
        {"ErrorEquals": ["Y", "E"], "ResultPath": null, "Next": "Caught"},
        {"ErrorEquals": ["States.ALL"], "Next": "Other"},
    ]);
    task(catch)
        .caught_by("Caught")
        .state("Other", json!({"Type": "Fail"}))
        .input(json!({"a": 1}))
        .task("State", fail("E", ""))
        .run()
        .succeeds(json!({"a": 1}));
}

#[test]
fn retriers_come_before_catchers() {
    let state = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish",
        "Retry": [{"ErrorEquals": ["E"], "MaxAttempts": 2}],
        "Catch": [{"ErrorEquals": ["E"], "Next": "Caught"}]});
    let run = Case::of_state(state)
        .caught_by("Caught")
        .task("State", fail("E", "1"))
        .task("State", fail("E", "2"))
        .task("State", fail("E", "3"))
        .run()
        .succeeds(json!({"Error": "E", "Cause": "3"}));
    assert_eq!(run.seconds, 3.0);
}

#[test]
fn all_catches_any_error_of_a_task_but_a_runtime_error() {
    assert!(catches("States.ALL", fail("E", "")));
    assert!(catches("States.ALL", fail_without_name()));
    assert!(catches("States.ALL", fail("States.Timeout", "")));
    assert!(catches("States.ALL", never()));
    assert!(!catches("States.ALL", fail("States.Runtime", "")));
}

#[test]
fn task_failed_catches_any_error_but_a_timeout() {
    assert!(catches("States.TaskFailed", fail("E", "")));
    assert!(catches("States.TaskFailed", fail("States.Permissions", "")));
    assert!(catches("States.TaskFailed", fail("States.TaskFailed", "")));
    assert!(!catches("States.TaskFailed", fail("States.Timeout", "")));
    assert!(!catches("States.TaskFailed", never()));
    assert!(!catches("States.TaskFailed", fail("States.Runtime", "")));
}

#[test]
fn a_missing_heartbeat_is_caught_under_both_names() {
    assert!(catches("States.HeartbeatTimeout", never()));
    assert!(catches("States.Timeout", never()));
    assert!(catches(
        "States.Timeout",
        fail("States.HeartbeatTimeout", "")
    ));
    assert!(!catches(
        "States.HeartbeatTimeout",
        fail("States.Timeout", "")
    ));
}

#[test]
fn a_runtime_error_is_not_even_caught_by_its_name() {
    assert!(!catches("States.Runtime", fail("States.Runtime", "")));
}

#[test]
fn names_are_compared_letter_by_letter() {
    assert!(!catches("e", fail("E", "")) && !catches("E", fail("E2", "")));
}

#[test]
fn data_limit_exceeded_of_a_task_is_caught_by_all_on_the_service_and_not_by_the_guide() {
    let answer = || fail("States.DataLimitExceeded", "too big");
    assert!(catches("States.ALL", answer()));
    let run = |name: &str| {
        task(json!([{"ErrorEquals": [name], "Next": "Caught"}]))
            .caught_by("Caught")
            .profile(Profile::Spec)
            .task("State", answer())
            .run()
    };
    run("States.ALL").fails_with("States.DataLimitExceeded");
    run("States.DataLimitExceeded")
        .succeeds(json!({"Error": "States.DataLimitExceeded", "Cause": "too big"}));
}

#[test]
fn a_caught_error_goes_on_where_the_catcher_says() {
    let case = task(json!([{"ErrorEquals": ["E"], "Next": "Again"}])).state(
        "Again",
        json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true}),
    );
    let run = case
        .task("State", fail("E", "x"))
        .task("Again", ok(json!(1)))
        .run();
    assert_eq!(run.payloads("Again"), [json!({"Error": "E", "Cause": "x"})]);
}

#[test]
fn what_an_error_lacks_is_null_or_missing() {
    let caught = |profile: Profile, answer: Answer| {
        task(json!([{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]))
            .caught_by("Caught")
            .task("State", answer)
            .profile(profile)
            .run()
    };
    // Recorded from the service: SendTaskFailure needs neither.
    caught(Profile::Aws, fail_without_name()).succeeds(json!({"Error": null, "Cause": null}));
    caught(Profile::Spec, fail_without_name()).succeeds(json!({}));
}

/// Recorded from the service.
#[test]
fn a_timeout_that_is_caught_has_an_empty_cause() {
    let state = json!({
        "Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "TimeoutSeconds": 5,
        "Parameters": {"FunctionName": "f"},
        "Catch": [{"ErrorEquals": ["States.Timeout"], "Next": "Caught"}],
    });
    Case::of_state(state)
        .caught_by("Caught")
        .task("State", never())
        .run()
        .succeeds(json!({"Error": "States.Timeout", "Cause": ""}));
}
