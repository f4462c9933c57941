//! JSON texts in, with a limit on nesting.
//!
//! `serde_json` stops at 128 levels, or not at all and then at the end of the stack. The one reader here, [`Events`], keeps
//! the arrays and objects that are still open in a list: deep documents come in on any stack, and hostile ones stay out.
//! [`parse`] makes a value of its events; what needs places, or fields that stand twice, reads the events itself.

mod depth;
mod events;
mod jackson;
mod number;
mod size;
mod string;
mod value;

pub use depth::{TooDeep, depth_within};
pub use events::{Event, Events, Scalar};
pub use jackson::{JsonFault, service_fault, service_text};
pub use size::Size;

use serde_json::Value;

/// Default nesting limit.
pub const DEFAULT_MAX_DEPTH: usize = 1_000;

/// A JSON syntax error, or an exceeded nesting limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line} column {column}")]
#[non_exhaustive]
pub struct JsonError {
    /// The error message.
    pub message: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl JsonError {
    /// Creates a fault at a byte of a text.
    #[cold]
    fn at(text: &str, byte: usize, message: String) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let start_of_line = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before
            .get(start_of_line..)
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        Self {
            message,
            line: before.matches('\n').count() + 1,
            column,
        }
    }
}

/// Describes a value with its article, for messages: `a boolean`, `an object`, `null`.
///
/// ```
/// assert_eq!(asl_path::json::described(&serde_json::json!([])), "an array");
/// ```
pub fn described(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Returns the compact text of a value: that of its `Display`, without the formatter between, in about half the time.
///
/// ```
/// use asl_path::json;
/// # use serde_json::json;
///
/// assert_eq!(json::printed(&json!({"a": [1, "é"]})), r#"{"a":[1,"é"]}"#);
/// ```
pub fn printed(value: &Value) -> String {
    // Nothing in a value is without a text.
    serde_json::to_string(value).unwrap_or_default()
}

/// Parses, allowing `max_depth` levels of arrays and objects.
///
/// The reading itself uses no stack for nesting. The value does when it is cloned, printed or dropped; with
/// [`DEFAULT_MAX_DEPTH`] that fits into 2 MiB.
///
/// # Errors
///
/// Returns an error if the text is not JSON, has something after the value, or is nested deeper than allowed.
///
/// # Example
///
/// ```
/// use asl_path::json;
///
/// assert_eq!(json::parse("[[1]]", 2).unwrap(), serde_json::json!([[1]]));
/// let error = json::parse("[[1]]", 1).unwrap_err();
/// assert_eq!(error.to_string(), "nested deeper than the limit of 1 level at line 1 column 2");
/// ```
pub fn parse(text: &str, max_depth: usize) -> Result<Value, JsonError> {
    value::read(Events::new(text, max_depth))
}
