//! "QueryLanguage" and what comes with JSONata. This version runs JSONPath only: JSONata and variables are refused
//! where they are asked for, and of a JSONata state only what does not depend on the language is checked.
use crate::read::machine::Surroundings;
use crate::read::state::Scope;
use crate::read::{Object, Read, Reader, Reported};
use crate::{QueryLanguage, StateKind};
use serde_json::Value;

const LANGUAGES: [(&str, QueryLanguage); 2] = [
    ("JSONPath", QueryLanguage::JSONPath),
    ("JSONata", QueryLanguage::JSONata),
];

impl<'v> Reader<'v> {
    /// "QueryLanguage" of the machine.
    pub(crate) fn machine_query_language(
        &mut self,
        machine: Object<'v, '_>,
    ) -> Read<Option<QueryLanguage>> {
        let language = self.choice_of(machine, "QueryLanguage", &LANGUAGES)?;
        if language == Some(QueryLanguage::JSONata) {
            self.jsonata_is_unsupported(machine);
        }
        Ok(language)
    }

    /// "QueryLanguage" of a state: JSONata within JSONPath is an upgrade, the other way round is refused.
    pub(crate) fn state_query_language(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
    ) -> Read<Option<QueryLanguage>> {
        let language = self.choice_of(state, "QueryLanguage", &LANGUAGES)?;
        match (surroundings.query_language, language) {
            (QueryLanguage::JSONata, Some(QueryLanguage::JSONPath)) => Err(self.schema(
                state.place,
                "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
            )),
            (QueryLanguage::JSONPath, Some(QueryLanguage::JSONata)) => {
                self.jsonata_is_unsupported(state);
                Ok(language)
            }
            _ => Ok(language),
        }
    }

    fn jsonata_is_unsupported(&mut self, object: Object<'v, '_>) {
        self.schema_with_hint(
            &object.at("QueryLanguage"),
            "JSONata is not supported by this version",
            "use JSONPath",
        );
    }

    /// Reports "Assign".
    pub(crate) fn no_assign(&mut self, object: Object<'v, '_>) -> Read<()> {
        if !object.has("Assign") {
            return Ok(());
        }
        Err(self.schema_with_hint(
            &object.at("Assign"),
            "variables (Assign) are not supported by this version",
            "keep the value in the data with ResultPath",
        ))
    }

    /// Checks what a JSONata state has in common with any other: transitions, scopes, retriers, catchers, credentials.
    pub(crate) fn jsonata_state(
        &mut self,
        state: Object<'v, '_>,
        surroundings: Surroundings,
        scope: &mut Scope<'v>,
    ) -> Read<StateKind> {
        self.required(state, &["Type"])?;
        let _ = self.retry(state);
        match self.text(state, "Type")? {
            Some("Task") => {
                let _ = self.resource(state);
                let _ = self.check_credentials(state);
                let _ = self.catch(state, scope);
                let _ = self.transition(state, scope);
            }
            Some("Pass") => {
                let _ = self.transition(state, scope);
            }
            Some("Wait") => {
                let _ = self.jsonata_timestamp(state);
                let _ = self.transition(state, scope);
            }
            Some("Parallel") => {
                let _ = self.branches(state, surroundings);
                let _ = self.catch(state, scope);
                let _ = self.transition(state, scope);
            }
            Some("Map") => {
                let _ = self.item_processor(state, surroundings);
                let _ = self.label(state);
                let _ = self.catch(state, scope);
                let _ = self.transition(state, scope);
            }
            Some("Choice") => self.jsonata_choice(state, scope),
            Some("Succeed" | "Fail") => scope.end(),
            _ => {
                self.unknown_type(state);
            }
        }
        Err(Reported)
    }

    /// A timestamp that is not an expression.
    fn jsonata_timestamp(&mut self, state: Object<'v, '_>) -> Read<()> {
        match state.get("Timestamp") {
            Some(Value::String(text)) if text.starts_with("{%") && text.ends_with("%}") => Ok(()),
            _ => self.timestamp(state, "Timestamp").map(|_| ()),
        }
    }
}
