//! Retriers and catchers (specification, Errors).
use super::{ResultPath, StateName};

/// "ErrorEquals": error names and wildcards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorEquals(pub Vec<String>);

/// "JitterStrategy".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum JitterStrategy {
    /// Each interval is drawn between zero and what it would be.
    Full,
    /// Intervals as they are.
    #[default]
    None,
}

/// A member of "Retry".
#[derive(Debug, Clone, PartialEq)]
pub struct Retrier {
    /// "ErrorEquals".
    pub error_equals: ErrorEquals,
    /// "IntervalSeconds", 1 by default.
    pub interval_seconds: Option<u64>,
    /// "MaxAttempts", 3 by default.
    pub max_attempts: Option<u64>,
    /// "BackoffRate", 2.0 by default.
    pub backoff_rate: Option<f64>,
    /// "MaxDelaySeconds": no interval is longer.
    pub max_delay_seconds: Option<u64>,
    /// "JitterStrategy".
    pub jitter_strategy: Option<JitterStrategy>,
    /// "Comment".
    pub comment: Option<String>,
}

/// A member of "Catch".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catcher {
    /// "ErrorEquals".
    pub error_equals: ErrorEquals,
    /// "ResultPath": where the Error Output goes.
    pub result_path: ResultPath,
    /// "Next".
    pub next: StateName,
    /// "Comment".
    pub comment: Option<String>,
}
