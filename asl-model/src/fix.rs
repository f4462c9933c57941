//! Changes that fix problems.
use serde_json::Value;

/// A change of a definition that fixes what a diagnostic is about.
///
/// ```
/// use asl_model::{Change, validate};
/// let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage",
///     "Parameters": {"MessageBody": "$.order", "QueueUrl": "u"}, "End": true}}}"#;
/// let found = validate(text, asl_model::Options::default());
/// let fix = found.iter().next().unwrap().fix.as_ref().unwrap();
/// assert!(fix.is_sure);
/// assert_eq!(fix.changes, [Change::Rename {
///     pointer: "/States/A/Parameters/MessageBody".to_owned(),
///     name: "MessageBody.$".to_owned(),
/// }]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct Fix {
    /// The title, as a command: `rename the field to 'MessageBody.$'`.
    pub title: String,
    /// True if the fix is unambiguous, so that it is applied without asking. Other fixes are offered.
    pub is_sure: bool,
    /// The changes, made together.
    pub changes: Vec<Change>,
}

impl Fix {
    /// Creates an unambiguous fix with one change.
    pub fn safe(title: impl Into<String>, change: Change) -> Self {
        Self {
            title: title.into(),
            is_sure: true,
            changes: vec![change],
        }
    }

    /// Creates a fix with one change, to be offered.
    pub fn offered(title: impl Into<String>, change: Change) -> Self {
        Self {
            is_sure: false,
            ..Self::safe(title, change)
        }
    }
}

/// A change of a definition, by JSON Pointers.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle each")]
pub enum Change {
    /// Gives the field that the pointer names another name.
    Rename {
        /// JSON Pointer of the field.
        pointer: String,
        /// New name of the field.
        name: String,
    },
    /// Puts another value in the place of the one that the pointer names.
    Replace {
        /// JSON Pointer of the value.
        pointer: String,
        /// The new one.
        value: Value,
    },
    /// Takes out the field or element that the pointer names.
    Remove {
        /// The field or element.
        pointer: String,
    },
    /// Adds a field to the object that the pointer names, as its last.
    Insert {
        /// JSON Pointer of the object.
        pointer: String,
        /// The new field.
        name: String,
        /// The value of the field.
        value: Value,
    },
    /// Takes out the comma that stands at a byte of the text, which cannot be read with it.
    RemoveComma {
        /// Bytes from the beginning of the text.
        offset: usize,
    },
}
