//! A disk that is full: nothing that was acknowledged is lost, and it continues when there is room.
mod common;

use asl_backend::{BackendError, ExecutionStatus, StartError};
use asl_store::Store;
use common::disk::*;
use common::*;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_a_full_disk() {
    let folder = Folder::new();
    let mut small = no_handlers();
    small.max_bytes = Some(512 << 10);
    let store = Store::open(&folder.0, small).unwrap();
    let definition =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": true}}});
    let input = json!("x".repeat(20_000)).to_string();
    let mut acknowledged = Vec::new();
    let refusal = loop {
        let name = format!("e{}", acknowledged.len());
        // What there is no room for is not answered until there is.
        let starting = start(&store, &definition, &name, &input);
        match tokio::time::timeout(Duration::from_secs(3), starting).await {
            Ok(Ok(started)) => acknowledged.push(started.arn),
            Ok(Err(error)) => break Some(error),
            Err(_) => break None,
        }
        assert!(acknowledged.len() < 1_000, "it is never full");
    };
    assert!(acknowledged.len() > 3, "{refusal:?}");
    let refused = start(&store, &definition, "later", "{}").await;
    let is_told = matches!(&refused, Err(StartError::Backend(BackendError::Unavailable(why))) if why.contains("full"));
    assert!(is_told, "{refused:?}");
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();

    let store = Store::open(&folder.0, no_handlers()).unwrap();
    for arn in acknowledged {
        let end = ended(&store, &arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::new() else {
        return left_out("nothing can be mounted here");
    };
    let folder = disk.path().join("store");
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 1 << 20]).unwrap();
    let store = Store::open(&folder, no_handlers()).unwrap();
    let definition =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": true}}});
    let input = json!("x".repeat(20_000)).to_string();
    let mut acknowledged = Vec::new();
    loop {
        let name = format!("e{}", acknowledged.len());
        let starting = start(&store, &definition, &name, &input);
        match tokio::time::timeout(Duration::from_secs(2), starting).await {
            Ok(Ok(started)) => acknowledged.push(started.arn),
            Ok(Err(_)) | Err(_) => break,
        }
        assert!(acknowledged.len() < 1_000, "it is never full");
    }
    let refused = start(&store, &definition, "later", "{}").await;
    let is_told = matches!(
        &refused,
        Err(StartError::Backend(BackendError::Unavailable(_)))
    );
    assert!(is_told, "{refused:?}");
    std::fs::remove_file(ballast).unwrap();
    // Without being opened again.
    for arn in &acknowledged {
        let end = ended(&store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    }
    assert!(acknowledged.len() > 3);
    start(&store, &definition, "afterwards", "{}")
        .await
        .unwrap();
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();
}
