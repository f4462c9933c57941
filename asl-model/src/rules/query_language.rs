//! "QueryLanguage" (2024 specification, Query Languages).
use crate::DiagnosticRule;
use crate::QueryLanguage;
use crate::read::machine::Surroundings;
use crate::read::{Object, Read, Reader};
use serde_json::Value;

impl<'v> Reader<'v> {
    /// "QueryLanguage" of the machine, and the language of its states.
    pub(crate) fn machine_query_language(
        &mut self,
        machine: Object<'v, '_>,
    ) -> (Read<Option<QueryLanguage>>, QueryLanguage) {
        self.query_language_or(machine, QueryLanguage::default())
    }

    /// "QueryLanguage" of a state, and its language: a JSONata state within a JSONPath machine is an upgrade, the other way
    /// round is refused, and nothing then said of fields of either language.
    pub(crate) fn state_query_language(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
    ) -> (Read<Option<QueryLanguage>>, QueryLanguage) {
        let (written, language) = self.query_language_or(state, surroundings.query_language);
        self.takes_any_language = false;
        if surroundings.query_language == QueryLanguage::JSONata
            && language == QueryLanguage::JSONPath
        {
            let message =
                "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine";
            let hint = "omit it from the machine, which then uses JSONPath, and set JSONata in the states that use it";
            let rule = DiagnosticRule::QUERY_LANGUAGE_TURNED_BACK;
            let reported = self.fault_with_hint(state.place, rule, message, hint);
            self.takes_any_language = true;
            return (Err(reported), language);
        }
        (written, language)
    }

    /// Reads a query language. Like the service, it treats an invalid value as JSONata, in addition to the error.
    fn query_language_or(
        &mut self,
        object: Object<'v, '_>,
        default: QueryLanguage,
    ) -> (Read<Option<QueryLanguage>>, QueryLanguage) {
        let written = self.query_language_word(object);
        let language = match written {
            Ok(language) => language.unwrap_or(default),
            Err(_) => QueryLanguage::JSONata,
        };
        (written, language)
    }

    /// Returns the service names the type of this field alone in brackets: recorded.
    fn query_language_word(&mut self, object: Object<'v, '_>) -> Read<Option<QueryLanguage>> {
        const NAME: &str = "QueryLanguage";
        match object.get(NAME) {
            None => Ok(None),
            Some(Value::String(text)) => self.read_word(text, &object.at(NAME)),
            Some(_) => Err(self.wrong_type(&object.at(NAME), "[STRING]")),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, errors, jsonata, jsonata_task, machine, refused};
    use serde_json::json;

    #[test]
    fn a_jsonpath_machine_may_have_jsonata_states() {
        let state =
            json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% 1 %}", "End": true});
        accepted(&machine(state.clone()));
        accepted(&jsonata(state));
    }

    #[test]
    fn a_jsonata_machine_has_no_jsonpath_states() {
        let state =
            json!({"Type": "Pass", "QueryLanguage": "JSONPath", "InputPath": "$.a", "End": true});
        let message = "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine at /States/A";
        refused(&jsonata(state), message);
        let state = json!({"Type": "Pass", "QueryLanguage": "JSONPath", "Output": 1, "End": true});
        refused(&jsonata(state), message);
    }

    /// 2024 specification, Query Languages: the default within a Map or Parallel State is the machine's language.
    #[test]
    fn states_within_a_state_have_the_language_of_the_machine() {
        let scope = |state: serde_json::Value| json!({"StartAt": "I", "States": {"I": state}});
        let inner = json!({"Type": "Pass", "InputPath": "$.a", "End": true});
        let map = json!({
            "Type": "Map", "QueryLanguage": "JSONata", "Items": [1], "ItemProcessor": scope(inner.clone()), "End": true,
        });
        accepted(&machine(map.clone()));
        let message = "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage at /States/A";
        refused(&jsonata(map), &format!("{message}/ItemProcessor/States/I"));
        let parallel = json!({"Type": "Parallel", "Branches": [scope(inner)], "End": true});
        refused(
            &jsonata(parallel),
            &format!("{message}/Branches[0]/States/I"),
        );
    }

    #[test]
    fn scopes_have_no_language_of_their_own() {
        let scope = json!({"QueryLanguage": "JSONPath", "StartAt": "I", "States": {"I": {"Type": "Succeed"}}});
        let map = json!({"Type": "Map", "ItemProcessor": scope, "End": true});
        refused(
            &machine(map),
            "Field 'QueryLanguage' is not supported at /States/A/ItemProcessor",
        );
    }

    #[test]
    fn the_language_is_one_of_two() {
        let fault = "Value should be one of the following: [JSONPath, JSONata]";
        let state = json!({"Type": "Pass", "QueryLanguage": "XPath", "Output": 1, "End": true});
        refused(
            &machine(state),
            &format!("{fault} at /States/A/QueryLanguage"),
        );
        let mut definition = jsonata_task(json!({}));
        definition["QueryLanguage"] = "jsonata".into();
        refused(&definition, &format!("{fault} at /QueryLanguage"));
        definition["QueryLanguage"] = 1.into();
        assert_eq!(
            errors(&definition),
            ["SCHEMA_VALIDATION_FAILED: Expected value of type [STRING] at /QueryLanguage"]
        );
    }
}
