//! A start as it is kept: its input once.
use super::{Start, StartAt};
use crate::identity::Identity;
use crate::limits::Limits;
use asl_model::{StateMachineType, Timestamp};
use asl_path::json::{JsonError, printed};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// A start with the text of its input.
#[derive(Serialize, Deserialize)]
pub(super) struct WrittenStart {
    /// Empty if the sent text is used.
    input: String,
    input_text: Option<Arc<str>>,
    now: Timestamp,
    identity: Arc<Identity>,
    seed: Option<u64>,
    limits: Limits,
    state_machine_type: StateMachineType,
    record_history: bool,
    #[serde(with = "crate::saved::object_text")]
    context: Map<String, Value>,
    at: Option<Box<StartAt>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    absent_activities: Vec<Arc<str>>,
}

impl From<Start> for WrittenStart {
    fn from(start: Start) -> Self {
        let Start {
            input,
            input_text,
            now,
            identity,
            seed,
            limits,
            state_machine_type,
            record_history,
            context,
            at,
            absent_activities,
        } = start;
        Self {
            input: match &input_text {
                Some(_) => String::new(),
                None => printed(&input),
            },
            input_text,
            now,
            identity,
            seed,
            limits,
            state_machine_type,
            record_history,
            context,
            at,
            absent_activities,
        }
    }
}

impl TryFrom<WrittenStart> for Start {
    type Error = JsonError;

    fn try_from(written: WrittenStart) -> Result<Self, JsonError> {
        let WrittenStart {
            input,
            input_text,
            now,
            identity,
            seed,
            limits,
            state_machine_type,
            record_history,
            context,
            at,
            absent_activities,
        } = written;
        let text = match (&*input, &input_text) {
            ("", Some(sent)) => sent,
            (printed, _) => printed,
        };
        Ok(Self {
            input: Arc::new(crate::saved::value(text)?),
            input_text,
            now,
            identity,
            seed,
            limits,
            state_machine_type,
            record_history,
            context,
            at,
            absent_activities,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SENT: &str = r#"{ "n": 1.50, "n": 2 }"#;

    fn start() -> Start {
        let now = Timestamp::from_milliseconds(0);
        Start::new("e", crate::saved::value(SENT).expect("JSON"), now)
    }

    #[test]
    fn an_input_is_written_once() {
        let sent = start().with_input_text(Some(SENT.into()));
        let written = serde_json::to_value(&sent).expect("it can be written");
        assert_eq!(
            (&written["input"], &written["input_text"]),
            (&json!(""), &json!(SENT))
        );
        let read: Start = serde_json::from_value(written).expect("it can be read");
        assert_eq!(
            (&read.input, read.input_text.as_deref()),
            (&sent.input, Some(SENT))
        );
        let written = serde_json::to_value(start()).expect("it can be written");
        assert_eq!(written["input"], json!(r#"{"n":2}"#));
        let read: Start = serde_json::from_value(written).expect("it can be read");
        assert_eq!(read.input, sent.input);
    }

    #[test]
    fn a_start_that_was_written_with_both_keeps_its_value() {
        let mut written = serde_json::to_value(start()).expect("it can be written");
        written["input_text"] = json!(SENT);
        let read: Start = serde_json::from_value(written).expect("it can be read");
        assert_eq!(read.input, start().input);
        let mut damaged = serde_json::to_value(start()).expect("it can be written");
        damaged["input"] = json!("");
        assert!(serde_json::from_value::<Start>(damaged).is_err());
    }
}
