//! Spans with stable ids, as a tracing system has them.
use crate::spans::{EventContext, Spans};
use crate::state_tree::StateTree;
use crate::visit::{Attempt, Holder, Visit, VisitFailure};
use asl_engine::ErrorOutput;
use asl_engine::history::{EventDetails, HistoryEvent};
use asl_model::Timestamp;
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::sync::Arc;

/// The id of a span: eight bytes from the ARN of the execution, the id of the event that entered the state, and the number of
/// the attempt. It is the same when the span is recorded live, read from a history, or continued after a redrive.
///
/// ```
/// use asl_trace::SpanId;
///
/// let id = SpanId::new("arn:aws:states:us-east-1:123456789012:execution:Order:1", 2, 1);
/// assert_eq!(id.to_string().len(), 16);
/// assert_eq!(id, SpanId::new("arn:aws:states:us-east-1:123456789012:execution:Order:1", 2, 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct SpanId(pub [u8; 8]);

impl SpanId {
    /// Derives the id of an attempt, from 1. Attempt 0 is the visit of the state itself, and event 0 the execution.
    pub fn new(execution_arn: &str, event_id: u64, attempt: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(event_id.to_be_bytes());
        hash.update(attempt.to_be_bytes());
        hash.update(execution_arn.as_bytes());
        let mut id = [0; 8];
        for (to, from) in id.iter_mut().zip(hash.finalize()) {
            *to = from;
        }
        Self(id)
    }
}

/// Sixteen hexadecimal digits.
impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A part of an execution, with its time and status.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// The id.
    pub id: SpanId,
    /// The enclosing span: of an attempt the visit, of a visit the Parallel or Map State or the execution.
    pub parent: Option<SpanId>,
    /// The kind of the span.
    pub kind: SpanKind,
    /// The enclosing branches, iterations and children, outermost first.
    pub holders: Arc<[Holder]>,
    /// Time of the start.
    pub started: Timestamp,
    /// Time of the end; None while the span is open.
    pub ended: Option<Timestamp>,
    /// The status.
    pub status: SpanStatus,
    /// The error of a span that failed, or that a catcher handled.
    pub error_output: Option<ErrorOutput>,
}

/// Kinds of spans.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum SpanKind {
    /// The execution.
    Execution,
    /// A visit of a state.
    Visit {
        /// Name of the state.
        state: Arc<str>,
    },
    /// An attempt of a state's work.
    Attempt {
        /// Name of the state.
        state: Arc<str>,
        /// 1 for the first attempt, 2 for the first retry, …
        number: u64,
    },
}

/// States of a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SpanStatus {
    /// It has not ended.
    Running,
    /// It ended, possibly after an error that was caught.
    Succeeded,
    /// An error ended it.
    Failed,
    /// A timeout ended it.
    TimedOut,
    /// Something else ended it: an error elsewhere, or a stop.
    Aborted,
}

/// Turns the events of one execution into spans, live or from a history.
///
/// A span is returned when it ends. An execution that is redriven continues: the spans that it continues are returned again,
/// with the same ids.
///
/// ```
/// use asl_engine::history::{EventDetails, HistoryEvent};
/// use asl_trace::{SpanRecorder, SpanStatus, StateTree};
///
/// let mut recorder = SpanRecorder::new("arn:aws:states:us-east-1:123456789012:execution:Order:1", StateTree::default());
/// let event = |id, details| HistoryEvent { id, previous_event_id: id - 1, timestamp: Default::default(), details };
/// recorder.push(&event(1, EventDetails::ExecutionStarted { input: Default::default(), input_text: None, role_arn: String::new() }));
/// let ended = recorder.push(&event(2, EventDetails::ExecutionSucceeded { output: Default::default() }));
/// assert_eq!(ended[0].status, SpanStatus::Succeeded);
/// ```
#[derive(Debug)]
pub struct SpanRecorder {
    arn: String,
    spans: Spans,
    execution: Span,
}

impl SpanRecorder {
    /// Creates a recorder for an execution.
    pub fn new(execution_arn: &str, tree: StateTree) -> Self {
        Self {
            arn: execution_arn.to_owned(),
            spans: Spans::new(tree),
            execution: Span {
                id: SpanId::new(execution_arn, 0, 0),
                parent: None,
                kind: SpanKind::Execution,
                holders: Arc::default(),
                started: Timestamp::default(),
                ended: None,
                status: SpanStatus::Running,
                error_output: None,
            },
        }
    }

    /// Adds the next event, and returns the spans that ended, innermost first.
    pub fn push(&mut self, event: &HistoryEvent) -> Vec<Span> {
        let at = event.timestamp;
        let EventContext {
            visit,
            attempt,
            interrupted,
        } = self.spans.push(event);
        let mut ended = Vec::new();
        for visit in interrupted {
            ended.extend(spans_of(&self.arn, &visit, at));
        }
        if let (Some(visit), Some(attempt)) = (visit, &attempt) {
            ended.push(attempt_span(&self.arn, visit, attempt));
        }
        if let Some(visit) = visit.filter(|visit| visit.left.is_some()) {
            ended.push(visit_span(&self.arn, visit, at));
        }
        self.follow_execution(event, &mut ended);
        ended
    }

    /// Returns the spans that have not ended, outermost first.
    pub fn open(&self) -> Vec<Span> {
        let mut open = vec![self.execution.clone()];
        for visit in self.spans.open() {
            let mut span = visit_span(&self.arn, visit, visit.entered);
            (span.ended, span.status) = (None, SpanStatus::Running);
            open.push(span);
            let attempt = visit.attempt.as_ref();
            let attempt = attempt.filter(|attempt| attempt.ended.is_none());
            open.extend(attempt.map(|attempt| attempt_span(&self.arn, visit, attempt)));
        }
        open
    }

    fn follow_execution(&mut self, event: &HistoryEvent, ended: &mut Vec<Span>) {
        let (status, error_output) = match &event.details {
            EventDetails::ExecutionStarted { .. } => {
                self.execution.started = event.timestamp;
                return;
            }
            EventDetails::ExecutionRedriven { .. } => {
                let execution = &mut self.execution;
                (execution.ended, execution.status) = (None, SpanStatus::Running);
                execution.error_output = None;
                return;
            }
            EventDetails::ExecutionSucceeded { .. } => (SpanStatus::Succeeded, None),
            EventDetails::ExecutionFailed(error) => (SpanStatus::Failed, Some(error)),
            EventDetails::ExecutionTimedOut(error) => (SpanStatus::TimedOut, Some(error)),
            EventDetails::ExecutionAborted(error) => (SpanStatus::Aborted, Some(error)),
            _ => return,
        };
        let mut open: Vec<&Visit> = self.spans.open().collect();
        open.sort_by_key(|visit| std::cmp::Reverse(visit.holders.len()));
        for visit in open {
            ended.extend(spans_of(&self.arn, visit, event.timestamp));
        }
        let execution = &mut self.execution;
        (execution.ended, execution.status) = (Some(event.timestamp), status);
        execution.error_output = error_output.cloned();
        ended.push(execution.clone());
    }
}

/// Returns the spans of a visit that was not left: its open attempt, and itself.
fn spans_of(arn: &str, visit: &Visit, at: Timestamp) -> impl Iterator<Item = Span> {
    let attempt = visit.attempt.as_ref();
    let attempt = attempt.filter(|attempt| attempt.ended.is_none());
    let attempt = attempt.map(|attempt| {
        let ended = Attempt {
            ended: Some(at),
            failure: visit.failure.clone(),
            ..attempt.clone()
        };
        let mut span = attempt_span(arn, visit, &ended);
        if ended.failure.is_none() {
            span.status = SpanStatus::Aborted;
        }
        span
    });
    attempt.into_iter().chain([visit_span(arn, visit, at)])
}

fn visit_span(arn: &str, visit: &Visit, at: Timestamp) -> Span {
    let status = match (visit.left, &visit.failure) {
        (Some(_), _) => SpanStatus::Succeeded,
        (None, Some(failure)) => status_of(failure),
        (None, None) => SpanStatus::Aborted,
    };
    Span {
        id: SpanId::new(arn, visit.event_id, 0),
        parent: Some(SpanId::new(arn, visit.parent.unwrap_or(0), 0)),
        kind: SpanKind::Visit {
            state: Arc::clone(&visit.state),
        },
        holders: Arc::clone(&visit.holders),
        started: visit.entered,
        ended: Some(at),
        status,
        error_output: error_output(visit.failure.as_ref()),
    }
}

fn attempt_span(arn: &str, visit: &Visit, attempt: &Attempt) -> Span {
    let status = match (attempt.ended, &attempt.failure) {
        (None, _) => SpanStatus::Running,
        (Some(_), Some(failure)) => status_of(failure),
        (Some(_), None) => SpanStatus::Succeeded,
    };
    Span {
        id: SpanId::new(arn, visit.event_id, attempt.number),
        parent: Some(SpanId::new(arn, visit.event_id, 0)),
        kind: SpanKind::Attempt {
            state: Arc::clone(&visit.state),
            number: attempt.number,
        },
        holders: Arc::clone(&visit.holders),
        started: attempt.started,
        ended: attempt.ended,
        status,
        error_output: error_output(attempt.failure.as_ref()),
    }
}

fn status_of(failure: &VisitFailure) -> SpanStatus {
    match failure.is_timeout {
        true => SpanStatus::TimedOut,
        false => SpanStatus::Failed,
    }
}

fn error_output(failure: Option<&VisitFailure>) -> Option<ErrorOutput> {
    failure.map(|failure| (*failure.error_output).clone())
}
