//! Retriers and catchers (2024 specification, Errors).
use super::language::{JsonPath, Language};
use super::part::{Part, kind};
use crate::JitterStrategy;
use serde_json::Value;

fn on<K, L: Language>(names: impl IntoIterator<Item = impl Into<String>>) -> Part<K, L> {
    let names: Vec<String> = names.into_iter().map(Into::into).collect();
    Part::empty().set("ErrorEquals", names)
}

impl<L: Language> Part<kind::Retrier, L> {
    /// Begins a retrier of these error names: "ErrorEquals".
    ///
    /// ```
    /// use asl_model::build::json_path::Retrier;
    /// let retrier = Retrier::on(["Busy", "States.Timeout"]).interval_seconds(2).max_attempts(5).backoff_rate(1.5);
    /// # let _ = retrier;
    /// ```
    pub fn on(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        on(names)
    }

    /// Sets "IntervalSeconds", 1 by default.
    pub fn interval_seconds(self, seconds: u64) -> Self {
        self.set("IntervalSeconds", seconds)
    }

    /// Sets "MaxAttempts", 3 by default.
    pub fn max_attempts(self, attempts: u64) -> Self {
        self.set("MaxAttempts", attempts)
    }

    /// Sets "BackoffRate", 2.0 by default.
    pub fn backoff_rate(self, rate: f64) -> Self {
        self.set("BackoffRate", rate)
    }

    /// Sets "MaxDelaySeconds": no interval is longer.
    pub fn max_delay_seconds(self, seconds: u64) -> Self {
        self.set("MaxDelaySeconds", seconds)
    }

    /// Sets "JitterStrategy".
    pub fn jitter_strategy(self, strategy: JitterStrategy) -> Self {
        self.set("JitterStrategy", strategy.as_str())
    }
}

impl<L: Language> Part<kind::Catcher, L> {
    /// Begins a catcher of these error names: "ErrorEquals". [`next`](Self::next) completes it.
    pub fn on(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        on(names)
    }

    /// Sets "Next", and completes the catcher.
    pub fn next(self, state: impl Into<String>) -> Part<kind::CompleteCatcher, L> {
        Part::of(self.set("Next", state.into()).fields)
    }
}

impl Part<kind::Catcher, JsonPath> {
    /// Sets "ResultPath": where in the state's input the Error Output is.
    pub fn result_path(self, path: impl Into<String>) -> Self {
        self.set("ResultPath", path.into())
    }

    /// Sets "ResultPath" to null: the output is the state's input.
    pub fn discard_error_output(self) -> Self {
        self.set("ResultPath", Value::Null)
    }
}
