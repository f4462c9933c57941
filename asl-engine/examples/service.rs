//! Guide: one workflow in a service.
//!
//! Run it with `cargo run --example service`. The service takes orders as any request handler does; the order of its calls,
//! their retries and their timeouts are a definition. What matters in a service:
//!
//! - **Start-up.** The definition is parsed once, and `check` refuses it if a task has no handler: a deployment fails, not a
//!   customer's order.
//! - **Types.** Handlers take and return types of the service. An error of the service has an Error Name, by which the
//!   definition retries and catches; all other errors are `States.TaskFailed`.
//! - **Load.** `max_executions` bounds what runs at a time; further calls of `run` wait. Each execution has limits of its own.
//! - **Callers that leave.** `run` stops the execution when its future is dropped, as a web framework does when a client
//!   disconnects. Work that must continue is started with `start_execution`.
//! - **Blocking.** Computations and blocking calls are handlers of `on_blocking`, which have threads of their own.
//! - **Shut-down.** `shut_down` stops all executions and drops their handlers. To finish what runs, stop taking requests first,
//!   and await the calls that are open. Executions that must survive the process belong in `asl-store`.
//! - **Tests.** A runtime with a virtual clock runs the same definition without its waits; see `asl-test`.
#![expect(clippy::print_stdout, reason = "an example shows its result")]
use asl_engine::runtime::{IntoTaskError, Runtime, TaskError, TaskHandlers};
use asl_engine::{Outcome, Program};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::time::Duration;

const DEFINITION: &str = r#"{"StartAt": "Charge", "TimeoutSeconds": 10, "States": {
    "Charge": {"Type": "Task", "Resource": "charge-card", "ResultPath": "$.receipt", "TimeoutSeconds": 2, "Next": "Invoice",
        "Retry": [{"ErrorEquals": ["Busy"], "IntervalSeconds": 1, "MaxAttempts": 2}]},
    "Invoice": {"Type": "Task", "Resource": "render-invoice", "InputPath": "$.receipt", "End": true}
}}"#;

#[derive(Serialize, Deserialize)]
struct Order {
    id: String,
    cents: u64,
}

#[derive(Serialize, Deserialize)]
struct Receipt {
    order: String,
    cents: u64,
}

/// Errors of the bank, which the definition knows by name.
#[derive(Debug)]
enum BankError {
    Busy,
    Declined,
}

impl IntoTaskError for BankError {
    fn into_task_error(self) -> TaskError {
        match self {
            Self::Busy => TaskError::new("Busy", "the bank is busy"),
            Self::Declined => TaskError::new("Declined", "the card was declined"),
        }
    }
}

async fn charge(order: Order) -> Result<Receipt, BankError> {
    tokio::time::sleep(Duration::from_millis(50)).await;
    match order.cents {
        0 => Err(BankError::Busy),
        100_000.. => Err(BankError::Declined),
        cents => Ok(Receipt {
            order: order.id,
            cents,
        }),
    }
}

/// Computes, so that it is a handler of `on_blocking`.
fn render(receipt: Receipt) -> Result<String, TaskError> {
    Ok(format!(
        "Invoice: {} cents for {}",
        receipt.cents, receipt.order
    ))
}

/// The answer to a customer whose order is not taken.
#[derive(Debug)]
struct Refusal(String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the order is not taken: {}", self.0)
    }
}

impl Error for Refusal {}

/// The service: one for the process, shared by all requests.
struct Orders {
    runtime: Runtime,
    program: Program,
}

impl Orders {
    fn new() -> Result<Self, Box<dyn Error>> {
        let program = Program::parse(DEFINITION)?;
        let handlers = TaskHandlers::new()
            .on("charge-card", charge)
            .on_blocking("render-invoice", render);
        let runtime = Runtime::builder()
            .handlers(handlers)
            .max_executions(NonZeroUsize::new(1_000).unwrap_or(NonZeroUsize::MIN))
            .build();
        runtime.check(&program)?;
        Ok(Self { runtime, program })
    }

    /// Takes an order, and returns its invoice. Dropping the future stops the work.
    async fn place(&self, order: &Order) -> Result<String, Refusal> {
        let start = self.runtime.unnamed(json!(order));
        match self.runtime.run(&self.program, start).await {
            Outcome::Succeeded(invoice) => Ok(invoice.as_str().unwrap_or_default().to_owned()),
            outcome => {
                let failure = outcome
                    .into_result()
                    .map_or_else(|it| it.to_string(), |_| String::new());
                Err(Refusal(failure))
            }
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let orders = Orders::new()?;
    let order = |id: &str, cents| Order {
        id: id.to_owned(),
        cents,
    };
    // Requests, side by side.
    let (small, large) = (order("order-1", 2_100), order("order-2", 100_000));
    let (taken, declined) = tokio::join!(orders.place(&small), orders.place(&large));
    println!("{}", taken?);
    match declined {
        Ok(invoice) => println!("{invoice}"),
        Err(refusal) => println!("{refusal}"),
    }
    // A client that disconnects after 100 ms, while the bank is busy.
    let busy = order("order-3", 0);
    let gone = tokio::time::timeout(Duration::from_millis(100), orders.place(&busy)).await;
    println!("the third client is gone: {}", gone.is_err());
    orders.runtime.shut_down().await;
    Ok(())
}
