//! Expectations of a case.
use crate::Predicate;
use serde_json::{Map, Value};

/// Expectations of an execution; None accepts any value.
///
/// Without a status, the execution is to succeed, unless an error or a cause is expected.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Expectations {
    /// SUCCEEDED, FAILED, TIMED_OUT or ABORTED.
    pub status: Option<String>,
    /// The expected output.
    pub output: Option<Value>,
    /// A part of it: fields of objects may be left out, arrays may not be shorter.
    pub output_contains: Option<Value>,
    /// Predicates on the output.
    pub output_where: Vec<Predicate>,
    /// The error name; `Some(None)` expects none.
    pub error: Option<Option<String>>,
    /// The cause; `Some(None)` expects none.
    pub cause: Option<Option<String>>,
    /// A part of the cause.
    pub cause_contains: Option<String>,
    /// The states of the machine itself in the order in which they were entered, without those within others.
    pub path: Option<Vec<String>>,
    /// States that were entered one after the other, wherever they are, with others between them.
    pub path_contains: Option<Vec<String>>,
    /// Number of entries of states.
    pub visits: Vec<(String, Bounds)>,
    /// Number and payloads of task calls.
    pub calls: Vec<ExpectedCalls>,
    /// Seconds from start to end, by the case's clock.
    pub duration: Option<Bounds>,
    /// Variables of the machine itself at the end.
    pub variables: Map<String, Value>,
}

asl_path::with_methods! {
    impl Expectations {
        with_status(status: Option<String>),
        with_output(output: Option<Value>),
        with_output_contains(output_contains: Option<Value>),
        with_output_where(output_where: Vec<Predicate>),
        with_error(error: Option<Option<String>>),
        with_cause(cause: Option<Option<String>>),
        with_cause_contains(cause_contains: Option<String>),
        with_path(path: Option<Vec<String>>),
        with_path_contains(path_contains: Option<Vec<String>>),
        with_visits(visits: Vec<(String, Bounds)>),
        with_calls(calls: Vec<ExpectedCalls>),
        with_duration(duration: Option<Bounds>),
        with_variables(variables: Map<String, Value>),
    }
}

/// Expected calls of a task.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ExpectedCalls {
    /// The state, its path, or the resource.
    pub target: String,
    /// Number of calls.
    pub times: Option<Bounds>,
    /// Payload of each call, in order.
    pub with: Option<Vec<Value>>,
    /// Parts of payloads, each of which one of the calls has.
    pub with_some: Vec<Value>,
}

asl_path::with_methods! {
    impl ExpectedCalls {
        with_times(times: Option<Bounds>),
        with_payloads(with: Option<Vec<Value>>),
        with_some(with_some: Vec<Value>),
    }
}

impl ExpectedCalls {
    /// Creates expectations of the calls of a state, its path, or a resource: any number, with any payloads.
    pub fn new(target: impl Into<String>) -> Self {
        Self {
            target: target.into(),
            ..Self::default()
        }
    }
}

/// A number, or the least and the most.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// Minimum.
    pub least: f64,
    /// Maximum.
    pub most: f64,
}

impl Bounds {
    /// Creates bounds that both count as within.
    pub fn new(least: f64, most: f64) -> Self {
        Self { least, most }
    }

    pub(crate) fn contains(self, number: f64) -> bool {
        // Milliseconds are what the service reports.
        number >= self.least - 0.000_5 && number <= self.most + 0.000_5
    }
}

impl From<u64> for Bounds {
    fn from(number: u64) -> Self {
        Self::from(number as f64)
    }
}

impl From<f64> for Bounds {
    fn from(number: f64) -> Self {
        Self {
            least: number,
            most: number,
        }
    }
}

impl std::fmt::Display for Bounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { least, most } = *self;
        match (least == most, most.is_infinite()) {
            (true, _) => write!(f, "{least}"),
            (_, true) => write!(f, "at least {least}"),
            _ if least == 0.0 => write!(f, "at most {most}"),
            _ => write!(f, "from {least} to {most}"),
        }
    }
}
