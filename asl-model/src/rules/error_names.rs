//! "ErrorEquals" (2024 specification, Errors): the wildcard is alone and last, and names that begin with `States.` are
//! those that the language defines.
use crate::read::{Place, Read, Reader};
use crate::{DiagnosticRule, Severity};
use serde_json::Value;
use std::collections::HashSet;

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
    /// Reports `States.ALL` next to other names, or before the last retrier or catcher.
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
                "it matches nearly all errors, so later ones are never reached: move it to the end"
            }
            _ => "it matches nearly all errors: the other names have no effect",
        };
        Err(self.fault_with_hint(place, DiagnosticRule::WILDCARD_NOT_LAST, message, hint))
    }

    /// Points out a name that nothing reports: a fault by the specification, a warning for the service.
    pub(crate) fn reserved_error_name(&mut self, name: &str, place: &Place<'_>) {
        if !name.starts_with("States.") || RESERVED.contains(&name) {
            return;
        }
        let is_raised = self.raises(name);
        let severity = match self.options.profile.refuses_unknown_reserved_errors() {
            true => Severity::Error,
            // A Fail State of the machine reports it.
            false if is_raised => return,
            false => Severity::Warning,
        };
        let rule = DiagnosticRule::UNKNOWN_ERROR_NAME;
        let message = format!("'{name}' is not an error name that the language defines");
        let hint =
            "names that start with `States.` are reserved; States.ALL matches nearly all errors";
        let reported = self.report(place, severity, rule, message);
        if is_raised {
            reported.with_hint(self, hint);
            return;
        }
        let advice = self.advise_unknown_name(name, place, RESERVED.iter().copied());
        reported.with_hint(self, hint).with_advice(self, advice);
    }
}

impl<'v> Reader<'v> {
    /// Returns true for the Error of a Fail State of the machine.
    fn raises(&mut self, name: &str) -> bool {
        let definition = self.definition;
        let raised = self
            .raised_errors
            .get_or_insert_with(|| raised_errors(definition));
        raised.contains(name)
    }
}

/// Collects the "Error" of each object of a definition whose "Type" is "Fail".
fn raised_errors(definition: &Value) -> HashSet<&str> {
    let mut raised = HashSet::new();
    let mut open = vec![definition];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                let is_fail = fields.get("Type").is_some_and(|it| it == "Fail");
                let error = fields.get("Error").and_then(Value::as_str);
                raised.extend(error.filter(|_| is_fail));
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    raised
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
        let branch = json!({"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "States.Nothing", "Cause": "c"}}});
        let mut raising = definition.clone();
        raising["States"]["B"] = json!({"Type": "Parallel", "Branches": [branch], "End": true});
        raising["States"]["A"]["Next"] = "B".into();
        raising["States"]["A"]
            .as_object_mut()
            .unwrap()
            .remove("End");
        assert_eq!(warnings(&raising), [""; 0]);
        assert_eq!(spec_errors(&raising), [text]);
        let names = [
            "States.Timeout",
            "States.ReferencePathConflict",
            "Lambda.Unknown",
        ];
        let known = task(json!({"Retry": [{"ErrorEquals": names}]}));
        assert_eq!(warnings(&known), [""; 0]);
    }
}
