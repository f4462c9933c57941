//! JSON that callers send as texts.
use crate::protocol::{ApiError, ErrorCode};
use asl_path::json;

/// Refuses an execution's input that is no JSON.
///
/// # Errors
/// InvalidExecutionInput, with the service's words for what is wrong.
pub(crate) fn check_input(text: &str) -> Result<(), ApiError> {
    let refused = |fault: &str| {
        Err(ApiError::new(
            ErrorCode::InvalidExecutionInput,
            format!("Invalid State Machine Execution Input: '{fault}'"),
        ))
    };
    match fault(text) {
        None => Ok(()),
        // Recorded.
        Some(_) if text.is_empty() => refused("Invalid execution input."),
        Some(fault) => refused(&fault),
    }
}

/// Refuses a task's output that is no JSON.
///
/// # Errors
/// InvalidOutput.
pub(crate) fn check_output(text: &str) -> Result<(), ApiError> {
    match fault(text) {
        None => Ok(()),
        Some(fault) => Err(ApiError::new(
            ErrorCode::InvalidOutput,
            format!("Invalid Output: '{fault}'"),
        )),
    }
}

/// What is wrong with a text of JSON, without its place (recorded).
fn fault(text: &str) -> Option<String> {
    let error = json::parse(text, json::DEFAULT_MAX_DEPTH).err()?;
    let told = json::service_text(text).unwrap_or(error.message);
    Some(told.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        check_input(text).unwrap_err().message
    }

    #[test]
    fn any_json_is_an_input() {
        for text in ["{}", " [1,\n2] ", "2", "\"some text\"", "null"] {
            assert_eq!(check_input(text), Ok(()), "{text}");
            assert_eq!(check_output(text), Ok(()), "{text}");
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
            check_output("x").unwrap_err().code,
            ErrorCode::InvalidOutput
        );
        assert!(check_input(&"[".repeat(5_000)).is_err());
    }
}
