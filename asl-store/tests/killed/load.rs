//! Work of the process that is killed: executions of all kinds, and handlers of their tasks.
use super::common::*;
use asl_backend::{
    Backend as _, ExecutionStatus, NestedForm, NestedTask, Payload, TaskReply, TokenRefused,
};
use asl_engine::runtime::{Task, TaskAnswer, task_fn};
use asl_engine::{ErrorOutput, TaskError};
use asl_performers::MockConfiguration;
use asl_store::{Options, Store};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// Receiver of log lines.
pub(crate) type Say = Arc<dyn Fn(String) + Send + Sync>;

/// Kinds of executions, by the first word of their names.
pub(crate) const KINDS: [&str; 5] = ["maps", "outside", "redriven", "mocked", "stopped"];
pub(crate) const INPUT: &str = r#"{"items": [1,2,3,4,5,6,7,8,9,10]}"#;
pub(crate) const TEST_CASE: &str = "SecondTime";
const FUNCTION: &str = "arn:aws:lambda:us-east-1:111111111111:function:F";
const ACTIVITY: &str = "arn:aws:states:us-east-1:111111111111:activity:A";

/// Returns a Task State with these fields.
fn task(fields: Value) -> Value {
    let mut state = json!({"Type": "Task", "Resource": FUNCTION});
    for (name, value) in fields.as_object().unwrap() {
        state[name] = value.clone();
    }
    state
}

pub(crate) fn definition(kind: &str) -> Value {
    match kind {
        "maps" => maps(),
        "outside" => outside(),
        "redriven" => json!({"StartAt": "Before", "States": {
            "Before": task(json!({"ResultPath": null, "Next": "Broken"})),
            "Broken": task(json!({"Parameters": {"redrives.$": "$$.Execution.RedriveCount"}, "Next": "After"})),
            "After": task(json!({"End": true}))}}),
        "mocked" => json!({"StartAt": "Mocked", "States": {
            "Mocked": task(json!({"Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 1}], "Next": "Again"})),
            "Again": task(json!({"Retry": [{"ErrorEquals": ["E"], "IntervalSeconds": 1}], "End": true}))}}),
        _ => {
            json!({"StartAt": "Long", "States": {"Long": {"Type": "Wait", "Seconds": 86_400, "End": true}}})
        }
    }
}

/// Returns a task, a Map, a wait, random numbers, and the children of a Map Run.
fn maps() -> Value {
    let item = json!({"StartAt": "I", "States": {"I": task(json!({"End": true}))}});
    let child = json!({"StartAt": "C", "States": {"C": task(json!({"End": true}))},
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}});
    json!({"StartAt": "First", "States": {
        "First": task(json!({"ResultPath": "$.first", "Next": "Each"})),
        "Each": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": item, "ResultPath": "$.each", "Next": "Wait"},
        "Wait": {"Type": "Wait", "Seconds": 1, "Next": "Chance"},
        "Chance": {"Type": "Pass", "Parameters": {"uuid.$": "States.UUID()", "each.$": "$.each", "items.$": "$.items"}, "Next": "Run"},
        "Run": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": child, "ResultPath": "$.run", "Next": "Last"},
        "Last": task(json!({"ResultPath": "$.last", "End": true}))}})
}

/// Returns a callback, an activity, an execution that is waited for.
fn outside() -> Value {
    // A worker that is killed while it is reported its task has it for good: only the timeout reports.
    let again = json!([{"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 1, "BackoffRate": 1, "MaxAttempts": 1_000}]);
    json!({"StartAt": "Callback", "States": {
        "Callback": task(json!({"Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
            "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}, "ResultPath": "$.callback", "Next": "Worker"})),
        "Worker": task(json!({"Resource": ACTIVITY, "TimeoutSeconds": 3, "Retry": again, "ResultPath": "$.worker", "Next": "Nested"})),
        "Nested": task(json!({"Resource": "arn:aws:states:::states:startExecution.sync:2",
            "Parameters": {"StateMachineArn": "arn:aws:states:us-east-1:111111111111:stateMachine:M"},
            "ResultSelector": {"status.$": "$.Status"}, "ResultPath": "$.nested", "Next": "Final"})),
        "Final": task(json!({"ResultPath": "$.final", "End": true}))}})
}

fn inner() -> Value {
    json!({"StartAt": "Pause", "States": {
        "Pause": {"Type": "Wait", "Seconds": 1, "Next": "Inner"}, "Inner": task(json!({"End": true}))}})
}

/// Returns the position of a state in its execution.
pub(crate) fn rank(state: &str) -> usize {
    let chains: [&[&str]; 3] = [
        &["First", "I", "Last"],
        &["Callback", "Nested", "Final"],
        &["Before", "Broken", "After"],
    ];
    let found = chains
        .iter()
        .find_map(|chain| chain.iter().position(|it| *it == state));
    found.unwrap_or(0)
}

/// Work that a performer leaves to others.
enum Ask {
    Answer(Arc<str>),
    Start {
        name: String,
        token: Arc<str>,
        done: oneshot::Sender<()>,
    },
}

/// Returns the options of a store with this load, and what [`serve`] is given.
pub(crate) fn loaded(say: Say) -> (Options, RequestedTasks) {
    let (ask, asked) = unbounded_channel();
    let mut options = options(task_fn(move |task| {
        perform(task, Arc::clone(&say), ask.clone())
    }));
    // Parking and loading take part.
    options.max_in_memory = 6;
    let twice = json!({"0": {"Throw": {"Error": "E", "Cause": "c"}}, "1": {"Return": "second"}});
    let mocks = json!({
        "StateMachines": {"M": {"TestCases": {TEST_CASE: {"Mocked": "A", "Again": "B"}}}},
        "MockedResponses": {"A": twice, "B": twice}});
    options.mocks = Some(MockConfiguration::from_value(&mocks).unwrap());
    (options, RequestedTasks(asked))
}

pub(crate) struct RequestedTasks(UnboundedReceiver<Ask>);

async fn perform(task: Task, say: Say, ask: UnboundedSender<Ask>) -> Result<TaskAnswer, TaskError> {
    let (state, key, token) = (
        task.state_name().to_owned(),
        task.idempotency_key(),
        Arc::<str>::from(task.token()),
    );
    let arn = task.invocation().identity.execution_arn();
    say(format!("performed {arn} {state} {key}"));
    tokio::time::sleep(Duration::from_millis(2)).await;
    // The store may be closed by now.
    match &*state {
        "Callback" => {
            say(format!("handed-on {token} {key}"));
            let _ = ask.send(Ask::Answer(token));
        }
        "Nested" => {
            let (done, started) = oneshot::channel();
            let name = format!("inner-{key}");
            let _ = ask.send(Ask::Start { name, token, done });
            let _ = started.await;
        }
        "Broken" if task.payload()["redrives"] == 0 => return Err(TaskError::new("E", "broken")),
        _ => return Ok(TaskAnswer::Completed(json!({"of": state}))),
    }
    Ok(TaskAnswer::Submitted(json!({"of": state})))
}

/// Answers callbacks, starts what is waited for, and does the work of the activity.
pub(crate) async fn serve(store: Store, asked: RequestedTasks, say: Say) {
    let working = work(store.clone(), Arc::clone(&say));
    tokio::join!(working, answer(store, asked, say));
}

async fn answer(store: Store, mut asked: RequestedTasks, say: Say) {
    while let Some(ask) = asked.0.recv().await {
        match ask {
            Ask::Answer(token) => {
                tokio::time::sleep(Duration::from_millis(3)).await;
                reply(&store, token, &say).await;
            }
            Ask::Start { name, token, done } => {
                let form = NestedForm::Json;
                // One that was started before the kill is there.
                let _ = start_nested(&store, &inner(), &name, NestedTask { token, form }).await;
                let _ = done.send(());
            }
        }
    }
}

/// Answers a task by its token, and says so once that is acknowledged.
pub(crate) async fn reply(store: &Store, token: Arc<str>, say: &Say) {
    let success = TaskReply::Success(Payload::from(serde_json::json!({"of": "outside"})));
    match store.reply_to_task(Arc::clone(&token), success).await {
        Ok(()) => say(format!("acknowledged answer {token}")),
        Err(TokenRefused::TimedOut | TokenRefused::NoTask | TokenRefused::Backend(_)) => {}
        Err(refused) => panic!("{refused:?}"),
    }
}

async fn work(store: Store, say: Say) {
    while let Ok(taken) = store.take_activity_task(ACTIVITY.into(), None).await {
        say(format!("acknowledged taking {}", taken.token));
        tokio::time::sleep(Duration::from_millis(2)).await;
        reply(&store, taken.token, &say).await;
    }
}

/// Starts one execution and does with it what its kind wants.
pub(crate) async fn start_one(store: &Store, kind: &str, name: &str, say: &Say) {
    let test_case = (kind == "mocked").then_some(TEST_CASE);
    let name = format!("{kind}-{name}");
    let started = start_mocked(store, &definition(kind), &name, INPUT, test_case).await;
    let arn = started.unwrap().arn;
    say(format!("acknowledged start {arn}"));
    let (store, say) = (store.clone(), Arc::clone(say));
    match kind {
        "redriven" => drop(tokio::spawn(redrive(store, arn, say))),
        "stopped" => stop(&store, arn, &say).await,
        _ => {}
    }
}

/// Redrives an execution once it failed.
pub(crate) async fn redrive(store: Store, arn: Arc<str>, say: Say) {
    loop {
        match store
            .wait_for_end(Arc::clone(&arn), Duration::from_secs(60))
            .await
        {
            Ok(Some(it)) if it.summary.status == ExecutionStatus::Failed => break,
            Ok(_) => {}
            Err(_) => return,
        }
    }
    if store.redrive(Arc::clone(&arn), None).await.is_ok() {
        say(format!("acknowledged redrive {arn}"));
    }
}

pub(crate) async fn stop(store: &Store, arn: Arc<str>, say: &Say) {
    let stopped = store.stop(Arc::clone(&arn), ErrorOutput::new("Stopped", "by the test"));
    if stopped.await.is_ok() {
        say(format!("acknowledged stop {arn}"));
    }
}
