//! Observers and statistics of a store.
mod common;

use asl_backend::{Backend as _, ExecutionStatus};
use asl_engine::runtime::{TaskHandlers, task_fn};
use asl_engine::{ErrorOutput, TaskError, TaskInvocation};
use asl_store::{ObservedExecution, Options, Statistics, Store, StoreObserver};
use common::*;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Notes all reports.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Notes {
    fn note(&self, text: String) {
        self.0.lock().unwrap().push(text);
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn described(execution: &ObservedExecution<'_>) -> String {
    match execution.is_child {
        true => "a child".to_owned(),
        false => execution.identity.execution_name().to_owned(),
    }
}

impl StoreObserver for Notes {
    fn execution_started(&self, execution: &ObservedExecution<'_>) {
        self.note(format!("{} started", described(execution)));
    }

    fn task_begun(&self, task: &TaskInvocation) {
        self.note(format!("{} begun", task.state_name));
    }

    fn task_answered(&self, task: &TaskInvocation, error: Option<&ErrorOutput>, _: Duration) {
        let error = error.and_then(|error| error.error.as_deref());
        self.note(format!("{} answered: {error:?}", task.state_name));
    }

    fn execution_ended(
        &self,
        execution: &ObservedExecution<'_>,
        status: ExecutionStatus,
        error: Option<&ErrorOutput>,
    ) {
        let error = error.and_then(|error| error.error.as_deref());
        let (name, status) = (described(execution), status.word());
        self.note(format!("{name} ended {status}: {error:?}"));
    }
}

/// An observer that panics in every call.
struct Panics;

impl StoreObserver for Panics {
    fn execution_started(&self, _: &ObservedExecution<'_>) {
        panic!("started");
    }

    fn task_begun(&self, _: &TaskInvocation) {
        panic!("begun");
    }

    fn execution_ended(
        &self,
        _: &ObservedExecution<'_>,
        _: ExecutionStatus,
        _: Option<&ErrorOutput>,
    ) {
        panic!("ended");
    }
}

fn task(state: &str) -> Value {
    json!({"StartAt": state, "States": {state: {"Type": "Task", "Resource": "work", "End": true}}})
}

fn observed(observer: Arc<dyn StoreObserver>) -> Options {
    let handlers = TaskHandlers::new().on_task("work", |task| async move {
        match task.invocation().state_name.as_ref() {
            "Fails" => Err(TaskError::new("Broken", "")),
            "Panics" => panic!("it is broken"),
            _ => Ok(json!(1)),
        }
    });
    options(handlers).with_observer(observer)
}

/// Runs an execution, and returns the reports of it.
async fn reported(definition: Value) -> Vec<String> {
    let notes = Arc::new(Notes::default());
    let store = Store::in_memory(observed(notes.clone())).unwrap();
    let started = start(&store, &definition, "one", "[1]").await.unwrap();
    ended(&store, &started.arn).await;
    store.close();
    notes.taken()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_observer_sees_executions_and_their_tasks_in_order() {
    assert_eq!(
        reported(task("Works")).await,
        [
            "one started",
            "Works begun",
            "Works answered: None",
            "one ended SUCCEEDED: None"
        ]
    );
    for (state, error) in [("Fails", "Broken"), ("Panics", "States.Runtime")] {
        assert_eq!(
            reported(task(state)).await,
            [
                "one started".to_owned(),
                format!("{state} begun"),
                format!("{state} answered: Some({error:?})"),
                format!("one ended FAILED: Some({error:?})")
            ]
        );
    }
    let mut processor = task("Works");
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    let map = json!({"Type": "Map", "ItemProcessor": processor, "End": true});
    assert_eq!(
        reported(json!({"StartAt": "Each", "States": {"Each": map}})).await,
        [
            "one started",
            "a child started",
            "Works begun",
            "Works answered: None",
            "a child ended SUCCEEDED: None",
            "one ended SUCCEEDED: None"
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_express_execution_is_observed_too() {
    let notes = Arc::new(Notes::default());
    let store = Store::in_memory(observed(notes.clone())).unwrap();
    let ended = run_express_with(&store, &task("Works"), "e", "{}").await;
    assert_eq!(ended.unwrap().status, ExecutionStatus::Succeeded);
    let expected = [
        "e started",
        "Works begun",
        "Works answered: None",
        "e ended SUCCEEDED: None",
    ];
    assert_eq!(notes.taken(), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_observer_that_panics_disturbs_nothing() {
    let store = Store::in_memory(observed(Arc::new(Panics))).unwrap();
    let started = start(&store, &task("Works"), "one", "{}").await.unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statistics_count_ends_and_tasks() {
    let (release, released) = tokio::sync::watch::channel(false);
    let performer = task_fn(move |task| {
        let mut released = released.clone();
        async move {
            let _ = released.wait_for(|is_released| *is_released).await;
            match task.invocation().state_name.as_ref() {
                "Fails" => Err(TaskError::new("Broken", "")),
                _ => Ok(json!(1)),
            }
        }
    });
    let store = Store::in_memory(options(performer).with_max_performing(1)).unwrap();
    let mut arns = Vec::new();
    for (state, name) in [("Works", "a"), ("Works", "b"), ("Fails", "c")] {
        let started = start(&store, &task(state), name, "{}").await.unwrap();
        arns.push(started.arn);
    }
    let stopped = start(&store, &task("Works"), "d", "{}").await.unwrap().arn;
    until_statistics(&store, |it| {
        (it.performing, it.waiting_to_perform) == (1, 3)
    })
    .await;
    let stop = store.stop(Arc::clone(&stopped), ErrorOutput::default());
    stop.await.unwrap();
    release.send(true).unwrap();
    for arn in &arns {
        ended(&store, arn).await;
    }
    until_statistics(&store, |it| it.performing + it.waiting_to_perform == 0).await;
    let found = store.statistics();
    assert_eq!(
        (found.started, found.running, found.performed),
        (4, 0, 3),
        "{found:?}"
    );
    assert_eq!((found.succeeded, found.failed, found.aborted), (2, 1, 1));
    assert_eq!(found.timed_out, 0);
    assert!(found.max_memory_bytes > 0 && found.memory_bytes < found.max_memory_bytes);
}

async fn until_statistics(store: &Store, holds: impl Fn(&Statistics) -> bool) {
    let all = async {
        while !holds(&store.statistics()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), all).await;
    assert!(waited.is_ok(), "{:?}", store.statistics());
}
