//! External messages to tasks.
use super::JsonText;
use asl_engine::{EffectId, ErrorOutput, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A message to a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExternalMessage {
    pub(crate) at: Timestamp,
    pub(crate) what: ExternalEvent,
}

/// The content of a message to a task.
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
    /// Returns true if it need not be heard where something else is.
    pub(crate) fn may_be_lost(&self) -> bool {
        matches!(self, Self::Heartbeat)
    }
}

/// The result of sending a message to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Delivery {
    /// It will hear it.
    Heard,
    /// The task has not received the previous message: send it again.
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
