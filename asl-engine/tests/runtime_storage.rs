//! Object stores under a distributed Map.
#![cfg(feature = "runtime")]
mod runtime_support;

use asl_engine::runtime::{MemoryStorage, Storage};
use asl_engine::{ErrorOutput, StorageOperation, StorageResult};
use runtime_support::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns a distributed Map over the objects of a JSON file, which writes its results.
fn distributed(writer: Value) -> Arc<asl_engine::Program> {
    let mut map = json!({
        "Type": "Map", "End": true,
        "ItemReader": {
            "Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "in", "Key": "items.json"},
        },
        "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "W", "States": {"W": {"Type": "Wait", "SecondsPath": "$.wait", "End": true}},
        },
    });
    if !writer.is_null() {
        map["ResultWriter"] = writer;
    }
    program(json!({"StartAt": "M", "States": {"M": map}}))
}

#[tokio::test]
async fn a_distributed_map_reads_its_items_and_runs_children() {
    let items = json!([{"wait": 30}, {"wait": 10}, {"wait": 20}]);
    let storage = MemoryStorage::default().with("in", "items.json", items.to_string());
    let runtime = virtual_time().storage(storage).build();
    let outcome = runtime
        .run(distributed(Value::Null), start(json!({})))
        .await;
    assert_eq!(outcome, succeeded(items));
    assert_eq!(
        runtime.now(),
        seconds(30),
        "the children waited side by side"
    );
}

#[tokio::test]
async fn a_distributed_map_writes_its_results() {
    let storage = MemoryStorage::default().with("in", "items.json", r#"[{"wait": 1}]"#);
    let storage = Arc::new(storage);
    let writer = json!({"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "out", "Prefix": "results"}});
    let runtime = virtual_time().storage(Arc::clone(&storage)).build();
    let outcome = runtime.run(distributed(writer), start(json!({}))).await;
    assert_eq!(outcome.status(), "SUCCEEDED", "{outcome:?}");
    let keys = storage.keys("out");
    assert!(
        keys.iter()
            .any(|key| key.starts_with("results/") && key.ends_with("manifest.json")),
        "{keys:?}"
    );
}

#[tokio::test]
async fn without_a_store_the_cause_says_how_to_give_one() {
    let runtime = virtual_time().build();
    let (error, cause) = failure(
        runtime
            .run(distributed(Value::Null), start(json!({})))
            .await,
    );
    assert_eq!(error, "States.ItemReaderFailed");
    assert!(
        cause.contains(
            "object `items.json` of bucket `in` cannot be read: no object store was given"
        ),
        "{cause}"
    );
}

#[tokio::test]
async fn stopping_the_parent_stops_its_children() {
    let items = json!([{"wait": 3600}, {"wait": 7200}]);
    let storage = MemoryStorage::default().with("in", "items.json", items.to_string());
    let runtime = virtual_time().storage(storage).build();
    let hold = runtime.clock().hold();
    let handle = runtime
        .start_execution(distributed(Value::Null), start(json!({})))
        .await;
    handle.stop(ErrorOutput::default()).await;
    assert_eq!(end_of(handle).await.status(), "ABORTED");
    drop(hold);
    runtime.run(program(json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": true}}})), start(json!({}))).await;
    assert_eq!(
        runtime.now(),
        seconds(1),
        "no child is left that could wait"
    );
}

/// Panics in its future.
struct Panicking;

impl Storage for Panicking {
    fn perform(
        &self,
        _: String,
        _: StorageOperation,
    ) -> futures::future::BoxFuture<'static, Result<StorageResult, String>> {
        Box::pin(async {
            tokio::task::yield_now().await;
            panic!("no disk")
        })
    }
}

/// The clock continues for all others: a store that panicked is not at work any more.
#[tokio::test]
async fn a_store_that_panics_fails_its_state_and_nothing_else() {
    let reader = json!({"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "bucket"}});
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "A",
        "States": {"A": {"Type": "Pass", "End": true}}});
    let map = json!({"Type": "Map", "ItemReader": reader, "ItemProcessor": processor, "End": true});
    let map = program(json!({"StartAt": "M", "States": {"M": map}}));
    let wait = json!({"Type": "Wait", "Seconds": 5, "End": true});
    let wait = program(json!({"StartAt": "W", "States": {"W": wait}}));
    let runtime = virtual_time().storage(Panicking).build();
    let mapping = runtime.start_execution(map, start(json!({}))).await;
    let mut other = start(json!({}));
    other.identity = Arc::new(asl_engine::Identity::new("M", "other"));
    let waiting = runtime.start_execution(wait, other).await;
    let (error, cause) = failure(end_of(mapping).await);
    assert_eq!(error, "States.ItemReaderFailed", "{cause}");
    assert!(
        cause.contains("the object store panicked: no disk"),
        "{cause}"
    );
    assert_eq!(end_of(waiting).await, succeeded(json!({})));
}
