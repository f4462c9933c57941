//! A process that is killed: nothing that it acknowledged is lost, whenever that happens.
//!
//! This program starts itself again, as a process that starts executions of all kinds and says what is acknowledged and
//! performed; kills it, every other time upon an acknowledgement; and looks at what the store holds. `KILLS=1000` makes so
//! many kills, of the engine as it is and of one that is broken on purpose, and prints what came of them.

mod account;
#[path = "../common/mod.rs"]
mod common;
mod load;

use account::Account;
use asl_backend::{Backend as _, ExecutionDescription, ExecutionStatus};
use asl_store::Store;
use common::*;
use load::{KINDS, Say};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The folder of the store, in the process that is killed.
const FOLDER: &str = "ASL_STORE_KILLED";
/// True if it acknowledges before anything is durable, there.
const EARLY: &str = "ASL_STORE_EARLY";
/// The round, there.
const ROUND: &str = "ASL_STORE_ROUND";
/// Executions that are started in a round.
const STARTS: usize = 10;
/// Rounds after which all that was started is led to its end and looked at.
const ROUNDS: usize = 20;
/// Maximum running time of a process.
const LONGEST: Duration = Duration::from_millis(1_500);

/// In the process that is killed: starts executions, and says what is acknowledged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn victim() {
    let (Ok(folder), Ok(round)) = (std::env::var(FOLDER), std::env::var(ROUND)) else {
        return;
    };
    let say: Say = Arc::new(|line| {
        let mut out = std::io::stdout().lock();
        // Nobody may be left who reads it.
        let _ = out.write_all(format!("\n{line}\n").as_bytes());
        let _ = out.flush();
    });
    let (mut options, asked) = load::loaded(Arc::clone(&say));
    options.acknowledges_early = std::env::var(EARLY).is_ok();
    let store = Store::open(folder, options).unwrap();
    tokio::spawn(load::serve(store.clone(), asked, Arc::clone(&say)));
    for number in 0..STARTS {
        let kind = KINDS[number % KINDS.len()];
        load::start_one(&store, kind, &format!("{round}-{number}"), &say).await;
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
}

fn spawn(folder: &Path, round: usize, is_early: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    if is_early {
        command.env(EARLY, "1");
    }
    command
        .args(["--exact", "victim", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(ROUND, round.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Returns the lines of a process, as they come.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let out = BufReader::new(child.stdout.take().unwrap());
    let (line, lines) = channel();
    std::thread::spawn(move || {
        for text in out.lines().map_while(Result::ok) {
            if line.send(text).is_err() {
                return;
            }
        }
    });
    lines
}

/// Lets a process run and kills it: on one of its acknowledgements, or after a while.
fn kill_one(folder: &Path, round: usize, is_early: bool, account: &mut Account) {
    let mut child = spawn(folder, round, is_early);
    let lines = lines_of(&mut child);
    let (is_on_line, begun) = (round.is_multiple_of(2), Instant::now());
    let last = round / 2 * 7 % 40;
    let patience = match is_on_line {
        true => LONGEST,
        false => Duration::from_millis(37 * round as u64 % 700),
    };
    let mut acknowledged = 0;
    while let Some(left) = patience.checked_sub(begun.elapsed()) {
        let Ok(line) = lines.recv_timeout(left) else {
            break;
        };
        acknowledged += usize::from(line.starts_with("acknowledged "));
        if is_on_line && acknowledged > last {
            child.kill().unwrap();
        }
        account.take(round, &line);
        if is_on_line && acknowledged > last {
            break;
        }
    }
    // It may have been killed above.
    let _ = child.kill();
    child.wait().unwrap();
    // What it had said by then.
    while let Ok(line) = lines.recv() {
        account.take(round, &line);
    }
    account.counts.kills += 1;
}

/// Leads all that was acknowledged to its end; what is lost is counted, what ended otherwise than it should is a failure.
async fn look(folder: &Path, round: usize, account: &mut Account) {
    let (said, lines) = channel();
    let said = Mutex::new(said);
    let say: Say = Arc::new(move |line| drop(said.lock().unwrap().send(line)));
    let (options, asked) = load::loaded(Arc::clone(&say));
    let store = Store::open(folder, options).unwrap();
    let serving = tokio::spawn(load::serve(store.clone(), asked, Arc::clone(&say)));
    for token in std::mem::take(&mut account.open_tokens) {
        load::reply(&store, token, &say).await;
    }
    for arn in std::mem::take(&mut account.started) {
        match store.describe(Arc::clone(&arn)).await.unwrap() {
            Some(found) => look_at(&store, &arn, found, account, &say).await,
            None => account.counts.lost += 1,
        }
    }
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
    serving.abort();
    let _ = serving.await;
    tokio::task::spawn_blocking(move || store.close())
        .await
        .unwrap();
    // A round of its own.
    while let Ok(line) = lines.try_recv() {
        account.take(usize::MAX - round, &line);
    }
}

async fn look_at(
    store: &Store,
    arn: &Arc<str>,
    found: ExecutionDescription,
    account: &mut Account,
    say: &Say,
) {
    let kind = kind_of(arn);
    let counts = &mut account.counts;
    if kind == "stopped" {
        let is_running = found.summary.status == ExecutionStatus::Running;
        counts.lost += usize::from(is_running && account.stopped.contains(arn));
        load::stop(store, Arc::clone(arn), say).await;
        let end = ended(store, arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Aborted, "{end:?}");
        return;
    }
    if kind == "redriven" && found.summary.redrive_count == 0 {
        counts.lost += usize::from(account.redriven.contains(arn));
        load::redrive(store.clone(), Arc::clone(arn), Arc::clone(say)).await;
    }
    let end = ended(store, arn).await;
    assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
    let output: Value = serde_json::from_str(end.output.as_deref().unwrap()).unwrap();
    let types = event_types(store, arn).await;
    check_end(kind, &output, &types);
}

fn kind_of(arn: &str) -> &str {
    let name = arn.rsplit(':').next().unwrap_or_default();
    name.split('-').next().unwrap_or_default()
}

/// The output of an execution, and that each answer counts once.
fn check_end(kind: &str, output: &Value, types: &[String]) {
    let count = |name: &str| types.iter().filter(|it| *it == name).count();
    assert_eq!(types.last().map(String::as_str), Some("ExecutionSucceeded"));
    assert_eq!(count("ExecutionSucceeded"), 1, "{types:?}");
    let (succeeded, failed) = (
        count("LambdaFunctionSucceeded"),
        count("LambdaFunctionFailed"),
    );
    match kind {
        "maps" => {
            let of = |state: &str| json!(vec![json!({"of": state}); 10]);
            assert_eq!((&output["each"], &output["run"]), (&of("I"), &of("C")));
            assert_eq!(succeeded, 12, "{types:?}");
        }
        "outside" => {
            assert_eq!(output["nested"], json!({"status": "SUCCEEDED"}));
            assert_eq!(output["worker"], json!({"of": "outside"}));
            // Of the callback and of the execution that it waits for.
            assert_eq!((count("TaskSubmitted"), count("TaskSucceeded")), (2, 2));
            assert_eq!(count("ActivitySucceeded"), 1, "{types:?}");
        }
        "redriven" => assert_eq!((succeeded, failed), (3, 1), "{types:?}"),
        "mocked" => {
            assert_eq!(*output, json!("second"));
            assert_eq!((succeeded, failed), (2, 2), "{types:?}");
        }
        other => panic!("an execution of what kind? {other}"),
    }
}

/// Returns the requested number of kills.
fn kills_asked_for() -> Option<usize> {
    std::env::var("KILLS").ok()?.parse().ok()
}

fn report(what: &str, account: &Account, begun: Instant) {
    let mut out = std::io::stdout().lock();
    let seconds = begun.elapsed().as_secs();
    writeln!(out, "{what}: {:?} in {seconds} s", account.counts).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_acknowledged_is_lost() {
    if std::env::var(FOLDER).is_ok() {
        return;
    }
    let (kills, begun) = (kills_asked_for().unwrap_or(8), Instant::now());
    let folder = Folder::new();
    let mut account = Account::default();
    for round in 0..kills {
        kill_one(&folder.0, round, false, &mut account);
        if (round + 1) % ROUNDS == 0 || round + 1 == kills {
            look(&folder.0, round, &mut account).await;
            report("so far", &account, begun);
        }
        let counts = &account.counts;
        assert_eq!((counts.lost, counts.repeated_wrongly), (0, 0), "{counts:?}");
    }
    assert!(account.counts.acknowledged > kills);
}

/// The test above would notice: where effects and acknowledgements go before the commit, a kill loses some.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_acknowledges_early_is_caught() {
    if std::env::var(FOLDER).is_ok() {
        return;
    }
    let (asked, begun) = (kills_asked_for(), Instant::now());
    let folder = Folder::new();
    let mut account = Account::default();
    for round in 0..asked.unwrap_or(400) {
        kill_one(&folder.0, round, true, &mut account);
        let (options, _asked) = load::loaded(Arc::new(drop));
        let store = Store::open(&folder.0, options).unwrap();
        for arn in std::mem::take(&mut account.started) {
            let found = store.describe(arn).await.unwrap();
            account.counts.lost += usize::from(found.is_none());
        }
        let is_caught = account.counts.lost + account.counts.repeated_wrongly > 0;
        if is_caught && asked.is_none() {
            return;
        }
    }
    report("acknowledged too early", &account, begun);
    assert!(account.counts.lost > 0, "{:?}", account.counts);
}
