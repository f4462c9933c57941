//! Results of commands and servers.
use asl_engine::TaskError;
use asl_path::json;
use serde_json::Value;

/// Bytes of an answer that are read at most: 64 times what the service allows.
pub(super) const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Characters of an answer that a cause quotes.
const QUOTED: usize = 200;

/// Returns an answer as JSON; nothing at all is null.
pub(crate) fn parse(who: &str, bytes: Vec<u8>) -> Result<Value, TaskError> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let start = String::from_utf8_lossy(error.as_bytes());
        let at = error.utf8_error().valid_up_to();
        no_json(who, &format!("invalid UTF-8 at offset {at}"), &start)
    })?;
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    json::parse(&text, json::DEFAULT_MAX_DEPTH)
        .map_err(|error| no_json(who, &error.to_string(), &text))
}

fn no_json(who: &str, why: &str, text: &str) -> TaskError {
    let start = quoted(text);
    TaskError::failed(format!("{who}{NO_JSON}{why}; it answered {start}"))
}

const NO_JSON: &str = " did not answer with JSON: ";

/// Returns true for the cause of an answer that is not JSON.
#[cfg(feature = "exec")]
pub(super) fn is_not_json(cause: &str) -> bool {
    cause.contains(NO_JSON)
}

/// Returns true if a text is JSON.
#[cfg(feature = "http")]
pub(super) fn is_json(text: &str) -> bool {
    json::parse(text, json::DEFAULT_MAX_DEPTH).is_ok()
}

/// Returns the start of a text, in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut start: String = text.chars().take(QUOTED).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    format!("{start:?}")
}

/// Parses `{"Error": …, "Cause": …}`; None for any other text.
pub(super) fn parse_error(text: &str) -> Option<TaskError> {
    let value = json::parse(text, json::DEFAULT_MAX_DEPTH).ok()?;
    let object = value.as_object()?;
    let error = object.get("Error")?.as_str()?;
    match object.get("Cause") {
        None | Some(Value::Null) => Some(TaskError::without_cause(error)),
        Some(Value::String(cause)) => Some(TaskError::new(error, cause)),
        // The service's causes are often JSON in a string.
        Some(other) => Some(TaskError::new(error, other.to_string())),
    }
}

/// Returns the error of a Lambda function that failed, with status 200 as AWS Lambda answers: as a header says, or as its
/// body is that of an error. The service makes the error's type the Error Name, and all of the body the cause.
#[cfg(feature = "http")]
pub(super) fn function_error(body: &[u8], is_told: bool) -> Option<TaskError> {
    let text = std::str::from_utf8(body).unwrap_or_default().trim();
    let value = json::parse(text, json::DEFAULT_MAX_DEPTH).unwrap_or_default();
    let text_in = |name| value.get(name).and_then(Value::as_str);
    match (text_in("errorType"), text_in("errorMessage")) {
        (Some(error), Some(_)) => Some(TaskError::new(error, text)),
        (error, _) if is_told => Some(TaskError::new(error.unwrap_or("Lambda.Unknown"), text)),
        _ => None,
    }
}

/// The answer was longer than [`MAX_BYTES`].
pub(super) fn too_long(who: &str) -> TaskError {
    let limit = MAX_BYTES / (1024 * 1024);
    TaskError::failed(format!("{who} answered with more than {limit} MiB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_quoted() {
        let error = parse("cat", b"hello".to_vec()).unwrap_err();
        let cause = error.error_output.cause.unwrap();
        assert!(
            cause.starts_with("cat did not answer with JSON: "),
            "{cause}"
        );
        assert!(cause.ends_with("it answered \"hello\""), "{cause}");
        let error = parse("cat", vec![b'a', 0xFF]).unwrap_err();
        assert!(
            error
                .error_output
                .cause
                .unwrap()
                .contains("invalid UTF-8 at offset 1")
        );
        let error = parse("cat", vec![b'x'; 100_000]).unwrap_err();
        assert!(error.error_output.cause.unwrap().len() < 500);
    }

    #[cfg(feature = "http")]
    #[test]
    fn a_function_fails_with_its_own_error() {
        let body = r#"{"errorMessage": "no", "errorType": "ValueError", "stackTrace": []}"#;
        let error = Some(TaskError::new("ValueError", body));
        assert_eq!(function_error(body.as_bytes(), false), error);
        assert_eq!(function_error(format!("{body}\n").as_bytes(), true), error);
        let unknown = Some(TaskError::new("Lambda.Unknown", "null"));
        assert_eq!(function_error(b"null", true), unknown);
        for result in [
            "null",
            "[1]",
            r#"{"errorType": "ValueError"}"#,
            "",
            "no JSON",
        ] {
            assert_eq!(function_error(result.as_bytes(), false), None, "{result}");
        }
    }

    #[test]
    fn errors_are_told_from_other_texts() {
        let error = parse_error(r#"{"Error": "E", "Cause": "C"}"#).unwrap();
        assert_eq!(error, TaskError::new("E", "C"));
        assert_eq!(
            parse_error(r#"{"Error": "E"}"#).unwrap(),
            TaskError::without_cause("E")
        );
        assert_eq!(parse_error("Error: no"), None);
        assert_eq!(parse_error(r#"{"Cause": "C"}"#), None);
    }
}
