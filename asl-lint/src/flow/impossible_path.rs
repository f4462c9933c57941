//! A path that leads nowhere, whatever comes: no state before makes what it names (2024 specification, Paths; JSONata Runtime
//! Errors).
use crate::lint::{Found, Lint};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("impossible-path"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut Found) {
    for findings in super::data::findings(subject) {
        for dead in findings.dead_paths {
            found.report(
                &LINT,
                dead.location(subject.location(findings.state)),
                format!(
                    "'{}' leads nowhere: on every way to this state '{}' is {}",
                    dead.source, dead.known, dead.found
                ),
                "name what a state before makes, or make it there",
            );
        }
    }
}
