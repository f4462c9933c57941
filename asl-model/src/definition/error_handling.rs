//! Retriers and catchers (2024 specification, Errors).
use super::word::words;
use super::{Assign, ResultPath, StateName};
use crate::PayloadTemplate;

/// "ErrorEquals": error names and wildcards.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct ErrorEquals(pub Vec<String>);

words! {
    /// "JitterStrategy".
    #[derive(Default)]
    pub enum JitterStrategy {
        /// Intervals as they are.
        #[default]
        None = "NONE",
        /// Each interval is a random value between zero and the computed interval.
        Full = "FULL",
    }
}

/// A member of "Retry".
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
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

/// Builds a catcher's output from the Error Output.
#[derive(Debug, Clone, PartialEq)]
pub enum CatcherOutput {
    /// "ResultPath" of a JSONPath state: where in the input it goes.
    JsonPath(ResultPath),
    /// "Output" of a JSONata state; without it the Error Output is the output.
    Jsonata(Option<PayloadTemplate>),
}

/// A member of "Catch".
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Catcher {
    /// "ErrorEquals".
    pub error_equals: ErrorEquals,
    /// The use of the Error Output.
    pub output: CatcherOutput,
    /// "Assign".
    pub assign: Option<Assign>,
    /// "Next".
    pub next: StateName,
    /// "Comment".
    pub comment: Option<String>,
}
