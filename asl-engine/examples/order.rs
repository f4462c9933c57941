//! An order that takes a day. The process is stopped while it waits, and continues in another: run it twice, `cargo run
//! --example order order.save.json`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]
use asl_engine::runtime::{Clock, HistoryRecorder, Runtime, Task, TaskError, TaskHandlers};
use asl_engine::{Program, SavedExecution};
use serde_json::{Value, json};
use std::{env, fs, sync::Arc, time::Duration};

const DEFINITION: &str = r#"{"StartAt": "Charge", "States": {
    "Charge": {"Type": "Task", "Resource": "charge-card", "ResultPath": "$.receipt", "Next": "Wait a day",
        "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 1, "MaxAttempts": 3}]},
    "Wait a day": {"Type": "Wait", "Seconds": 86400, "Next": "Ship"},
    "Ship": {"Type": "Task", "Resource": "ship-parcel", "End": true}
}}"#;

async fn charge(task: Task) -> Result<Value, TaskError> {
    println!("charging, attempt {}", task.retry_count() + 1);
    match task.retry_count() {
        0 => Err(TaskError::new("Busy", "the bank is busy")),
        _ => Ok(json!({"charged": task.payload()["amount"]})),
    }
}

async fn ship(order: Value) -> Result<Value, TaskError> {
    println!("shipping");
    Ok(json!({"shipped": order["id"], "receipt": order["receipt"]}))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = env::args().nth(1).ok_or("where is the order kept?")?;
    let program = Program::parse(DEFINITION)?;
    let handlers = TaskHandlers::new().on_task("charge-card", charge);
    let builder = Runtime::builder().handlers(handlers.on("ship-parcel", ship));
    if let Ok(saved) = fs::read_to_string(&file) {
        // A virtual clock: the rest of the day is over at once.
        let clock = Clock::virtual_from(Clock::real().now());
        let runtime = builder.clock(clock).build();
        let saved: SavedExecution = serde_json::from_str(&saved)?;
        let mut order = runtime.resume(saved, &program).await?;
        println!("{}", order.outcome().await.into_result()?);
        return Ok(());
    }
    let recorder = Arc::new(HistoryRecorder::default());
    let runtime = builder.observer(Arc::clone(&recorder)).build();
    runtime.check(&program)?;
    let input = json!({"id": "order-7", "amount": 21});
    let order = runtime
        .start_execution(&program, runtime.unnamed(input))
        .await;
    let mut events = Vec::new();
    while !events.contains(&"WaitStateEntered") {
        tokio::time::sleep(Duration::from_millis(50)).await;
        events.extend(
            recorder
                .take(order.id())
                .iter()
                .map(|event| event.event_type()),
        );
    }
    let saved = order.save().await.ok_or("the order is done")?;
    fs::write(file, serde_json::to_string(&saved)?)?;
    println!("saved");
    Ok(())
}
