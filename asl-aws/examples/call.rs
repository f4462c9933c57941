//! Calls operations that standard input names, one a line, and prints an answer for each:
//! `echo '{"service": "sqs", "operation": "listQueues"}' | cargo run --example call -- http://localhost:4566`.
#![allow(clippy::print_stdout, reason = "it is a program")]
use asl_aws::{CallError, CallFailure, CallOptions, Caller, Settings, Target};
use serde_json::{Value, json};
use std::error::Error;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let endpoint = std::env::args()
        .nth(1)
        .ok_or("expected the URL of an endpoint")?;
    let caller = Caller::new(Settings::of_process().with_target(Target::Url(endpoint)));
    for line in std::io::stdin().lines() {
        let call: Value = serde_json::from_str(&line?)?;
        let text = |name: &str| call[name].as_str().unwrap_or_default();
        let (service, operation) = (text("service"), text("operation"));
        let parameters = &call["parameters"];
        let options = CallOptions::default();
        let answer = caller.call(service, operation, parameters, &options).await;
        println!("{}", describe(answer.map(|answer| answer.result)));
    }
    Ok(())
}

fn describe(answer: Result<Value, CallFailure>) -> Value {
    match answer {
        Ok(result) => json!({"result": result}),
        Err(CallFailure::Answered(CallError::Service(error))) => {
            json!({"code": error.code, "message": error.message, "status": error.status})
        }
        Err(error) => json!({"failure": error.to_string()}),
    }
}
