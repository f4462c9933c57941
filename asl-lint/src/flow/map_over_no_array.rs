//! A Map State over what is never an array (2024 specification, Map State).
use crate::lint::{Found, Lint};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Items, Severity, StateKind};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("map-over-no-array"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut Found) {
    for findings in super::data::findings(subject) {
        let Some(no_array) = findings.no_array else {
            continue;
        };
        let kind = subject.states.get(findings.state).map(|it| &it.state.kind);
        let field = match kind {
            Some(StateKind::Map(map)) => map.items.as_ref().map(|items| match items {
                Items::Path(_) => "ItemsPath",
                Items::Template(_) => "Items",
            }),
            _ => None,
        };
        let location = subject.location(findings.state);
        let (location, what) = match field {
            Some(field) => (location.field(field), "what it names"),
            None => (location, "its input"),
        };
        found.report(
            &LINT,
            location,
            format!("a Map State goes over an array, and {what} is always {no_array}"),
            "name an array, or put what there is in one",
        );
    }
}
