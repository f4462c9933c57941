//! A path that never selects anything, because no earlier state creates the field (2024 specification, Paths; JSONata
//! Runtime Errors).
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("impossible-path"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    for findings in super::data::findings(subject) {
        for dead in &findings.dead_paths {
            let hint = match &dead.meant {
                Some(meant) => format!("did you mean '{meant}'?"),
                None => "select an existing field, or create it in an earlier state".to_owned(),
            };
            let message = format!(
                "'{}' selects nothing: '{}' is always {}",
                dead.source, dead.known, dead.found
            );
            let location = dead.location(subject.location(findings.state));
            let reported = found.report(&LINT, location, message, hint);
            if let Some(offset) = dead.offset {
                reported.with_offset(offset);
            }
        }
    }
}
