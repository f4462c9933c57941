//! Metrics for Prometheus, without data of executions.
use asl_backend::{MemoryBudget, MemoryUse};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Metrics of the server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Requests by operation and code. Only operations of the API are counted, so that clients cannot make this grow.
    requests: Mutex<BTreeMap<(String, &'static str), u64>>,
    pub(crate) connections: AtomicU64,
}

/// The code of an answer that is no error.
pub(crate) const OK: &str = "OK";
/// The operation of a request that names none.
pub(crate) const NO_OPERATION: &str = "none";

impl Metrics {
    pub(crate) fn count(&self, operation: &str, code: &'static str) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((operation.to_owned(), code)).or_default() += 1;
    }

    /// Returns the text of `/metrics`, with the account of the memory of a backend that has one.
    pub(crate) fn text(&self, memory: Option<&MemoryBudget>) -> String {
        let mut text = "# HELP asl_requests_total Requests answered, by operation and code.\n\
                        # TYPE asl_requests_total counter\n"
            .to_owned();
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        for ((operation, code), count) in requests.iter() {
            // Writing to a String does not fail.
            let _ = writeln!(
                text,
                "asl_requests_total{{operation=\"{operation}\",code=\"{code}\"}} {count}"
            );
        }
        let connections = self.connections.load(Ordering::Relaxed);
        let _ = write!(
            text,
            "# HELP asl_connections Open connections.\n# TYPE asl_connections gauge\nasl_connections {connections}\n"
        );
        if let Some(memory) = memory {
            write_memory(&mut text, memory);
        }
        text
    }
}

fn write_memory(text: &mut String, memory: &MemoryBudget) {
    // Writing to a String does not fail.
    let _ = write!(
        text,
        "# HELP asl_memory_budget_bytes Memory that executions, requests and histories can use.\n\
         # TYPE asl_memory_budget_bytes gauge\nasl_memory_budget_bytes {}\n\
         # HELP asl_memory_used_bytes Memory in use, by purpose.\n# TYPE asl_memory_used_bytes gauge\n",
        memory.bytes()
    );
    for what in MemoryUse::ALL {
        let (word, bytes) = (what.word(), memory.used(what));
        let _ = writeln!(text, "asl_memory_used_bytes{{use=\"{word}\"}} {bytes}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_operation_and_code() {
        let metrics = Metrics::default();
        metrics.count("StartExecution", OK);
        metrics.count("StartExecution", OK);
        metrics.count("StartExecution", "InvalidArn");
        let text = metrics.text(None);
        assert!(text.contains("asl_requests_total{operation=\"StartExecution\",code=\"OK\"} 2\n"));
        assert!(
            text.contains(
                "asl_requests_total{operation=\"StartExecution\",code=\"InvalidArn\"} 1\n"
            )
        );
        assert!(text.ends_with("asl_connections 0\n"));
        let memory = std::sync::Arc::new(MemoryBudget::new(1_000));
        let _taken = memory.take(MemoryUse::Histories, 7);
        let text = metrics.text(Some(&memory));
        assert!(text.contains("asl_memory_budget_bytes 1000\n"));
        assert!(text.contains("asl_memory_used_bytes{use=\"histories\"} 7\n"));
    }
}
