//! Parallel States (2022 specification, Parallel State).
use crate::case::{fail, never, ok, parallel};
use asl_engine::ErrorOutput;
use serde_json::{Value, json};

fn task() -> Value {
    json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true})
}

fn branch(name: &str, state: Value) -> Value {
    json!({"StartAt": name, "States": {name: state}})
}

fn task_branch(name: &str) -> Value {
    branch(name, task())
}

#[test]
fn the_outputs_are_in_the_order_of_the_branches() {
    let run = parallel(
        json!([task_branch("A"), task_branch("B"), task_branch("C")]),
        json!({}),
    )
    .task("A", ok(json!("a")).after(3))
    .task("B", ok(json!("b")).after(1))
    .task("C", ok(json!("c")).after(2))
    .run()
    .succeeds(json!(["a", "b", "c"]));
    assert_eq!(
        run.trace,
        ["0 invoke A", "0 invoke B", "0 invoke C", "3 done SUCCEEDED"]
    );
}

#[test]
fn every_branch_has_the_input_to_itself() {
    let write = |name: &str, value: i64| {
        branch(
            name,
            json!({"Type": "Pass", "Result": value, "ResultPath": "$.x", "End": true}),
        )
    };
    parallel(json!([write("A", 1), write("B", 2)]), json!({}))
        .input(json!({"a": [1]}))
        .run()
        .succeeds(json!([{"a": [1], "x": 1}, {"a": [1], "x": 2}]));
}

#[test]
fn parameters_are_evaluated_once_for_all_branches() {
    let pass = |name: &str| branch(name, json!({"Type": "Pass", "End": true}));
    let run = parallel(
        json!([pass("A"), pass("B")]),
        json!({"Parameters": {"id.$": "States.UUID()"}}),
    )
    .run();
    let output = run.output();
    assert_eq!(output[0], output[1]);
}

#[test]
fn a_failing_branch_cancels_the_others() {
    let retrying = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true,
        "Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 60}]});
    let branches = json!([
        task_branch("A"),
        task_branch("B"),
        branch("W", json!({"Type": "Wait", "Seconds": 60, "End": true})),
        branch("R", retrying),
    ]);
    let run = parallel(branches, json!({}))
        .task("A", never())
        .task("B", fail("F", "because").after(2))
        .task("R", fail("E", ""))
        .run();
    let expected = [
        "0 invoke A",
        "0 invoke B",
        "0 invoke R",
        "2 cancel A",
        "2 done FAILED",
    ];
    assert_eq!(run.trace, expected);
    run.fails("F", "because");
}

#[test]
fn the_answer_of_a_cancelled_task_is_ignored() {
    let catch = json!([{"ErrorEquals": ["E"], "Next": "After"}]);
    parallel(
        json!([task_branch("A"), task_branch("B")]),
        json!({"Catch": catch}),
    )
    .state("After", json!({"Type": "Wait", "Seconds": 10, "End": true}))
    .task("A", ok(json!("late")).after(5))
    .task("B", fail("E", "x"))
    .run()
    .succeeds(json!({"Error": "E", "Cause": "x"}));
}

#[test]
fn a_retried_parallel_state_runs_all_its_branches_again() {
    let retry = json!([{"ErrorEquals": ["E"], "IntervalSeconds": 4}]);
    let run = parallel(
        json!([task_branch("A"), task_branch("B")]),
        json!({"Retry": retry}),
    )
    .input(json!({"i": 1}))
    .task("A", ok(json!(1)))
    .task("B", fail("E", "").after(1))
    .task("A", ok(json!(2)))
    .task("B", ok(json!(3)))
    .run()
    .succeeds(json!([2, 3]));
    assert_eq!(run.invoked_at("A"), [0.0, 5.0]);
    assert_eq!(run.payloads("A"), [json!({"i": 1}), json!({"i": 1})]);
}

#[test]
fn errors_within_a_branch_may_be_caught_there() {
    let handled = json!({"StartAt": "A", "States": {
        "A": {"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true,
              "Catch": [{"ErrorEquals": ["E"], "Next": "Handled"}]},
        "Handled": {"Type": "Pass", "Result": "handled", "End": true}}});
    parallel(json!([handled]), json!({}))
        .task("A", fail("E", ""))
        .run()
        .succeeds(json!(["handled"]));
}

#[test]
fn a_runtime_error_of_a_branch_is_not_caught_outside() {
    let broken = branch(
        "P",
        json!({"Type": "Pass", "InputPath": "$.gone", "End": true}),
    );
    let catch = json!([{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]);
    parallel(json!([broken]), json!({"Catch": catch}))
        .caught_by("Caught")
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn no_choice_matched_in_a_branch_is_caught_outside_where_the_specification_holds() {
    let choice = json!({"StartAt": "C", "States": {
        "C": {"Type": "Choice", "Choices": [{"Variable": "$", "IsNull": true, "Next": "S"}]},
        "S": {"Type": "Succeed"}}});
    let catch =
        json!([{"ErrorEquals": ["States.NoChoiceMatched"], "Next": "Caught", "ResultPath": null}]);
    parallel(json!([choice]), json!({"Catch": catch}))
        .caught_by("Caught")
        .input(json!(1))
        .profile(asl_model::Profile::Spec)
        .run()
        .succeeds(json!(1));
}

#[test]
fn parallel_states_nest_and_a_failure_cancels_through_all_levels() {
    let inner =
        json!({"Type": "Parallel", "Branches": [task_branch("A"), task_branch("B")], "End": true});
    let outer = json!([branch("Inner", inner), task_branch("C")]);
    let case = || parallel(outer.clone(), json!({}));
    case()
        .task("A", ok(json!(1)))
        .task("B", ok(json!(2)))
        .task("C", ok(json!(3)))
        .run()
        .succeeds(json!([[1, 2], 3]));
    let run = case()
        .task("A", never())
        .task("B", never())
        .task("C", fail("E", "").after(1))
        .run();
    let mut cancelled: Vec<&str> = run
        .trace
        .iter()
        .filter_map(|line| line.strip_prefix("1 cancel "))
        .collect();
    cancelled.sort_unstable();
    assert_eq!(cancelled, ["A", "B"]);
}

#[test]
fn a_fail_state_in_an_inner_branch_may_be_caught_by_the_outer_state() {
    let inner = json!({"Type": "Parallel", "Branches": [branch("F", json!({"Type": "Fail", "Error": "E"})), task_branch("A")], "End": true});
    let catch = json!([{"ErrorEquals": ["E"], "Next": "Caught"}]);
    parallel(
        json!([branch("Inner", inner), task_branch("B")]),
        json!({"Catch": catch}),
    )
    .caught_by("Caught")
    .task("B", never())
    .run()
    .succeeds(json!({"Error": "E", "Cause": null}));
}

#[test]
fn a_branch_may_end_at_once() {
    let pass = |name: &str| branch(name, json!({"Type": "Pass", "Result": name, "End": true}));
    parallel(json!([pass("A"), task_branch("B"), pass("C")]), json!({}))
        .task("B", ok(json!("B")).after(1))
        .run()
        .succeeds(json!(["A", "B", "C"]));
}

#[test]
fn a_stop_cancels_all_branches_in_the_order_in_which_they_began() {
    let run = parallel(json!([task_branch("A"), task_branch("B")]), json!({}))
        .task("A", never())
        .task("B", never())
        .at(1, asl_engine::Input::Stop(ErrorOutput::default()))
        .run();
    assert_eq!(
        run.trace[2..],
        ["1 cancel A", "1 cancel B", "1 done ABORTED"]
    );
}
