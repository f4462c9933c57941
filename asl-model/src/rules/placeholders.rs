//! Placeholders: a string that holds `${Name}` is replaced before the definition is deployed, so any value may stand
//! there.
use crate::DiagnosticCode;
use crate::read::{Place, Reader};

/// Whether a placeholder is in the text.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("${") {
        match after.split_once('}') {
            Some((name, _)) if !name.is_empty() => return true,
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    false
}

impl Reader<'_> {
    /// Warns where a placeholder stands for something that the definition cannot do without when it runs.
    pub(crate) fn warn_of_placeholder(&mut self, place: &Place<'_>, text: &str) {
        self.warn(
            place,
            DiagnosticCode::SchemaValidationFailed,
            format!("the placeholder '{text}' stands where it cannot be checked"),
            "replace it before the definition is deployed or run",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{accepted, choice, machine, task};
    use serde_json::json;

    #[test]
    fn a_placeholder_stands_for_anything() {
        for fields in [
            json!({"TimeoutSeconds": "${Timeout}"}),
            json!({"InputPath": "${Path}"}),
            json!({"ResultPath": "${Path}"}),
            json!({"HeartbeatSecondsPath": "${Path}"}),
            json!({"Parameters": {"a.$": "${Path}"}}),
            json!({"Retry": [{"ErrorEquals": ["${Error}"], "JitterStrategy": "${Strategy}", "MaxAttempts": "${Attempts}"}]}),
        ] {
            accepted(&task(fields));
        }
        for (operator, value) in [
            ("NumericEquals", "${N}"),
            ("BooleanEquals", "${B}"),
            ("TimestampEquals", "${T}"),
            ("StringEqualsPath", "${P}"),
        ] {
            accepted(&choice(json!({"Variable": "$.a", operator: value})));
        }
        accepted(&machine(
            json!({"Type": "Wait", "Seconds": "${Seconds}", "End": true}),
        ));
        accepted(&machine(
            json!({"Type": "Wait", "Timestamp": "${Moment}", "End": true}),
        ));
    }

    #[test]
    fn finds_placeholders() {
        for text in ["${A}", "arn:${A::B}:x", "${} ${A}"] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["", "$.a", "${", "${}", "$ {A}", "{A}"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
