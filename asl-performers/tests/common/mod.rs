//! Shared code of the tests.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

pub mod service;

use asl_engine::runtime::{Clock, Runtime, RuntimeBuilder};
use asl_engine::{Outcome, Program, Start, Timestamp};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:F";
pub const CALLBACK: &str = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";

/// Returns a program of one definition.
pub fn program(definition: Value) -> Arc<Program> {
    Arc::new(Program::parse(&definition.to_string()).expect("a valid definition"))
}

/// Returns a program of one Task State `T`, with `fields` besides its Resource.
pub fn task(resource: &str, fields: Value) -> Arc<Program> {
    let mut state = json!({"Type": "Task", "Resource": resource, "End": true});
    let fields = fields.as_object().expect("fields").clone();
    state.as_object_mut().expect("a state").extend(fields);
    program(json!({"StartAt": "T", "States": {"T": state}}))
}

pub fn start(input: Value) -> Start {
    Start::new("execution", input, Timestamp::default())
}

/// Returns a builder with a virtual clock at the epoch.
pub fn virtual_time() -> RuntimeBuilder {
    Runtime::builder().clock(Clock::virtual_from(Timestamp::default()))
}

pub fn succeeded(output: Value) -> Outcome {
    Outcome::Succeeded(Arc::new(output))
}

/// Returns the error and cause of a failed outcome.
pub fn failure(outcome: Outcome) -> (String, String) {
    let failure = outcome.into_result().expect_err("a failure");
    assert_eq!(failure.status, "FAILED", "{failure}");
    (
        failure.error.unwrap_or_default(),
        failure.cause.unwrap_or_default(),
    )
}

/// Returns true if a request has come to its end.
pub fn is_whole(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        let value = value.parse::<usize>().ok()?;
        name.eq_ignore_ascii_case("content-length").then_some(value)
    });
    body.len() >= length.unwrap_or(0)
}

/// A folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("asl-performers-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
