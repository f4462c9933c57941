//! Measures the memory of a waiting execution.
//!
//! `cargo run --release --example waiting_executions [COUNT] [--real] [--token]` starts COUNT executions (100,000 by
//! default) that wait for an hour, or with `--token` for someone to return a task's token, and prints what the process grew by for each, as the system counts its resident memory. By the
//! virtual clock they end within a moment, by the real one they are stopped after the measurement.
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use asl_engine::runtime::{Clock, Runtime, TaskAnswer, task_fn};
use asl_engine::{ErrorOutput, Identity, Program, Start};
use asl_model::Timestamp;
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;

/// Resident bytes of this process (Linux).
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let count: u64 = arguments
        .iter()
        .find_map(|it| it.parse().ok())
        .unwrap_or(100_000);
    let is_real = arguments.iter().any(|it| it == "--real");
    let is_token = arguments.iter().any(|it| it == "--token");
    let state = if is_token {
        json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "TimeoutSeconds": 3600, "End": true})
    } else {
        json!({"Type": "Wait", "Seconds": 3600, "End": true})
    };
    let definition = json!({"StartAt": "Wait", "States": {"Wait": state}});
    let (machine, _) = asl_model::parse_value(&definition, asl_model::Options::default())?;
    let program = Arc::new(Program::compile(&machine)?);
    let clock = if is_real {
        Clock::real()
    } else {
        Clock::virtual_from(Timestamp::default())
    };
    // Sends the message that holds the token; the answer comes from elsewhere.
    let sender = task_fn(|_| async { Ok(TaskAnswer::Submitted(json!({}))) });
    let runtime = Runtime::builder().clock(clock).handlers(sender).build();
    let start = Start::new("waiting", json!({}), runtime.now());

    let hold = runtime.clock().hold();
    let before = resident_bytes();
    let begun = Instant::now();
    let mut handles = Vec::new();
    for number in 0..count {
        let start = start
            .clone()
            .with_identity(Arc::new(Identity::from_execution_name(format!(
                "waiting-{number}"
            ))));
        handles.push(runtime.start_execution(Arc::clone(&program), start).await);
    }
    // An execution ends after all that were started before it began to wait.
    let last = json!({"StartAt": "Last", "States": {"Last": {"Type": "Succeed"}}});
    let (machine, _) = asl_model::parse_value(&last, asl_model::Options::default())?;
    let last = Program::compile(&machine)?;
    runtime.run(last, runtime.unnamed(json!({}))).await;
    println!("started {count} executions in {:.0?}", begun.elapsed());
    if let (Some(before), Some(after)) = (before, resident_bytes()) {
        println!(
            "{} bytes resident for each, its handle included",
            after.saturating_sub(before) / count.max(1)
        );
    }
    drop(hold);
    let begun = Instant::now();
    if is_real {
        for handle in &handles {
            handle.stop(ErrorOutput::default()).await;
        }
    }
    for handle in &mut handles {
        handle.outcome().await;
    }
    println!("all ended in {:.0?}", begun.elapsed());
    Ok(())
}
