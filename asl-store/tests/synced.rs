//! Each acknowledgement leaves after the log with its record was synced: shown by what strace sees of the system calls.
//!
//! This program starts itself again under strace. Where there is no strace, or it may not trace, nothing is tested, and said.
mod common;

use asl_backend::{Backend as _, Payload, TaskReply};
use asl_store::{Durability, Store};
use common::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The folder of the store, in the process that is traced.
const FOLDER: &str = "ASL_STORE_TRACED";
/// Its durability, there.
const FAST: &str = "ASL_STORE_FAST";
const COUNT: usize = 30;

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("\n{line}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

fn callback() -> Value {
    json!({"StartAt": "T", "States": {"T": {"Type": "Task", "End": true,
        "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
        "Parameters": {"QueueUrl": "q", "MessageBody.$": "$$.Task.Token"}}}})
}

/// In the process that is traced: one start after the other, and each one's answer; what is acknowledged goes to a pipe.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn traced() {
    let Ok(folder) = std::env::var(FOLDER) else {
        return;
    };
    let (tokens, mut given) = tokio::sync::mpsc::unbounded_channel::<Arc<str>>();
    let mut options = options(asl_engine::runtime::task_fn(move |task| {
        let _ = tokens.send(task.token().into());
        std::future::pending::<Result<Value, asl_engine::TaskError>>()
    }));
    if std::env::var(FAST).is_ok() {
        options.durability = Durability::Fast;
    }
    let store = Store::open(folder, options).unwrap();
    for number in 0..COUNT {
        let name = format!("named-{number}-here");
        start(&store, &callback(), &name, "{}").await.unwrap();
        say(&format!("acknowledged {name}"));
        let token = given.recv().await.unwrap();
        let answer = format!("\"answered-{number}-here\"");
        let answer = TaskReply::Success(Payload::parse(answer).expect("JSON"));
        store.reply_to_task(token, answer).await.unwrap();
        say(&format!("acknowledged answered-{number}-here"));
    }
}

/// Returns the system calls of such a process from strace, or the reason why strace cannot run.
fn trace(is_fast: bool) -> Result<String, String> {
    let folder = Folder::new();
    let file = folder.0.join("trace");
    let mut command = Command::new("strace");
    command
        .args(["-f", "-y", "-qq", "-s", "20000", "-e", "signal=none", "-e"])
        .arg("trace=write,pwrite64,fsync,fdatasync")
        .arg("-o")
        .arg(&file)
        .arg(std::env::current_exe().map_err(|error| error.to_string())?)
        .args(["--exact", "traced", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder.0.join("store"));
    if is_fast {
        command.env(FAST, "1");
    }
    let done = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let done = done.output().map_err(|error| error.to_string())?;
    match done.status.success() {
        true => std::fs::read_to_string(Path::new(&file)).map_err(|error| error.to_string()),
        false => Err(String::from_utf8_lossy(&done.stderr).into_owned()),
    }
}

/// Counts of system calls in a trace.
#[derive(Debug, Default)]
struct CallCounts {
    acknowledged: usize,
    /// Acknowledgements before which their record was not synced.
    early: Vec<String>,
    syncs: usize,
}

/// Reads a trace: the log is written, synced (a call ends where it is resumed), and then something is acknowledged.
fn read(trace: &str) -> CallCounts {
    let mut seen = CallCounts::default();
    // Names in the log, and whether the log was synced since.
    let mut written: HashMap<String, bool> = HashMap::new();
    // Names that were in the log when a sync began, by the thread that waits for it.
    let mut syncing: HashMap<&str, Vec<String>> = HashMap::new();
    for line in trace.lines() {
        let (thread, call) = line.split_once(' ').unwrap_or(("", line));
        let call = call.trim_start();
        let is_sync = call.starts_with("fsync(") || call.starts_with("fdatasync(");
        let is_resumed = call.contains("sync resumed>");
        if call.starts_with("pwrite64(") && call.contains("asl.db-wal>") {
            for name in names(call) {
                written.entry(name).or_insert(false);
            }
        }
        if is_sync && call.contains("asl.db-wal>") {
            syncing.insert(thread, written.keys().cloned().collect());
        }
        if (is_sync || is_resumed) && call.ends_with("= 0") {
            let synced = syncing.remove(thread);
            seen.syncs += usize::from(synced.is_some());
            for name in synced.unwrap_or_default() {
                written.insert(name, true);
            }
        }
        if call.starts_with("write(1<") && call.contains("acknowledged ") {
            for name in names(call) {
                seen.acknowledged += 1;
                if written.get(&name) != Some(&true) {
                    seen.early.push(name);
                }
            }
        }
    }
    seen
}

/// Returns the starts and answers that a write of the process names: `named-3`, `answered-3`.
fn names(call: &str) -> impl Iterator<Item = String> {
    let parts = call.split("-here").collect::<Vec<_>>();
    let ends = parts.len().saturating_sub(1);
    let found = parts.into_iter().take(ends).filter_map(|before| {
        let (rest, number) = before.rsplit_once('-')?;
        let what = ["named", "answered"]
            .into_iter()
            .find(|it| rest.ends_with(it))?;
        Some(format!("{what}-{number}"))
    });
    found.collect::<Vec<_>>().into_iter()
}

#[test]
fn the_log_is_synced_before_each_acknowledgement() {
    if std::env::var(FOLDER).is_ok() {
        return;
    }
    let (full, fast) = match (trace(false), trace(true)) {
        (Ok(full), Ok(fast)) => (read(&full), read(&fast)),
        (Err(why), _) | (_, Err(why)) => {
            let mut out = std::io::stdout().lock();
            writeln!(out, "left out, because there is no strace to use: {why}").unwrap();
            return;
        }
    };
    assert_eq!(
        (full.acknowledged, fast.acknowledged),
        (2 * COUNT, 2 * COUNT)
    );
    assert_eq!(full.early, Vec::<String>::new());
    assert!(full.syncs >= 2 * COUNT, "{} syncs", full.syncs);
    // Where the newest commits may be lost with the power, nobody waits for the disk.
    assert!(fast.early.len() > COUNT && fast.syncs < COUNT, "{fast:?}");
}
