//! Histories of long executions: sealed with their snapshots, read by pages, and whole after every restart.
mod common;

use asl_backend::{Backend as _, HistoryQuery};
use asl_engine::runtime::{Task, TaskAnswer, task_fn};
use asl_engine::{ErrorOutput, TaskError};
use asl_store::{Options, Store, StoreReader};
use common::*;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rounds of nine events, and then an answer from outside.
fn rounds() -> Value {
    let task = |fields: Value| {
        let mut state =
            json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F"});
        for (name, value) in fields.as_object().unwrap() {
            state[name] = value.clone();
        }
        state
    };
    json!({"StartAt": "Count", "States": {
        "Count": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, -1)"}, "Next": "Work"},
        "Work": task(json!({"ResultPath": null, "Next": "More"})),
        "More": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 0, "Next": "Count"}], "Default": "Ask"},
        "Ask": task(json!({"Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "End": true,
            "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}}))}})
}

fn answering() -> Options {
    options(task_fn(|task: Task| async move {
        Ok::<_, TaskError>(match task.state_name() {
            "Ask" => TaskAnswer::Submitted(json!({})),
            _ => TaskAnswer::Completed(Value::Null),
        })
    }))
}

/// Returns all events by pages of this size.
async fn events(store: &Store, arn: &Arc<str>, limit: usize, is_reversed: bool) -> Vec<Arc<str>> {
    let (mut events, mut from) = (Vec::new(), None);
    loop {
        let query = HistoryQuery {
            from,
            limit,
            is_reversed,
        };
        let page = store.history(Arc::clone(arn), query).await.unwrap();
        let page = page.expect("it is there");
        events.extend(page.events);
        from = page.next;
        if from.is_none() {
            return events;
        }
    }
}

/// Returns the number of sealed events of the only running execution.
fn sealed(folder: &Path) -> i64 {
    let connection = Connection::open(folder.join("asl.db")).unwrap();
    let sql = "SELECT coalesce(max(events), 0) FROM bases";
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Returns an execution that ran 1,500 rounds and waits, and its history, none of which is sealed.
async fn long(folder: &Path) -> (Store, Arc<str>) {
    let store = Store::open(folder, answering()).unwrap();
    let started = start(&store, &rounds(), "e", r#"{"n": 1500}"#).await;
    let arn = started.unwrap().arn;
    until(&store, &arn, "TaskSubmitted").await;
    (store, arn)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happened_before_a_snapshot_is_sealed_while_the_execution_runs() {
    let folder = Folder::new();
    let (store, arn) = long(&folder.0).await;
    let begun = Instant::now();
    while sealed(&folder.0) < 4_000 {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "nothing is sealed"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let whole = events(&store, &arn, 100_000, false).await;
    assert!(whole.len() > 13_500, "{}", whole.len());
    for (place, event) in whole.iter().enumerate() {
        let event: Value = serde_json::from_str(event).unwrap();
        assert_eq!(event["id"], json!(place + 1));
    }
    // Pages that end before, at and after what is sealed.
    assert_eq!(events(&store, &arn, 777, false).await, whole);
    let mut reversed = events(&store, &arn, 777, true).await;
    reversed.reverse();
    assert_eq!(reversed, whole);
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();

    let (reader, mut found) = (StoreReader::open(&folder.0).unwrap(), Vec::new());
    reader.check(|finding| found.push(finding)).unwrap();
    assert_eq!(found, vec![]);
    let mut text = Vec::new();
    reader.export(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let exported = text.lines().filter(|line| line.contains("previousEventId"));
    assert_eq!(exported.count(), whole.len());
    drop(reader);

    // What is replayed from there on is what was replayed from the beginning.
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    let copy = Folder::new();
    let sql = format!("VACUUM INTO '{}'", copy.0.join("asl.db").display());
    connection.execute_batch(&sql).unwrap();
    let connection = Connection::open(copy.0.join("asl.db")).unwrap();
    connection
        .execute_batch("DELETE FROM bases; DELETE FROM sealed")
        .unwrap();
    drop(connection);
    let store = Store::open(&copy.0, answering()).unwrap();
    assert_eq!(events(&store, &arn, 1_000, false).await, whole);
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();

    let store = Store::open(&folder.0, answering()).unwrap();
    assert_eq!(events(&store, &arn, 1_000, false).await, whole);
    store
        .stop(Arc::clone(&arn), ErrorOutput::default())
        .await
        .unwrap();
    ended(&store, &arn).await;
    let begun = Instant::now();
    while sealed(&folder.0) > 0 {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "its end is not sealed"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let end = events(&store, &arn, 1_000, false).await;
    assert_eq!(
        (&end[..whole.len()], end.len()),
        (&whole[..], whole.len() + 1)
    );
    // It may be redriven, and is then as any that runs.
    store.redrive(Arc::clone(&arn), None).await.unwrap();
    let redriven = events(&store, &arn, 1_000, false).await;
    assert_eq!(redriven[..end.len()], end[..]);
    assert!(
        redriven[end.len()].contains("ExecutionRedriven"),
        "{redriven:?}"
    );
}

/// A sealed part is written while the execution continues, so what a page is made of changes between two pages.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_an_execution_that_goes_on_fit_together() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, answering()).unwrap();
    let started = start(&store, &rounds(), "e", r#"{"n": 1500}"#).await;
    let arn = started.unwrap().arn;
    let mut known: Vec<Arc<str>> = Vec::new();
    while !known
        .last()
        .is_some_and(|event| event.contains("TaskSubmitted"))
    {
        let query = HistoryQuery {
            from: Some(known.len() as u64 + 1),
            limit: 300,
            is_reversed: false,
        };
        let page = store.history(Arc::clone(&arn), query).await.unwrap();
        known.extend(page.unwrap().events);
    }
    assert_eq!(events(&store, &arn, 1_000, false).await, known);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ended_before_a_restart_is_whole_although_it_was_not_sealed() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, answering()).unwrap();
    let mut definition = rounds();
    definition["States"]["More"]["Default"] = "Done".into();
    definition["States"]["Done"] = json!({"Type": "Succeed"});
    definition["States"].as_object_mut().unwrap().remove("Ask");
    let starts = (0..400).map(|number| {
        let (store, definition) = (&store, &definition);
        async move {
            let name = format!("short-{number}");
            let started = start(store, definition, &name, r#"{"n": 2}"#).await;
            started.unwrap().arn
        }
    });
    let arns = futures::future::join_all(starts).await;
    // One that is in memory, and was saved later than records of the others.
    let waiting = start(&store, &rounds(), "waiting", r#"{"n": 1}"#).await;
    waiting.unwrap();
    while store.statistics().running > 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();

    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    let sql = "SELECT count(DISTINCT execution) FROM sealed";
    let sealed: i64 = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    assert!(sealed < 400, "all were sealed in time");
    drop(connection);
    let store = Store::open(&folder.0, answering()).unwrap();
    for arn in &arns {
        let types = event_types(&store, arn).await;
        assert_eq!(types.len(), 22, "{types:?}");
        assert_eq!(types.last().map(String::as_str), Some("ExecutionSucceeded"));
    }
}

/// A page of no events that names itself as the next would be requested without end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_whose_records_are_gone_is_an_error() {
    let folder = Folder::new();
    let unpacked = |mut options: Options| {
        options.seals_all = false;
        options
    };
    let store = Store::open(&folder.0, unpacked(answering())).unwrap();
    let asks = json!({"StartAt": "Work", "States": {"Work": rounds()["States"]["Ask"]}});
    let arn = start(&store, &asks, "e", "{}").await.unwrap().arn;
    until(&store, &arn, "TaskSubmitted").await;
    let stopped = store.stop(Arc::clone(&arn), ErrorOutput::default());
    stopped.await.unwrap();
    assert_eq!(events(&store, &arn, 100, false).await.len(), 8);
    drop(store);
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    let without = "UPDATE executions SET records = x''";
    assert_eq!(connection.execute(without, []).unwrap(), 1);
    connection.execute("DELETE FROM snapshots", []).unwrap();
    drop(connection);
    let store = Store::open(&folder.0, unpacked(answering())).unwrap();
    let query = HistoryQuery {
        from: None,
        limit: 100,
        is_reversed: false,
    };
    let read = store.history(Arc::clone(&arn), query).await;
    let error = read.unwrap_err().to_string();
    assert!(error.contains("its records produce"), "{error}");
}
