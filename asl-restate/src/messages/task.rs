//! What comes to tasks from outside.
use super::JsonText;
use asl_engine::{EffectId, ErrorOutput, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What is said to a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExternalMessage {
    pub(crate) at: Timestamp,
    pub(crate) what: ExternalEvent,
}

/// What can be said to a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ExternalEvent {
    Success(JsonText),
    Failure(ErrorOutput),
    Heartbeat,
    Submitted(JsonText),
    Started(Option<Arc<str>>),
    /// The execution that it waits for has begun: this one.
    Nested(Arc<str>),
}

impl ExternalEvent {
    /// Whether it need not be heard where something else is.
    pub(crate) fn may_be_lost(&self) -> bool {
        matches!(self, Self::Heartbeat)
    }
}

/// What came of saying something to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Delivery {
    /// It will hear it.
    Heard,
    /// It has not heard what was said before: say it again.
    Busy,
    /// It does not wait any more.
    TooLate,
    /// There is no such execution.
    NoExecution,
}

/// A task that an activity's worker may take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ActivityOffer {
    pub(crate) execution_arn: Arc<str>,
    pub(crate) effect: EffectId,
    pub(crate) token: Arc<str>,
    pub(crate) input: JsonText,
}
