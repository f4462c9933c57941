//! Judges whether definitions are valid, and the diagnostics of invalid ones.
use super::case::Case;
use super::matching::text_holds;
use super::subject::Subject;
use super::verdict::{Verdict, cut};
use asl_model::{Diagnostic, Options, Severity};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// A code within a recorded text.
static CODE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b").expect("the pattern is constant"));

/// The verdict of an interpreter on a definition.
pub(super) struct Validation {
    /// The errors; a definition without any is valid.
    pub(super) errors: Vec<Fault>,
    /// Codes of all diagnostics, warnings too.
    pub(super) codes: Vec<String>,
}

/// An error of a definition.
pub(super) struct Fault {
    pub(super) code: String,
    pub(super) location: String,
    /// Empty for an interpreter that gives none.
    pub(super) message: String,
}

/// Validates the definition of a case.
pub(super) fn run(case: &Case) -> Validation {
    let options = Options::default()
        .with_profile(case.profile)
        .with_state_machine_type(case.state_machine_type());
    let diagnostics = asl_model::validate(&case.definition_text(), options);
    let errors = diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Error);
    let fault = |error: &Diagnostic| Fault {
        code: code_of(error),
        location: error.location.to_string(),
        message: error.message.clone(),
    };
    Validation {
        errors: errors.map(fault).collect(),
        codes: diagnostics.iter().map(code_of).collect(),
    }
}

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

fn code_of(diagnostic: &Diagnostic) -> String {
    match serde_json::to_value(diagnostic.code()) {
        Ok(Value::String(code)) => code,
        _ => String::new(),
    }
}

fn describe(errors: &[Fault]) -> String {
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
