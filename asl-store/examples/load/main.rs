//! Measures a store next to a bare log that is synced as often: `load WORKLOAD EXECUTIONS [FOLDER [EVENT_LOOPS]]`, with the
//! workloads
//!
//!  - `loop` (a hundred rounds of Pass and a task), `map` (an inline Map of 1,000 tasks), `chain` (twenty tasks with 1 KiB);
//!  - `wait` (executions that wait for a day: how much they take), `restart` (how long it takes to open them again);
//!  - `wake` (executions that wait for an answer from outside: how long after it the next task is requested);
//!  - `history` (of an execution with so many rounds of nine events, by pages, while it runs and after it ended);
//!  - `soak` (for so many minutes, mixed executions: what they take in memory and on the disk).
#![expect(clippy::print_stdout, reason = "it prints what it measures")]
mod history;
mod process;
mod soak;
mod waiting;
mod workloads;

use asl_backend::{
    Backend as _, Definition, DefinitionId, ExecutionFilter, ExecutionParent, ExecutionStatus,
    Payload, StartExecution,
};
use asl_engine::StateMachineIdentity;
use asl_engine::model::{Profile, StateMachineType};
use asl_engine::runtime::{Task, TaskAnswer, task_fn};
use asl_engine::{IntegrationPattern, ResourceKind, TaskError};
use asl_store::{Options, Store};
use process::{cpu, cpu_by_thread};
use serde_json::Value;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

/// Callback for each task: the task, and whether it waits for its token.
type Told = Arc<dyn Fn(&Task, bool) + Send + Sync>;

fn options(told: Told) -> Options {
    let handler = task_fn(move |task: Task| {
        let waits = matches!(&task.resource().kind, ResourceKind::Integration(it)
            if it.pattern == IntegrationPattern::WaitForTaskToken);
        told(&task, waits);
        async move {
            Ok::<_, TaskError>(match waits {
                true => TaskAnswer::Submitted(Value::Null),
                false => TaskAnswer::Completed(task.payload().clone()),
            })
        }
    });
    Options::new(Arc::new(handler))
}

fn open(folder: &Path) -> Result<Store, Failure> {
    Ok(Store::open(folder, options(Arc::new(|_, _| ())))?)
}

async fn keep(store: &Store, definition: &Value) -> Result<DefinitionId, Failure> {
    let definition = Definition {
        text: definition.to_string().into(),
        profile: Profile::Aws,
        state_machine_type: StateMachineType::Standard,
    };
    Ok(store.store_definition(definition).await?)
}

fn start_of(definition: DefinitionId, name: String, input: &Payload) -> StartExecution {
    StartExecution::new(
        StateMachineIdentity::new("M"),
        name,
        definition,
        input.clone(),
    )
}

async fn start_all(
    store: &Store,
    definition: &Value,
    input: &Value,
    count: usize,
) -> Result<(), Failure> {
    let definition = keep(store, definition).await?;
    let input = Payload::from(input.clone());
    let mut starting = tokio::task::JoinSet::new();
    for number in 0..count {
        let (store, start) = (
            store.clone(),
            start_of(definition, format!("e{number}"), &input),
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
    (definition, input): (Value, Value),
    count: usize,
    event_loops: Option<NonZeroUsize>,
) -> Result<(), Failure> {
    let log = bare_log(folder)?;
    let mut options = options(Arc::new(|_, _| ()));
    options.event_loops = event_loops;
    let store = Store::open(folder, options)?;
    let (begun, before) = (Instant::now(), cpu());
    start_all(&store, &definition, &input, count).await?;
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
        "{count} executions: {seconds:.2} s, {:.0} inputs/s, {:.1} µs CPU an input (tasks and sealing included), {:.0} commits/s of {:.0} inputs, {:.0} bytes an input; a bare log of 256 KiB a commit: {log:.0} commits/s",
        inputs / seconds,
        used * 1e6 / inputs,
        commits / seconds,
        inputs / commits,
        done.journaled_bytes as f64 / inputs,
    );
    let threads = cpu_by_thread().into_iter();
    let threads = threads.map(|(name, used)| format!("{name} {:.1}", used * 1e6 / inputs));
    println!("µs an input: {}", threads.collect::<Vec<_>>().join(", "));
    let failed = ExecutionFilter {
        parent: ExecutionParent::StateMachine(StateMachineIdentity::new("M").arn.into()),
        status: Some(ExecutionStatus::Failed),
        is_redriven: None,
    };
    let failed = store.executions(failed, None, 1).await?.executions.len();
    assert_eq!(failed, 0, "an execution failed");
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
    let event_loops = arguments.get(3).map(|it| it.parse()).transpose()?;
    std::fs::create_dir_all(&folder)?;
    match workload {
        "wait" => waiting::wait(&folder, count).await?,
        "restart" => waiting::restart(&folder).await?,
        "wake" => waiting::wake(&folder, count).await?,
        "history" => history::by_pages(&folder, count).await?,
        "soak" => soak::soak(&folder, count).await?,
        "loop" => run(&folder, workloads::looping(), count, event_loops).await?,
        "map" => run(&folder, workloads::map(), count, event_loops).await?,
        "chain" => run(&folder, workloads::chain(), count, event_loops).await?,
        other => return Err(format!("there is no workload `{other}`").into()),
    }
    if arguments.len() < 3 {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(())
}
