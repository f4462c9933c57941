//! An object has only fields that its kind can have.
use crate::read::{Object, Read, Reader, Reported};

impl<'v> Reader<'v> {
    /// Reports each field that is not one of `known`, at the object as the service does.
    pub(crate) fn known_fields(&mut self, object: Object<'v, '_>, known: &[&str]) -> Read<()> {
        let mut result = Ok(());
        for name in object.fields.keys() {
            if known.contains(&name.as_str()) {
                continue;
            }
            result = Err(self.unknown_field_of(object, name, known));
        }
        result
    }

    /// Reports one field.
    pub(crate) fn unknown_field(&mut self, object: Object<'v, '_>, name: &str) -> Reported {
        self.schema(object.place, format!("Field '{name}' is not supported"))
            .with_field(self, name)
    }

    fn unknown_field_of(&mut self, object: Object<'v, '_>, name: &str, known: &[&str]) -> Reported {
        let meant = known.iter().find(|known| known.eq_ignore_ascii_case(name));
        let reported = self.unknown_field(object, name);
        match meant {
            Some(meant) => reported.with_hint(self, format!("did you mean {meant}?")),
            None => reported,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{choice, errors, machine, refused, task};
    use serde_json::json;

    #[test]
    fn each_unknown_field_is_reported_at_its_object() {
        let state = json!({"Type": "Pass", "End": true, "Resource": "a:b", "Retry": []});
        assert_eq!(
            errors(&machine(state)),
            [
                "SCHEMA_VALIDATION_FAILED: Field 'Resource' is not supported at /States/A",
                "SCHEMA_VALIDATION_FAILED: Field 'Retry' is not supported at /States/A",
            ]
        );
    }

    #[test]
    fn objects_of_every_kind_are_checked() {
        let mut top = task(json!({}));
        top["Foo"] = 1.into();
        refused(&top, "Field 'Foo' is not supported at /");
        let retrier = json!([{"ErrorEquals": ["a"], "Next": "A"}]);
        let place = "Field 'Next' is not supported at /States/A/Retry/0";
        refused(&task(json!({"Retry": retrier})), place);
        let rule = json!({"Variable": "$.a", "IsNull": true, "StringEqual": "a"});
        let place = "Field 'StringEqual' is not supported at /States/A/Choices/0";
        refused(&choice(rule), place);
        let branch =
            json!({"StartAt": "B", "TimeoutSeconds": 1, "States": {"B": {"Type": "Succeed"}}});
        let parallel = json!({"Type": "Parallel", "End": true, "Branches": [branch]});
        let place = "Field 'TimeoutSeconds' is not supported at /States/A/Branches/0";
        refused(&machine(parallel), place);
    }

    #[test]
    fn states_have_only_the_fields_of_their_type() {
        for (kind, field) in [
            ("Pass", "ResultSelector"),
            ("Wait", "ResultPath"),
            ("Succeed", "Next"),
            ("Succeed", "ResultPath"),
            ("Fail", "InputPath"),
            ("Fail", "End"),
        ] {
            let mut state = json!({"Type": kind});
            if matches!(kind, "Pass" | "Wait") {
                state["End"] = true.into();
            }
            if kind == "Wait" {
                state["Seconds"] = 1.into();
            }
            state[field] = "x".into();
            let message = format!("Field '{field}' is not supported at /States/A");
            refused(&machine(state), &message);
        }
    }
}
