//! Answers of mocks, and their conditions.
mod common;

use asl_test::{Answer, Case, Expectations, Predicate};
use common::*;
use serde_json::{Value, json};

fn output(output: Value) -> Expectations {
    Expectations::default().with_output(output)
}

fn each_of(mode: &str, items: Value) -> Case {
    case(each(mode)).input(json!({"items": items}))
}

#[test]
fn one_answer_is_given_each_time_and_several_once_each() {
    let each = each_of("INLINE", json!([1, 2, 3]));
    let always = each.clone().mock("Charge", [Answer::returns("ok")]);
    passes(&always.expect(output(json!(["ok", "ok", "ok"]))));
    let answers = [Answer::returns("a").times(2), Answer::returns("b")];
    passes(
        &each
            .mock("Charge", answers)
            .expect(output(json!(["a", "a", "b"]))),
    );
}

#[test]
fn a_retry_takes_the_next_answer_by_a_clock_that_needs_no_time() {
    let year = 365 * 24 * 3600 - 1;
    let machine = charge(json!({"Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": year}]}));
    let answers = [Answer::throws("Busy", "later"), Answer::returns(1)];
    let run = passes(&case(machine).mock("Charge", answers));
    assert_eq!(run.duration().as_secs(), year);
    assert_eq!(run.calls[1].retry_count, 1);
}

#[test]
fn answers_are_chosen_by_item_by_attempt_and_by_payload() {
    for mode in ["INLINE", "DISTRIBUTED"] {
        let answers = [
            Answer::returns("second").for_item(1),
            Answer::returns("dear").when(Predicate::parse("$[?(@ > 100)]").unwrap()),
            Answer::returns("first").at_attempt(0),
        ];
        let case = each_of(mode, json!([1, 2, [300]])).mock("Charge", answers);
        passes(&case.expect(output(json!(["first", "second", "dear"]))));
    }
}

#[test]
fn each_iteration_counts_its_own_attempts() {
    let mut machine = each("INLINE");
    machine["States"]["Each"]["ItemProcessor"]["States"]["Charge"]["Retry"] =
        json!([{"ErrorEquals": ["Busy"], "IntervalSeconds": 1}]);
    let answers = [
        Answer::throws("Busy", "at first").at_attempt(0),
        Answer::returns("ok").at_attempt(1),
    ];
    let case = case(machine)
        .input(json!({"items": [1, 2]}))
        .mock("Charge", answers);
    passes(&case.expect(output(json!(["ok", "ok"]))));
}

#[test]
fn a_map_that_runs_out_of_answers_fails_the_item_and_says_which() {
    for mode in ["INLINE", "DISTRIBUTED"] {
        let mut machine = each(mode);
        machine["States"]["Each"]["ToleratedFailurePercentage"] = json!(100);
        machine["States"]["Each"]["ItemProcessor"]["States"]["Charge"]["Catch"] =
            json!([{"ErrorEquals": ["States.Runtime"], "Next": "Charge"}]);
        if mode == "INLINE" {
            let each = machine["States"]["Each"].as_object_mut().unwrap();
            each.remove("ToleratedFailurePercentage");
            each.insert(
                "Catch".to_owned(),
                json!([{"ErrorEquals": ["States.ALL"], "Next": "Done"}]),
            );
            machine["States"]["Done"] = json!({"Type": "Succeed"});
        }
        let answers = [Answer::returns(1), Answer::returns(2)];
        let case = case(machine)
            .input(json!({"items": [1, 2, 3]}))
            .mock("Charge", answers);
        let report = case.run();
        assert_eq!(
            told(&report),
            [
                "mocks: the mock `Charge` has 2 answers, and none for call 0 of state `Charge`, item 2 of `Each`: add one, or a default"
            ],
            "{mode}"
        );
        assert_eq!(report.run.unwrap().outcome.status(), "SUCCEEDED");
    }
}

#[test]
fn out_of_a_map_a_gap_ends_the_execution_past_every_catch() {
    let machine = json!({"StartAt": "Charge", "States": {
        "Charge": {"Type": "Task", "Resource": FUNCTION, "Next": "Charge again",
            "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Done"}]},
        "Charge again": {"Type": "Task", "Resource": "other", "End": true,
            "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Done"}]},
        "Done": {"Type": "Succeed"}}});
    let report = case(machine).mock("Charge", [Answer::returns(1)]).run();
    assert_eq!(report.run.as_ref().unwrap().outcome.status(), "FAILED");
    assert_eq!(
        told(&report)[0],
        "mocks: the task of state `Charge again` (other) has no mock: add `Charge again` to the mocks"
    );
}

#[test]
fn what_never_answers_times_out_and_what_is_slow_misses_its_heartbeat() {
    let within = |fields: Value, answer: Answer| {
        let report = case(charge(fields)).mock("Charge", [answer]).run();
        let run = report.run.unwrap();
        let failure = run.outcome.failure().unwrap();
        (failure.error.unwrap_or_default(), run.duration().as_secs())
    };
    let timeout = json!({"TimeoutSeconds": 86_400});
    assert_eq!(
        within(timeout.clone(), Answer::never()),
        ("States.Timeout".to_owned(), 86_400)
    );
    let beats = json!({"TimeoutSeconds": 86_400, "HeartbeatSeconds": 60});
    let slow = Answer::returns(1).after_seconds(61.0);
    assert_eq!(
        within(beats, slow.clone()),
        ("States.Timeout".to_owned(), 60)
    );
    let run = passes(&case(charge(timeout)).mock("Charge", [slow]));
    assert_eq!(run.duration().as_secs(), 61);
    let run = case(charge(json!({})))
        .mock("Charge", [Answer::never()])
        .run()
        .run
        .unwrap();
    assert_eq!(run.outcome.status(), "TIMED_OUT", "after a year");
}

#[test]
fn a_mock_stands_for_a_state_a_path_a_resource_or_a_function() {
    let invoke = json!({"StartAt": "Charge", "States": {"Charge": {"Type": "Task", "End": true,
        "Resource": "arn:aws:states:::lambda:invoke", "OutputPath": "$.Payload",
        "Parameters": {"FunctionName": "charge", "Payload": {"n": 1}}}}});
    let answer = || [Answer::returns(2).when(Predicate::parse("{% n = 1 %}").unwrap())];
    passes(
        &case(invoke)
            .mock("charge", answer())
            .expect(output(json!(2))),
    );
    for target in [
        "Charge",
        "Each/Charge",
        "charge",
        FUNCTION,
        "arn:aws:lambda:*",
    ] {
        let each = each_of("INLINE", json!([1])).mock(target, [Answer::returns(2)]);
        passes(&each.expect(output(json!([2]))));
    }
    let refused = |target: &str| {
        told(
            &each_of("INLINE", json!([]))
                .mock(target, [Answer::returns(2)])
                .run(),
        )
    };
    assert_eq!(
        refused("Each"),
        ["mocks: `Each` is not a Task state, and needs no mock"]
    );
    assert_eq!(
        refused("Chrage"),
        [
            "mocks: `Chrage` is neither a Task State of StateMachine nor the resource of one; did you mean `Charge`?"
        ]
    );
}

#[cfg(all(unix, feature = "exec"))]
#[test]
fn a_command_may_answer() {
    let machine = charge(json!({}));
    let good = Answer::by("exec:sh -c 'cat; exit 0'");
    passes(
        &case(machine.clone())
            .input(json!({"n": 1}))
            .mock("Charge", [good])
            .expect(output(json!({"n": 1}))),
    );
    let none = told(&case(machine).mock("Charge", [Answer::by("exec:")]).run());
    assert_eq!(none, ["mocks: exec:: it has no command"]);
}

#[cfg(all(unix, feature = "exec"))]
#[test]
fn commands_of_a_case_have_a_folder_of_their_own() {
    let counting = Answer::by(r#"exec:sh -c "touch $TMPDIR/seen && ls $TMPDIR | wc -l""#);
    let naming = Answer::by(r#"exec:sh -c 'printf %s "\"$TMPDIR\""'"#);
    let case = case(charge(json!({})));
    let counting = case.clone().mock("Charge", [counting]);
    passes(&counting.clone().expect(output(json!(1))));
    passes(&counting.expect(output(json!(1))));
    let run = passes(&case.mock("Charge", [naming]));
    let path = run.outcome.output().unwrap().as_str().unwrap().to_owned();
    assert!(path.contains("asl-test-"), "{path}");
    assert!(!std::path::Path::new(&path).exists(), "{path} is removed");
}

#[tokio::test]
async fn a_case_runs_where_tokio_runs_already() {
    passes(&case(charge(json!({}))).mock("Charge", [Answer::returns(1)]));
}
