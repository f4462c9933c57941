//! What a performer is asked for, and what came of it.
use super::JsonText;
use asl_engine::runtime::Answered;
use asl_engine::{
    Answer, ErrorOutput, Identity, StorageRequest, StorageResult, TaskAnswer, TaskError,
    TaskInvocation, Timestamp,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a performer is asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct PerformRequest {
    pub(crate) effect: Performable,
    pub(crate) identity: Arc<Identity>,
    /// Whether the execution hears heartbeats and first answers.
    pub(crate) is_open: bool,
    /// Where the execution was when it asked: a replay that goes another way asks otherwise, and Restate refuses it.
    pub(crate) fingerprint: String,
    /// The key of the workflow, where it says whether it still waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) workflow: Option<Arc<str>>,
}

impl PerformRequest {
    /// The state whose task it is.
    pub(crate) fn state_name(&self) -> Option<&str> {
        match &self.effect {
            Performable::Task(task) => Some(&task.state_name),
            Performable::Storage(_) => None,
        }
    }
}

/// What can be asked of a performer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Performable {
    Task(Arc<TaskInvocation>),
    Storage(Box<StorageRequest>),
}

/// What came of a request, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Performed {
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
        /// Whether the execution is to end by it.
        is_fatal: bool,
    },
}

impl Performed {
    pub(crate) fn new(at: Timestamp, answered: Answered) -> Self {
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
        Self { at, answer }
    }

    /// As a performer gave it.
    pub(crate) fn answered(self) -> Answered {
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_come_through_as_they_were_given() {
        let answers: [Answered; 4] = [
            Ok(TaskAnswer::Completed(json!({"a": [1, 2.5]})).into()),
            Ok(TaskAnswer::Submitted(json!(null)).into()),
            Ok(StorageResult::Object(vec![0, 255]).into()),
            Err(TaskError::new("E", "why").failing_the_execution()),
        ];
        for answer in answers {
            let performed = Performed::new(Timestamp::from_milliseconds(5), answer.clone());
            let text = serde_json::to_string(&performed).unwrap();
            let read: Performed = serde_json::from_str(&text).unwrap();
            assert_eq!(read.answered(), answer, "{text}");
        }
    }
}
