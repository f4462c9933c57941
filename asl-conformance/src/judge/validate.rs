//! Judges whether definitions are valid, and the diagnostics of invalid ones.
use crate::matching::text_holds;
use crate::verdict::cut;
use crate::{Case, DefinitionFault, Subject, Validation, Verdict};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// A code within a recorded text.
static CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b").expect("the pattern is constant"));

/// Judges one case.
pub(super) fn judge(case: &Case, subject: &mut dyn Subject) -> Verdict {
    let Validation {
        errors,
        codes: found,
    } = match subject.validate(case) {
        Ok(validation) => validation,
        Err(reason) => return Verdict::failed(0, reason),
    };
    let shown = describe(&errors);
    let text = |field: &str| case.expect.get(field).and_then(Value::as_str);
    let expected = case
        .expect
        .get("valid")
        .and_then(Value::as_bool)
        .unwrap_or(false);
    if errors.is_empty() != expected {
        let verdict = if expected { "accepted" } else { "refused" };
        let why = text("about")
            .or_else(|| text("message"))
            .unwrap_or("no reason given");
        return Verdict::failed(
            0,
            format!("expected {verdict}; got {shown} ({})", cut(why, 200)),
        );
    }
    let Some(message) = text("message").filter(|message| !expected && !message.is_empty()) else {
        return Verdict::passed();
    };
    let reason = format!("expected {}, got {shown}", cut(message, 300));
    let mut codes = CODE
        .find_iter(message)
        .map(|found| found.as_str())
        .peekable();
    if codes.peek().is_some() && !codes.any(|code| found.iter().any(|it| it == code)) {
        return Verdict::failed(1, reason);
    }
    if errors
        .iter()
        .any(|error| !error.message.is_empty() && !text_holds(message, &error.message))
    {
        return Verdict::failed(2, reason);
    }
    Verdict::passed()
}

fn describe(errors: &[DefinitionFault]) -> String {
    if errors.is_empty() {
        return "accepted".to_owned();
    }
    let first: Vec<String> = errors
        .iter()
        .take(3)
        .map(|error| format!("{} {}: {}", error.code, error.location, error.message))
        .collect();
    first.join("; ")
}
