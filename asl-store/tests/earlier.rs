//! Stores that earlier versions wrote: each opens, reports what it holds, and continues.
//!
//! They are under `stores/`, as they were written. `UPDATE_STORES=1` writes that of the present tables, which is done once:
//! with the version that is the first to have them.
mod common;

use asl_backend::{
    Backend as _, EntryKey, EntryKind, ExecutionFilter, ExecutionParent, ExecutionStatus,
    ExecutionSummary, Payload, TaskReply,
};
use asl_engine::runtime::{Task, TaskAnswer, task_fn};
use asl_engine::{ErrorOutput, TaskError};
use asl_store::{Options, Store, compact};
use common::filled::*;
use common::*;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

const ACTIVITY: &str = "arn:aws:states:us-east-1:111111111111:activity:a";
const SLOW: &str = "arn:aws:lambda:us-east-1:111111111111:function:slow";
const ECHO: &str = "arn:aws:lambda:us-east-1:111111111111:function:echo";
const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

fn folder_of_stores() -> PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores")
}

/// Does what [`performer`] does, and a task that is answered now or never.
fn with_slow_task(is_answered: bool) -> Options {
    let others = performer().performer;
    let slow = task_fn(move |_: Task| async move {
        match is_answered {
            true => Ok::<_, TaskError>(TaskAnswer::Completed(json!("slow"))),
            false => std::future::pending().await,
        }
    });
    let handlers = asl_engine::runtime::TaskHandlers::new();
    options(handlers.route(SLOW, slow).otherwise(others))
}

/// Those that wait: for time, for a task, for a worker, for children, for a worker after a long journal.
fn waiting() -> [(&'static str, Value, Value); 5] {
    let sleeps =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 2, "End": true}}});
    let task = |resource: &str| json!({"Type": "Task", "Resource": resource, "End": true});
    let one = |resource: &str| json!({"StartAt": "T", "States": {"T": task(resource)}});
    let mut children = one(ACTIVITY);
    children["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    let map = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": children, "End": true}}});
    let rounds = json!({"StartAt": "Count", "States": {
        "Count": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, 1)", "x.$": "$.x"}, "Next": "Echo"},
        "Echo": {"Type": "Task", "Resource": ECHO, "Next": "Again"},
        "Again": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericLessThan": 80, "Next": "Count"}], "Default": "T"},
        "T": task(ACTIVITY)}});
    [
        ("sleeps", sleeps, json!({})),
        ("asked", one(SLOW), json!({})),
        ("works", one(ACTIVITY), json!({})),
        ("maps", map, json!([1, 2])),
        ("rounds", rounds, json!({"n": 0, "x": "y".repeat(1_000)})),
    ]
}

/// Writes a store that holds all there is to hold, as this version does.
async fn write(name: &str) {
    let folder = Folder::new();
    let store = filled(&folder, with_slow_task(false)).await;
    for (name, machine, input) in waiting() {
        let started = start(&store, &machine, name, &input.to_string()).await;
        let arn = started.unwrap().arn;
        let event = match name {
            "sleeps" => "WaitStateEntered",
            "asked" => "LambdaFunctionScheduled",
            "maps" => "MapRunStarted",
            _ => "ActivityScheduled",
        };
        until(&store, &arn, event).await;
    }
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    let is_sealed = "SELECT count(*) FROM bases";
    while connection.query_row(is_sealed, [], |row| row.get::<_, i64>(0)) == Ok(0) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(connection);
    close_sealed(store, &folder).await;
    compact(&folder.0, YEAR).unwrap();
    std::fs::copy(folder.0.join("asl.db"), folder_of_stores().join(name)).unwrap();
}

/// Returns the schema version of a store.
fn version(file: &std::path::Path) -> i64 {
    let connection = Connection::open(file).unwrap();
    let version = connection.query_row("PRAGMA user_version", [], |row| row.get(0));
    version.unwrap()
}

fn arn(name: &str) -> Arc<str> {
    format!("arn:aws:states:us-east-1:111111111111:execution:M:{name}").into()
}

/// Returns all executions that somebody started, by name.
async fn all(store: &Store) -> BTreeMap<String, ExecutionSummary> {
    let filter = ExecutionFilter {
        parent: ExecutionParent::StateMachine(
            "arn:aws:states:us-east-1:111111111111:stateMachine:M".into(),
        ),
        status: None,
        is_redriven: None,
    };
    let page = store.executions(filter, None, 100).await.unwrap();
    let executions = page.executions.into_iter();
    executions
        .map(|execution| (execution.name.to_string(), execution))
        .collect()
}

/// Returns the history of an execution, by pages: what it ends with.
async fn last_event(store: &Store, arn: &Arc<str>) -> String {
    let (mut from, mut ids, mut last) = (None, Vec::new(), Value::Null);
    loop {
        let page = page(store, arn, from, 7).await;
        for event in &page.events {
            last = serde_json::from_str(event).unwrap();
            ids.push(last["id"].as_u64().unwrap());
        }
        match page.next {
            None => break,
            next => from = next,
        }
    }
    let count = ids.len() as u64;
    assert_eq!(ids, (1..=count).collect::<Vec<_>>(), "{arn}");
    last["type"].as_str().unwrap().to_owned()
}

/// Asserts that each execution has its history, description and definition. Returns the executions by name.
async fn assert_told(store: &Store) -> BTreeMap<String, ExecutionSummary> {
    let executions = all(store).await;
    for (name, execution) in &executions {
        let last = last_event(store, &execution.arn).await;
        let description = described(store, &execution.arn).await;
        assert_eq!(description.held, None, "{name}");
        let definition = store.definition(description.definition).await.unwrap();
        assert!(definition.is_some(), "{name}");
        // One that runs may continue meanwhile.
        let expected = match execution.status {
            ExecutionStatus::Running => continue,
            ExecutionStatus::Failed => "ExecutionFailed",
            _ => "ExecutionSucceeded",
        };
        assert_eq!(last, expected, "{name}");
    }
    let key = EntryKey {
        kind: EntryKind::StateMachine,
        scope: "aws:us-east-1:1".into(),
        name: "M".into(),
    };
    assert!(store.entry(key).await.unwrap().is_some());
    executions
}

/// Answers all that anything waits for, until nothing runs.
async fn end_all(store: &Store) {
    let token = token(store, &arn("waits")).await;
    let done = || TaskReply::Success(Payload::parse("8").unwrap());
    store.reply_to_task(token, done()).await.unwrap();
    let begun = Instant::now();
    let runs = |execution: &ExecutionSummary| execution.status == ExecutionStatus::Running;
    while all(store).await.values().any(runs) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{:?}",
            all(store).await
        );
        let task = store.take_activity_task(ACTIVITY.into(), None);
        if let Ok(task) = tokio::time::timeout(Duration::from_millis(100), task).await {
            store
                .reply_to_task(task.unwrap().token, done())
                .await
                .unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stores_of_earlier_versions_are_read_and_go_on() {
    let present = Folder::new();
    drop(Store::open(&present.0, no_handlers()).unwrap());
    let present = version(&present.0.join("asl.db"));
    let name = format!("schema-{present}.db");
    let is_missing = !folder_of_stores().join(&name).exists();
    if is_missing && std::env::var_os("UPDATE_STORES").is_some() {
        write(&name).await;
    }
    for schema in 1..=present {
        let kept = folder_of_stores().join(format!("schema-{schema}.db"));
        assert!(kept.exists(), "{kept:?} is missing: see above");
        let folder = Folder::new();
        std::fs::copy(&kept, folder.0.join("asl.db")).unwrap();
        assert_eq!(version(&folder.0.join("asl.db")), schema);
        let (checked, found) = check(&folder);
        assert_eq!(found, [], "{schema}");

        let store = Store::open(&folder.0, with_slow_task(true)).unwrap();
        let executions = assert_told(&store).await;
        // Of the first there is one that was written before there was more to hold.
        let (count, children) = if schema == 1 { (3, 2) } else { (8, 4) };
        assert_eq!(executions.len(), count, "{schema}");
        assert_eq!(checked.executions as usize, count + children, "{schema}");
        end_all(&store).await;
        let bad = arn("bad");
        store.redrive(Arc::clone(&bad), None).await.unwrap();
        let failed = ended(&store, &bad).await.error_output;
        assert_eq!(failed, ErrorOutput::new("Unlucky", "it was told to"));
        for (name, execution) in assert_told(&store).await {
            let expected = match &*name {
                "bad" => ExecutionStatus::Failed,
                _ => ExecutionStatus::Succeeded,
            };
            assert_eq!(execution.status, expected, "{schema}: {name}");
        }
        close_sealed(store, &folder).await;
        let (_, found) = check(&folder);
        assert_eq!(found, [], "{schema}");
    }
}
