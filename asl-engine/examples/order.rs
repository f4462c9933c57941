//! An order that takes a day. The process is stopped while it waits, and goes on in another: run it twice,
//! `cargo run --example order order.save.json`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]
use asl_engine::runtime::{
    Clock, Observer, RunningExecution, Runtime, Task, TaskError, TaskHandlers,
};
use asl_engine::{EventDetails, HistoryEvent, Program, SavedExecution};
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::sync::Notify;

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

/// Tells when the order begins to wait.
#[derive(Default)]
struct Waits(Notify);

impl Observer for Waits {
    fn records_history(&self) -> bool {
        true
    }

    fn event(&self, _: &RunningExecution, event: HistoryEvent) {
        if matches!(&event.details, EventDetails::StateEntered { name, .. } if &**name == "Wait a day")
        {
            self.0.notify_one();
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args()
        .nth(1)
        .ok_or("which file is the order saved in?")?;
    let program = Program::parse(DEFINITION)?;
    let handlers = TaskHandlers::new()
        .on_task("charge-card", charge)
        .on("ship-parcel", ship);
    let (builder, waits) = (
        Runtime::builder().handlers(handlers),
        Arc::new(Waits::default()),
    );
    if let Ok(saved) = std::fs::read_to_string(&file) {
        // A virtual clock: the rest of the day is over at once.
        let runtime = builder
            .clock(Clock::virtual_from(Clock::real().now()))
            .build();
        let saved: SavedExecution = serde_json::from_str(&saved)?;
        let mut order = runtime.resume(saved, &program).await?;
        println!("{}", order.outcome().await.into_result()?);
    } else {
        let runtime = builder.observer(Arc::clone(&waits)).build();
        runtime.check(&program)?;
        let start = runtime.unnamed(json!({"id": "order-7", "amount": 21}));
        let order = runtime.start_execution(&program, start).await;
        waits.0.notified().await;
        let saved = order.save().await.ok_or("the order is done")?;
        std::fs::write(file, serde_json::to_string(&saved)?)?;
        println!("saved");
    }
    Ok(())
}
