//! Executions that compute for long: others continue, time passes, and what is kept of them is whole.
mod common;

use asl_backend::{Backend as _, ExecutionStatus};
use asl_engine::ErrorOutput;
use asl_store::{Store, StoreReader};
use common::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Returns a loop of so many rounds, each of which evaluates an expression of so many calls.
fn computing(rounds: u32, calls: u32, timeout: u32) -> Value {
    let compute = format!(
        "{{% {{'n': $states.input.n + 1, 'random': $random(), 'called': ($f := function($n) {{ $n = 0 ? 0 : $f($n - 1) }}; $f({calls}))}} %}}"
    );
    let again = format!("{{% $states.input.n < {rounds} %}}");
    json!({"QueryLanguage": "JSONata", "StartAt": "Compute", "TimeoutSeconds": timeout, "States": {
        "Compute": {"Type": "Pass", "Output": compute, "Next": "Again"},
        "Again": {"Type": "Choice", "Choices": [{"Condition": again, "Next": "Compute"}], "Default": "End"},
        "End": {"Type": "Succeed"}}})
}

fn pass() -> Value {
    json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}})
}

async fn status(store: &Store, arn: &Arc<str>) -> ExecutionStatus {
    described(store, arn).await.summary.status
}

/// The faults that are found in a store.
fn faults(folder: &Folder) -> u64 {
    let reader = StoreReader::open(&folder.0).unwrap();
    reader
        .check(|finding| panic!("{finding:?}"))
        .unwrap()
        .faults
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_begin_and_end_while_some_compute() {
    let store = Store::in_memory(no_handlers()).unwrap();
    let mut computing_ones = Vec::new();
    for number in 0..8 {
        let name = format!("computes-{number}");
        let definition = computing(1_000_000, 20_000, 1_000);
        let started = start(&store, &definition, &name, r#"{"n": 0}"#);
        computing_ones.push(started.await.unwrap().arn);
    }
    for number in 0..20 {
        let started = start(&store, &pass(), &format!("passes-{number}"), "{}")
            .await
            .unwrap();
        let end = ended(&store, &started.arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded);
    }
    for arn in &computing_ones {
        assert_eq!(status(&store, arn).await, ExecutionStatus::Running);
        let stop = store
            .stop(Arc::clone(arn), ErrorOutput::new("Enough", "it computes"))
            .await;
        stop.unwrap();
        assert_eq!(status(&store, arn).await, ExecutionStatus::Aborted);
    }
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_computes_times_out() {
    let store = Store::in_memory(no_handlers()).unwrap();
    let started = start(&store, &computing(1_000_000, 5_000, 1), "e", r#"{"n": 0}"#)
        .await
        .unwrap();
    let end = ended(&store, &started.arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::TimedOut);
    let stopped = end.summary.stop_date.unwrap();
    let took = stopped.milliseconds() - started.start_date.milliseconds();
    assert!(took >= 1_000, "{took} ms");
    let types = event_types(&store, &started.arn).await;
    assert_eq!(types.last().map(String::as_str), Some("ExecutionTimedOut"));
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_start_of_one_that_computes_is_the_same_start() {
    let store = Store::in_memory(no_handlers()).unwrap();
    let definition = computing(1_000_000, 20_000, 1_000);
    let first = start(&store, &definition, "e", r#"{"n": 0}"#)
        .await
        .unwrap();
    for _ in 0..20 {
        let again = start(&store, &definition, "e", r#"{"n": 0}"#)
            .await
            .unwrap();
        let (same, since) = (again.start_date, first.start_date);
        assert_eq!(same.milliseconds(), since.milliseconds());
        assert!(!again.is_new);
        let other = start(&store, &definition, "e", r#"{"n": 1}"#).await;
        assert!(other.is_err());
    }
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_computes_goes_on_after_the_store_was_closed() {
    let folder = Folder::new();
    let mut store = Store::open(&folder.0, no_handlers()).unwrap();
    let definition = computing(2_000, 300, 1_000);
    let arn = start(&store, &definition, "e", r#"{"n": 0}"#)
        .await
        .unwrap()
        .arn;
    let mut opened = 0;
    while status(&store, &arn).await == ExecutionStatus::Running && opened < 20 {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let before = all_events(&store, &arn).await;
        store.close();
        drop(store);
        assert_eq!(faults(&folder), 0);
        store = Store::open(&folder.0, no_handlers()).unwrap();
        let after = all_events(&store, &arn).await;
        assert!(after.starts_with(&before), "the history is another one");
        opened += 1;
    }
    assert!(opened > 0);
    let end = ended(&store, &arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded);
    let events = all_events(&store, &arn).await;
    assert_eq!(events.len(), 2 * 2 * 2_000 + 4);
    store.close();
    drop(store);
    assert_eq!(faults(&folder), 0);
}

/// The end comes after a snapshot, which was taken in the middle of a loop.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_after_the_store_was_opened_again_leads_to_its_end() {
    let folder = Folder::new();
    let mut store = Store::open(&folder.0, no_handlers()).unwrap();
    for number in 0..8 {
        let name = format!("computes-{number}");
        let definition = computing(1_000_000, 20_000, 1_000);
        let started = start(&store, &definition, &name, r#"{"n": 0}"#);
        started.await.unwrap();
    }
    let definition = json!({"StartAt": "Check", "States": {
        "Check": {"Type": "Choice", "Default": "End", "Choices": [
            {"Variable": "$.n", "NumericLessThan": 2_500, "Next": "Add"}]},
        "Add": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, 1)"}, "Next": "Check"},
        "End": {"Type": "Succeed"}}});
    let started = start(&store, &definition, "ends", r#"{"n": 0}"#);
    let arn = started.await.unwrap().arn;
    for _ in 0..3 {
        store.close();
        drop(store);
        assert_eq!(faults(&folder), 0);
        store = Store::open(&folder.0, no_handlers()).unwrap();
    }
    let end = ended(&store, &arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded);
    store.close();
}
