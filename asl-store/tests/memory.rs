//! Executions that together hold more than there is memory for: all of them end as they would alone.
mod common;

use asl_backend::{Backend as _, BackendError, ExecutionStatus, HistoryQuery, StartError};
use asl_engine::runtime::{Task, TaskAnswer, TaskHandlers, task_fn};
use asl_engine::{ErrorOutput, TaskError};
use asl_store::{Options, Store};
use common::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

const BUDGET: u64 = 16 << 20;
/// Branches of an execution, each of which holds a tenth of a megabyte.
const BRANCHES: usize = 15;
const EXECUTIONS: usize = 40;
const BYTES: usize = 100_000;
const TASK: &str = "arn:aws:lambda:us-east-1:111111111111:function:slow";

/// Branches that each make a long text, do this with it, and end with its length.
fn holding(then: &Value) -> Value {
    let branch = |number: usize| {
        let name = |name: &str| format!("{name}{number}");
        let mut then = then.clone();
        then["Next"] = name("Length").into();
        json!({"StartAt": name("Make"), "States": {
            name("Make"): {"Type": "Pass", "Output": "{% $states.input & 'x' %}", "Next": name("Then")},
            name("Then"): then,
            name("Length"): {"Type": "Pass", "Output": "{% $length($states.input) %}", "End": true}}})
    };
    let branches: Vec<Value> = (0..BRANCHES).map(branch).collect();
    json!({"QueryLanguage": "JSONata", "StartAt": "All", "States": {
        "All": {"Type": "Parallel", "Branches": branches, "Output": "{% $sum($states.result) %}", "End": true}}})
}

fn with_budget(handlers: TaskHandlers) -> Options {
    options(handlers).with_max_memory(BUDGET)
}

/// Starts executions, again where there is no memory for them; how often that was.
async fn start_all(store: &Store, machine: &Value) -> (Vec<Arc<str>>, usize) {
    let input = json!("x".repeat(BYTES - 1)).to_string();
    let (mut arns, mut refused) = (Vec::new(), 0);
    while arns.len() < EXECUTIONS {
        match start(store, machine, &format!("e{}", arns.len()), &input).await {
            Ok(started) => arns.push(started.arn),
            Err(StartError::Backend(BackendError::Unavailable(_))) => {
                refused += 1;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
    (arns, refused)
}

/// The most that was used of the budget while something was done.
async fn most_used<T>(store: &Store, done: impl Future<Output = T>) -> (u64, T) {
    let (most, is_over) = (
        Arc::new(AtomicU64::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let memory = Arc::clone(store.memory().expect("it has one"));
    let (seen, over) = (Arc::clone(&most), Arc::clone(&is_over));
    let sampling = std::thread::spawn(move || {
        while !over.load(Ordering::Relaxed) {
            seen.fetch_max(memory.used_in_all(), Ordering::Relaxed);
            std::thread::sleep(Duration::from_micros(200));
        }
    });
    let result = done.await;
    is_over.store(true, Ordering::Relaxed);
    sampling.join().unwrap();
    (most.load(Ordering::Relaxed), result)
}

async fn all_succeed(store: &Store, arns: &[Arc<str>]) {
    for arn in arns {
        let end = ended(store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
        let expected = (BRANCHES * BYTES).to_string();
        assert_eq!(end.output.as_deref(), Some(&*expected));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn executions_that_wait_leave_memory_and_come_back() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, with_budget(TaskHandlers::new())).unwrap();
    let machine = holding(&json!({"Type": "Wait", "Seconds": 1}));
    let (most, ()) = most_used(&store, async {
        let (arns, _) = start_all(&store, &machine).await;
        all_succeed(&store, &arns).await;
    })
    .await;
    let all = (EXECUTIONS * BRANCHES * BYTES) as u64;
    assert!(most < all * 3 / 4, "{most} bytes of {all} were used");
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn executions_whose_tasks_are_performed_leave_memory_and_come_back() {
    let folder = Folder::new();
    let performed = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&performed);
    let slow = task_fn(move |task: Task| {
        let counted = Arc::clone(&counted);
        async move {
            counted.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(500)).await;
            Ok::<_, TaskError>(TaskAnswer::Completed(task.payload().clone()))
        }
    });
    let handlers = TaskHandlers::new().route(TASK, slow);
    let store = Store::open(&folder.0, with_budget(handlers)).unwrap();
    let machine = holding(&json!({"Type": "Task", "Resource": TASK}));
    let (arns, _) = start_all(&store, &machine).await;
    all_succeed(&store, &arns).await;
    let tasks = (BRANCHES * EXECUTIONS) as u64;
    assert_eq!(performed.load(Ordering::Relaxed), tasks);
    store.close();
}

/// Returns the first event of an execution, requested again where there is no memory for it.
async fn first_event(store: &Store, arn: &Arc<str>) -> Arc<str> {
    let query = HistoryQuery {
        from: None,
        limit: 1,
        is_reversed: false,
    };
    loop {
        match store.history(Arc::clone(arn), query).await {
            Ok(page) => return Arc::clone(&page.expect("it is there").events[0]),
            Err(BackendError::Unavailable(_)) => {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_left_memory_is_stopped_told_of_and_taken_up() {
    let folder = Folder::new();
    let mut store = Store::open(&folder.0, with_budget(TaskHandlers::new())).unwrap();
    let endless = holding(&json!({"Type": "Wait", "Seconds": 100_000}));
    let input = json!("x".repeat(BYTES - 1)).to_string();
    let mut stopped = Vec::new();
    for name in ["first", "second"] {
        stopped.push(start(&store, &endless, name, &input).await.unwrap().arn);
    }
    let machine = holding(&json!({"Type": "Wait", "Seconds": 2}));
    let (arns, refused) = start_all(&store, &machine).await;
    assert!(refused > 0);
    for _ in 0..2 {
        for arn in arns.iter().step_by(5) {
            assert!(first_event(&store, arn).await.contains("ExecutionStarted"));
        }
        store.close();
        drop(store);
        store = Store::open(&folder.0, with_budget(TaskHandlers::new())).unwrap();
    }
    for arn in &stopped {
        let stop = store.stop(Arc::clone(arn), ErrorOutput::new("Enough", "of it"));
        stop.await.unwrap();
        let end = described(&store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Aborted);
    }
    all_succeed(&store, &arns).await;
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn express_executions_that_grow_beyond_the_budget_are_refused() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, with_budget(TaskHandlers::new())).unwrap();
    let machine = holding(&json!({"Type": "Wait", "Seconds": 1}));
    let input = json!("x".repeat(BYTES - 1)).to_string();
    let (most, ends) = most_used(&store, async {
        let names = (0..EXECUTIONS).map(|number| format!("e{number}"));
        let runs = names.map(|name| {
            let (store, machine, input) = (store.clone(), machine.clone(), input.clone());
            tokio::spawn(async move { run_express_with(&store, &machine, &name, &input).await })
        });
        futures::future::join_all(runs.collect::<Vec<_>>()).await
    })
    .await;
    let (mut succeeded, mut refused) = (0, 0);
    for end in ends {
        match end.unwrap() {
            Ok(end) => {
                assert_eq!(end.status, ExecutionStatus::Succeeded, "{end:?}");
                succeeded += 1;
            }
            Err(StartError::Backend(BackendError::Unavailable(_))) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(
        succeeded > 0 && refused > 0,
        "{succeeded} succeeded, {refused} were refused"
    );
    let all = (EXECUTIONS * BRANCHES * BYTES) as u64;
    assert!(most < all * 3 / 4, "{most} bytes of {all} were used");
    // Those that were refused are stopped after the answer.
    let memory = store.memory().expect("it has one");
    while memory.used_in_all() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    store.close();
}
