//! Fail States (2024 specification, Fail State).
use super::state::Scope;
use super::{Fields, Object, Read, Reader};
use crate::DiagnosticRule;
use crate::{Fail, TextField};
use serde_json::Value;

pub(super) const FIELDS: Fields = Fields {
    common: &["Error", "Cause"],
    json_path: &["ErrorPath", "CausePath"],
    jsonata: &[],
};

/// The functions whose value can be a text.
const GIVING_TEXT: &[&str] = &[
    "ArrayGetItem",
    "Base64Decode",
    "Base64Encode",
    "Format",
    "Hash",
    "JsonToString",
    "UUID",
];

impl<'v> Reader<'v> {
    /// Reads the fields of a Fail State.
    pub(crate) fn fail(&mut self, state: Object<'v, '_>, scope: &mut Scope<'v>) -> Read<Fail> {
        scope.end();
        let complete = self.fail_is_complete(state);
        let error = self.text_field(state, "Error", "ErrorPath");
        let cause = self.text_field(state, "Cause", "CausePath");
        complete?;
        Ok(Fail {
            error: error?,
            cause: cause?,
        })
    }

    /// "Error" or "ErrorPath", "Cause" or "CausePath".
    fn text_field(
        &mut self,
        state: Object<'v, '_>,
        direct: &'static str,
        path: &'static str,
    ) -> Read<Option<TextField>> {
        if self.is_jsonata() {
            return match self.expression(state, direct)? {
                Some(expression) => Ok(Some(TextField::Expression(expression))),
                None => Ok(self.owned_text(state, direct)?.map(TextField::Text)),
            };
        }
        let one = self.at_most_one(state, &[direct, path]);
        let text = self.owned_text(state, direct);
        self.warn_of_path(state, direct);
        let dynamic = self.path_or_intrinsic(state, path);
        one?;
        Ok(dynamic?.or(text?.map(TextField::Text)))
    }

    /// Returns a Reference Path, or a function that gives a text (2024 specification, Fail State).
    fn path_or_intrinsic(&mut self, state: Object<'v, '_>, name: &str) -> Read<Option<TextField>> {
        let text = match state.get(name).and_then(Value::as_str) {
            Some(text) if !text.starts_with('$') => text,
            _ => return Ok(self.single_path(state, name)?.map(TextField::Path)),
        };
        let hint = match self.intrinsic(text, &state.place.field(name)) {
            Ok(intrinsic) if gives_text(text) => {
                return Ok(Some(TextField::Intrinsic(intrinsic)));
            }
            Ok(_) => format!("functions that return a string: {}", GIVING_TEXT.join(", ")),
            Err(fault) => fault,
        };
        let message = "Value must be a valid JSONPath or a valid intrinsic function call that returns a string";
        Err(self.fault_with_hint(
            &state.place.field(name),
            DiagnosticRule::INVALID_PATH,
            message,
            hint,
        ))
    }
}

/// Returns true if a call may give a text, by the name of its function.
fn gives_text(call: &str) -> bool {
    let name = call.split_once('(').map_or(call, |(name, _)| name);
    let name = name.trim().strip_prefix("States.");
    name.is_some_and(|name| GIVING_TEXT.contains(&name))
}

#[cfg(test)]
mod tests {
    use crate::testing::{accepted, jsonata, machine, refused};
    use serde_json::json;

    #[test]
    fn an_error_is_given_once() {
        refused(
            &machine(json!({"Type": "Fail", "Cause": "c", "CausePath": "$.c"})),
            "There should only be one of the following fields: [Cause, CausePath] at /States/A",
        );
        accepted(&machine(
            json!({"Type": "Fail", "ErrorPath": "States.UUID()", "CausePath": "$$.a"}),
        ));
        refused(
            &machine(json!({"Type": "Fail", "ErrorPath": "error"})),
            "Value must be a valid JSONPath or a valid intrinsic function call that returns a string at /States/A/ErrorPath",
        );
        refused(
            &machine(json!({"Type": "Fail", "CausePath": "States.Array(1)"})),
            "Value must be a valid JSONPath or a valid intrinsic function call that returns a string at /States/A/CausePath",
        );
    }

    #[test]
    fn texts_of_a_jsonata_state_may_be_worked_out() {
        for text in ["plain", "{% $states.input.error %}"] {
            accepted(&jsonata(
                json!({"Type": "Fail", "Error": text, "Cause": text}),
            ));
        }
        refused(
            &jsonata(json!({"Type": "Fail", "Cause": 1})),
            "Expected value of type String at /States/A/Cause",
        );
        refused(
            &jsonata(json!({"Type": "Fail", "ErrorPath": "$.e"})),
            "The QueryLanguage is set to 'JSONata', but field 'ErrorPath' is only supported for the 'JSONPath' QueryLanguage at /States/A",
        );
    }
}
