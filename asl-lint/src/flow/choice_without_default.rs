//! A Choice State without a Default fails with States.NoChoiceMatched where no rule matches (2024 specification, Choice State).
use crate::lint::{Found, Lint};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity, StateKind};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("choice-without-default"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut Found) {
    for (number, placed) in subject.states.iter().enumerate() {
        if let StateKind::Choice(choice) = &placed.state.kind
            && choice.default.is_none()
        {
            found.report(
                &LINT,
                subject.location(number),
                "where no rule matches, the state fails: it has no Default",
                "name a state by Default, or a Fail State that says what was not expected",
            );
        }
    }
}
