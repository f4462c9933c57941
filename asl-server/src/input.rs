//! JSON that callers send as texts.
use crate::protocol::{ApiError, ErrorCode};
use asl_backend::Payload;
use asl_path::json::{self, JsonError};
use std::sync::Arc;

/// Parses the input of an execution.
///
/// # Errors
///
/// InvalidExecutionInput, with the service's message.
pub(crate) fn read_input(text: String) -> Result<Payload, ApiError> {
    read(text).map_err(|(text, error)| {
        let fault = match &*text {
            // Recorded.
            "" => "Invalid execution input.".to_owned(),
            text => fault(text, error),
        };
        ApiError::new(
            ErrorCode::InvalidExecutionInput,
            format!("Invalid State Machine Execution Input: '{fault}'"),
        )
    })
}

/// Reads a task's output.
///
/// # Errors
/// InvalidOutput.
pub(crate) fn read_output(text: String) -> Result<Payload, ApiError> {
    read(text).map_err(|(text, error)| {
        let fault = fault(&text, error);
        ApiError::new(
            ErrorCode::InvalidOutput,
            format!("Invalid Output: '{fault}'"),
        )
    })
}

/// Parses a text, or returns it with the error.
fn read(text: String) -> Result<Payload, (Arc<str>, JsonError)> {
    let text: Arc<str> = text.into();
    Payload::parse(Arc::clone(&text)).map_err(|error| (text, error))
}

/// Returns the message for invalid JSON, without the position (recorded).
fn fault(text: &str, error: JsonError) -> String {
    let told = json::service_text(text).unwrap_or(error.message);
    told.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        read_input(text.to_owned()).unwrap_err().message
    }

    #[test]
    fn any_json_is_an_input() {
        for text in ["{}", " [1,\n2] ", "2", "\"some text\"", "null"] {
            for read in [read_input(text.to_owned()), read_output(text.to_owned())] {
                let payload = read.expect("it is JSON");
                assert_eq!(
                    (&**payload.text(), &**payload.value()),
                    (text, &text.parse().unwrap())
                );
            }
        }
    }

    #[test]
    fn what_is_none_is_refused_in_jacksons_words() {
        assert_eq!(
            message("not some json"),
            "Invalid State Machine Execution Input: 'Unrecognized token 'not': was expecting (JSON String, Number, Array, \
             Object or token 'null', 'true' or 'false')'"
        );
        assert_eq!(
            message("{'not': 'json'"),
            "Invalid State Machine Execution Input: 'Unexpected character (''' (code 39)): was expecting double-quote to \
             start field name'"
        );
        assert_eq!(
            message(""),
            "Invalid State Machine Execution Input: 'Invalid execution input.'"
        );
        assert_eq!(
            read_output("x".to_owned()).unwrap_err().code,
            ErrorCode::InvalidOutput
        );
        assert!(read_input("[".repeat(5_000)).is_err());
    }
}
