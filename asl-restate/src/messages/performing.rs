//! Requests to performers, and their results.
use super::JsonText;
use super::size::{MOST_BYTES, MOST_OBJECT_BYTES, message_bytes};
use asl_engine::runtime::PerformResult;
use asl_engine::{
    Answer, ErrorOutput, Identity, ObjectPart, StorageOperation, StorageRequest, StorageResult,
    TaskAnswer, TaskError, TaskInvocation, Timestamp,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A request to a performer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PerformRequest {
    pub(crate) effect: Performable,
    pub(crate) identity: Arc<Identity>,
    /// True if the execution hears heartbeats and first answers.
    pub(crate) is_open: bool,
    /// Fingerprint of the execution at the request: a replay that differs makes another request, which Restate refuses.
    pub(crate) fingerprint: String,
    /// Key of the workflow, which knows whether the result is still needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) workflow: Option<Arc<str>>,
}

impl PerformRequest {
    /// Returns the state whose task it is.
    pub(crate) fn state_name(&self) -> Option<&str> {
        match &self.effect {
            Performable::Task(task) => Some(&task.state_name),
            Performable::Storage(_) => None,
        }
    }

    /// Bytes of the object that is to be written, if one is.
    pub(crate) fn object_bytes(&self) -> usize {
        match &self.effect {
            Performable::Storage(request) => match &request.operation {
                StorageOperation::PutObject { body, .. } => body.len(),
                _ => 0,
            },
            Performable::Task(_) => 0,
        }
    }
}

/// Requests that a performer supports.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Performable {
    Task(Arc<TaskInvocation>),
    Storage(Box<StorageRequest>),
}

/// The result of a request, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PerformedRequest {
    pub(crate) at: Timestamp,
    pub(crate) answer: AnswerMessage,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum AnswerMessage {
    Completed(JsonText),
    Submitted(JsonText),
    Stored(StorageResult),
    Failed {
        error_output: ErrorOutput,
        /// True if the execution is to end by it.
        is_fatal: bool,
    },
}

impl PerformedRequest {
    pub(crate) fn new(at: Timestamp, answered: PerformResult) -> Self {
        let answer = match answered {
            Ok(Answer::Task(TaskAnswer::Completed(value))) => {
                AnswerMessage::Completed(JsonText::new(&value))
            }
            Ok(Answer::Task(TaskAnswer::Submitted(value))) => {
                AnswerMessage::Submitted(JsonText::new(&value))
            }
            Ok(Answer::Storage(result)) => AnswerMessage::Stored(result),
            Err(error) => AnswerMessage::Failed {
                is_fatal: error.failing_input().is_some(),
                error_output: error.error_output,
            },
        };
        let answer = match answer.is_too_large() {
            true => AnswerMessage::too_large(),
            false => answer,
        };
        Self { at, answer }
    }

    /// As a performer gave it.
    pub(crate) fn answered(self) -> PerformResult {
        match self.answer {
            AnswerMessage::Completed(text) => Ok(TaskAnswer::Completed(text.value()).into()),
            AnswerMessage::Submitted(text) => Ok(TaskAnswer::Submitted(text.value()).into()),
            AnswerMessage::Stored(result) => Ok(result.into()),
            AnswerMessage::Failed {
                error_output,
                is_fatal,
            } => {
                let mut error = TaskError::failed("");
                error.error_output = error_output;
                Err(match is_fatal {
                    true => error.failing_the_execution(),
                    false => error,
                })
            }
        }
    }
}

impl AnswerMessage {
    /// Returns true if Restate would not take it.
    fn is_too_large(&self) -> bool {
        let text_bytes = match self {
            Self::Stored(
                StorageResult::Object(bytes) | StorageResult::Part(ObjectPart { bytes, .. }),
            ) => return bytes.len() > MOST_OBJECT_BYTES,
            Self::Completed(text) | Self::Submitted(text) => text.0.len(),
            Self::Failed { error_output, .. } => error_output.cause.as_ref().map_or(0, String::len),
            Self::Stored(_) => MOST_BYTES,
        };
        // In JSON a byte of text takes six at most; few are looked at so closely.
        text_bytes > MOST_BYTES / 6 && message_bytes(self) > MOST_BYTES
    }

    /// Returns the replacement for a result that is too large.
    fn too_large() -> Self {
        let error = TaskError::new("States.DataLimitExceeded", too_large("the answer"));
        Self::Failed {
            error_output: error.error_output,
            is_fatal: false,
        }
    }
}

/// Returns the message for data that is too large.
pub(crate) fn too_large(what: &str) -> String {
    let mebibytes = MOST_OBJECT_BYTES >> 20;
    format!(
        "{what} is too large for a backend on Restate, whose messages end at 32 MiB: objects and answers of up to {mebibytes} MiB are \
         taken"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_come_through_as_they_were_given() {
        let answers: [PerformResult; 4] = [
            Ok(TaskAnswer::Completed(json!({"a": [1, 2.5]})).into()),
            Ok(TaskAnswer::Submitted(json!(null)).into()),
            Ok(StorageResult::Object(vec![0, 255]).into()),
            Err(TaskError::new("E", "why").failing_the_execution()),
        ];
        for answer in answers {
            let performed = PerformedRequest::new(Timestamp::from_milliseconds(5), answer.clone());
            let text = serde_json::to_string(&performed).unwrap();
            let read: PerformedRequest = serde_json::from_str(&text).unwrap();
            assert_eq!(read.answered(), answer, "{text}");
        }
    }

    #[test]
    fn an_answer_that_restate_would_not_take_is_a_failure() {
        let cause_of = |answered: PerformResult| {
            let performed = PerformedRequest::new(Timestamp::from_milliseconds(5), answered);
            performed
                .answered()
                .err()
                .and_then(|error| error.error_output.cause)
        };
        let object = |bytes: usize| Ok(StorageResult::Object(vec![0; bytes]).into());
        assert_eq!(cause_of(object(MOST_OBJECT_BYTES)), None);
        let cause = cause_of(object(MOST_OBJECT_BYTES + 1));
        assert!(cause.is_some_and(|cause| cause.contains("up to 22 MiB")));
        let text = |bytes: usize| Ok(TaskAnswer::Completed("\"".repeat(bytes).into()).into());
        assert_eq!(cause_of(text(MOST_BYTES / 6)), None);
        assert!(cause_of(text(MOST_BYTES / 3)).is_some());
    }
}
