//! How an execution ended.
use serde_json::Value;
use std::sync::Arc;

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// With an output.
    Succeeded(#[serde(with = "crate::saved::shared_text")] Arc<Value>),
    /// With an error that nothing caught; both parts may be missing (a Fail State without them).
    Failed {
        /// The Error Name.
        error: Option<String>,
        /// The human-readable cause.
        cause: Option<String>,
    },
    /// The machine's own TimeoutSeconds passed; the service reports neither error nor cause.
    TimedOut,
    /// Stopped from outside.
    Aborted {
        /// As given to the stop.
        error: Option<String>,
        /// As given to the stop.
        cause: Option<String>,
    },
}

impl Outcome {
    /// The service's word: SUCCEEDED, FAILED, TIMED_OUT or ABORTED.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Succeeded(_) => "SUCCEEDED",
            Self::Failed { .. } => "FAILED",
            Self::TimedOut => "TIMED_OUT",
            Self::Aborted { .. } => "ABORTED",
        }
    }
}
