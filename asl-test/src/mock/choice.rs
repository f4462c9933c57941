//! Selection of the result for a call.
use super::{Answer, Mock};
use crate::record::Place;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A mock, and how often it was asked in the whole case: by nested state machines too, however often they run.
#[derive(Debug)]
pub(crate) struct CountedMock {
    mock: Mock,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Of each answer, how often it was given.
    given: Vec<u64>,
    /// Of each state in each iteration, how often it was called.
    calls: HashMap<(Arc<str>, Arc<Place>), u64>,
}

/// Data of a call.
pub(crate) struct TaskCall<'c> {
    pub(crate) state: &'c Arc<str>,
    pub(crate) place: &'c Arc<Place>,
    pub(crate) payload: &'c Value,
}

impl CountedMock {
    pub(crate) fn new(mock: Mock) -> Self {
        let counts = Counts {
            given: vec![0; mock.answers.len()],
            ..Counts::default()
        };
        Self {
            mock,
            counts: Arc::new(Mutex::new(counts)),
        }
    }

    /// The same, as a nested state machine knows it.
    pub(super) fn within(&self, target: &str) -> Self {
        let mut mock = self.mock.clone();
        target.clone_into(&mut mock.target);
        Self {
            mock,
            counts: Arc::clone(&self.counts),
        }
    }

    pub(super) fn mock(&self) -> &Mock {
        &self.mock
    }

    pub(super) fn target(&self) -> &str {
        &self.mock.target
    }

    /// Returns the result for a call.
    ///
    /// # Errors
    ///
    /// The message if there is no result, or if a predicate fails.
    pub(crate) fn choose(&self, called: &TaskCall<'_>) -> Result<&Answer, String> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (Arc::clone(called.state), Arc::clone(called.place));
        let calls = counts.calls.entry(key).or_default();
        let attempt = *calls;
        *calls += 1;
        for (answer, given) in self.mock.answers.iter().zip(&mut counts.given) {
            if *given < self.times(answer) && holds(answer, attempt, called)? {
                *given += 1;
                return Ok(answer);
            }
        }
        let default = self.mock.default.as_ref();
        default.ok_or_else(|| self.gap(attempt, called))
    }

    /// Returns the number of uses of a result: one, if it has no condition and others follow it.
    fn times(&self, answer: &Answer) -> u64 {
        let once = if answer.is_unconditional() {
            1
        } else {
            u64::MAX
        };
        answer.times.unwrap_or(once)
    }

    fn gap(&self, attempt: u64, called: &TaskCall<'_>) -> String {
        let (state, place) = (called.state, called.place);
        let count = self.mock.answers.len();
        let answers = if count == 1 { "answer" } else { "answers" };
        format!(
            "the mock `{}` has {count} {answers}, and none for call {attempt} of state `{state}`{place}: add one, or a default",
            self.mock.target
        )
    }
}

fn holds(answer: &Answer, attempt: u64, called: &TaskCall<'_>) -> Result<bool, String> {
    let item = called.place.item();
    let is_counted = answer.attempt.is_none_or(|range| range.has(attempt))
        && (answer.item).is_none_or(|range| item.is_some_and(|item| range.has(item)));
    match &answer.when {
        Some(predicate) if is_counted => predicate.holds(called.payload),
        _ => Ok(is_counted),
    }
}
