//! Errors of formatting and conversion.
use asl_model::{Diagnostics, Position};

/// The reason why a text is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The text is neither JSON nor YAML.
    #[error("{message} at line {} column {}", position.line, position.column)]
    Unreadable {
        /// The expected and the actual content.
        message: String,
        /// The position.
        position: Position,
    },
    /// The text is not a definition; its order is unknown.
    #[error("it has neither 'StartAt' nor 'States'")]
    NoDefinition,
    /// An object has two fields of one name, of which the other format would take one.
    #[error("the field '{name}' occurs twice in its object: remove one")]
    Duplicate {
        /// The name.
        name: String,
        /// The field, as a JSON pointer.
        pointer: String,
    },
    /// The text is nested so deeply that its indented lines would exceed any file size.
    #[error("the formatted text would exceed 256 MiB because of its deep nesting")]
    TooLong,
}

impl FormatError {
    /// The first fault of a text that was read.
    pub(crate) fn from_faults(faults: &Diagnostics) -> Self {
        let first = faults.iter().next();
        let message = first.map_or_else(String::new, |fault| fault.message.clone());
        match (faults.unreadable_at(), first) {
            (None, Some(fault)) => Self::Duplicate {
                name: message
                    .trim_start_matches("Duplicate field ")
                    .trim_matches('\'')
                    .to_owned(),
                pointer: fault.location.pointer().to_owned(),
            },
            (position, _) => Self::Unreadable {
                message: without_place(&message),
                position: position.unwrap_or(Position { line: 1, column: 1 }),
            },
        }
    }
}

/// Returns the message without its line and column.
fn without_place(message: &str) -> String {
    match message.rsplit_once(" at line ") {
        Some((what, _)) => what.to_owned(),
        None => message.to_owned(),
    }
}
