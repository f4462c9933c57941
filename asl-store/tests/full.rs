//! A disk that is full: nothing that was acknowledged is lost, and it continues when there is room.
mod common;

use asl_backend::{BackendError, ExecutionStatus, StartError};
use asl_store::{Notices, Options, Store, StoreNotice};
use common::disk::*;
use common::*;
use serde_json::json;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_a_full_disk() {
    let folder = Folder::new();
    let mut small = no_handlers();
    small.max_bytes = Some(512 << 10);
    let store = Store::open(&folder.0, small).unwrap();
    let acknowledged = fill_store(&store).await;
    let refused = start(&store, &definition(), "still-later", "{}").await;
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
    let store = Store::open(&folder, reporting()).unwrap();
    let acknowledged = fill_store(&store).await;
    std::fs::remove_file(ballast).unwrap();
    // Without being opened again.
    for arn in &acknowledged {
        let end = ended(&store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    }
    start(&store, &definition(), "afterwards", "{}")
        .await
        .unwrap();
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn room_that_is_free_again_is_not_taken_by_the_log() {
    let (Some(disk), Some(log_disk)) = (SmallDisk::new(), SmallDisk::new()) else {
        return left_out("nothing can be mounted here");
    };
    let folder = disk.path().join("store");
    std::fs::create_dir(&folder).unwrap();
    let log = log_disk.take_over(&folder.join("asl.db-wal"));
    let log_ballast = log_disk.path().join("ballast");
    std::fs::write(&log_ballast, vec![0; 1 << 20]).unwrap();
    let store = Store::open(&folder, reporting()).unwrap();
    let ballast = disk.fill("ballast");
    let acknowledged = fill_store(&store).await;
    let last = acknowledged.last().unwrap();
    // The log could grow, but could not be copied then.
    std::fs::remove_file(log_ballast).unwrap();
    let ending = tokio::time::timeout(Duration::from_secs(2), ended(&store, last));
    assert!(ending.await.is_err(), "the log has taken the room");
    std::fs::remove_file(ballast).unwrap();
    for arn in &acknowledged {
        let end = ended(&store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    }
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();
    drop(log);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn room_that_is_free_again_is_not_taken_while_the_log_is_read() {
    let Some(disk) = SmallDisk::new() else {
        return left_out("nothing can be mounted here");
    };
    let folder = disk.path().join("store");
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 1 << 20]).unwrap();
    let failures = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&failures);
    let notices = Notices::new(move |notice| {
        let is_failure = matches!(notice, StoreNotice::WritingFails { .. });
        counted.fetch_add(u64::from(is_failure), Ordering::Relaxed);
    });
    let options = no_handlers().with_notices(notices);
    let store = Store::open(&folder, options).unwrap();
    let acknowledged = fill_store(&store).await;
    // One who reads the log keeps it from being written from its beginning.
    let reader = rusqlite::Connection::open(folder.join("asl.db")).unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM executions")
        .unwrap();
    std::fs::remove_file(ballast).unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    drop(reader);
    for arn in &acknowledged {
        let end = ended(&store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    }
    // Once, before there was room.
    assert_eq!(failures.load(Ordering::Relaxed), 1);
    tokio::task::spawn_blocking(move || drop(store))
        .await
        .unwrap();
}

/// Options of a store whose notices explain a failure of the test.
fn reporting() -> Options {
    let notices = Notices::new(|notice| {
        // A test without standard error has no readers.
        let _ = writeln!(std::io::stderr(), "{notice:?}");
    });
    no_handlers().with_notices(notices)
}

fn definition() -> serde_json::Value {
    json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 1, "End": true}}})
}

/// Starts executions until there is no room; returns those that are acknowledged.
async fn fill_store(store: &Store) -> Vec<Arc<str>> {
    let input = json!("x".repeat(20_000)).to_string();
    let mut acknowledged = Vec::new();
    loop {
        let name = format!("e{}", acknowledged.len());
        let definition = definition();
        let starting = start(store, &definition, &name, &input);
        match tokio::time::timeout(Duration::from_secs(2), starting).await {
            Ok(Ok(started)) => acknowledged.push(started.arn),
            Ok(Err(_)) | Err(_) => break,
        }
        assert!(acknowledged.len() < 1_000, "it is never full");
    }
    assert!(acknowledged.len() > 3);
    let refused = start(store, &definition(), "later", "{}").await;
    let is_told = matches!(
        &refused,
        Err(StartError::Backend(BackendError::Unavailable(_)))
    );
    assert!(is_told, "{refused:?}");
    acknowledged
}
