//! Mixed executions for a while: what they take in memory and on the disk should not grow.
use crate::process::{cpu, percentile, resident, size_of};
use crate::{Failure, keep, options, start_of, workloads};
use asl_backend::{Backend as _, Payload, TaskReply};
use asl_store::Store;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Retention, so that as many executions are deleted as start.
const RETENTION: Duration = Duration::from_secs(120);
/// Between two starts.
const APART: Duration = Duration::from_millis(20);
/// Between two lines.
const LINE: Duration = Duration::from_secs(120);

pub(crate) async fn soak(folder: &Path, minutes: usize) -> Result<(), Failure> {
    let (tokens, given) = unbounded_channel::<Arc<str>>();
    let mut options = options(Arc::new(move |task, waits| {
        if waits {
            // The store may be closed by now.
            let _ = tokens.send(task.token().into());
        }
    }));
    options.retention = RETENTION;
    // Parking takes part.
    options.max_in_memory = 200;
    let store = Store::open(folder, options)?;
    let answering = tokio::spawn(answer(store.clone(), given));
    println!(
        "minute | started | running | in memory | MB resident | MB on the disk | start p50 ms | p99 ms | CPU % | inputs/s"
    );
    let begun = Instant::now();
    let until = Duration::from_secs(60 * minutes as u64);
    let mut number = 0;
    while begun.elapsed() < until {
        let period = Period::begin(&store);
        let mut times = Vec::new();
        while period.begun.elapsed() < LINE.min(until) {
            times.push(start_one(&store, number).await?);
            number += 1;
            tokio::time::sleep(APART).await;
        }
        period.report(&store, folder, begun, &mut times);
    }
    answering.abort();
    // It was aborted.
    let _ = answering.await;
    tokio::task::spawn_blocking(move || drop(store)).await?;
    println!("closed: {} MB on the disk", size_of(folder) >> 20);
    Ok(())
}

/// Milliseconds until it was acknowledged.
async fn start_one(store: &Store, number: usize) -> Result<f64, Failure> {
    let (definition, input) = match number % 4 {
        0 => workloads::callback(),
        1 => workloads::chain(),
        2 => workloads::long(30),
        _ => workloads::mixed(),
    };
    let definition = keep(store, &definition).await?;
    let start = start_of(definition, format!("s{number}"), &Payload::from(input));
    let begun = Instant::now();
    store.start(start).await?;
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

/// Answers each task that waits for it, some seconds later.
async fn answer(store: Store, mut given: UnboundedReceiver<Arc<str>>) {
    while let Some(token) = given.recv().await {
        let store = store.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_secs(5)).await;
            let success = TaskReply::Success(Payload::from(serde_json::json!({"n": 1})));
            // The store may be closed by now.
            let _ = store.reply_to_task(token, success).await;
        });
    }
}

/// The time of one line.
struct Period {
    begun: Instant,
    cpu: f64,
    inputs: u64,
}

impl Period {
    fn begin(store: &Store) -> Self {
        Self {
            begun: Instant::now(),
            cpu: cpu(),
            inputs: store.statistics().inputs,
        }
    }

    fn report(&self, store: &Store, folder: &Path, begun: Instant, times: &mut [f64]) {
        let (now, seconds) = (store.statistics(), self.begun.elapsed().as_secs_f64());
        println!(
            "{:.1} | {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.0} | {:.0}",
            begun.elapsed().as_secs_f64() / 60.0,
            now.started,
            now.running,
            now.in_memory,
            resident() >> 20,
            size_of(folder) >> 20,
            percentile(times, 0.5),
            percentile(times, 0.99),
            (cpu() - self.cpu) * 100.0 / seconds,
            (now.inputs - self.inputs) as f64 / seconds,
        );
    }
}
