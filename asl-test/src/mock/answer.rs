//! One answer of a mock.
use crate::{Definition, Predicate};
use asl_engine::TaskError;
use asl_engine::runtime::{Performer, value_fn};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A result of a mock, with its conditions.
///
/// ```
/// use asl_test::{Answer, Predicate};
/// use serde_json::json;
///
/// let busy = Answer::throws("Busy", "come back later").times(2);
/// let dear = Answer::throws("Refused", "too dear").when(Predicate::parse("{% price > 100 %}")?);
/// let slow = Answer::returns(json!({"paid": true})).after_seconds(30.0);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone)]
pub struct Answer {
    pub(crate) action: Action,
    pub(crate) delay: Duration,
    pub(crate) attempt: Option<Range>,
    pub(crate) item: Option<Range>,
    pub(crate) when: Option<Predicate>,
    pub(crate) times: Option<u64>,
}

/// The action of a mock.
#[derive(Debug, Clone)]
pub(crate) enum Action {
    Return(Value),
    Throw {
        error: Option<String>,
        cause: Option<String>,
    },
    Never,
    /// `exec:` or `http:`, as `asl-performers` has them.
    External(String),
    /// A state machine runs in the task's place.
    Machine(Definition),
    /// Code of the program that runs the test.
    Handler(Handler),
}

/// A handler of tasks from the program that runs the test.
#[derive(Clone)]
pub(crate) struct Handler(pub(crate) Arc<dyn Performer>);

impl fmt::Debug for Handler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handler")
    }
}

/// Whole numbers from one to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Range {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
}

impl Range {
    /// Reads "3", "1-3", or "2-", which has no end.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<u64>().ok();
        let first = number(first)?;
        let last = match last.trim() {
            "" => u64::MAX,
            last => number(last)?,
        };
        (first <= last).then_some(Self { first, last })
    }

    pub(crate) fn has(self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl From<u64> for Range {
    fn from(number: u64) -> Self {
        Self {
            first: number,
            last: number,
        }
    }
}

impl Answer {
    pub(crate) fn new(action: Action) -> Self {
        Self {
            action,
            delay: Duration::ZERO,
            attempt: None,
            item: None,
            when: None,
            times: None,
        }
    }

    /// Creates an answer with which the task succeeds.
    pub fn returns(result: impl Into<Value>) -> Self {
        Self::new(Action::Return(result.into()))
    }

    /// Creates an answer with which the task fails.
    pub fn throws(error: impl Into<String>, cause: impl Into<String>) -> Self {
        Self::new(Action::Throw {
            error: Some(error.into()),
            cause: Some(cause.into()),
        })
    }

    /// Never returns: the task times out, misses its heartbeat, or runs until the execution ends.
    pub fn never() -> Self {
        Self::new(Action::Never)
    }

    /// Creates an answer that comes from a command or a server: `exec:COMMAND` or `http://HOST/PATH`.
    pub fn by(handler: impl Into<String>) -> Self {
        Self::new(Action::External(handler.into()))
    }

    /// Creates an answer that comes from a state machine, as with `states:startExecution`: it runs with the payload's `Input`
    /// and the case's clock. Its own tasks are mocked as `State/Task`.
    pub fn by_machine(definition: &Definition) -> Self {
        Self::new(Action::Machine(definition.clone()))
    }

    /// Creates an answer that an async closure gives, from the payload of the task.
    ///
    /// ```
    /// use asl_test::{Answer, Case, Definition};
    /// use serde_json::json;
    ///
    /// let definition = Definition::parse(r#"{"StartAt": "Charge", "States": {"Charge": {
    ///     "Type": "Task", "Resource": "charge-card", "End": true}}}"#)?;
    /// let charge = Answer::with(|order| async move { Ok(json!({"paid": order["amount"]})) });
    /// let run = Case::new("an order", &definition)
    ///     .input(json!({"amount": 21}))
    ///     .mock("Charge", [charge])
    ///     .run()
    ///     .into_result()?;
    /// assert_eq!(run.outcome, asl_engine::Outcome::Succeeded(json!({"paid": 21}).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with<F, R>(closure: F) -> Self
    where
        F: Fn(Value) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, TaskError>> + Send + 'static,
    {
        Self::by_performer(value_fn(closure))
    }

    /// Creates an answer that comes from a handler of the program, such as [`task_fn`](asl_engine::runtime::task_fn).
    pub fn by_performer(performer: impl Performer) -> Self {
        Self::new(Action::Handler(Handler(Arc::new(performer))))
    }

    /// Delays the answer by a number of seconds of the case's clock.
    #[must_use]
    pub fn after_seconds(mut self, seconds: f64) -> Self {
        self.delay = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self
    }

    /// Limits how often the answer is given.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.times = Some(times);
        self
    }

    /// Restricts the answer to these calls of the state, from 0. Each iteration of a Map counts separately.
    #[must_use]
    pub fn at_attempt(mut self, attempt: impl Into<Range>) -> Self {
        self.attempt = Some(attempt.into());
        self
    }

    /// Restricts the answer to these items of the enclosing Map, from 0.
    #[must_use]
    pub fn for_item(mut self, item: impl Into<Range>) -> Self {
        self.item = Some(item.into());
        self
    }

    /// Adds a condition on the payload.
    #[must_use]
    pub fn when(mut self, predicate: Predicate) -> Self {
        self.when = Some(predicate);
        self
    }

    pub(crate) fn is_unconditional(&self) -> bool {
        self.attempt.is_none() && self.item.is_none() && self.when.is_none() && self.times.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn ranges_are_read() {
        let range = |first, last| Some(Range { first, last });
        assert_eq!(Range::parse("3"), range(3, 3));
        assert_eq!(Range::parse("1-3"), range(1, 3));
        assert_eq!(Range::parse("2-"), range(2, u64::MAX));
        for text in ["", "x", "3-1", "-1", "1-2-3"] {
            assert_eq!(Range::parse(text), None, "{text}");
        }
    }
}
