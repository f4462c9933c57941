//! The tasks of workloads, and how workloads start.
use asl_engine::{Limits, Resource, Start};
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// A stub's answer: an output, or an Error Name and a cause.
pub(super) type Answer = Result<Arc<Value>, (&'static str, &'static str)>;

/// The stubs, by the last part of a function's ARN. They live as long as one execution.
#[derive(Debug, Default)]
pub(super) struct Stubs {
    flaky_calls: u32,
}

impl Stubs {
    /// `echo` answers with its payload, `incr` with the number in it one higher, `flaky` fails twice before it echoes,
    /// `boom` always fails.
    pub(super) fn answer(&mut self, resource: &Resource, payload: Arc<Value>) -> Answer {
        let is = |name: &str| resource.uri.ends_with(name);
        if is(":flaky") && self.flaky_calls < 2 {
            self.flaky_calls += 1;
            Err(("Flaky", "not yet"))
        } else if is(":boom") {
            Err(("Boom", "always"))
        } else if is(":incr") {
            let mut payload = Arc::unwrap_or_clone(payload);
            payload["i"] = (payload["i"].as_i64().unwrap_or(0) + 1).into();
            Ok(Arc::new(payload))
        } else {
            Ok(payload)
        }
    }
}

/// Returns the start of an execution: with a unique name, without limits and history.
pub(super) fn start(input: &Arc<Value>, number: u64) -> Start {
    let mut start = Start::new(
        format!("workload-{number}"),
        Value::Null,
        Timestamp::from_milliseconds(1_700_000_000_000),
    );
    start.input = Arc::clone(input);
    start.limits = Limits::unlimited();
    start
}
