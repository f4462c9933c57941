//! JSON that callers send.
use asl_path::json::{self, JsonError};
use serde_json::Value;
use std::sync::Arc;

/// JSON as its sender wrote it, with its value: the input of an execution, or the output of a task.
///
/// ```
/// use asl_backend::Payload;
///
/// let payload = Payload::parse(r#"{"n": 1.0}"#)?;
/// assert_eq!(&**payload.text(), r#"{"n": 1.0}"#);
/// assert_eq!(payload.value()["n"], 1.0);
/// assert!(Payload::parse("n").is_err());
/// # Ok::<(), asl_path::json::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    text: Arc<str>,
    value: Arc<Value>,
}

impl Payload {
    /// Reads a text, which may nest as deep as data of executions may by default.
    ///
    /// # Errors
    /// If the text is not JSON.
    pub fn parse(text: impl Into<Arc<str>>) -> Result<Self, JsonError> {
        let text = text.into();
        let value = json::parse(&text, json::DEFAULT_MAX_DEPTH)?;
        Ok(Self {
            text,
            value: Arc::new(value),
        })
    }

    /// Returns the text as it was sent.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the value.
    pub fn value(&self) -> &Arc<Value> {
        &self.value
    }

    /// Returns the value, and drops the text.
    pub fn into_value(self) -> Arc<Value> {
        self.value
    }
}

impl From<Value> for Payload {
    /// Creates a payload from a value, with its printed text.
    fn from(value: Value) -> Self {
        Self {
            text: json::printed(&value).into(),
            value: Arc::new(value),
        }
    }
}
