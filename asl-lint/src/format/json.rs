//! `asl validate --format json`.
use crate::LocatedDiagnostic;
use asl_model::Severity;
use serde_json::{Value, json};
use std::path::Path;

/// Problems of a state machine, or one problem of a template as a whole.
#[derive(Debug, Clone)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct ReportEntry<'r> {
    /// Name in the report: the file, or `FILE#NAME` for one of several state machines.
    pub name: String,
    /// File of the definition.
    pub file: &'r Path,
    /// Name of the state machine in its template.
    pub state_machine: Option<&'r str>,
    /// Problems.
    pub diagnostics: Vec<LocatedDiagnostic<'r>>,
}

/// Returns a report for programs: an object for each entry.
///
/// ```
/// let report = asl_lint::format::json(&[]);
/// assert_eq!(report, serde_json::json!([]));
/// ```
pub fn json(entries: &[ReportEntry<'_>]) -> Value {
    entries.iter().map(entry).collect()
}

fn entry(entry: &ReportEntry<'_>) -> Value {
    let has_errors = entry
        .diagnostics
        .iter()
        .any(|one| one.severity == Severity::Error);
    let diagnostics = entry.diagnostics.iter();
    let diagnostics: Vec<Value> = diagnostics.map(|one| diagnostic(one, entry.file)).collect();
    let mut object = json!({
        "file": entry.name,
        "result": if has_errors { "FAIL" } else { "OK" },
        "diagnostics": diagnostics,
    });
    if let Some(name) = entry.state_machine {
        object["stateMachine"] = name.into();
    }
    object
}

/// Returns a problem; its file is named only if it is not that of the definition.
fn diagnostic(one: &LocatedDiagnostic<'_>, file: &Path) -> Value {
    let mut object = json!({
        "severity": one.severity,
        "code": one.code,
        "rule": one.rule.name(),
        "message": one.message,
        "location": one.location,
    });
    if let Some(place) = one.place {
        let position = place.position();
        object["line"] = position.line.into();
        object["column"] = position.column.into();
        if place.file.path() != file {
            object["file"] = place.file.path().display().to_string().into();
        }
    }
    if let Some(hint) = &one.hint {
        object["hint"] = hint.as_str().into();
    }
    object
}
