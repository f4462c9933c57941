//! A process that is killed: nothing that it acknowledged is lost, whenever that happens.
//!
//! This program starts itself again, as a process that starts executions and says which it has acknowledged, kills it,
//! every other time upon an acknowledgement, and looks at what the store holds.

mod common;

use asl_engine::TaskError;
use asl_engine::runtime::task_fn;
use asl_host::engine::{Engine as _, ExecutionStatus};
use asl_store::Store;
use common::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// The folder of the store, in the process that is killed.
const FOLDER: &str = "ASL_STORE_KILLED";
/// Whether it acknowledges before anything is durable, there.
const EARLY: &str = "ASL_STORE_EARLY";
/// The round, there.
const ROUND: &str = "ASL_STORE_ROUND";
/// Executions that are started in a round.
const STARTS: usize = 12;

/// Two tasks, a Map of ten, a wait, random numbers, and children of a Map Run.
fn definition() -> Value {
    let task =
        json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F"});
    let with = |fields: Value| {
        let mut state = task.clone();
        for (name, value) in fields.as_object().unwrap() {
            state[name] = value.clone();
        }
        state
    };
    let item = json!({"StartAt": "I", "States": {"I": with(json!({"End": true}))}});
    let mut child = item.clone();
    child["StartAt"] = "C".into();
    child["States"] = json!({"C": with(json!({"End": true}))});
    child["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    json!({"StartAt": "First", "States": {
        "First": with(json!({"ResultPath": "$.first", "Next": "Each"})),
        "Each": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": item, "ResultPath": "$.each", "Next": "Wait"},
        "Wait": {"Type": "Wait", "Seconds": 1, "Next": "Chance"},
        "Chance": {"Type": "Pass", "Parameters": {"uuid.$": "States.UUID()", "each.$": "$.each", "items.$": "$.items"}, "Next": "Run"},
        "Run": {"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": child, "ResultPath": "$.run", "Next": "Last"},
        "Last": with(json!({"ResultPath": "$.last", "End": true}))}})
}

/// Answers with the name of the state.
fn performer() -> asl_store::Options {
    let mut options = options(task_fn(|task: asl_engine::runtime::Task| async move {
        tokio::time::sleep(Duration::from_millis(2)).await;
        Ok::<Value, TaskError>(json!({"of": task.state_name()}))
    }));
    // Parking and loading take part.
    options.max_in_memory = 6;
    options.acknowledges_early = std::env::var(EARLY).is_ok();
    options
}

/// In the process that is killed: starts executions, and says which are acknowledged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn victim() {
    let (Ok(folder), Ok(round)) = (std::env::var(FOLDER), std::env::var(ROUND)) else {
        return;
    };
    let store = Store::open(folder, performer()).unwrap();
    for number in 0..STARTS {
        let name = format!("r{round}-{number}");
        let started = start(
            &store,
            &definition(),
            &name,
            r#"{"items": [1,2,3,4,5,6,7,8,9,10]}"#,
        )
        .await
        .unwrap();
        let mut out = std::io::stdout().lock();
        writeln!(out, "\nacknowledged {}", started.arn).unwrap();
        out.flush().unwrap();
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

/// Lets a process run and kills it: on one of its acknowledgements, or after a while. What it acknowledged.
fn killed(folder: &Path, round: usize, is_early: bool) -> Vec<String> {
    let mut child = spawn(folder, round, is_early);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = Vec::new();
    let last = round * 5 % STARTS;
    for line in lines {
        let Ok(line) = line else { break };
        let Some(arn) = line.strip_prefix("acknowledged ") else {
            continue;
        };
        acknowledged.push(arn.to_owned());
        let is_last = acknowledged.len() == STARTS;
        if round.is_multiple_of(2) && acknowledged.len() > last {
            break;
        }
        if is_last {
            std::thread::sleep(Duration::from_millis(37 * round as u64 % 400));
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    acknowledged
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_acknowledged_is_lost() {
    if std::env::var(FOLDER).is_ok() {
        return;
    }
    let rounds: usize = std::env::var("KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(8);
    let folder = Folder::new();
    let mut acknowledged = BTreeSet::new();
    for round in 0..rounds {
        acknowledged.extend(killed(&folder.0, round, false));
    }
    assert!(acknowledged.len() > rounds, "{}", acknowledged.len());
    let store = Store::open(&folder.0, performer()).unwrap();
    for arn in acknowledged {
        let arn: Arc<str> = arn.into();
        let end = ended(&store, &arn).await;
        assert_eq!(end.summary.status, ExecutionStatus::Succeeded, "{end:?}");
        let output: Value = serde_json::from_str(end.output.as_deref().unwrap()).unwrap();
        assert_eq!(
            output["each"],
            json!(vec![json!({"of": "I"}); 10]),
            "{output}"
        );
        assert_eq!(
            output["run"],
            json!(vec![json!({"of": "C"}); 10]),
            "{output}"
        );
        let types = event_types(&store, &arn).await;
        assert_eq!(types.last().map(String::as_str), Some("ExecutionSucceeded"));
        let succeeded = types
            .iter()
            .filter(|it| *it == "LambdaFunctionSucceeded")
            .count();
        assert_eq!(succeeded, 12, "each answer counts once: {types:?}");
    }
}

/// The test above would notice: where effects and acknowledgements go before the commit, a kill loses some.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_engine_that_acknowledges_early_is_caught() {
    if std::env::var(FOLDER).is_ok() {
        return;
    }
    let folder = Folder::new();
    for round in 0..400 {
        // Even rounds are killed upon an acknowledgement.
        let acknowledged = killed(&folder.0, round * 2, true);
        let store = Store::open(&folder.0, performer()).unwrap();
        for arn in acknowledged {
            if store.describe(arn.into()).await.unwrap().is_none() {
                return;
            }
        }
    }
    panic!("nothing was lost in 400 kills");
}
