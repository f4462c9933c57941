//! Runs a state machine in WebAssembly: text in, text out. `demo.mjs` shows it with Node.js.
//!
//! JavaScript asks for room with [`allocate`], writes a request there as JSON, and calls [`run`]. It then reads as many bytes as
//! `run` returned, from [`answer`].
use asl_engine::{Identity, Outcome, Program, Start, TaskError, Timestamp, drive};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::Arc;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the place for a request of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Runs the request that was written, and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    let answer = REQUEST.with_borrow(|request| match serde_json::from_slice(request) {
        Ok(request) => run_request(&request),
        Err(error) => json!({"error": error.to_string()}),
    });
    ANSWER.with_borrow_mut(|text| {
        *text = answer.to_string();
        text.len()
    })
}

/// Returns the place of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|text| text.as_ptr())
}

/// Runs `{"definition": …, "input": …, "tasks": {STATE: RESULT}}`. A task without a result fails.
fn run_request(request: &Value) -> Value {
    let program = match Program::parse(&request["definition"].to_string()) {
        Ok(program) => program,
        Err(error) => return json!({"error": error.to_string()}),
    };
    let now = Timestamp::from_milliseconds(0);
    let start = Start::new("playground", request["input"].clone(), now)
        .with_identity(Arc::new(Identity::new("Playground", "playground")));
    let mut calls = Vec::new();
    let outcome = drive(&program, start, |task| {
        calls.push(json!({"state": task.state_name.as_ref(), "payload": task.payload.as_ref()}));
        let result = request["tasks"].get(task.state_name.as_ref());
        result
            .cloned()
            .ok_or_else(|| TaskError::failed("the request has no result for this task"))
    });
    json!({
        "status": outcome.status(),
        "output": output(&outcome),
        "error": outcome.failure().map(|failure| failure.to_string()),
        "calls": calls,
        "graph": asl_graph::mermaid(program.machine(), None),
    })
}

fn output(outcome: &Outcome) -> Option<Value> {
    outcome.output().map(|output| Value::clone(output))
}
