//! Exceptions to the shapes: patterns, hidden values, and recorded orders.

/// A pattern as the API's model writes it, and whether a text satisfies it.
type Pattern = (&'static str, fn(&str) -> bool);

const NAME_OF_ALIAS: Pattern = (r"^(?=.*[a-zA-Z_\-\.])[a-zA-Z0-9_\-\.]+$", is_name_of_alias);
const CLIENT_TOKEN: Pattern = ("[!-~]+", |text| {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
});
const TRACE_HEADER: Pattern = (r"\p{ASCII}*", str::is_ascii);

/// Returns the pattern of a member of a request.
pub(super) fn pattern(operation: &str, path: &str) -> Option<Pattern> {
    match (operation, path) {
        ("CreateStateMachineAlias", "name") => Some(NAME_OF_ALIAS),
        ("RedriveExecution", "clientToken") => Some(CLIENT_TOKEN),
        ("StartExecution" | "StartSyncExecution", "traceHeader") => Some(TRACE_HEADER),
        _ => None,
    }
}

fn is_name_of_alias(text: &str) -> bool {
    let is_sign = |byte: u8| matches!(byte, b'_' | b'-' | b'.');
    let mut bytes = text.bytes();
    bytes.all(|byte| byte.is_ascii_alphanumeric() || is_sign(byte))
        && text
            .bytes()
            .any(|byte| byte.is_ascii_alphabetic() || is_sign(byte))
}

/// Members whose shapes the model calls sensitive: their values are not in messages.
pub(super) fn is_secret(member: &str) -> bool {
    matches!(
        member,
        "cause"
            | "context"
            | "definition"
            | "description"
            | "error"
            | "errorCausedByState"
            | "input"
            | "mapItemReaderData"
            | "output"
            | "result"
            | "stateName"
            | "taskToken"
            | "variables"
            | "versionDescription"
    )
}

/// Returns the words of an enumeration, in the order of the message.
pub(super) fn values_in_order(values: &[String]) -> Vec<&str> {
    /// Recorded.
    const STATUSES: [&str; 6] = [
        "SUCCEEDED",
        "TIMED_OUT",
        "PENDING_REDRIVE",
        "ABORTED",
        "FAILED",
        "RUNNING",
    ];
    let is_status = values.len() == STATUSES.len()
        && values
            .iter()
            .all(|value| STATUSES.contains(&value.as_str()));
    match is_status {
        true => STATUSES.to_vec(),
        false => values.iter().map(String::as_str).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_aliases_are_no_numbers() {
        for name in ["PROD", "a-1", "1.0", "_"] {
            assert!(is_name_of_alias(name), "{name}");
        }
        for name in ["", "123", "a b", "a:b", "ä"] {
            assert!(!is_name_of_alias(name), "{name}");
        }
    }

    #[test]
    fn headers_and_tokens_are_ascii() {
        let (_, is_header) = pattern("StartExecution", "traceHeader").unwrap();
        assert!(is_header("Root=1-2 3") && is_header("") && !is_header("ä"));
        let (_, is_token) = pattern("RedriveExecution", "clientToken").unwrap();
        assert!(is_token("a~!") && !is_token("a b") && !is_token(""));
        assert!(pattern("CreateActivity", "name").is_none());
    }
}
