//! Executions that run again from their histories.
#![cfg(feature = "runtime")]

use asl_engine::history::{EventDetails, HistoryEvent};
use asl_engine::runtime::{Clock, HistoryRecorder, Performer, Runtime, TaskHandlers};
use asl_engine::{Program, Start, TaskError};
use asl_model::{Options, StateMachine, Timestamp};
use asl_trace::{Difference, Rerun, read_events, rerun};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:F";

fn machine(definition: &Value) -> (StateMachine, Arc<Program>) {
    let (machine, _) = asl_model::parse_value(definition, Options::default()).unwrap();
    let program = Arc::new(Program::compile(&machine).unwrap());
    (machine, program)
}

async fn history(definition: &Value, input: Value, performer: impl Performer) -> Vec<HistoryEvent> {
    let recorder = Arc::new(HistoryRecorder::default());
    let runtime = Runtime::builder()
        .clock(Clock::virtual_from(Timestamp::from_milliseconds(
            1_700_000_000_000,
        )))
        .handlers(performer)
        .observer(Arc::clone(&recorder))
        .build();
    let (_, program) = machine(definition);
    let start = Start::new("original", input, Timestamp::default()).with_seed(Some(1));
    let mut execution = runtime.start_execution(program, start).await;
    execution.outcome().await;
    recorder.take(execution.id())
}

/// Through the JSON of the API.
fn again(definition: &Value, history: &[HistoryEvent]) -> Rerun {
    let events: Vec<Value> = history.iter().map(HistoryEvent::to_json).collect();
    let events = read_events(&json!({"events": events})).unwrap();
    let (machine, program) = machine(definition);
    let start = Start::new("rerun", Value::Null, Timestamp::default());
    rerun(&events, &machine, &program, start)
}

fn messages(rerun: &Rerun) -> Vec<String> {
    rerun
        .differences
        .iter()
        .map(Difference::to_string)
        .collect()
}

/// Fails twice, then doubles.
fn doubling() -> TaskHandlers {
    let calls = Arc::new(AtomicU64::new(0));
    TaskHandlers::new().on_value("F", move |input: Value| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        async move {
            match call {
                0 | 1 => Err(TaskError::new("Busy", format!("call {call}"))),
                _ => Ok(json!(input.as_i64().unwrap_or(0) * 2)),
            }
        }
    })
}

/// Retries, waits, branches, iterations, and values that differ in each run.
fn order() -> Value {
    let task = json!({"Type": "Task", "Resource": FUNCTION, "End": true,
        "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 3, "MaxAttempts": 3}]});
    json!({"StartAt": "Each", "States": {
        "Each": {"Type": "Map", "Next": "Both", "ItemProcessor": {"StartAt": "Double", "States": {"Double": task}}},
        "Both": {"Type": "Parallel", "Next": "Id", "ResultPath": "$.both", "Parameters": {"all.$": "$"}, "Branches": [
            {"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 60, "End": true}}},
            {"StartAt": "Now", "States": {"Now": {"Type": "Pass", "End": true}}}], "ResultSelector": {"n.$": "$"}},
        "Id": {"Type": "Pass", "Parameters": {"id.$": "States.UUID()", "name.$": "$$.Execution.Name"}, "Next": "Which"},
        "Which": {"Type": "Choice", "Choices": [{"Variable": "$.name", "IsString": true, "Next": "End"}], "Default": "Never"},
        "Never": {"Type": "Fail"},
        "End": {"Type": "Succeed"}}})
}

fn order_input() -> Value {
    json!([1, 2, 3])
}

fn without_result_path() -> Value {
    let mut definition = order();
    definition["States"]["Both"]
        .as_object_mut()
        .unwrap()
        .remove("ResultPath");
    definition
}

#[tokio::test]
async fn an_execution_is_equal_to_its_rerun() {
    let definition = without_result_path();
    let history = history(&definition, order_input(), doubling()).await;
    assert!(matches!(
        history.last().unwrap().details,
        EventDetails::ExecutionSucceeded { .. }
    ));
    let rerun = again(&definition, &history);
    assert_eq!(messages(&rerun), [""; 0]);
    assert!(rerun.is_equal(), "{rerun:?}");
    assert_eq!((rerun.events, rerun.equal), (history.len(), history.len()));
    assert_eq!(rerun.varying, 2, "a UUID and a name");
}

#[tokio::test]
async fn a_failed_execution_is_equal_to_its_rerun() {
    // Both has a ResultPath, which an array does not have.
    let history = history(&order(), order_input(), doubling()).await;
    assert!(matches!(
        history.last().unwrap().details,
        EventDetails::ExecutionFailed(_)
    ));
    assert_eq!(messages(&again(&order(), &history)), [""; 0]);
}

#[tokio::test]
async fn a_value_that_differs_is_named() {
    let definition = without_result_path();
    let history = history(&definition, order_input(), doubling()).await;
    let mut changed = definition.clone();
    changed["States"]["Both"]["ResultSelector"] = json!({"n.$": "$[0]"});
    let rerun = again(&changed, &history);
    let messages = messages(&rerun);
    assert!(
        messages[0].contains("ParallelStateExited of state 'Both': output.n"),
        "{messages:?}"
    );
}

#[tokio::test]
async fn another_way_through_the_machine_is_named() {
    let definition = without_result_path();
    let history = history(&definition, order_input(), doubling()).await;
    let mut changed = definition.clone();
    changed["States"]["Which"]["Choices"][0]["IsString"] = json!(false);
    let messages = messages(&again(&changed, &history));
    let found = messages
        .iter()
        .find(|it| it.contains("ChoiceStateExited") || it.contains("'Never'"));
    assert!(found.is_some(), "{messages:?}");
    assert!(messages.iter().any(|it| it.contains("SucceedStateEntered of state 'End': the rerun does not have it")), "{messages:?}");
}

#[tokio::test]
async fn fewer_retries_are_named() {
    let definition = without_result_path();
    let history = history(&definition, order_input(), doubling()).await;
    let mut changed = definition.clone();
    changed["States"]["Each"]["ItemProcessor"]["States"]["Double"]["Retry"][0]["MaxAttempts"] =
        json!(0);
    let messages = messages(&again(&changed, &history));
    assert!(
        messages.iter().any(|it| it
            .contains("LambdaFunctionScheduled of state 'Double': the rerun does not have it")),
        "{messages:?}"
    );
}

#[tokio::test]
async fn tasks_that_time_out_together_do_so_in_the_rerun() {
    let definition = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "ItemProcessor": {
        "StartAt": "T", "States": {"T": {"Type": "Task", "Resource": FUNCTION, "TimeoutSeconds": 5, "End": true}}}}}});
    let never = TaskHandlers::new().on_task("F", |task: asl_engine::runtime::Task| async move {
        task.sleep(std::time::Duration::from_secs(100)).await;
        Ok::<Value, TaskError>(Value::Null)
    });
    let history = history(&definition, json!([1, 2, 3]), never).await;
    assert_eq!(messages(&again(&definition, &history)), [""; 0]);
}

#[tokio::test]
async fn children_of_a_distributed_map_run_again_if_they_only_compute() {
    let children = |state: Value| {
        json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true, "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "S", "States": {"S": state}}}}})
    };
    let definition = children(json!({"Type": "Pass", "Result": 7, "End": true}));
    let recorded = history(&definition, json!([1, 2]), TaskHandlers::new()).await;
    assert!(again(&definition, &recorded).is_equal());

    let definition = children(json!({"Type": "Task", "Resource": FUNCTION, "End": true}));
    let recorded = history(&definition, json!([1, 2]), doubling()).await;
    let rerun = again(&definition, &recorded);
    assert!(rerun.differences.is_empty() && !rerun.is_equal());
    assert!(rerun.unknown.unwrap().contains("child executions"));
}

#[test]
fn what_is_no_whole_history_is_named() {
    let definition = json!({"StartAt": "S", "States": {"S": {"Type": "Succeed"}}});
    let rerun = again(&definition, &[]);
    assert_eq!(
        rerun.unknown.as_deref(),
        Some("expected a history that begins with ExecutionStarted")
    );
}
