//! Stores that hold something of each kind.
use super::*;
use asl_backend::{EntryKey, EntryKind, WriteOutcome};
use asl_engine::TaskError;
use asl_engine::runtime::{Task, TaskAnswer, task_fn};
use asl_store::{CheckReport, Finding, StoreReader};
use rusqlite::Connection;
use serde_json::json;

const FUNCTION: &str = "arn:aws:lambda:us-east-1:111111111111:function:F";

/// Fails where the input says so, else gives it back with what was requested.
pub(crate) fn performer() -> Options {
    options(task_fn(|task: Task| async move {
        if task.resource().uri.ends_with(".waitForTaskToken") {
            return Ok(TaskAnswer::Submitted(json!({})));
        }
        match task.payload()["fail"].is_null() {
            true => Ok(task.payload().clone().into()),
            false => Err(TaskError::new("Unlucky", "it was told to")),
        }
    }))
}

/// Two tasks and a Map Run.
pub(crate) fn machine() -> Value {
    let task = json!({"Type": "Task", "Resource": FUNCTION});
    let with = |fields: Value| {
        let mut state = task.clone();
        for (name, value) in fields.as_object().unwrap() {
            state[name] = value.clone();
        }
        state
    };
    json!({"StartAt": "First", "States": {
        "First": with(json!({"ResultPath": "$.first", "Next": "Run"})),
        "Run": {"Type": "Map", "ItemsPath": "$.items", "ResultPath": "$.run", "Next": "Last", "Label": "run", "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "One", "States": {"One": with(json!({"End": true}))}}},
        "Last": with(json!({"End": true}))}})
}

pub(crate) fn callback() -> Value {
    json!({"StartAt": "Ask", "States": {"Ask": {"Type": "Task", "End": true,
        "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}}}})
}

/// Returns a store with an execution that succeeded, one that failed, and one that waits for an answer.
pub(crate) async fn filled(folder: &Folder, options: Options) -> Store {
    let store = Store::open(&folder.0, options).unwrap();
    let input = r#"{"items": [{"n": 1}, {"n": 2}]}"#;
    let good = start(&store, &machine(), "good", input).await.unwrap();
    let bad = start(&store, &machine(), "bad", r#"{"fail": 1}"#)
        .await
        .unwrap();
    let waits = start(&store, &callback(), "waits", "{}").await.unwrap();
    assert_eq!(
        ended(&store, &good.arn).await.summary.status,
        ExecutionStatus::Succeeded
    );
    assert_eq!(
        ended(&store, &bad.arn).await.summary.status,
        ExecutionStatus::Failed
    );
    until(&store, &waits.arn, "TaskSubmitted").await;
    let key = EntryKey {
        kind: EntryKind::StateMachine,
        scope: "aws:us-east-1:1".into(),
        name: "M".into(),
    };
    let written = store
        .write_entry(key, None, Some(r#"{"tags":{"a":"b"}}"#.into()))
        .await;
    assert_eq!(written, Ok(WriteOutcome::Done));
    store
}

/// Closes a store once its histories are sealed.
pub(crate) async fn close_sealed(store: Store, folder: &Folder) {
    let sealed = "SELECT count(*) FROM executions WHERE status <> 0 AND is_sealed = 0";
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    while connection
        .query_row(sealed, [], |row| row.get::<_, i64>(0))
        .unwrap()
        > 0
    {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(connection);
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();
}

pub(crate) fn check(folder: &Folder) -> (CheckReport, Vec<Finding>) {
    let mut found = Vec::new();
    let checked = StoreReader::open(&folder.0)
        .unwrap()
        .check(|finding| found.push(finding));
    (checked.unwrap(), found)
}

/// Returns the token that an execution of [`callback`] waits for.
pub(crate) async fn token(store: &Store, arn: &Arc<str>) -> Arc<str> {
    let page = page(store, arn, None, 10).await;
    let scheduled = page
        .events
        .iter()
        .find(|event| event.contains("MessageBody"))
        .unwrap();
    let scheduled: Value = serde_json::from_str(scheduled).unwrap();
    let parameters = scheduled["taskScheduledEventDetails"]["parameters"]
        .as_str()
        .unwrap();
    let parameters: Value = serde_json::from_str(parameters).unwrap();
    parameters["MessageBody"].as_str().unwrap().into()
}
