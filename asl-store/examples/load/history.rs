//! A long history, by pages.
use crate::{Failure, keep, open, start_of, workloads};
use asl_backend::{Backend as _, HistoryQuery, Payload};
use asl_engine::ErrorOutput;
use asl_store::Store;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PAGE: usize = 1_000;

pub(crate) async fn by_pages(folder: &Path, rounds: usize) -> Result<(), Failure> {
    let store = open(folder)?;
    let (definition, input) = workloads::long(rounds as u64);
    let definition = keep(&store, &definition).await?;
    let start = start_of(definition, "long".to_owned(), &Payload::from(input));
    let begun = Instant::now();
    let arn = store.start(start).await?.arn;
    while last_type(&store, &arn).await? != "TaskSubmitted" {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("{rounds} rounds: {:.2} s", begun.elapsed().as_secs_f64());
    // What is sealed with the last snapshot is, by then.
    tokio::time::sleep(Duration::from_secs(1)).await;
    read(&store, &arn, "while it runs").await?;
    tokio::task::spawn_blocking(move || drop(store)).await?;
    let store = open(folder)?;
    read(&store, &arn, "after a restart").await?;
    store.stop(Arc::clone(&arn), ErrorOutput::default()).await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    read(&store, &arn, "after its end").await?;
    tokio::task::spawn_blocking(move || drop(store)).await?;
    Ok(())
}

async fn last_type(store: &Store, arn: &Arc<str>) -> Result<String, Failure> {
    let query = HistoryQuery {
        from: None,
        limit: 1,
        is_reversed: true,
    };
    let page = store.history(Arc::clone(arn), query).await?;
    let event: serde_json::Value = match page.and_then(|page| page.events.first().cloned()) {
        Some(text) => serde_json::from_str(&text)?,
        None => return Ok(String::new()),
    };
    Ok(event["type"].as_str().unwrap_or_default().to_owned())
}

/// Reads all of it, each page as the service's clients do.
async fn read(store: &Store, arn: &Arc<str>, when: &str) -> Result<(), Failure> {
    let (mut from, mut times, mut events) = (None, Vec::new(), 0);
    loop {
        let query = HistoryQuery {
            from,
            limit: PAGE,
            is_reversed: false,
        };
        let begun = Instant::now();
        let page = store.history(Arc::clone(arn), query).await?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        let page = page.ok_or("it is not there")?;
        events += page.events.len();
        from = page.next;
        if from.is_none() {
            break;
        }
    }
    let sum: f64 = times.iter().sum();
    println!(
        "{events} events {when}, {} pages: first {:.2} ms, last {:.2} ms, longest {:.2} ms, mean {:.2} ms",
        times.len(),
        times.first().copied().unwrap_or_default(),
        times.last().copied().unwrap_or_default(),
        times.iter().copied().fold(0.0, f64::max),
        sum / times.len() as f64,
    );
    Ok(())
}
