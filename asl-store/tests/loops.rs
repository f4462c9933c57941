//! Several event loops: what crosses them, and stores that are opened with another number of them.
mod common;

use asl_backend::{Backend as _, ExecutionStatus, Payload, TaskReply};
use asl_store::{Options, Store};
use common::*;
use serde_json::json;
use std::num::NonZeroUsize;
use std::sync::Arc;

const ACTIVITY: &str = "arn:aws:states:us-east-1:111111111111:activity:a";
/// Executions, and of each as many children.
const COUNT: usize = 4;

fn with_loops(count: usize) -> Options {
    no_handlers().with_event_loops(NonZeroUsize::new(count))
}

/// Takes a task of the activity, and answers it.
async fn work(store: &Store) {
    let task = store.take_activity_task(ACTIVITY.into(), None).await;
    let token = task.expect("a task").token;
    let done = TaskReply::Success(Payload::parse("1").unwrap());
    store.reply_to_task(token, done).await.expect("it waits");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_goes_on_with_another_number_of_loops() {
    let task = json!({"Type": "Task", "Resource": ACTIVITY, "End": true});
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "T", "States": {"T": task}});
    let map = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemProcessor": processor, "End": true}}});
    let items = json!((0..COUNT).collect::<Vec<_>>()).to_string();
    let folder = Folder::new();
    let mut store = Store::open(&folder.0, with_loops(1)).unwrap();
    let mut arns: Vec<Arc<str>> = Vec::new();
    for number in 0..COUNT {
        let name = format!("e{number}");
        let started = start(&store, &map, &name, &items).await.unwrap();
        until(&store, &started.arn, "MapRunStarted").await;
        arns.push(started.arn);
    }
    for loops in [3, 1, 64, 5] {
        for _ in 0..COUNT {
            work(&store).await;
        }
        store.close();
        store = Store::open(&folder.0, with_loops(loops)).unwrap();
    }
    for arn in &arns {
        let end = ended(&store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded);
        assert_eq!(end.output.as_deref(), Some("[1,1,1,1]"));
    }
    assert_eq!(store.statistics().running, 0);
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_that_wait_have_tasks_of_all_loops() {
    let store = Store::in_memory(with_loops(5)).unwrap();
    let machine = json!({"StartAt": "T", "States": {"T": {"Type": "Task", "Resource": ACTIVITY, "End": true}}});
    let workers: Vec<_> = (0..20)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move { work(&store).await })
        })
        .collect();
    for number in 0..20 {
        let name = format!("e{number}");
        start(&store, &machine, &name, "{}").await.unwrap();
    }
    for worker in workers {
        worker.await.unwrap();
    }
    store.close();
}
