//! Retry (2022 specification, Retrying after error; MaxDelaySeconds and JitterStrategy as the service has them).
use crate::case::{Answer, Case, Run, fail, never, ok};
use asl_engine::ErrorOutput;
use asl_model::{Profile, Timestamp};
use serde_json::{Value, json};

fn task(retriers: Value) -> Case {
    Case::of_state(
        json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "Retry": retriers}),
    )
}

fn run(retriers: Value, answers: &[Answer]) -> Run {
    answered(retriers, answers).run()
}

/// Runs a case by the specification, in which no time limit ends an execution.
fn run_for_ever(retriers: Value, answers: &[Answer]) -> Run {
    answered(retriers, answers).profile(Profile::Spec).run()
}

fn answered(retriers: Value, answers: &[Answer]) -> Case {
    let case = task(retriers);
    answers
        .iter()
        .fold(case, |case, answer| case.task("State", answer.clone()))
}

fn failures(number: usize) -> Vec<Answer> {
    vec![fail("E", ""); number]
}

#[test]
fn a_retrier_by_default_waits_one_second_doubles_it_and_tries_three_times() {
    let run = run(json!([{"ErrorEquals": ["E"]}]), &failures(4)).fails_with("E");
    assert_eq!(run.invoked_at("State"), [0.0, 1.0, 3.0, 7.0]);
    let counts: Vec<u64> = run.invocations.iter().map(|(_, i)| i.retry_count).collect();
    assert_eq!(counts, [0, 1, 2, 3]);
}

#[test]
fn a_retry_that_succeeds_ends_the_trouble() {
    let answers = [fail("E", ""), ok(json!(1))];
    run(json!([{"ErrorEquals": ["E"]}]), &answers).succeeds(json!(1));
}

#[test]
fn intervals_grow_by_the_backoff_rate_up_to_the_largest_delay() {
    let retrier = json!([{"ErrorEquals": ["E"], "IntervalSeconds": 3, "BackoffRate": 1.5, "MaxAttempts": 4, "MaxDelaySeconds": 5}]);
    let run = run(retrier, &failures(5));
    assert_eq!(run.invoked_at("State"), [0.0, 3.0, 7.5, 12.5, 17.5]);
}

#[test]
fn a_retrier_with_no_attempts_never_retries() {
    let retriers =
        json!([{"ErrorEquals": ["E"], "MaxAttempts": 0}, {"ErrorEquals": ["States.ALL"]}]);
    let run = run(retriers, &failures(1)).fails_with("E");
    assert_eq!(run.seconds, 0.0);
}

#[test]
fn an_error_that_no_retrier_names_is_not_retried() {
    run(json!([{"ErrorEquals": ["Other"]}]), &failures(1)).fails_with("E");
}

#[test]
fn the_first_retrier_that_names_the_error_counts() {
    let retriers = json!([
        {"ErrorEquals": ["A"], "IntervalSeconds": 10, "MaxAttempts": 1},
        {"ErrorEquals": ["B", "C"], "IntervalSeconds": 20, "MaxAttempts": 2, "BackoffRate": 1},
        {"ErrorEquals": ["States.ALL"], "IntervalSeconds": 1},
    ]);
    let answers = ["B", "A", "D", "C", "A"].map(|error| fail(error, ""));
    let run = run(retriers, &answers).fails_with("A");
    // Each retrier counts its own attempts: the interval of the second did not grow, A's one attempt is used up.
    assert_eq!(run.invoked_at("State"), [0.0, 20.0, 30.0, 31.0, 51.0]);
}

#[test]
fn retriers_start_anew_when_the_state_is_left() {
    let case = Case::new(json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F",
              "Retry": [{"ErrorEquals": ["E"], "MaxAttempts": 1}], "Next": "More"},
        "More": {"Type": "Choice", "Choices": [{"Variable": "$", "BooleanEquals": true, "Next": "T"}], "Default": "End"},
        "End": {"Type": "Succeed"},
    }}));
    let answers = [
        fail("E", ""),
        ok(json!(true)),
        fail("E", ""),
        ok(json!(false)),
    ];
    let run = answers
        .into_iter()
        .fold(case, |case, answer| case.task("T", answer))
        .run();
    assert_eq!(run.invoked_at("T"), [0.0, 1.0, 1.0, 2.0]);
    let counts: Vec<u64> = run.invocations.iter().map(|(_, i)| i.retry_count).collect();
    assert_eq!(counts, [0, 1, 0, 1]);
}

#[test]
fn full_jitter_draws_below_the_interval_by_the_seed() {
    let retrier = json!([{"ErrorEquals": ["E"], "IntervalSeconds": 8, "BackoffRate": 1, "MaxAttempts": 20, "JitterStrategy": "FULL"}]);
    let times = |seed| {
        let case = task(retrier.clone()).starting(|start| start.seed = Some(seed));
        let case = failures(21)
            .into_iter()
            .fold(case, |case, answer| case.task("State", answer));
        case.run().invoked_at("State")
    };
    let first = times(1);
    let delays: Vec<f64> = first.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(
        delays.iter().all(|delay| (0.0..8.0).contains(delay)),
        "{delays:?}"
    );
    assert!(
        delays.iter().any(|delay| *delay > 4.0) && delays.iter().any(|delay| *delay < 4.0),
        "{delays:?}"
    );
    assert_eq!(first, times(1));
    assert_ne!(first, times(2));
}

#[test]
fn a_retried_task_gets_the_same_input_again() {
    let run = task(json!([{"ErrorEquals": ["E"]}]))
        .input(json!({"a": 1}))
        .task("State", fail("E", ""))
        .task("State", ok(json!(2)))
        .run();
    assert_eq!(run.payloads("State"), [json!({"a": 1}), json!({"a": 1})]);
}

#[test]
fn a_timeout_is_retried_with_a_whole_timeout() {
    let retry = json!([{"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 2}]);
    let state = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F",
        "TimeoutSeconds": 10, "Retry": retry});
    let run = Case::of_state(state)
        .task("State", never())
        .task("State", ok(json!(1)).after(9))
        .run()
        .succeeds(json!(1));
    assert_eq!(run.invoked_at("State"), [0.0, 12.0]);
}

#[test]
fn a_runtime_error_is_not_retried() {
    run(
        json!([{"ErrorEquals": ["States.ALL"]}]),
        &[fail("States.Runtime", "")],
    )
    .fails_with("States.Runtime");
}

#[test]
fn a_failed_result_processing_is_retried() {
    let state = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F",
        "ResultPath": "$.a", "Retry": [{"ErrorEquals": ["States.ResultPathMatchFailure"], "MaxAttempts": 1}]});
    let run = Case::of_state(state)
        .input(json!([]))
        .task("State", ok(json!(1)))
        .task("State", ok(json!(1)))
        .run()
        .fails_with("States.ResultPathMatchFailure");
    assert_eq!(run.invoked_at("State"), [0.0, 1.0]);
}

#[test]
fn retries_wait_beyond_the_year_2262() {
    let case = task(json!([{"ErrorEquals": ["E"], "IntervalSeconds": 5}]));
    let now = Timestamp::parse("9999-12-31T00:00:00Z").expect("a timestamp");
    let mut start = case.start();
    start.now = now;
    let mut execution = asl_engine::Execution::start(case.program(), start);
    let mut last = None;
    while !matches!(last, Some(asl_engine::Output::Wait { .. })) {
        last = Some(execution.poll_output());
    }
    let failed = asl_engine::Input::TaskFailed {
        id: asl_engine::EffectId(0),
        error_output: ErrorOutput::without_cause("E"),
    };
    execution.handle_input(now, failed);
    loop {
        match execution.poll_output() {
            asl_engine::Output::Wait { until } => {
                break assert_eq!(until, Some(now.plus_seconds(5)));
            }
            asl_engine::Output::Event(_) => {}
            other => panic!("it should wait: {other:?}"),
        }
    }
}

/// A task that always fails, with the default backoff, and so often that the delays reach beyond the year 10000.
#[test]
fn forty_delays_that_double_take_their_time() {
    let run = run_for_ever(
        json!([{"ErrorEquals": ["E"], "MaxAttempts": 40}]),
        &failures(41),
    )
    .fails_with("E");
    assert_eq!(run.seconds, ((1_u64 << 40) - 1) as f64);
}

#[test]
fn a_delay_that_would_never_end_fails_the_state() {
    for (rate, failed) in [(1e300, 2), (2.0, 17)] {
        let retriers = json!([{"ErrorEquals": ["E"], "IntervalSeconds": 99_999_999, "BackoffRate": rate, "MaxAttempts": 60}]);
        let cause = "An error occurred while executing the state 'State' (entered at the event id #2). the delay before the \
            next attempt is too long: it would end after +262142-12-31T23:59:59.999Z";
        run_for_ever(retriers, &failures(failed)).fails("States.Runtime", cause);
    }
}
