//! Task States: invocations and their answers, timeouts, heartbeats, tokens (2022 specification, Task State).
use crate::case::{Case, fail, fail_without_name, never, ok, with_fields};
use asl_engine::{EffectId, ErrorOutput, Identity, Input, Outcome};
use asl_model::Profile;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

const FUNCTION: &str = "arn:aws:lambda:us-east-1:111111111111:function:F";
const ACTIVITY: &str = "arn:aws:states:us-east-1:111111111111:activity:A";
const CALLBACK: &str = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";

fn task(resource: &str, fields: Value) -> Case {
    let state = with_fields(json!({"Type": "Task", "Resource": resource}), &fields);
    Case::of_state(state)
}

#[test]
fn a_tasks_output_is_the_states() {
    let run = task(FUNCTION, json!({}))
        .input(json!({"a": 1}))
        .task("State", ok(json!({"b": 2})).after(3))
        .run()
        .succeeds(json!({"b": 2}));
    assert_eq!(run.trace, ["0 invoke State", "3 done SUCCEEDED"]);
    let (_, invocation) = &run.invocations[0];
    assert_eq!(invocation.resource.uri, FUNCTION);
    assert_eq!(*invocation.payload, json!({"a": 1}));
    assert_eq!(invocation.retry_count, 0);
    assert_eq!(
        (invocation.timeout_seconds, invocation.deadline),
        (None, None)
    );
}

/// Recorded: nothing is scheduled, and no catcher applies.
#[test]
fn a_task_of_an_absent_activity_fails_the_execution() {
    let catch = json!([{"ErrorEquals": ["States.ALL"], "Next": "State"}]);
    let run = task(ACTIVITY, json!({"Catch": catch}))
        .starting(|start| start.absent_activities = vec!["other".into(), ACTIVITY.into()])
        .run();
    let expected = [
        "1 <- 0 ExecutionStarted",
        "2 <- 0 TaskStateEntered",
        "3 <- 2 ExecutionFailed",
    ];
    assert_eq!(run.history(), expected);
    let cause = format!(
        "An error occurred while executing the state 'State' (entered at the event id #2). The activity {ACTIVITY} does not exist."
    );
    run.fails("States.Runtime", &cause);
}

#[test]
fn a_tasks_error_is_the_executions() {
    task(FUNCTION, json!({}))
        .task("State", fail("E", "because"))
        .run()
        .fails("E", "because");
}

#[test]
fn a_task_may_fail_without_error_and_cause() {
    let run = task(FUNCTION, json!({}))
        .task("State", fail_without_name())
        .run();
    let neither = Outcome::Failed(ErrorOutput::default());
    assert_eq!(run.outcome, Some(neither));
}

#[test]
fn a_task_that_takes_too_long_times_out_and_is_cancelled() {
    let run = task(FUNCTION, json!({"TimeoutSeconds": 10}))
        .task("State", never())
        .run();
    assert_eq!(
        run.trace,
        ["0 invoke State", "10 cancel State", "10 done FAILED"]
    );
    let (_, invocation) = &run.invocations[0];
    assert_eq!(invocation.timeout_seconds, Some(10));
    assert!(invocation.deadline.is_some());
    run.fails_with("States.Timeout");
}

#[test]
fn an_answer_at_the_last_moment_is_too_late() {
    let task = || task(FUNCTION, json!({"TimeoutSeconds": 10}));
    task()
        .task("State", ok(json!(1)).after(9))
        .run()
        .succeeds(json!(1));
    task()
        .task("State", ok(json!(1)).after(10))
        .run()
        .fails_with("States.Timeout");
}

#[test]
fn timeouts_may_come_from_the_input() {
    let run = task(
        CALLBACK,
        json!({"TimeoutSecondsPath": "$.t", "HeartbeatSecondsPath": "$.h"}),
    )
    .input(json!({"t": 30, "h": 20}))
    .task("State", never())
    .run();
    let (_, invocation) = &run.invocations[0];
    assert_eq!(
        (invocation.timeout_seconds, invocation.heartbeat_seconds),
        (Some(30), Some(20))
    );
    assert_eq!(run.seconds, 20.0);
}

#[test]
fn a_timeout_from_the_input_must_be_a_whole_number_above_zero() {
    for timeout in [json!(0), json!(-1), json!("1s"), json!(1.5), Value::Null] {
        task(FUNCTION, json!({"TimeoutSecondsPath": "$.t"}))
            .input(json!({"t": timeout}))
            .run()
            .fails_with("States.Runtime");
    }
    task(FUNCTION, json!({"TimeoutSecondsPath": "$.t"}))
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn a_heartbeat_from_the_input_must_be_smaller_than_the_timeout() {
    task(
        CALLBACK,
        json!({"TimeoutSeconds": 5, "HeartbeatSecondsPath": "$.h"}),
    )
    .input(json!({"h": 5}))
    .run()
    .fails_with("States.Runtime");
}

#[test]
fn a_task_without_timeout_waits_for_ever_on_the_service() {
    let run = task(FUNCTION, json!({}))
        .task("State", ok(json!(1)).after(1_000_000))
        .run();
    run.succeeds(json!(1));
}

#[test]
fn a_task_without_timeout_has_a_minute_by_the_specification() {
    let run = task(FUNCTION, json!({}))
        .profile(Profile::Spec)
        .task("State", never())
        .run();
    assert_eq!(run.seconds, 60.0);
    run.fails_with("States.Timeout");
}

#[test]
fn a_missing_heartbeat_times_the_task_out() {
    let run = task(
        CALLBACK,
        json!({"TimeoutSeconds": 600, "HeartbeatSeconds": 5}),
    )
    .task("State", never())
    .run();
    assert_eq!(
        run.trace,
        ["0 invoke State", "5 cancel State", "5 done FAILED"]
    );
    run.fails_with("States.Timeout");
}

#[test]
fn each_heartbeat_starts_the_interval_anew() {
    let run = task(CALLBACK, json!({"HeartbeatSeconds": 5}))
        .task(
            "State",
            ok(json!(1)).after(17).with_heartbeats(&[4, 8, 9, 13]),
        )
        .run();
    run.succeeds(json!(1));
    let run = task(CALLBACK, json!({"HeartbeatSeconds": 5}))
        .task("State", never().with_heartbeats(&[4, 8]))
        .run();
    assert_eq!(run.seconds, 13.0);
}

#[test]
fn heartbeats_do_not_put_off_the_timeout() {
    let run = task(
        CALLBACK,
        json!({"TimeoutSeconds": 10, "HeartbeatSeconds": 5}),
    )
    .task("State", never().with_heartbeats(&[4, 8]))
    .run();
    assert_eq!(run.seconds, 10.0);
}

#[test]
fn a_timeout_before_the_next_heartbeat_is_due_is_no_missing_heartbeat_even_when_seen_late() {
    let catch = json!([
        {"ErrorEquals": ["States.HeartbeatTimeout"], "Next": "Missed"},
        {"ErrorEquals": ["States.Timeout"], "Next": "TimedOut"},
    ]);
    // The heartbeat at 4 makes the next due at 9, after the deadline at 8; the host comes back at 20.
    let case = task(
        CALLBACK,
        json!({"TimeoutSeconds": 8, "HeartbeatSeconds": 5, "Catch": catch}),
    )
    .state(
        "Missed",
        json!({"Type": "Pass", "Result": "missed", "End": true}),
    )
    .state(
        "TimedOut",
        json!({"Type": "Pass", "Result": "timed out", "End": true}),
    );
    let mut execution = asl_engine::Execution::start(case.program(), case.start());
    let start = crate::case::start_time();
    while !matches!(execution.poll_output(), asl_engine::Output::Wait { .. }) {}
    execution.handle_input(
        start.plus_seconds(4),
        Input::TaskHeartbeat { id: EffectId(0) },
    );
    execution.handle_input(start.plus_seconds(20), Input::TimePassed);
    while !matches!(execution.poll_output(), asl_engine::Output::Done(_)) {}
    let output = Outcome::Succeeded(json!("timed out").into());
    assert_eq!(execution.outcome(), Some(&output));
}

#[test]
fn the_timeouts_of_a_task_that_is_postponed_count_anew() {
    let postponed = || Input::TasksPostponed {
        ids: vec![EffectId(0), EffectId(7)],
    };
    // Of a heartbeat and of a timeout that are both over when the host says so, and would end the task one second later.
    let fields = json!({"TimeoutSeconds": 5, "HeartbeatSeconds": 3});
    let run = task(CALLBACK, fields.clone())
        .task("State", never())
        .at(2, postponed())
        .at(4, postponed())
        .run();
    assert_eq!(run.seconds, 7.0);
    run.fails_with("States.Timeout");
    let case = task(FUNCTION, json!({"TimeoutSeconds": 5}));
    let mut execution = asl_engine::Execution::start(case.program(), case.start());
    let start = crate::case::start_time();
    while !matches!(execution.poll_output(), asl_engine::Output::Wait { .. }) {}
    // The host comes back late, and has not begun the task by then.
    execution.handle_input(start.plus_seconds(20), postponed());
    let wait = execution.poll_output();
    let until = Some(start.plus_seconds(25));
    assert!(matches!(wait, asl_engine::Output::Wait { until: it } if it == until));
    let pending: Vec<_> = execution.pending().collect();
    let asl_engine::Effect::Task(invocation) = &pending[0].effect else {
        panic!("a task");
    };
    assert_eq!(invocation.deadline, until);
    execution.handle_input(start.plus_seconds(25), Input::TimePassed);
    while !matches!(execution.poll_output(), asl_engine::Output::Done(_)) {}
    let failure = execution.outcome().and_then(Outcome::failure);
    assert_eq!(
        failure.and_then(|it| it.error).as_deref(),
        Some("States.Timeout")
    );
}

#[test]
fn a_task_may_report_a_timeout_itself() {
    let run = task(ACTIVITY, json!({}))
        .task("State", fail("States.Timeout", "slow"))
        .run();
    assert_eq!(
        run.events.iter().map(|event| event.event_type()).nth(4),
        Some("ActivityTimedOut")
    );
    run.fails("States.Timeout", "slow");
}

#[test]
fn the_second_answer_to_an_invocation_is_ignored() {
    let answer = ok(json!(1))
        .and_again(0, ok(json!(2)))
        .and_again(1, fail("E", "late"));
    Case::of_state(json!({"Type": "Task", "Resource": FUNCTION, "Next": "Wait"}))
        .state("Wait", json!({"Type": "Wait", "Seconds": 5, "End": true}))
        .task("State", answer)
        .run()
        .succeeds(json!(1));
}

#[test]
fn an_answer_after_the_timeout_is_ignored() {
    let retry = json!([{"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 1}]);
    let run = task(FUNCTION, json!({"TimeoutSeconds": 5, "Retry": retry}))
        .task("State", ok(json!("late")).after(8))
        .task("State", ok(json!("second")).after(4))
        .run()
        .succeeds(json!("second"));
    assert_eq!(run.seconds, 10.0);
}

#[test]
fn answers_to_effects_that_do_not_exist_are_ignored() {
    let id = EffectId(77);
    let result = asl_engine::StorageResult::Written;
    let outcome = Outcome::TimedOut;
    task(FUNCTION, json!({}))
        .task("State", ok(json!(1)).after(5))
        .at(
            1,
            Input::TaskSucceeded {
                id,
                output: json!(0).into(),
            },
        )
        .at(1, Input::TaskHeartbeat { id })
        .at(
            1,
            Input::TaskFailed {
                id,
                error_output: ErrorOutput::default(),
            },
        )
        .at(
            1,
            Input::TaskSubmitted {
                id,
                output: json!(0).into(),
            },
        )
        .at(
            1,
            Input::TaskStarted {
                id,
                worker_name: None,
            },
        )
        .at(1, Input::StorageSucceeded { id, result })
        .at(
            1,
            Input::StorageFailed {
                id,
                cause: String::new(),
            },
        )
        .at(1, Input::ChildExecutionEnded { id, outcome })
        .run()
        .succeeds(json!(1));
}

#[test]
fn answers_of_another_kind_than_a_tasks_are_ignored() {
    let id = EffectId(0);
    let result = asl_engine::StorageResult::Written;
    let outcome = Outcome::Succeeded(json!(0).into());
    task(FUNCTION, json!({}))
        .task("State", ok(json!(1)).after(5))
        .at(1, Input::StorageSucceeded { id, result })
        .at(
            2,
            Input::StorageFailed {
                id,
                cause: String::new(),
            },
        )
        .at(3, Input::ChildExecutionEnded { id, outcome })
        .run()
        .succeeds(json!(1));
}

#[test]
fn time_never_runs_backwards() {
    let case = task(FUNCTION, json!({"TimeoutSeconds": 10}));
    let mut execution = asl_engine::Execution::start(case.program(), case.start());
    let start = crate::case::start_time();
    while !matches!(execution.poll_output(), asl_engine::Output::Wait { .. }) {}
    execution.handle_input(start.plus_seconds(9), Input::TimePassed);
    let id = EffectId(0);
    execution.handle_input(
        asl_model::Timestamp::from_milliseconds(0),
        Input::TaskSucceeded {
            id,
            output: json!(1).into(),
        },
    );
    let mut last = None;
    loop {
        match execution.poll_output() {
            asl_engine::Output::Event(event) => last = Some(event.timestamp),
            asl_engine::Output::Done(_) => break,
            _ => {}
        }
    }
    assert_eq!(last, Some(start.plus_seconds(9)));
}

#[test]
fn credentials_are_evaluated_and_handed_over() {
    let credentials = json!({"RoleArn.$": "$.role"});
    let run = task(FUNCTION, json!({"Credentials": credentials}))
        .input(json!({"role": "arn:aws:iam::222222222222:role/R"}))
        .task("State", ok(json!(1)))
        .run();
    let expected = json!({"RoleArn": "arn:aws:iam::222222222222:role/R"});
    assert_eq!(run.invocations[0].1.credentials, Some(expected));
}

#[test]
fn a_callback_task_finds_its_token_in_the_context_object() {
    let run = task(
        CALLBACK,
        json!({"Parameters": {"token.$": "$$.Task.Token"}}),
    )
    .task("State", ok(json!(1)))
    .run();
    let token = run.invocations[0].1.task_token.clone().expect("a token");
    assert_eq!(run.payloads("State"), [json!({"token": &*token})]);
}

#[test]
fn each_attempt_has_a_token_of_its_own() {
    let run = task(
        CALLBACK,
        json!({
            "Parameters": {"token.$": "$$.Task.Token"},
            "Retry": [{"ErrorEquals": ["States.ALL"]}],
        }),
    )
    .task("State", fail("E", ""))
    .task("State", ok(json!(1)))
    .run();
    let payloads = run.payloads("State");
    assert_ne!(payloads[0], payloads[1]);
}

#[test]
fn a_task_that_nobody_calls_back_has_no_token() {
    let run = task(FUNCTION, json!({})).task("State", ok(json!(1))).run();
    assert_eq!(run.invocations[0].1.task_token, None);
}

/// Recorded from the service, of a function's ARN, and of `states:startExecution.sync`.
#[test]
fn the_context_object_has_a_token_where_a_job_or_somebody_is_waited_for() {
    let shown = |resource: &str| {
        let case = task(resource, json!({"Parameters": {"context.$": "$$"}}));
        let run = case.task("State", ok(json!(1))).run();
        let token = run.invocations[0].1.task_token.clone();
        let payload = &run.payloads("State")[0];
        let shown = payload["context"]["Task"]["Token"].as_str();
        assert_eq!(shown, token.as_deref(), "{resource}");
        shown.is_some()
    };
    assert!(!shown(FUNCTION));
    assert!(!shown("arn:aws:states:::lambda:invoke"));
    assert!(!shown(
        "arn:aws:states:us-east-1:111111111111:activity:approve"
    ));
    assert!(shown("arn:aws:states:::states:startExecution.sync"));
    assert!(shown(CALLBACK));
}

#[test]
fn each_invocation_has_an_idempotency_key_of_its_own() {
    let keys = |name: &str, years: u64| -> Vec<String> {
        let run = task(
            FUNCTION,
            json!({"Retry": [{"ErrorEquals": ["States.ALL"]}]}),
        )
        .starting(|start| {
            start.identity = Arc::new(Identity::from_execution_name(name));
            start.now = start.now.plus_seconds(years * 31_536_000);
        })
        .task("State", fail("E", ""))
        .task("State", ok(json!(1)))
        .run();
        let keys = run.invocations.iter().map(|(_, i)| i.idempotency_key());
        keys.collect()
    };
    assert_eq!(keys("a", 0), keys("a", 0));
    // Of another execution, and of one that has the name years later.
    let all = [keys("a", 0), keys("b", 0), keys("a", 1)].concat();
    let different: BTreeSet<&String> = all.iter().collect();
    assert_eq!(different.len(), 6);
    assert!(all.iter().all(|key| key.len() == 32), "{all:?}");
}

#[test]
fn a_stop_ends_the_execution_and_cancels_its_tasks() {
    let (error, cause) = (Some("E".to_owned()), Some("enough".to_owned()));
    let run = task(FUNCTION, json!({}))
        .task("State", never())
        .at(
            3,
            Input::Stop(ErrorOutput {
                error: error.clone(),
                cause: cause.clone(),
            }),
        )
        .run();
    assert_eq!(
        run.trace,
        ["0 invoke State", "3 cancel State", "3 done ABORTED"]
    );
    assert_eq!(
        run.outcome,
        Some(Outcome::Aborted(ErrorOutput { error, cause }))
    );
}

#[test]
fn a_host_that_cannot_go_on_fails_the_execution_past_all_catchers() {
    let (error, cause) = (Some("E".to_owned()), Some("no answer".to_owned()));
    let catch_all = json!({
        "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "State"}],
        "Retry": [{"ErrorEquals": ["States.ALL"]}],
    });
    let run = task(FUNCTION, catch_all)
        .task("State", never())
        .at(
            3,
            Input::Fail(ErrorOutput {
                error: error.clone(),
                cause: cause.clone(),
            }),
        )
        .run();
    assert_eq!(
        run.trace,
        ["0 invoke State", "3 cancel State", "3 done FAILED"]
    );
    assert_eq!(
        run.outcome,
        Some(Outcome::Failed(ErrorOutput { error, cause }))
    );
}

#[test]
fn the_machines_own_timeout_ends_the_execution_without_error_and_cause() {
    let run = Case::new(json!({
        "StartAt": "A",
        "TimeoutSeconds": 30,
        "States": {"A": {"Type": "Task", "Resource": FUNCTION, "End": true,
            "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "A"}],
            "Retry": [{"ErrorEquals": ["States.ALL"]}]}},
    }))
    .task("A", never())
    .run();
    assert_eq!(
        run.trace,
        ["0 invoke A", "30 cancel A", "30 done TIMED_OUT"]
    );
    assert_eq!(run.outcome, Some(Outcome::TimedOut));
}

#[test]
fn inputs_after_the_end_are_ignored() {
    let case = Case::of_state(json!({"Type": "Pass"}));
    let mut execution = asl_engine::Execution::start(case.program(), case.start());
    while !matches!(execution.poll_output(), asl_engine::Output::Done(_)) {}
    let stop = Input::Stop(ErrorOutput::default());
    execution.handle_input(crate::case::start_time().plus_seconds(9), stop);
    assert!(matches!(
        execution.poll_output(),
        asl_engine::Output::Done(Outcome::Succeeded(_))
    ));
}
