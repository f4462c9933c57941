//! Judges whether definitions are valid, and the diagnostics of invalid ones.
use super::case::Case;
use super::matching::text_holds;
use super::verdict::{Verdict, cut};
use asl_model::{Diagnostic, Options, Severity};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// A code within a recorded text.
static CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b").expect("the pattern is constant"));

/// Judges one case.
pub(crate) fn judge(case: &Case) -> Verdict {
    let options = Options {
        profile: case.profile,
        state_machine_type: case.state_machine_type(),
        ..Options::default()
    };
    let diagnostics = asl_model::validate(&case.definition_text(), options);
    let errors: Vec<&Diagnostic> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .collect();
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
    if codes.peek().is_some() && !codes.any(|code| diagnostics.iter().any(|d| code_of(d) == code)) {
        return Verdict::failed(1, reason);
    }
    if errors
        .iter()
        .any(|error| !text_holds(message, &error.message))
    {
        return Verdict::failed(2, reason);
    }
    Verdict::passed()
}

fn code_of(diagnostic: &Diagnostic) -> String {
    match serde_json::to_value(diagnostic.code()) {
        Ok(Value::String(code)) => code,
        _ => String::new(),
    }
}

fn describe(errors: &[&Diagnostic]) -> String {
    if errors.is_empty() {
        return "accepted".to_owned();
    }
    let first: Vec<String> = errors
        .iter()
        .take(3)
        .map(|error| format!("{} {}: {}", code_of(error), error.location, error.message))
        .collect();
    first.join("; ")
}
