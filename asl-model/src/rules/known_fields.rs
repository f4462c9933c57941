//! An object has only fields that its kind can have, in its state's query language.
use crate::DiagnosticRule;
use crate::QueryLanguage;
use crate::read::{ErrorReported, Object, Read, Reader};

/// The fields of a kind of object (2024 specification, Table of State Types and Fields).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// In both query languages.
    pub(crate) common: &'static [&'static str],
    /// Of a JSONPath state only.
    pub(crate) json_path: &'static [&'static str],
    /// Of a JSONata state only.
    pub(crate) jsonata: &'static [&'static str],
}

impl Fields {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.all().any(|known| known == name)
    }

    fn all(&self) -> impl Iterator<Item = &'static str> {
        [self.common, self.json_path, self.jsonata]
            .into_iter()
            .flatten()
            .copied()
    }

    /// The only language that has the field.
    fn language_of(&self, name: &str) -> Option<QueryLanguage> {
        if self.json_path.contains(&name) {
            Some(QueryLanguage::JSONPath)
        } else if self.jsonata.contains(&name) {
            Some(QueryLanguage::JSONata)
        } else {
            None
        }
    }
}

/// The fields that states of every type have.
pub(crate) const STATE: &[&str] = &["Type", "Comment", "QueryLanguage"];

impl<'v> Reader<'v> {
    /// Reports each field of a state that its type, or its query language, does not have.
    pub(crate) fn check_state_fields(
        &mut self,
        state: Object<'v, '_>,
        fields: &Fields,
    ) -> Read<()> {
        self.check_fields(state, STATE, fields)
    }

    /// Reports each field of an object within a state that its kind, or the state's query language, does not have.
    pub(crate) fn check_fields_of(&mut self, object: Object<'v, '_>, fields: &Fields) -> Read<()> {
        self.check_fields(object, &[], fields)
    }

    /// Reports each field that is not one of `known`, at the object as the service does.
    pub(crate) fn check_known_fields(
        &mut self,
        object: Object<'v, '_>,
        known: &'static [&'static str],
    ) -> Read<()> {
        let fields = Fields {
            common: known,
            json_path: &[],
            jsonata: &[],
        };
        self.check_fields(object, &[], &fields)
    }

    fn check_fields(
        &mut self,
        object: Object<'v, '_>,
        besides: &[&'static str],
        fields: &Fields,
    ) -> Read<()> {
        let mut result = Ok(());
        for name in object.fields.keys().map(String::as_str) {
            if besides.contains(&name) || fields.common.contains(&name) {
                continue;
            }
            match fields.language_of(name) {
                Some(language) if language == self.query_language || self.takes_any_language => {}
                Some(language) => {
                    result = Err(self.field_of_other_language(object, name, language))
                }
                None => {
                    let mut known: Vec<&'static str> = besides.to_vec();
                    known.extend(self.fields_here(fields));
                    result = Err(self.unknown_field_among(object, name, &known));
                }
            }
        }
        result
    }

    /// Reports one field.
    pub(crate) fn unknown_field(&mut self, object: Object<'v, '_>, name: &str) -> ErrorReported {
        self.fault(
            object.place,
            DiagnosticRule::UNKNOWN_FIELD,
            format!("Field '{name}' is not supported"),
        )
        .with_field(self, name)
    }

    /// Returns the fields of a kind of object in the state's language.
    fn fields_here(&self, fields: &Fields) -> impl Iterator<Item = &'static str> {
        let of_language = match self.query_language {
            QueryLanguage::JSONPath => fields.json_path,
            QueryLanguage::JSONata => fields.jsonata,
        };
        fields.common.iter().chain(of_language).copied()
    }

    /// Reports an unknown field, with the most similar field of the object as a suggestion.
    pub(crate) fn unknown_field_among(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        known: &[&'static str],
    ) -> ErrorReported {
        let reported = self.unknown_field(object, name);
        let advice = self.advise_unknown_field(object, name, known);
        reported.with_advice(self, advice)
    }

    /// Reports a field that only states of the other language have, in the words of the service.
    pub(crate) fn field_of_other_language(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
        language: QueryLanguage,
    ) -> ErrorReported {
        let message = format!(
            "The QueryLanguage is set to '{}', but field '{name}' is only supported for the '{}' QueryLanguage",
            self.query_language.as_str(),
            language.as_str()
        );
        let rule = DiagnosticRule::FIELD_OF_OTHER_LANGUAGE;
        let reported = self.fault(object.place, rule, message);
        let advice = self.advise_field_of_other_language(object, name, language);
        reported.with_field(self, name).with_advice(self, advice)
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
        let place = "Field 'Next' is not supported at /States/A/Retry[0]";
        refused(&task(json!({"Retry": retrier})), place);
        let rule = json!({"Variable": "$.a", "IsNull": true, "StringEqual": "a"});
        let place = "Field 'StringEqual' is not supported at /States/A/Choices[0]";
        refused(&choice(rule), place);
        let branch =
            json!({"StartAt": "B", "TimeoutSeconds": 1, "States": {"B": {"Type": "Succeed"}}});
        let parallel = json!({"Type": "Parallel", "End": true, "Branches": [branch]});
        let place = "Field 'TimeoutSeconds' is not supported at /States/A/Branches[0]";
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
