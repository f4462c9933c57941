//! Mocked tasks.
mod common;

use asl_engine::ErrorOutput;
use asl_engine::Outcome;
use asl_engine::runtime::{HistoryRecorder, TaskHandlers};
use asl_performers::{MockConfiguration, MockHandler};
use common::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns the handler of a test case in which state `T` has these answers.
fn mocking(answers: Value) -> MockHandler {
    let file = json!({
        "StateMachines": {"M": {"TestCases": {"C": {"T": "R", "Missing": "NoSuchResponse"}}}},
        "MockedResponses": {"R": answers},
    });
    MockConfiguration::parse(&file.to_string())
        .unwrap()
        .test_case(None, "C")
        .unwrap()
}

const RETRY: &str = "States.TaskFailed";

#[tokio::test]
async fn each_invocation_takes_the_next_answer() {
    let answers = json!({"0-1": {"Throw": {"Error": "Busy", "Cause": "later"}}, "2": {"Return": {"done": true}}});
    let program = task(
        FUNCTION,
        json!({"Retry": [{"ErrorEquals": [RETRY], "MaxAttempts": 5}]}),
    );
    let runtime = virtual_time().handlers(mocking(answers)).build();
    for _ in 0..2 {
        let outcome = runtime.run(Arc::clone(&program), start(json!({}))).await;
        assert_eq!(
            outcome,
            succeeded(json!({"done": true})),
            "each execution has its own count"
        );
    }
}

#[tokio::test]
async fn a_function_returns_the_payload_of_a_mocked_invocation() {
    let result = async |resource: &str, answer: Value| {
        let mocks = mocking(json!({"0": {"Return": answer}}));
        let runtime = virtual_time().handlers(mocks).build();
        runtime
            .run(task(resource, json!({})), start(json!({})))
            .await
    };
    let invocation = json!({"StatusCode": 200, "Payload": {"body": "b"}});
    let integration = "arn:aws:states:::lambda:invoke";
    for (resource, answer, expected) in [
        (FUNCTION, &invocation, json!({"body": "b"})),
        (integration, &invocation, invocation.clone()),
        (FUNCTION, &json!({"Payload": 1}), json!({"Payload": 1})),
        (
            FUNCTION,
            &json!({"StatusCode": 200}),
            json!({"StatusCode": 200}),
        ),
    ] {
        let outcome = result(resource, answer.clone()).await;
        assert_eq!(outcome, succeeded(expected), "{resource} {answer}");
    }
}

#[tokio::test]
async fn iterations_and_loops_share_the_count_of_their_state() {
    let answers = json!({"0": {"Return": "a"}, "1-2": {"Return": "b"}, "3": {"Return": "c"}});
    let map = |mode: Value| {
        program(
            json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "ItemProcessor": {
                "ProcessorConfig": mode, "StartAt": "T",
                "States": {"T": {"Type": "Task", "Resource": FUNCTION, "End": true}},
            }}}}),
        )
    };
    let runtime = virtual_time().handlers(mocking(answers)).build();
    for mode in [
        json!({"Mode": "INLINE"}),
        json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}),
    ] {
        let outcome = runtime.run(map(mode), start(json!([1, 2, 3, 4]))).await;
        assert_eq!(outcome, succeeded(json!(["a", "b", "b", "c"])));
    }
}

#[tokio::test]
async fn a_gap_in_the_mocks_stops_the_execution_past_every_catch() {
    let program = |state: &str| {
        let mut states = json!({"E": {"Type": "Pass", "End": true}});
        states[state] = json!({"Type": "Task", "Resource": FUNCTION, "Next": state,
            "Catch": [{"ErrorEquals": ["States.Runtime"], "Next": "E"}, {"ErrorEquals": ["States.ALL"], "Next": "E"}]});
        program(json!({"StartAt": state, "States": states}))
    };
    let runtime = virtual_time()
        .handlers(mocking(json!({"0": {"Return": 1}, "2-3": {"Return": 2}})))
        .build();
    let stopped = |cause: &str| {
        Outcome::Failed(ErrorOutput {
            error: Some("States.Runtime".to_owned()),
            cause: Some(cause.to_owned()),
        })
    };
    assert_eq!(
        runtime.run(program("T"), start(json!({}))).await,
        stopped(
            "no mocked answer to attempt 1 of state `T`: the response `R` covers \"0\", \"2-3\""
        )
    );
    assert_eq!(
        runtime.run(program("Missing"), start(json!({}))).await,
        stopped(
            "state `Missing` is mocked by the response `NoSuchResponse`, which is not among the \"MockedResponses\""
        )
    );
}

#[tokio::test]
async fn a_state_that_is_not_listed_goes_to_the_other_handlers() {
    let other = program(json!({"StartAt": "Other", "States": {
        "Other": {"Type": "Task", "Resource": FUNCTION, "End": true}}}));
    let mocks = mocking(json!({}));
    assert!(mocks.mocks("T") && !mocks.mocks("Other"));
    assert!(mocks.states().eq(["Missing", "T"]));
    assert!(
        mocks
            .missing_responses()
            .eq([("Missing", "NoSuchResponse")])
    );
    let handlers = TaskHandlers::new().on_value("F", |_| async { Ok(json!("real")) });
    let runtime = virtual_time().handlers(mocks.otherwise(handlers)).build();
    assert_eq!(
        runtime.run(Arc::clone(&other), start(json!({}))).await,
        succeeded(json!("real"))
    );
    let runtime = virtual_time().handlers(mocking(json!({}))).build();
    let (error, cause) = failure(runtime.run(other, start(json!({}))).await);
    assert_eq!(error, "States.TaskFailed");
    assert!(cause.contains(FUNCTION), "{cause}");
}

/// Returns the types of the events of a task `T` that was mocked.
async fn task_events(resource: &str, answer: Value) -> Vec<String> {
    let recorder = Arc::new(HistoryRecorder::default());
    let mocks = mocking(json!({"0": answer}));
    let runtime = virtual_time()
        .handlers(mocks)
        .observer(Arc::clone(&recorder))
        .build();
    let mut handle = runtime
        .start_execution(task(resource, json!({})), start(json!({})))
        .await;
    handle.ended().await;
    let types = recorder
        .take(handle.id())
        .into_iter()
        .map(|event| event.event_type().to_string());
    types
        .filter(|it| !it.starts_with("Execution") && !it.contains("State"))
        .collect()
}

#[tokio::test]
async fn a_mocked_job_is_submitted_before_it_ends() {
    let good = json!({"Return": {}});
    let throw = |error: &str| json!({"Throw": {"Error": error, "Cause": "why"}});
    let ended =
        |how: &str| ["TaskScheduled", "TaskStarted", "TaskSubmitted", how].map(str::to_owned);
    assert_eq!(
        task_events(CALLBACK, good.clone()).await,
        ended("TaskSucceeded")
    );
    assert_eq!(
        task_events(CALLBACK, throw("Failure")).await,
        ended("TaskFailed")
    );
    assert_eq!(
        task_events(CALLBACK, throw("States.Timeout")).await,
        ended("TaskTimedOut")
    );
    assert_eq!(
        task_events(
            "arn:aws:states:::states:startExecution.sync:2",
            good.clone()
        )
        .await,
        ended("TaskSucceeded")
    );
    let refused = task_events(CALLBACK, throw("SQS.QueueDoesNotExistException")).await;
    assert_eq!(refused, ["TaskScheduled", "TaskStarted", "TaskFailed"]);
    let activity = task_events("arn:aws:states:us-east-1:123456789012:activity:a", good).await;
    assert_eq!(
        activity,
        ["ActivityScheduled", "ActivityStarted", "ActivitySucceeded"]
    );
}

/// Returns the states of `program` that the mocks leave to nobody.
fn unhandled(program: &asl_engine::Program, mocks: MockHandler) -> Vec<String> {
    let runtime = virtual_time().handlers(mocks).build();
    match runtime.check(program) {
        Ok(()) => Vec::new(),
        Err(tasks) => tasks.iter().map(|task| task.state_name.clone()).collect(),
    }
}

#[tokio::test]
async fn mocks_say_what_they_would_do() {
    let program = program(json!({"StartAt": "T", "States": {
        "T": {"Type": "Task", "Resource": FUNCTION, "Next": "Other"},
        "Other": {"Type": "Task", "Resource": "charge-card", "End": true}}}));
    assert_eq!(unhandled(&program, mocking(json!({}))), ["Other"]);
    let handlers = TaskHandlers::new().on_value("charge-card", |_| async { Ok(json!(null)) });
    let mocks = mocking(json!({})).otherwise(handlers);
    assert_eq!(unhandled(&program, mocks), [""; 0]);
}

#[test]
fn an_error_that_leaves_main_reads_as_a_sentence() {
    let error = MockConfiguration::parse("{").unwrap_err();
    let shown = format!("{error:?}");
    assert!(
        shown.starts_with("the mock configuration is not JSON: "),
        "{shown}"
    );
}
