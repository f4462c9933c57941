//! Executions that wait: what they take, how long it takes to open them again, and how soon they continue.
use crate::process::{percentile, resident, size_of};
use crate::{Failure, keep, open, options, start_all, workloads};
use asl_backend::{Backend as _, Payload, TaskReply};
use asl_store::Store;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Of so many executions one is woken.
const STEP: usize = 500;

pub(crate) async fn wait(folder: &Path, count: usize) -> Result<(), Failure> {
    let (definition, input) = workloads::wait();
    let store = open(folder)?;
    let begun = Instant::now();
    start_all(&store, &definition, &input, count).await?;
    report("that wait", folder, count, begun);
    tokio::task::spawn_blocking(move || drop(store)).await?;
    Ok(())
}

fn report(what: &str, folder: &Path, count: usize, begun: Instant) {
    println!(
        "{count} executions {what}: {:.2} s to start, {} MB resident, {} bytes each on the disk",
        begun.elapsed().as_secs_f64(),
        resident() >> 20,
        size_of(folder) / count as u64,
    );
}

pub(crate) async fn restart(folder: &Path) -> Result<(), Failure> {
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

/// Tokens of executions that will be woken, and when those continued that were.
#[derive(Default)]
struct Seen {
    tokens: Mutex<Vec<(String, Arc<str>)>>,
    woken: Mutex<HashMap<String, Instant>>,
}

/// Starts executions that wait for an answer, parks them, and answers some of them: one a millisecond, once one after the
/// other is done.
pub(crate) async fn wake(folder: &Path, count: usize) -> Result<(), Failure> {
    let seen = Arc::new(Seen::default());
    let noting = Arc::clone(&seen);
    let options = options(Arc::new(move |task, waits| {
        let name = task.invocation().identity.execution_name().to_owned();
        if !waits {
            let mut woken = noting.woken.lock().unwrap_or_else(PoisonError::into_inner);
            woken.insert(name, Instant::now());
        } else if name[1..]
            .parse()
            .is_ok_and(|it: usize| it.is_multiple_of(STEP))
        {
            let mut tokens = noting.tokens.lock().unwrap_or_else(PoisonError::into_inner);
            tokens.push((name, task.token().into()));
        }
    }));
    let store = Store::open(folder, options)?;
    let (definition, input) = workloads::callback();
    let begun = Instant::now();
    keep(&store, &definition).await?;
    start_all(&store, &definition, &input, count).await?;
    // All have asked, and what can be parked is.
    tokio::time::sleep(Duration::from_secs(3)).await;
    report("that wait for an answer", folder, count, begun);
    let tokens = std::mem::take(&mut *seen.tokens.lock().unwrap_or_else(PoisonError::into_inner));
    let mut acknowledged = Vec::new();
    let mut asked = HashMap::new();
    for (name, token) in tokens {
        let begun = Instant::now();
        store
            .reply_to_task(token, TaskReply::Success(Payload::parse("1")?))
            .await?;
        acknowledged.push(begun.elapsed().as_secs_f64() * 1e3);
        asked.insert(name, begun);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let woken = std::mem::take(&mut *seen.woken.lock().unwrap_or_else(PoisonError::into_inner));
    let later = |(name, asked): (&String, &Instant)| {
        Some(woken.get(name)?.duration_since(*asked).as_secs_f64() * 1e3)
    };
    let mut went_on: Vec<f64> = asked.iter().filter_map(later).collect();
    assert_eq!(went_on.len(), asked.len(), "all went on");
    for (what, values) in [
        ("acknowledged", &mut acknowledged),
        ("at the next task", &mut went_on),
    ] {
        println!(
            "{} answers, {what}: p50 {:.2} ms, p99 {:.2} ms",
            values.len(),
            percentile(values, 0.5),
            percentile(values, 0.99),
        );
    }
    tokio::task::spawn_blocking(move || drop(store)).await?;
    Ok(())
}
