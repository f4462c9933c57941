//! Wait States (2022 specification, Wait State).
use crate::case::{Case, Run};
use serde_json::{Value, json};

fn wait(field: &str, value: Value, input: Value) -> Run {
    Case::of_state(json!({"Type": "Wait", field: value}))
        .input(input)
        .run()
}

const LONGEST: u64 = 2_147_483_647;

#[test]
fn seconds_are_waited() {
    let run = wait("Seconds", json!(10), json!({"a": 1})).succeeds(json!({"a": 1}));
    assert_eq!(run.seconds, 10.0);
}

#[test]
fn zero_seconds_need_no_wait() {
    let run = wait("Seconds", json!(0), json!({})).succeeds(json!({}));
    assert_eq!((run.seconds, run.yields), (0.0, 0));
}

#[test]
fn a_timestamp_is_waited_for() {
    let run =
        wait("Timestamp", json!("2024-01-01T01:00:01.5+01:00"), json!({})).succeeds(json!({}));
    assert_eq!(run.seconds, 1.5);
}

#[test]
fn a_timestamp_in_the_past_is_not_waited_for() {
    let run = wait("Timestamp", json!("2000-01-01T00:00:00Z"), json!({})).succeeds(json!({}));
    assert_eq!(run.seconds, 0.0);
}

#[test]
fn seconds_path_takes_the_seconds_from_the_input() {
    let run = wait("SecondsPath", json!("$.s"), json!({"s": 4})).succeeds(json!({"s": 4}));
    assert_eq!(run.seconds, 4.0);
}

#[test]
fn timestamp_path_takes_the_moment_from_the_input() {
    let input = json!({"t": "2024-01-02T00:00:00Z"});
    let run = wait("TimestampPath", json!("$.t"), input.clone()).succeeds(input);
    assert_eq!(run.seconds, 86_400.0);
}

#[test]
fn wait_paths_apply_to_what_input_path_selects() {
    let state = json!({"Type": "Wait", "SecondsPath": "$.s", "InputPath": "$.a"});
    let run = Case::of_state(state)
        .input(json!({"a": {"s": 3}, "s": 9}))
        .run()
        .succeeds(json!({"s": 3}));
    assert_eq!(run.seconds, 3.0);
}

#[test]
fn wait_paths_may_select_from_the_context_object() {
    let run = wait("TimestampPath", json!("$$.Execution.StartTime"), json!({})).succeeds(json!({}));
    assert_eq!(run.seconds, 0.0);
}

#[test]
fn a_path_that_finds_nothing_fails() {
    // Recorded from the service.
    for field in ["SecondsPath", "TimestampPath"] {
        let cause = format!(
            "An error occurred while executing the state 'State' (entered at the event id #2). The {field} parameter does \
             not reference an input value: $.s"
        );
        wait(field, json!("$.s"), json!({})).fails("States.Runtime", &cause);
    }
}

#[test]
fn negative_seconds_fail() {
    let run = wait("SecondsPath", json!("$.s"), json!({"s": -1}));
    let cause = "An error occurred while executing the state 'State' (entered at the event id #2). \
        The SecondsPath parameter references a negative value: $.s == -1";
    run.fails("States.Runtime", cause);
}

#[test]
fn seconds_that_are_no_whole_number_fail() {
    for seconds in [json!(1.5), json!("1"), json!(null), json!([])] {
        wait("SecondsPath", json!("$.s"), json!({"s": seconds})).fails_with("States.Runtime");
    }
}

#[test]
fn text_that_is_no_timestamp_fails() {
    for moment in [json!("2024-01-01"), json!("2024-01-01T00:00:00"), json!(1)] {
        wait("TimestampPath", json!("$.t"), json!({"t": moment})).fails_with("States.Runtime");
    }
}

#[test]
fn the_longest_wait_is_waited_and_one_second_more_fails() {
    // The service ends the execution after a year.
    let run = Case::of_state(json!({"Type": "Wait", "SecondsPath": "$.s"}))
        .input(json!({"s": LONGEST}))
        .profile(asl_model::Profile::Spec)
        .run();
    assert_eq!(run.seconds, LONGEST as f64);
    let run = wait("SecondsPath", json!("$.s"), json!({"s": LONGEST + 1}));
    let cause = "An error occurred while executing the state 'State' (entered at the event id #2). \
        Wait state delay is too long.";
    run.fails("States.Runtime", cause);
    wait("SecondsPath", json!("$.s"), json!({"s": u64::MAX})).fails_with("States.Runtime");
    wait("Timestamp", json!("9999-12-31T23:59:59Z"), json!({})).fails_with("States.Runtime");
}

#[test]
fn each_wait_begins_when_the_one_before_is_over() {
    let run = Case::of_state(json!({"Type": "Wait", "Seconds": 3, "Next": "Again"}))
        .state("Again", json!({"Type": "Wait", "Seconds": 4, "End": true}))
        .run();
    assert_eq!(run.seconds, 7.0);
}
