//! Fail States (2022 specification, Fail State; ErrorPath and CausePath as the service has them).
use crate::case::{Case, Run, with_fields};
use asl_engine::ErrorOutput;
use asl_engine::Outcome;
use serde_json::{Value, json};

fn fail(fields: Value, input: Value) -> Run {
    let state = with_fields(json!({"Type": "Fail"}), &fields);
    Case::of_state(state).input(input).run()
}

#[test]
fn a_fail_state_fails_with_its_error_and_cause() {
    fail(json!({"Error": "E", "Cause": "because"}), json!({})).fails("E", "because");
}

#[test]
fn a_fail_state_may_have_neither() {
    let run = fail(json!({}), json!({}));
    let neither = Outcome::Failed(ErrorOutput::default());
    assert_eq!(run.outcome, Some(neither));
}

#[test]
fn error_and_cause_may_come_from_the_input() {
    let fields = json!({"ErrorPath": "$.e", "CausePath": "$$.State.Name"});
    fail(fields, json!({"e": "E"})).fails("E", "State");
}

#[test]
fn error_and_cause_may_be_made_by_intrinsic_functions() {
    let fields = json!({"ErrorPath": "States.Format('{}-{}', $.e, 1)", "CausePath": "States.JsonToString($)"});
    fail(fields, json!({"e": "E"})).fails("E-1", r#"{"e":"E"}"#);
}

#[test]
fn a_path_must_select_a_string() {
    fail(json!({"ErrorPath": "$.e"}), json!({"e": 1})).fails_with("States.Runtime");
    fail(json!({"CausePath": "$.gone"}), json!({})).fails_with("States.Runtime");
}

#[test]
fn nothing_after_a_fail_state_runs() {
    let run = fail(json!({"Error": "E"}), json!({}));
    assert_eq!(
        run.history(),
        [
            "1 <- 0 ExecutionStarted",
            "2 <- 0 FailStateEntered",
            "3 <- 2 ExecutionFailed",
        ]
    );
}
