//! Events: types, ids and the chains of previous ids, as the service records them.
use crate::case::{Case, fail, never, ok};
use serde_json::{Value, json};

const CALLBACK: &str = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";

fn branch(name: &str, state: Value) -> Value {
    json!({"StartAt": name, "States": {name: state}})
}

#[test]
fn each_state_is_entered_and_left() {
    let run = Case::of_state(json!({"Type": "Pass", "Next": "Wait"}))
        .state("Wait", json!({"Type": "Wait", "Seconds": 1, "Next": "End"}))
        .state("End", json!({"Type": "Succeed"}))
        .run();
    let expected = [
        "1 <- 0 ExecutionStarted",
        "2 <- 0 PassStateEntered",
        "3 <- 2 PassStateExited",
        "4 <- 3 WaitStateEntered",
        "5 <- 4 WaitStateExited",
        "6 <- 5 SucceedStateEntered",
        "7 <- 6 SucceedStateExited",
        "8 <- 7 ExecutionSucceeded",
    ];
    assert_eq!(run.history(), expected);
    assert_eq!(
        run.events[4].timestamp,
        crate::case::start_time().plus_seconds(1)
    );
}

#[test]
fn a_function_is_scheduled_started_and_ends() {
    let state =
        json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F"});
    let run = Case::of_state(state).task("State", ok(json!(1))).run();
    let expected = [
        "1 <- 0 ExecutionStarted",
        "2 <- 0 TaskStateEntered",
        "3 <- 2 LambdaFunctionScheduled",
        "4 <- 3 LambdaFunctionStarted",
        "5 <- 4 LambdaFunctionSucceeded",
        "6 <- 5 TaskStateExited",
        "7 <- 6 ExecutionSucceeded",
    ];
    assert_eq!(run.history(), expected);
}

#[test]
fn a_callback_is_submitted_before_it_is_answered() {
    let state = json!({"Type": "Task", "Resource": CALLBACK, "HeartbeatSeconds": 5});
    let history = |answer| {
        Case::of_state(state.clone())
            .task("State", answer)
            .run()
            .history()
    };
    let told = history(ok(json!(1)).submitted(json!({"MessageId": "m"})));
    let expected = [
        "3 <- 2 TaskScheduled",
        "4 <- 3 TaskStarted",
        "5 <- 4 TaskSubmitted",
        "6 <- 5 TaskSucceeded",
        "7 <- 6 TaskStateExited",
    ];
    assert_eq!(told[2..7], expected);
    // One that was not told is implied by the answer.
    assert_eq!(history(ok(json!(1))), told);
    let missed = history(never().submitted(json!({})));
    assert_eq!(
        missed[5..],
        ["6 <- 5 TaskTimedOut", "7 <- 6 ExecutionFailed"]
    );
}

#[test]
fn a_null_answer_to_a_request_is_shown_also_after_saving() {
    let state = json!({"Type": "Task", "Resource": CALLBACK});
    let run = Case::of_state(state)
        .task("State", ok(json!(1)).submitted(Value::Null))
        .run();
    assert_eq!(
        run.events[4].to_json()["taskSubmittedEventDetails"]["output"],
        "null"
    );
}

#[test]
fn an_activity_starts_when_a_worker_takes_it_up() {
    let state =
        json!({"Type": "Task", "Resource": "arn:aws:states:us-east-1:111111111111:activity:A"});
    let run = Case::of_state(state)
        .task("State", fail("E", "").started_by("worker"))
        .run();
    assert_eq!(
        run.history()[2..],
        [
            "3 <- 2 ActivityScheduled",
            "4 <- 3 ActivityStarted",
            "5 <- 4 ActivityFailed",
            "6 <- 5 ExecutionFailed"
        ]
    );
    let started = run.events[3].to_json();
    assert_eq!(
        started["activityStartedEventDetails"]["workerName"],
        "worker"
    );
}

#[test]
fn a_retried_task_is_scheduled_again_within_its_state() {
    let state = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "Retry": [{"ErrorEquals": ["E"]}]});
    let run = Case::of_state(state)
        .task("State", fail("E", ""))
        .task("State", ok(json!(1)))
        .run();
    let expected = [
        "3 <- 2 TaskScheduled",
        "4 <- 3 TaskStarted",
        "5 <- 4 TaskFailed",
        "6 <- 5 TaskScheduled",
        "7 <- 6 TaskStarted",
        "8 <- 7 TaskSucceeded",
        "9 <- 8 TaskStateExited",
        "10 <- 9 ExecutionSucceeded",
    ];
    assert_eq!(run.history()[2..], expected);
}

#[test]
fn each_branch_is_a_chain_of_its_own() {
    let pass = |name| branch(name, json!({"Type": "Pass", "End": true}));
    let run = Case::of_state(json!({"Type": "Parallel", "Branches": [pass("A"), pass("B")]})).run();
    let mut chains: Vec<(u64, u64, &str)> = run
        .events
        .iter()
        .map(|event| (event.previous_event_id, event.id, event.event_type()))
        .collect();
    assert_eq!(chains[2], (2, 3, "ParallelStateStarted"));
    let entered: Vec<u64> = chains
        .iter()
        .filter(|event| event.2 == "PassStateEntered")
        .map(|event| event.0)
        .collect();
    assert_eq!(entered, [3, 3]);
    for (previous, ..) in chains.iter().filter(|event| event.2 == "PassStateExited") {
        assert_eq!(
            run.events[*previous as usize - 1].event_type(),
            "PassStateEntered"
        );
    }
    let last_exit = chains
        .iter()
        .filter(|event| event.2 == "PassStateExited")
        .map(|event| event.1)
        .max();
    let tail = chains.split_off(chains.len() - 3);
    let previous: Vec<(Option<u64>, &str)> =
        tail.iter().map(|event| (Some(event.0), event.2)).collect();
    assert_eq!(previous[0], (last_exit, "ParallelStateSucceeded"));
    assert_eq!(previous[1], (last_exit, "ParallelStateExited"));
}

#[test]
fn a_failed_iteration_is_caught_as_recorded() {
    let map = json!({"Type": "Map", "MaxConcurrency": 1, "ItemProcessor": branch("Item", json!({"Type": "Fail", "Error": "E"})),
        "Catch": [{"ErrorEquals": ["E"], "Next": "Caught"}]});
    let run = Case::of_state(map)
        .caught_by("Caught")
        .input(json!([1]))
        .run();
    let expected = [
        "1 <- 0 ExecutionStarted",
        "2 <- 0 MapStateEntered",
        "3 <- 2 MapStateStarted",
        "4 <- 3 MapIterationStarted",
        "5 <- 4 FailStateEntered",
        "6 <- 5 MapIterationFailed",
        "7 <- 5 MapStateFailed",
        "8 <- 7 MapStateExited",
        "9 <- 8 SucceedStateEntered",
        "10 <- 9 SucceedStateExited",
        "11 <- 10 ExecutionSucceeded",
    ];
    assert_eq!(run.history(), expected);
}

#[test]
fn a_distributed_map_runs_as_recorded() {
    let mut processor = branch("Item", json!({"Type": "Pass", "End": true}));
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    let run =
        Case::of_state(json!({"Type": "Map", "MaxConcurrency": 1, "ItemProcessor": processor}))
            .input(json!([0]))
            .run();
    let expected = [
        "1 <- 0 ExecutionStarted",
        "2 <- 0 MapStateEntered",
        "3 <- 2 MapStateStarted",
        "4 <- 3 MapRunStarted",
        "5 <- 4 MapRunSucceeded",
        "6 <- 5 MapStateSucceeded",
        "7 <- 4 MapStateExited",
        "8 <- 7 ExecutionSucceeded",
    ];
    assert_eq!(run.history(), expected);
}

#[test]
fn without_recording_there_are_no_events() {
    let run = Case::of_state(json!({"Type": "Pass"}))
        .starting(|start| start.record_history = false)
        .run();
    assert!(run.events.is_empty());
}
