//! Inconsistent saves are rejected, with the location and the reason.
use crate::samples::{sample, tokens};
use asl_engine::{Execution, Input, RestoreError, SavedExecution};
use serde_json::{Value, json};

/// The save of the sample with what is at the pointer changed.
fn changed(name: &str, pointer: &str, to: Value) -> Result<(), RestoreError> {
    taken_up(name, pointer, to).map(drop)
}

fn taken_up(name: &str, pointer: &str, to: Value) -> Result<Execution, RestoreError> {
    let sample = sample(name);
    let mut save = serde_json::to_value(sample.save()).expect("a save can be written");
    let place = save.pointer_mut(pointer);
    *place.unwrap_or_else(|| panic!("{name} has no {pointer}")) = to;
    let saved: SavedExecution = serde_json::from_str(&save.to_string()).expect("it can be read");
    match sample.tokens {
        true => saved.restore_with_tokens(sample.program(), tokens()),
        false => saved.restore(sample.program()),
    }
}

#[test]
fn an_execution_whose_time_was_changed_can_be_saved_after_a_heartbeat() {
    let earlier = json!([1_704_067_100, 0]);
    let restored = taken_up("waiting_for_a_token", "/machine/now", earlier);
    let mut execution = restored.expect("it holds together");
    let id = execution.pending().next().expect("its task").effect.id();
    let now = execution.now();
    let _step = execution.step(now, Some(Input::TaskHeartbeat { id }));
    let program = sample("waiting_for_a_token").program();
    let saved = execution.save().restore_with_tokens(program, tokens());
    assert!(saved.is_ok(), "{saved:?}");
}

/// Changes of samples, each with what is said of it.
#[track_caller]
fn assert_damaged(changes: &[(&str, &str, Value, &str)]) {
    let said =
        changes.iter().map(
            |(name, pointer, to, _)| match changed(name, pointer, to.clone()) {
                Err(RestoreError::Damaged(said)) => said,
                other => format!("{other:?}"),
            },
        );
    let said: Vec<String> = said.collect();
    let expected: Vec<&str> = changes.iter().map(|(.., expected)| *expected).collect();
    assert_eq!(said, expected);
}

#[test]
fn indexes_and_names_are_held_against_what_is_there() {
    let flow = "/machine/flows/0/flow";
    let at = |part: &str| format!("{flow}/{part}");
    assert_damaged(&[
        (
            "retrying",
            &at("state"),
            json!(1),
            "flows[0]/state: expected one of 1 states, found 1",
        ),
        (
            "retrying",
            &at("input"),
            json!(7),
            "flows[0]/input: expected an index of one of 1 values, found 7",
        ),
        (
            "retrying",
            &at("last_event"),
            json!(9_999),
            "flows[0]/last_event: expected at most 8, the number of events, found 9999",
        ),
        (
            "map_half_way",
            &at("state"),
            json!(1),
            "flows[0]/state: expected a state of scope 0, found one of scope 1",
        ),
        (
            "retrying",
            &at("retrier_counts"),
            json!([1]),
            "flows[0]/retrier_counts: expected none, or one for each of 2 retriers, found 1",
        ),
        (
            "map_half_way",
            "/machine/ready",
            json!([[9, 0]]),
            "ready: expected flows of places that are there, found others",
        ),
        (
            "one_state",
            "/machine/start/at/state",
            json!(2),
            "start/at/state: expected one of 2 states, found 2",
        ),
        (
            "child",
            "/machine/item/scope",
            json!(2),
            "item/scope: expected one of 2 scopes, found 2",
        ),
    ]);
}

#[test]
fn a_phase_belongs_to_a_type_of_state() {
    let phase = "/machine/flows/0/flow/phase";
    let asked = json!({"effect": 0, "payload": 0, "credentials": null, "timeout": null, "heartbeat": null, "progress": "asked"});
    assert_damaged(&[
        (
            "retrying",
            phase,
            json!({"waiting": {"at": [0, 0], "number": 0}}),
            "flows[0]/phase: expected a Wait State, found Task State Ask",
        ),
        (
            "retrying",
            phase,
            json!({"children": {"parallel": {"outputs": []}}}),
            "flows[0]/phase/parallel: expected a Parallel State, found Task State Ask",
        ),
        (
            "map_half_way",
            phase,
            json!({"task": asked}),
            "flows[0]/phase/task: expected a Task State, found Map State Map",
        ),
        (
            "waiting_for_a_token",
            "/machine/flows/0/flow/phase/task/progress",
            json!("started"),
            "flows[0]/phase/task/progress: expected progress that its resource makes, found another",
        ),
    ]);
}

#[test]
fn timers_and_effects_are_those_of_phases_and_each_is_there_once() {
    let phase = "/machine/flows/0/flow/phase";
    let other = "/machine/flows/2/flow/phase/task/effect";
    assert_damaged(&[
        (
            "retrying",
            "/machine/flows/0/flow/phase/retrying/number",
            json!(5),
            "flows[0]/phase: expected a timer numbered below 2, found 5",
        ),
        (
            "map_half_way",
            other,
            json!(4),
            "flows[2]/phase/task: effect 4 is there twice",
        ),
        (
            "map_half_way",
            other,
            json!(99),
            "flows[2]/phase/task/effect: expected an effect below 5, found 99",
        ),
        (
            "running",
            &format!("{phase}/children/map_run/stage/running/running/0/effect"),
            json!(99),
            "flows[0]/phase/map_run/stage/running/effect: expected an effect below 4, found 99",
        ),
        (
            "retrying",
            "/machine/timeout",
            json!({"at": [0, 0], "number": 0}),
            "timeout: expected none, found a timer",
        ),
    ]);
}

#[test]
fn flows_are_held_against_each_other() {
    let owner = "/machine/flows/3/flow/owner";
    assert_damaged(&[
        (
            "redriven",
            &format!("{owner}/flow"),
            json!([0, 9]),
            "flows[3]: its owner, flow 0 (generation 9), is not there",
        ),
        (
            "redriven",
            owner,
            Value::Null,
            "flows[3]/state: expected a state of scope 0, found one of scope 3",
        ),
        (
            "redriven",
            "/machine/flows/0/flow/owner",
            json!({"flow": [0, 0], "index": 0}),
            "flows[0]/state: expected a state of scope 1, found one of scope 0",
        ),
        (
            "redriven",
            &format!("{owner}/index"),
            json!(7),
            "flows[3]: its owner is in state All, which has no branch or iteration 7",
        ),
        (
            "redriven",
            "/machine/free",
            json!([1]),
            "free: expected the places without a flow, found others",
        ),
        (
            "redriven",
            "/machine/flows/0/flow/phase/children/parallel/outputs/1",
            Value::Null,
            "flows[0]/phase/parallel/outputs[1]: expected a flow or an output, found neither",
        ),
        (
            "redriven",
            "/machine/flows/0/flow/phase",
            json!("attempting"),
            "flows[0]/phase: expected in the ready queue, since it can go on, found not there",
        ),
        (
            "failed",
            "/machine/flows/0/flow/phase",
            json!({"interrupted": "attempt"}),
            "flows: flow 1 (generation 0) belongs to flow 0 (generation 0), whose state has no branches or iterations under way",
        ),
        (
            "failed",
            "/machine/flows/1/flow/phase",
            json!("attempting"),
            "flows[1]/phase: expected an interrupted flow, found one that is not",
        ),
        (
            "map_half_way",
            "/machine/flows/1/flow/phase",
            json!({"interrupted": "attempt"}),
            "flows[1]/phase: expected one that is not, found an interrupted flow",
        ),
        (
            "map_half_way",
            "/machine/flows/1/flow/phase",
            json!("attempting"),
            "flows[1]/phase: expected in the ready queue, since it can go on, found not there",
        ),
    ]);
}

#[test]
fn lengths_and_counts_are_held_against_what_they_count() {
    let map = "/machine/flows/0/flow/phase/children/map";
    let run = "/machine/flows/0/flow/phase/children/map_run/stage/running";
    assert_damaged(&[
        (
            "map_half_way",
            &format!("{map}/outputs"),
            json!([null, null, null, null, null, null, null]),
            "flows[0]/phase/map/outputs: expected at most 6, found 7",
        ),
        (
            "map_half_way",
            &format!("{map}/outputs"),
            json!([null]),
            "flows[0]/phase/map: expected flows of the 1 iterations that began, found one of iteration 2",
        ),
        (
            "map_half_way",
            &format!("{map}/request/items/steps"),
            json!([{"field": "rows"}, {"element": 3}]),
            "flows[0]/phase/map/request/items/steps: expected steps to an array, found another value, or none",
        ),
        (
            "map_half_way",
            &format!("{map}/request/tolerated_failure"),
            Value::Null,
            "flows[0]/phase/map: expected no failure, found 1",
        ),
        (
            "running",
            &format!("{run}/batches/0/item_count"),
            json!(u64::MAX),
            "flows[0]/phase/map_run/stage/batches: expected 7 items in all, found 18446744073709551615",
        ),
        (
            "running",
            &format!("{run}/results/0/outcome"),
            Value::Null,
            "flows[0]/phase/map_run/stage/results[0]: expected a child that runs, is to begin again or has ended, found neither or both",
        ),
        (
            "running",
            &format!("{run}/again"),
            json!([1]),
            "flows[0]/phase/map_run/stage/results[1]: expected a child that runs, is to begin again or has ended, found neither or both",
        ),
        (
            "retrying",
            "/machine/events",
            json!(u64::MAX),
            "events: expected at most 1152921504606846976, found 18446744073709551615",
        ),
        (
            "retrying",
            "/machine/budget",
            json!(10_001),
            "budget: expected at most 10000, what a turn may cost, found 10001",
        ),
        (
            "retrying",
            "/machine/redrive_count",
            json!(1),
            "redriven_at: expected the moment of the last redrive where there was one, found the opposite",
        ),
        (
            "retrying",
            "/machine/outcome",
            json!("timed_out"),
            "flows[0]/phase: expected an interrupted flow, found one that is not",
        ),
    ]);
}

#[test]
fn data_is_json_no_deeper_than_it_may_be() {
    let deep = format!("{}1{}", "[".repeat(3_000), "]".repeat(3_000));
    assert_damaged(&[
        (
            "retrying",
            "/machine/values/0",
            json!(deep),
            "values[0]: nested deeper than the limit of 2000 levels at line 1 column 2001",
        ),
        (
            "retrying",
            "/machine/values/0",
            json!("{"),
            "values[0]: expected a field name in double quotes, found the end of the text at line 1 column 2",
        ),
        (
            "unpolled",
            "/machine/start/context",
            json!("[]"),
            "start/context: expected an object, found another value",
        ),
    ]);
}
