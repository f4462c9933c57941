//! A retrier that no error gets to: the first that matches decides, even when it has no attempts left (2024 specification,
//! Retrying after error).
use super::error_names::report_unreached;
use crate::lint::{Lint, LintFinding};
use crate::subject::Subject;
use asl_model::{DiagnosticRule, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: DiagnosticRule::lint("shadowed-retrier"),
    severity: Severity::Warning,
    look,
};

fn look(subject: &Subject<'_>, found: &mut LintFinding) {
    report_unreached(subject, found, &LINT, "Retry", "retrier", |state| {
        state.retry.iter().map(|one| &one.error_equals).collect()
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, task};
    use serde_json::json;

    #[test]
    fn a_retrier_after_one_that_takes_its_errors() {
        let definition = task(json!({"Retry": [
            {"ErrorEquals": ["States.TaskFailed"], "MaxAttempts": 2},
            {"ErrorEquals": ["Lambda.TooManyRequestsException"], "MaxAttempts": 9},
        ]}));
        assert_eq!(
            found(&definition),
            [
                "shadowed-retrier: no error reaches this retrier: an earlier 'States.TaskFailed' also matches \
                 'Lambda.TooManyRequestsException' at /States/A/Retry[1]"
            ]
        );
    }

    #[test]
    fn a_retrier_without_attempts_says_which_errors_are_not_retried() {
        let definition = task(json!({"Retry": [
            {"ErrorEquals": ["Declined"], "MaxAttempts": 0},
            {"ErrorEquals": ["States.ALL"]},
        ]}));
        assert_eq!(found(&definition), [""; 0]);
    }

    #[test]
    fn catchers_see_what_was_retried() {
        let definition = task(json!({
            "Retry": [{"ErrorEquals": ["E"]}],
            "Catch": [{"ErrorEquals": ["E"], "Next": "B"}],
        }));
        assert_eq!(found(&definition), [""; 0]);
    }
}
