//! Visits of states, and the attempts in them.
use crate::account::StrandKind;
use asl_engine::ErrorOutput;
use asl_engine::history::StateType;
use asl_model::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// A branch, iteration or child execution that contains a state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Holder {
    /// The Parallel or Map State.
    pub state: Arc<str>,
    /// The kind of the strand.
    pub kind: StrandKind,
    /// Index of the branch, iteration or child, from 0.
    pub index: u64,
}

/// A visit of a state: from the event that enters the state to the event that leaves it.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit {
    /// Id of the event that entered the state. It is unique in the execution.
    pub event_id: u64,
    /// Name of the state.
    pub state: Arc<str>,
    /// Type of the state.
    pub state_type: StateType,
    /// The enclosing branches, iterations and children, outermost first.
    pub holders: Arc<[Holder]>,
    /// Id of the event that entered the enclosing Parallel or Map State.
    pub parent: Option<u64>,
    /// The visit before this one in the same branch or iteration; None for the first.
    pub previous: Option<PreviousVisit>,
    /// Time of the entry.
    pub entered: Timestamp,
    /// Raw input of the state.
    pub input: Arc<Value>,
    /// The last attempt of the state's work, if it started.
    pub attempt: Option<Attempt>,
    /// The last failure that no retry followed. If the state was left, a catcher handled the failure.
    pub failure: Option<VisitFailure>,
    /// Time of the exit.
    pub left: Option<Timestamp>,
    /// The branch or iteration of the visit, and its place in the enclosing one.
    pub(crate) flow: u64,
    pub(crate) flow_parent: Option<(u64, u64)>,
    /// True if the event of the final failure of a Parallel or Map State was read.
    pub(crate) has_given_up: bool,
    /// The last failure in a branch or iteration.
    pub(crate) inner_failure: Option<VisitFailure>,
}

/// The visit before another one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreviousVisit {
    /// Name of the state.
    pub state: Arc<str>,
    /// True if a catcher led to the next state.
    pub was_caught: bool,
}

/// An attempt of a state's work: of a task, or of all branches or iterations.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// 1 for the first attempt, 2 for the first retry, …
    pub number: u64,
    /// Time of the start.
    pub started: Timestamp,
    /// Time of the end.
    pub ended: Option<Timestamp>,
    /// The error, if the attempt failed.
    pub failure: Option<VisitFailure>,
    /// Time of the failure that this retry follows.
    pub failed_before: Option<Timestamp>,
}

/// A failure in a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct VisitFailure {
    /// Time of the failure.
    pub at: Timestamp,
    /// Error Name and cause, if known.
    pub error_output: Arc<ErrorOutput>,
    /// True if a timeout is the reason.
    pub is_timeout: bool,
    /// The event that entered the state in which the error arose: this state, or one of a branch or iteration.
    pub origin: u64,
}

impl Visit {
    /// Returns true for a visit of a Parallel or Map State.
    pub fn holds_states(&self) -> bool {
        matches!(self.state_type, StateType::Parallel | StateType::Map)
    }

    /// Returns the number of attempts that started.
    pub fn attempts(&self) -> u64 {
        self.attempt.as_ref().map_or(0, |attempt| attempt.number)
    }

    /// Returns true if a catcher handled a failure of the state.
    pub fn was_caught(&self) -> bool {
        self.left.is_some() && self.failure.is_some()
    }

    /// Starts the next attempt. Returns the one before, if nothing has reported its end.
    pub(crate) fn start_attempt(&mut self, at: Timestamp) -> Option<Attempt> {
        let failure = self.failure.take().or_else(|| self.inner_failure.take());
        let ended = self.attempt.take();
        let number = ended.as_ref().map_or(0, |attempt| attempt.number) + 1;
        let failed_before = failure.as_ref().filter(|_| number > 1);
        self.attempt = Some(Attempt {
            number,
            started: at,
            ended: None,
            failure: None,
            failed_before: failed_before.map(|failure| failure.at),
        });
        self.has_given_up = false;
        let mut open = ended.filter(|attempt| attempt.ended.is_none())?;
        open.ended = Some(failure.as_ref().map_or(at, |failure| failure.at));
        open.failure = failure;
        Some(open)
    }

    /// Ends the attempt, if one is open, and returns it.
    pub(crate) fn end_attempt(&mut self, at: Timestamp) -> Option<Attempt> {
        let failure = self.failure.clone();
        let open = self.attempt.as_mut();
        let open = open.filter(|attempt| attempt.ended.is_none())?;
        open.ended = Some(at);
        open.failure = failure;
        Some(open.clone())
    }
}
