//! "Credentials" of a Task State name a role (2024 specification, Task State: an object that the interpreter defines).
use crate::read::{Object, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::{DiagnosticRule, Resource, ResourceKind};
use serde_json::Value;

impl<'v> Reader<'v> {
    /// "RoleArn" is there, or in a JSONPath state "RoleArn.$".
    pub(crate) fn check_credentials(&mut self, state: Object<'v, '_>) -> Read<()> {
        let Some(value) = state.get("Credentials") else {
            return Ok(());
        };
        let place = state.at("Credentials");
        if self.options.profile.refuses_credentials_of_activities() && is_activity(state) {
            let message = "The field 'Credentials' is not supported for activities";
            let hint = "activity workers use their own credentials";
            let rule = DiagnosticRule::UNKNOWN_FIELD;
            return Err(self.fault_with_hint(&place, rule, message, hint));
        }
        if let Value::String(text) = value
            && is_placeholder(text)
        {
            self.warn_of_placeholder(&place, text);
            return Ok(());
        }
        let credentials = self.object(value, &place)?;
        if !self.options.profile.requires_a_role() {
            return Ok(());
        }
        if credentials.has("RoleArn") || (credentials.has("RoleArn.$") && !self.is_jsonata()) {
            return Ok(());
        }
        let message = "The field 'RoleArn' is required but was missing";
        let hint =
            "it is the ARN of the role that the task assumes; in JSONPath, RoleArn.$ holds a path";
        Err(self.fault_with_hint(&place, DiagnosticRule::MISSING_FIELD, message, hint))
    }
}

fn is_activity(state: Object<'_, '_>) -> bool {
    let resource = state.get("Resource").and_then(Value::as_str);
    resource.is_some_and(|uri| Resource::parse(uri).kind == ResourceKind::Activity)
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, jsonata_task, refused, spec_errors, task};
    use serde_json::json;

    #[test]
    fn a_role_is_needed() {
        for credentials in [
            json!({}),
            json!({"Role": "arn:aws:iam::123456789012:role/r"}),
        ] {
            let definition = task(json!({"Credentials": credentials}));
            let message =
                "The field 'RoleArn' is required but was missing at /States/A/Credentials";
            refused(&definition, message);
            assert_eq!(spec_errors(&definition), [""; 0]);
        }
    }

    #[test]
    fn an_activity_takes_none() {
        let definition = task(json!({
            "Resource": "arn:aws:states:us-east-1:123456789012:activity:approve",
            "Credentials": {"RoleArn": "arn:aws:iam::123456789012:role/r"},
        }));
        let message =
            "The field 'Credentials' is not supported for activities at /States/A/Credentials";
        refused(&definition, message);
        assert_eq!(spec_errors(&definition), [""; 0]);
    }

    #[test]
    fn credentials_are_an_object() {
        for credentials in [json!("arn:aws:iam::123456789012:role/r"), json!(["r"])] {
            refused(
                &task(json!({"Credentials": credentials})),
                "Expected value of type Object at /States/A/Credentials",
            );
        }
        accepted(&task(json!({"Credentials": "${Credentials}"})));
    }

    #[test]
    fn a_role_may_be_looked_up() {
        accepted(&task(json!({"Credentials": {"RoleArn.$": "$.role"}})));
        accepted(&task(
            json!({"Credentials": {"RoleArn": "arn:aws:iam::123456789012:role/r"}}),
        ));
        accepted(&jsonata_task(
            json!({"Credentials": {"RoleArn": "{% $role %}"}}),
        ));
        refused(
            &jsonata_task(json!({"Credentials": {"RoleArn.$": "$.role"}})),
            "The field 'RoleArn' is required but was missing at /States/A/Credentials",
        );
    }
}
