//! Measures the tasks per second of the runtime.
//!
//! `cargo run --release --example throughput [EXECUTIONS] [THREADS]...` runs as many executions of ten tasks (20,000 by
//! default) by the real clock: on the current thread, and on each number of worker threads (1 and 2 by default); the tasks
//! answer at once, and then after they have waited for a turn of tokio.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use asl_engine::Program;
use asl_engine::runtime::{Runtime, TaskHandlers};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::time::Instant;
use tokio::runtime::Builder;

const TASKS: usize = 10;

/// Tasks in a row.
fn definition() -> Value {
    let name = |number: usize| format!("Task {number}");
    let mut states = Map::new();
    for number in 1..=TASKS {
        let mut state = json!({"Type": "Task", "Resource": "echo"});
        match number {
            TASKS => state["End"] = true.into(),
            _ => state["Next"] = name(number + 1).into(),
        }
        states.insert(name(number), state);
    }
    json!({"StartAt": name(1), "States": states})
}

/// Seconds that all of them take.
async fn run(program: &Program, executions: usize, waits: bool) -> Result<f64, Box<dyn Error>> {
    let handlers = TaskHandlers::new().on_value("echo", move |input: Value| async move {
        if waits {
            tokio::task::yield_now().await;
        }
        Ok(input)
    });
    let runtime = Runtime::builder().handlers(handlers).build();
    let starts: Vec<_> = (0..executions)
        .map(|number| runtime.unnamed(json!({"number": number})))
        .collect();
    let begun = Instant::now();
    let mut running = Vec::with_capacity(executions);
    for start in starts {
        running.push(runtime.start_execution(program, start).await);
    }
    for execution in &mut running {
        execution.outcome().await.into_result()?;
    }
    Ok(begun.elapsed().as_secs_f64())
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = std::env::args().skip(1).map(|text| {
        let number = text.parse().ok().filter(|number| *number > 0);
        number.ok_or_else(|| format!("expected a number above 0, found {text}"))
    });
    let numbers = numbers.collect::<Result<Vec<usize>, String>>()?;
    let executions = numbers.first().copied().unwrap_or(20_000);
    let threads = numbers.get(1..).filter(|threads| !threads.is_empty());
    let program = Program::parse(&definition().to_string())?;
    let shown = |threads: &str, waits: bool, seconds: f64| {
        let rate = (executions * TASKS) as f64 / seconds;
        let answers = if waits { "that wait" } else { "at once" };
        println!(
            "{threads}, tasks {answers}: {:.0} thousand a second",
            rate / 1_000.0
        );
    };
    for waits in [false, true] {
        let current = Builder::new_current_thread().enable_all().build()?;
        let seconds = current.block_on(run(&program, executions, waits))?;
        shown("current thread", waits, seconds);
        for threads in threads.unwrap_or(&[1, 2]) {
            let workers = Builder::new_multi_thread()
                .worker_threads(*threads)
                .enable_all()
                .build()?;
            let seconds = workers.block_on(run(&program, executions, waits))?;
            shown(&format!("{threads} worker threads"), waits, seconds);
        }
    }
    Ok(())
}
