//! Measures a store beside a bare log that is synced as often: `load WORKLOAD EXECUTIONS [FOLDER]`, with the workloads
//! `loop` (a hundred rounds of Pass and a task), `map` (an inline Map of 1,000 tasks), `chain` (twenty tasks with 1 KiB),
//! `wait` (executions that wait for a day: how much they take, and how long a restart does).
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
use asl_engine::StateMachineIdentity;
use asl_engine::model::{Profile, StateMachineType};
use asl_engine::runtime::task_fn;
use asl_engine::{TaskError, runtime::Task};
use asl_host::engine::{
    Definition, Engine as _, ExecutionFilter, ExecutionParent, ExecutionStatus, StartExecution,
};
use asl_store::{Options, Store};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

fn task(next: &str) -> Value {
    json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "Next": next})
}

fn looping() -> (Value, Value) {
    let definition = json!({"StartAt": "Count", "States": {
        "Count": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, -1)"}, "Next": "Work"},
        "Work": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "ResultPath": null, "Next": "More"},
        "More": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 0, "Next": "Count"}], "Default": "Done"},
        "Done": {"Type": "Succeed"}}});
    (definition, json!({"n": 100}))
}

fn map() -> (Value, Value) {
    let state = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F", "End": true});
    let definition = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "End": true,
        "ItemProcessor": {"StartAt": "T", "States": {"T": state}}}}});
    let items: Vec<Value> = (0..1_000)
        .map(|id| json!({"id": id, "name": "an item of some length, and more"}))
        .collect();
    (definition, items.into())
}

fn chain() -> (Value, Value) {
    let mut states = serde_json::Map::new();
    for number in 0..20 {
        states.insert(format!("T{number}"), task(&format!("T{}", number + 1)));
    }
    states.insert("T20".to_owned(), json!({"Type": "Succeed"}));
    (
        json!({"StartAt": "T0", "States": states}),
        json!({"text": "x".repeat(1_000)}),
    )
}

fn wait() -> (Value, Value) {
    let definition =
        json!({"StartAt": "W", "States": {"W": {"Type": "Wait", "Seconds": 86_400, "End": true}}});
    (definition, json!({"order": 17}))
}

/// CPU seconds of this process so far.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .collect();
    let ticks: f64 = [11, 12]
        .iter()
        .filter_map(|place| fields.get(*place)?.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// Bytes of this process in memory.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or_default() * 4_096
}

fn open(folder: &Path) -> Result<Store, Failure> {
    let handler =
        task_fn(|task: Task| async move { Ok::<Value, TaskError>(task.payload().clone()) });
    Ok(Store::open(folder, Options::new(Arc::new(handler)))?)
}

async fn start_all(
    store: &Store,
    definition: &Value,
    input: &Value,
    count: usize,
) -> Result<(), Failure> {
    let definition = Definition {
        text: definition.to_string().into(),
        profile: Profile::Aws,
        state_machine_type: StateMachineType::Standard,
    };
    let definition = store.keep_definition(definition).await?;
    let (machine, input): (_, Arc<str>) = (
        Arc::new(StateMachineIdentity::new("M")),
        input.to_string().into(),
    );
    let mut starting = tokio::task::JoinSet::new();
    for number in 0..count {
        let (store, start) = (
            store.clone(),
            StartExecution {
                state_machine: Arc::clone(&machine),
                name: format!("e{number}").into(),
                express_arn: None,
                definition,
                input: Arc::clone(&input),
                version_arn: None,
                alias_arn: None,
                trace_header: None,
                mock_test_case: None,
                revision: "{}".into(),
                nested: None,
            },
        );
        starting.spawn(async move { store.start(start).await });
        while starting.len() > 2_000 {
            starting.join_next().await.transpose()?.transpose()?;
        }
    }
    while let Some(started) = starting.join_next().await {
        started??;
    }
    Ok(())
}

/// Appends and syncs in groups, as a bare log would.
fn bare_log(folder: &Path) -> Result<f64, Failure> {
    let mut file = std::fs::File::create(folder.join("bare.log"))?;
    let (begun, mut commits) = (Instant::now(), 0_u32);
    while begun.elapsed() < Duration::from_secs(2) {
        file.write_all(&[7; 256 * 1_024])?;
        file.sync_data()?;
        commits += 1;
    }
    std::fs::remove_file(folder.join("bare.log"))?;
    Ok(f64::from(commits) / begun.elapsed().as_secs_f64())
}

async fn run(
    folder: &Path,
    definition: &Value,
    input: &Value,
    count: usize,
) -> Result<(), Failure> {
    let log = bare_log(folder)?;
    let store = open(folder)?;
    let (begun, before) = (Instant::now(), cpu());
    start_all(&store, definition, input, count).await?;
    while store.statistics().running > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let (seconds, used, done) = (
        begun.elapsed().as_secs_f64(),
        cpu() - before,
        store.statistics(),
    );
    let (inputs, commits) = (done.inputs as f64, done.commits as f64);
    println!(
        "{count} executions: {seconds:.2} s, {:.0} inputs/s, {:.1} µs CPU an input (tasks and sealing included), {:.0} commits/s, {:.0} bytes an input; a bare log of 256 KiB a commit: {log:.0} commits/s",
        inputs / seconds,
        used * 1e6 / inputs,
        commits / seconds,
        done.journaled_bytes as f64 / inputs,
    );
    let failed = ExecutionFilter {
        parent: ExecutionParent::StateMachine(StateMachineIdentity::new("M").arn.into()),
        status: Some(ExecutionStatus::Failed),
        is_redriven: None,
    };
    let failed = store.executions(failed, None, 1).await?.executions.len();
    assert_eq!(failed, 0, "an execution failed");
    Ok(())
}

async fn waiting(folder: &Path, count: usize) -> Result<(), Failure> {
    let (definition, input) = wait();
    let store = open(folder)?;
    let begun = Instant::now();
    start_all(&store, &definition, &input, count).await?;
    println!(
        "{count} executions that wait: {:.2} s to start, {} MB resident",
        begun.elapsed().as_secs_f64(),
        resident() >> 20
    );
    tokio::task::spawn_blocking(move || drop(store)).await?;
    Ok(())
}

async fn restart(folder: &Path) -> Result<(), Failure> {
    let begun = Instant::now();
    let store = open(folder)?;
    let opened = begun.elapsed().as_secs_f64();
    println!(
        "opened again: {opened:.2} s, {} MB resident, {:?}",
        resident() >> 20,
        store.statistics()
    );
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let workload = arguments.first().map_or("loop", |it| it.as_str());
    let count = arguments
        .get(1)
        .and_then(|it| it.parse().ok())
        .unwrap_or(100);
    let folder = arguments.get(2).map_or_else(
        || std::env::temp_dir().join(format!("load-{}", std::process::id())),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder)?;
    match workload {
        "wait" => waiting(&folder, count).await?,
        "restart" => return restart(&folder).await,
        _ => {
            let (definition, input) = match workload {
                "loop" => looping(),
                "map" => map(),
                _ => chain(),
            };
            run(&folder, &definition, &input, count).await?;
        }
    }
    if arguments.len() < 3 {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}
