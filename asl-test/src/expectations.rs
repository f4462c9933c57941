//! Expectations of a case.
use crate::Predicate;
use serde_json::{Map, Value};

/// Expectations of an execution; None accepts any value.
///
/// Without a status, the execution is to succeed, unless an error or a cause is expected.
#[derive(Debug, Clone, Default)]
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

/// Expected calls of a task.
#[derive(Debug, Clone, Default)]
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

/// A number, or the least and the most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Minimum.
    pub least: f64,
    /// Maximum.
    pub most: f64,
}

impl Bounds {
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
