//! A durable engine in fifty lines: `cargo run --example durable FOLDER`. End it while it waits, by Ctrl-C or `kill -9`, and run it
//! again: the execution continues, and no completed task is repeated.
#![expect(clippy::print_stdout, reason = "an example shows its result")]
use asl_backend::{Backend, Definition, Payload, StartExecution};
use asl_engine::StateMachineIdentity;
use asl_engine::model::{Profile, StateMachineType};
use asl_engine::runtime::{Task, TaskError, TaskHandlers};
use asl_store::{Options, Store};
use serde_json::{Value, json};
use std::{env, error::Error, sync::Arc, time::Duration};

const DEFINITION: &str = r#"{"StartAt": "Charge", "States": {
    "Charge": {"Type": "Task", "Resource": "charge-card", "ResultPath": "$.receipt", "Next": "Pause"},
    "Pause": {"Type": "Wait", "Seconds": 3, "Next": "Ship"},
    "Ship": {"Type": "Task", "Resource": "ship-parcel", "End": true}}}"#;

/// After a crash, a task may run again, with the same idempotency key.
async fn perform(task: Task) -> Result<Value, TaskError> {
    println!("{} with {}", task.resource().uri, task.idempotency_key());
    Ok(json!({"done": &*task.resource().uri}))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: durable FOLDER")?;
    let handlers = TaskHandlers::new()
        .on_task("charge-card", perform)
        .on_task("ship-parcel", perform);
    let store = Store::open(folder, Options::new(Arc::new(handlers)))?; // executions continue
    let definition = store
        .store_definition(Definition {
            text: DEFINITION.into(),
            profile: Profile::Aws,
            state_machine_type: StateMachineType::Standard,
        })
        .await?;
    let (orders, input) = (
        StateMachineIdentity::new("Orders"),
        Payload::parse(r#"{"amount": 21}"#)?,
    );
    // The same name and input: while it runs, this is the same execution.
    let started = store
        .start(StartExecution::new(orders, "order-7", definition, input))
        .await?;
    let ended = store
        .wait_for_end(started.arn, Duration::from_secs(60))
        .await?
        .ok_or("it was started")?;
    println!(
        "{}",
        ended.output.as_deref().unwrap_or("it did not succeed")
    );
    Ok(())
}
