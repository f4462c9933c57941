//! "ErrorEquals" (2024 specification, Errors): the wildcard is alone and last, and names that begin with `States.` are
//! those that the language defines.
use crate::read::{Place, Read, Reader};
use crate::{DiagnosticRule, Severity};

const WILDCARD: &str = "States.ALL";
/// Appendix A, and the names of the service's guide to error handling.
pub(crate) const RESERVED: &[&str] = &[
    WILDCARD,
    "States.BranchFailed",
    "States.DataLimitExceeded",
    "States.ExceedToleratedFailureThreshold",
    "States.HeartbeatTimeout",
    "States.Http.Socket",
    "States.IntrinsicFailure",
    "States.ItemReaderFailed",
    "States.NoChoiceMatched",
    "States.ParameterPathFailure",
    "States.Permissions",
    "States.QueryEvaluationError",
    // Of the service, which no document names.
    "States.ReferencePathConflict",
    "States.ResultPathMatchFailure",
    "States.ResultWriterFailed",
    "States.Runtime",
    "States.TaskFailed",
    "States.Timeout",
];

impl Reader<'_> {
    /// Reports `States.ALL` beside other names, or before the last retrier or catcher.
    pub(crate) fn wildcard_alone_and_last(
        &mut self,
        names: &[String],
        last: bool,
        place: &Place<'_>,
    ) -> Read<()> {
        let Some(index) = names.iter().position(|name| name == WILDCARD) else {
            return Ok(());
        };
        if names.len() == 1 && last {
            return Ok(());
        }
        let place = &place.element(index);
        let message = "States.ALL must appear alone and at end of list";
        let hint = match names.len() {
            1 => {
                "it matches nearly all errors: what comes after it is never reached, so put it last"
            }
            _ => "it matches nearly all errors: the other names say nothing beside it",
        };
        Err(self.fault_with_hint(place, DiagnosticRule::WILDCARD_NOT_LAST, message, hint))
    }

    /// Points out a name that nothing reports: a fault by the specification, a warning for the service.
    pub(crate) fn reserved_error_name(&mut self, name: &str, place: &Place<'_>) {
        if !name.starts_with("States.") || RESERVED.contains(&name) {
            return;
        }
        let severity = match self.options.profile.refuses_unknown_reserved_errors() {
            true => Severity::Error,
            false => Severity::Warning,
        };
        let rule = DiagnosticRule::UNKNOWN_ERROR_NAME;
        let message = format!("'{name}' is not an error name that the language defines");
        let hint =
            "names that begin with `States.` are reserved; States.ALL stands for nearly all errors";
        let reported = self.report(place, severity, rule, message);
        let advice = self.advise_unknown_name(name, place, RESERVED.iter().copied());
        reported.with_hint(self, hint).with_advice(self, advice);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, refused, spec_errors, task, warnings};
    use serde_json::json;

    #[test]
    fn the_wildcard_is_alone_and_last() {
        let wildcard = json!({"ErrorEquals": ["States.ALL"]});
        let other = json!({"ErrorEquals": ["Other"]});
        accepted(&task(json!({"Retry": [other, wildcard]})));
        refused(
            &task(json!({"Retry": [wildcard, other]})),
            "States.ALL must appear alone and at end of list at /States/A/Retry[0]/ErrorEquals[0]",
        );
        refused(
            &task(json!({"Retry": [{"ErrorEquals": ["Other", "States.ALL"]}]})),
            "States.ALL must appear alone and at end of list at /States/A/Retry[0]/ErrorEquals[1]",
        );
    }

    #[test]
    fn unknown_reserved_names_are_pointed_out() {
        let definition = task(json!({"Retry": [{"ErrorEquals": ["States.Nothing"]}]}));
        let text = "SCHEMA_VALIDATION_FAILED: 'States.Nothing' is not an error name that the language defines at /States/A/Retry[0]/ErrorEquals[0]";
        assert_eq!(warnings(&definition), [text]);
        assert_eq!(spec_errors(&definition), [text]);
        let names = [
            "States.Timeout",
            "States.ReferencePathConflict",
            "Lambda.Unknown",
        ];
        let known = task(json!({"Retry": [{"ErrorEquals": names}]}));
        assert_eq!(warnings(&known), [""; 0]);
    }
}
