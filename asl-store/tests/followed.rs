//! A follower that is killed with its store, again and again: it misses no status change, gets those of each execution in order, and
//! knows a repeat by its id.
mod common;

use asl_backend::{Backend as _, ExecutionStatus, FeedCursor};
use asl_store::Store;
use common::{Folder, no_handlers, start};
use serde_json::json;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const KILLS: u64 = 100;
/// The variable that makes this program the follower, with its folder.
const FOLDER: &str = "ASL_STORE_FOLLOWED";
/// The file that ends the follower once nothing runs any more.
const LAST: &str = "last";

fn append(path: PathBuf) -> File {
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.expect("a file")
}

/// Writes a line at once, after the rest of one that a kill may have torn.
fn write_line(file: &mut File, line: &str) {
    let line = format!("\n{line}\n");
    file.write_all(line.as_bytes()).expect("it is written");
}

/// Starts executions all the time, as many as there are, and writes down which were acknowledged.
async fn start_all(store: Store, folder: PathBuf) {
    let states = json!({"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}});
    let mut started = append(folder.join("started"));
    for number in 0.. {
        let name = format!("{}-{number}", std::process::id());
        let Ok(begun) = start(&store, &states, &name, "{}").await else {
            return;
        };
        write_line(&mut started, &begun.arn);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Stores a cursor, so that a kill leaves the one before or this one.
fn write_cursor(folder: &Path, cursor: &FeedCursor) {
    let (file, next_file) = (folder.join("cursor"), folder.join("cursor.next"));
    std::fs::write(&next_file, cursor.as_str()).expect("it is written");
    std::fs::rename(&next_file, &file).expect("it is renamed");
}

/// Returns the cursor that was stored, or stores one of the present.
async fn stored_cursor(store: &Store, folder: &Path) -> FeedCursor {
    if let Ok(text) = std::fs::read_to_string(folder.join("cursor")) {
        return FeedCursor::new(text);
    }
    let current = store.follow_statuses(None, 1, Duration::ZERO).await;
    let cursor = current.expect("a cursor").cursor;
    write_cursor(folder, &cursor);
    cursor
}

/// Handles some changes, then stores the cursor; until nothing comes any more where this is the last time.
async fn follow(store: &Store, folder: &Path, mut cursor: FeedCursor) {
    let mut handled = append(folder.join("handled"));
    loop {
        let changes = store
            .follow_statuses(Some(cursor), 7, Duration::from_millis(500))
            .await;
        let changes = changes.expect("the cursor is known");
        if changes.changes.is_empty() && folder.join(LAST).exists() {
            return;
        }
        for change in &changes.changes {
            let (id, status) = (change.id(), change.status.word());
            write_line(&mut handled, &format!("{id} {status} {}", change.arn));
        }
        // Long enough that some kills come before the cursor is stored.
        tokio::time::sleep(Duration::from_millis(2)).await;
        write_cursor(folder, &changes.cursor);
        cursor = changes.cursor;
    }
}

/// The process that is killed.
#[tokio::test(flavor = "multi_thread")]
async fn follower() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let store = Store::open(folder.join("store"), no_handlers()).expect("a store");
    // Before the first start: a follower without a cursor begins with the present.
    let cursor = stored_cursor(&store, &folder).await;
    if !folder.join(LAST).exists() {
        tokio::spawn(start_all(store.clone(), folder.clone()));
    }
    follow(&store, &folder, cursor).await;
}

fn spawn(folder: &Path) -> Child {
    let program = std::env::current_exe().expect("this program");
    let child = Command::new(program)
        .args(["follower", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    child.expect("a process")
}

#[test]
fn a_killed_follower_misses_no_status_change() {
    let folder = Folder::new();
    for kill in 0..KILLS {
        let mut child = spawn(&folder.0);
        // Each at another point: while it opens, writes, reads or waits.
        std::thread::sleep(Duration::from_millis(80 + kill * 37 % 160));
        child.kill().expect("it runs");
        child.wait().expect("it ends");
    }
    std::fs::write(folder.0.join(LAST), "").expect("it is written");
    let status = spawn(&folder.0).wait().expect("it ends");
    assert!(status.success());
    let read = |name| std::fs::read_to_string(folder.0.join(name)).expect("it is there");
    let handled = read("handled");
    // The first of each id, in the order of the file: what follows under the same id is a repeat.
    let mut seen: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    let mut repeats = 0;
    // A line may be torn where the process was killed; the change then comes again.
    let lines = handled
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>());
    for line in lines {
        let [id, status, arn] = *line else {
            continue;
        };
        let of = seen.entry(arn).or_default();
        match of.iter().any(|(known, _)| *known == id) {
            true => repeats += 1,
            false => of.push((id, status)),
        }
    }
    let expected =
        [ExecutionStatus::Running, ExecutionStatus::Succeeded].map(ExecutionStatus::word);
    let started = read("started");
    let (mut count, mut missed) = (0, Vec::new());
    for arn in started.lines().filter(|arn| arn.starts_with("arn:")) {
        count += 1;
        let statuses = seen.get(arn).into_iter().flatten();
        let statuses: Vec<&str> = statuses.map(|(_, status)| *status).collect();
        if statuses != expected {
            missed.push((arn, statuses));
        }
    }
    assert!(
        missed.is_empty(),
        "of {count}, with {repeats} repeats: {missed:?}"
    );
    assert!(count > KILLS, "only {count} executions started");
    assert!(
        repeats > 0,
        "no change was repeated in {KILLS} kills of {count} executions"
    );
}
