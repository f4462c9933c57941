//! A log whose end is cut, garbled or empty, as a power cut may leave it: what was acknowledged before that commit is there.
//!
//! By default a few hundred places are tried; `EVERY_BYTE=1` tries each byte of the last commits (with `TMPDIR` in memory
//! that takes minutes).
mod common;

use asl_backend::{Backend as _, ExecutionStatus};
use asl_store::Store;
use common::*;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A store of a process that is gone, with its log.
struct CrashedStore {
    database: Vec<u8>,
    log: Vec<u8>,
    /// Acknowledged executions, each with the length of the log at that time.
    acknowledged: Vec<(Arc<str>, usize)>,
}

/// Possible damage of the log's end.
#[derive(Debug, Clone, Copy)]
enum Damage {
    Cut,
    Garbled,
    /// The file had grown, and nothing was written there.
    Empty,
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join("asl.db-wal")
}

/// Executions that wait, one after the other.
async fn crashed() -> CrashedStore {
    let folder = Folder::new();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    let definition =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 86_400, "End": true}}});
    let mut acknowledged = Vec::new();
    for number in 0..5 {
        let name = format!("e{number}");
        let started = start(&store, &definition, &name, "{}").await;
        let arn = started.unwrap().arn;
        // What the store does besides is in the log as well.
        tokio::time::sleep(Duration::from_millis(20)).await;
        let length = std::fs::metadata(log_of(&folder.0)).unwrap().len();
        acknowledged.push((arn, length as usize));
    }
    CrashedStore {
        database: std::fs::read(folder.0.join("asl.db")).unwrap(),
        log: std::fs::read(log_of(&folder.0)).unwrap(),
        acknowledged,
    }
}

impl CrashedStore {
    /// Returns the places of the last commits.
    fn places(&self) -> Vec<usize> {
        let commits = self.acknowledged.len();
        if std::env::var("EVERY_BYTE").is_ok() {
            return (self.acknowledged[commits - 2].1..self.log.len()).collect();
        }
        let first = self.acknowledged[commits - 4].1;
        let frames = (first..self.log.len()).step_by(8_192 + 24);
        // Parts of the frames' headers, and some of what is between.
        let headers = frames.flat_map(|frame| (frame..frame + 24).step_by(11));
        let mut places: Vec<usize> = headers
            .chain((first..self.log.len()).step_by(2_503))
            .collect();
        places.sort_unstable();
        places
    }

    fn damaged(&self, damage: Damage, place: usize) -> Vec<u8> {
        let mut log = self.log.clone();
        match damage {
            Damage::Cut => log.truncate(place),
            Damage::Garbled => log[place] ^= 0xff,
            Damage::Empty => log[place..].fill(0),
        }
        log
    }

    async fn try_out(&self, folder: &Path, damage: Damage, place: usize) {
        let _ = std::fs::remove_file(folder.join("asl.db-shm"));
        std::fs::write(folder.join("asl.db"), &self.database).unwrap();
        std::fs::write(log_of(folder), self.damaged(damage, place)).unwrap();
        let store = Store::open(folder, no_handlers());
        let store = store.unwrap_or_else(|error| panic!("{damage:?} at {place}: {error}"));
        assert_eq!(store.check().unwrap(), Vec::<String>::new());
        for (arn, length) in &self.acknowledged {
            let found = store.describe(Arc::clone(arn)).await.unwrap();
            let is_there = found.is_some_and(|it| it.summary.status == ExecutionStatus::Running);
            assert!(
                is_there || *length > place,
                "{arn} is lost: {damage:?} at {place}"
            );
        }
        tokio::task::spawn_blocking(move || drop(store))
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_commits_whose_log_is_damaged_are_lost() {
    let crashed = Arc::new(crashed().await);
    let damages = [Damage::Cut, Damage::Garbled, Damage::Empty];
    let all = crashed.places().into_iter();
    let all = all.flat_map(|place| damages.map(|damage| (damage, place)));
    let all: Arc<[(Damage, usize)]> = all.collect();
    assert!(all.len() > 100, "{}", all.len());
    let next = Arc::new(AtomicUsize::new(0));
    let workers = (0..2).map(|_| {
        let (crashed, all, next) = (Arc::clone(&crashed), Arc::clone(&all), Arc::clone(&next));
        tokio::spawn(async move {
            let folder = Folder::new();
            while let Some((damage, place)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                crashed.try_out(&folder.0, *damage, *place).await;
            }
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await.unwrap();
    }
}

/// The test above would notice: damage farther back takes what was acknowledged with it.
#[tokio::test]
async fn damage_before_the_last_commits_is_noticed() {
    let crashed = crashed().await;
    let (arn, length) = &crashed.acknowledged[1];
    let folder = Folder::new();
    std::fs::write(folder.0.join("asl.db"), &crashed.database).unwrap();
    let damaged = crashed.damaged(Damage::Garbled, length - 1);
    std::fs::write(log_of(&folder.0), damaged).unwrap();
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    assert!(store.describe(Arc::clone(arn)).await.unwrap().is_none());
}
