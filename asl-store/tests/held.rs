//! Executions whose tasks nobody does any more: they are held and named, not failed.
mod common;

use asl_backend::{Backend, ExecutionStatus, Payload, TaskReply};
use asl_engine::runtime::{
    BoxFuture, MemoryStorage, Storage, TaskAnswer, TaskHandlers, task_fn, with_storage,
};
use asl_engine::{ErrorOutput, StorageOperation, StorageResult, TaskError};
use asl_store::{Options, Store, StoreReader};
use common::*;
use serde_json::{Value, json};

const WORK: &str = "arn:aws:lambda:us-east-1:123456789012:function:work";

fn machine() -> Value {
    json!({"StartAt": "Work", "States": {"Work": {"Type": "Task", "Resource": WORK, "End": true}}})
}

/// Returns a store whose one execution waits for an answer that never comes, closed.
async fn asked_and_closed(folder: &Folder) -> std::sync::Arc<str> {
    let never = |_: Value| std::future::pending::<Result<Value, TaskError>>();
    let store = Store::open(&folder.0, options(TaskHandlers::new().on("work", never))).unwrap();
    let started = start(&store, &machine(), "e", "{}").await.unwrap();
    until(&store, &started.arn, "LambdaFunctionScheduled").await;
    store.close();
    started.arn
}

#[tokio::test]
async fn what_nobody_does_any_more_is_held_until_somebody_does_it() {
    let folder = Folder::new();
    let arn = asked_and_closed(&folder).await;
    for _ in 0..2 {
        let store = Store::open(&folder.0, no_handlers()).unwrap();
        let held = store.suspended(10).await.unwrap();
        assert_eq!((held.count, &*held.executions[0].arn), (1, &*arn));
        let why = &held.executions[0].why;
        assert!(
            why.contains("no handler for the task of state 'Work' is configured any more"),
            "{why}"
        );
        assert!(why.contains(WORK), "{why}");
        assert_eq!(
            described(&store, &arn).await.summary.status,
            ExecutionStatus::Running
        );
        store.close();
    }
    let done = |_: Value| async { Ok::<_, TaskError>(json!("done")) };
    let store = Store::open(&folder.0, options(TaskHandlers::new().on("work", done))).unwrap();
    let end = ended(&store, &arn).await;
    assert_eq!(end.output.as_deref(), Some("\"done\""));
    assert_eq!(store.suspended(10).await.unwrap().count, 0);
}

#[tokio::test]
async fn what_is_held_can_be_stopped() {
    let folder = Folder::new();
    let arn = asked_and_closed(&folder).await;
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let error_output = ErrorOutput::default();
    store.stop(arn.clone(), error_output).await.unwrap();
    assert_eq!(
        ended(&store, &arn).await.summary.status,
        ExecutionStatus::Aborted
    );
    assert_eq!(store.suspended(10).await.unwrap().count, 0);
}

#[tokio::test]
async fn what_is_held_after_a_kill_keeps_what_it_did() {
    let (folder, other) = (Folder::new(), Folder::new());
    let handlers = TaskHandlers::new()
        .on_value("first", |_: Value| async { Ok(json!(1)) })
        .on_value("work", |_: Value| {
            std::future::pending::<Result<Value, TaskError>>()
        });
    let store = Store::open(&folder.0, options(handlers)).unwrap();
    let first = WORK.replace("work", "first");
    let mut machine = machine();
    machine["StartAt"] = "First".into();
    machine["States"]["First"] = json!({"Type": "Task", "Resource": first, "Next": "Work"});
    let started = start(&store, &machine, "e", "{}").await.unwrap();
    until(&store, &started.arn, "LambdaFunctionSucceeded").await;
    let events = event_types(&store, &started.arn).await;
    // As it would be found after a kill.
    store.back_up(other.0.join("asl.db")).unwrap();
    store.close();
    let store = Store::open(&other.0, no_handlers()).unwrap();
    assert_eq!(store.suspended(10).await.unwrap().count, 1);
    assert_eq!(event_types(&store, &started.arn).await, events);
    let stopped = store.stop(started.arn.clone(), ErrorOutput::default());
    stopped.await.unwrap();
    store.close();
    let faults = StoreReader::open(&other.0).unwrap().check(|_| ());
    assert_eq!(faults.unwrap().faults, 0);
    let store = Store::open(&other.0, no_handlers()).unwrap();
    let events = [&events[..], &["ExecutionAborted".to_owned()]].concat();
    assert_eq!(event_types(&store, &started.arn).await, events);
}

/// An object store that never answers: what is written, or what is read as well.
struct Stuck {
    reads: bool,
}

impl Storage for Stuck {
    fn perform(
        &self,
        _bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        match operation {
            StorageOperation::GetObject { .. } if !self.reads => {
                Box::pin(async { Ok(StorageResult::Object(b"[1, 2]".to_vec())) })
            }
            _ => Box::pin(std::future::pending()),
        }
    }
}

fn with_objects(storage: impl Storage) -> Options {
    options(with_storage(
        std::sync::Arc::new(TaskHandlers::new()),
        storage,
    ))
}

#[tokio::test]
async fn what_reads_or_writes_objects_is_held_until_something_serves_them() {
    let map = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "in", "Key": "k"}},
        "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "out", "Prefix": "p"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}}}});
    for (reads, bucket) in [(true, "in"), (false, "out")] {
        let folder = Folder::new();
        let store = Store::open(&folder.0, with_objects(Stuck { reads })).unwrap();
        let started = start(&store, &map, "e", "{}").await.unwrap();
        match reads {
            true => until(&store, &started.arn, "MapStateStarted").await,
            false => {
                let arn = started.arn.clone();
                let runs = async || store.map_runs(arn.clone()).await.unwrap().unwrap();
                while runs().await.iter().all(|run| run.items.succeeded < 2) {
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
            }
        }
        store.close();
        // Handlers of tasks serve no objects.
        for tasks in [
            no_handlers(),
            options(task_fn(|_| async { Ok(TaskAnswer::Completed(json!(0))) })),
        ] {
            let store = Store::open(&folder.0, tasks).unwrap();
            let held = store.suspended(10).await.unwrap();
            assert_eq!((held.count, &*held.executions[0].arn), (1, &*started.arn));
            let why = &held.executions[0].why;
            assert!(
                why.contains(&format!("nothing serves the bucket '{bucket}' any more")),
                "{why}"
            );
            store.close();
        }
        let objects = MemoryStorage::default().with("in", "k", "[1, 2]");
        let store = Store::open(&folder.0, with_objects(objects)).unwrap();
        let end = ended(&store, &started.arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
        assert_eq!(store.suspended(10).await.unwrap().count, 0);
    }
}

#[tokio::test]
async fn one_that_is_held_hears_who_answers_it_and_stays_held() {
    let folder = Folder::new();
    let branch = |resource: &str| json!({"StartAt": resource, "States": {resource: {"Type": "Task", "Resource": resource, "End": true}}});
    let parallel = json!({"StartAt": "P", "States": {"P": {"Type": "Parallel", "End": true,
        "Branches": [branch(WORK), branch("arn:aws:states:::sqs:sendMessage.waitForTaskToken")]}}});
    let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
    let handlers = TaskHandlers::new()
        .on_value("work", |_: Value| {
            std::future::pending::<Result<Value, TaskError>>()
        })
        .on_task("*sendMessage*", move |task| {
            let _ = tell.send(std::sync::Arc::<str>::from(task.token()));
            async { Ok::<_, TaskError>(TaskAnswer::Submitted(json!({}))) }
        });
    let store = Store::open(&folder.0, options(handlers)).unwrap();
    let started = start(&store, &parallel, "e", "{}").await.unwrap();
    let token = told.recv().await.unwrap();
    until(&store, &started.arn, "TaskSubmitted").await;
    store.close();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    assert_eq!(store.suspended(10).await.unwrap().count, 1);
    let answer = TaskReply::Success(Payload::parse("2").unwrap());
    store.reply_to_task(token, answer).await.unwrap();
    until(&store, &started.arn, "TaskSucceeded").await;
    let held = store.suspended(10).await.unwrap();
    assert_eq!(held.count, 1);
    assert!(held.executions[0].why.contains(WORK), "{held:?}");
    store.close();
    let done = |_: Value| async { Ok::<_, TaskError>(json!(1)) };
    let store = Store::open(&folder.0, options(TaskHandlers::new().on("work", done))).unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.output.as_deref(), Some("[1,2]"));
    assert_eq!(store.suspended(10).await.unwrap().count, 0);
}
