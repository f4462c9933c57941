//! References in the JSONata of a field (2024 specification, JSONata Restrictions; Reserved "states" Variable with JSONata).
use crate::DiagnosticRule;
use crate::read::{DELIMITER, Moment, Place, Read, Reader};
use asl_jsonata::{References, StatesField, StatesReference, UnsupportedUse};
use std::collections::HashSet;

const RULE: DiagnosticRule = DiagnosticRule::UNSUPPORTED_JSONATA;

impl Reader<'_> {
    /// Reports each thing that cannot be referred to once.
    pub(crate) fn check_references(
        &mut self,
        references: &References,
        place: &Place<'_>,
        moment: Moment,
    ) -> Read<()> {
        let mut sound = Ok(());
        let mut told: HashSet<String> = HashSet::new();
        let unsupported = references.unsupported.iter().map(refused);
        let used = references.states.iter();
        let missing: Vec<ForbiddenReference> =
            used.filter_map(|used| self.missing(used, moment)).collect();
        for ForbiddenReference {
            message,
            position,
            hint,
        } in unsupported.chain(missing)
        {
            if !told.contains(&message) {
                let reported = self.fault(place, RULE, &*message);
                sound = Err(reported
                    .with_offset(self, DELIMITER + position)
                    .with_hint(self, hint));
                told.insert(message);
            }
        }
        sound
    }

    /// Returns a field that `$states` does not have at this moment.
    fn missing(&mut self, used: &StatesReference, moment: Moment) -> Option<ForbiddenReference> {
        let name = used.name.as_deref()?;
        let hint = match (used.field, moment) {
            (Some(StatesField::Input | StatesField::Context), _)
            | (Some(StatesField::Result), Moment::Result)
            | (Some(StatesField::ErrorOutput), Moment::Caught) => return None,
            (Some(StatesField::Result), _) => {
                "only Output and Assign of a Task, Parallel or Map state can use the result"
                    .to_owned()
            }
            (Some(StatesField::ErrorOutput), _) => {
                "only Output and Assign of a catcher can use the Error Output".to_owned()
            }
            (None, _) => self.advise_unknown_states_field(name),
        };
        Some(ForbiddenReference {
            message: format!("Field '$states.{name}' does not exist."),
            position: used.position,
            hint,
        })
    }
}

/// A reference to data that does not exist.
struct ForbiddenReference {
    /// In the words of the service.
    message: String,
    /// In bytes of the expression.
    position: usize,
    /// A hint about the solution.
    hint: String,
}

fn refused(used: &UnsupportedUse) -> ForbiddenReference {
    let hint = match used {
        UnsupportedUse::Input { .. } | UnsupportedUse::Root { .. } => {
            "the state's input is $states.input".to_owned()
        }
        UnsupportedUse::FieldName { name, .. } => {
            format!("a field of the state's input is $states.input.{name}, and a variable ${name}")
        }
    };
    ForbiddenReference {
        message: used.to_string(),
        position: used.position(),
        hint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::ErrorReported;
    use crate::testing::{accepted, errors, jsonata, jsonata_task, warnings};
    use serde_json::{Value, json};

    fn missing_in(text: &str, fields: Value) -> Vec<String> {
        let mut definition = fields.to_string();
        definition = definition.replace("EXPRESSION", text);
        errors(&jsonata(serde_json::from_str(&definition).unwrap()))
    }

    #[test]
    fn a_result_is_there_once_the_work_is_done() {
        for name in ["Output", "Assign"] {
            accepted(&jsonata_task(
                json!({name: {"x": "{% $states.result.a %}"}}),
            ));
        }
        let text = |place: &str| {
            format!(
                "UNSUPPORTED_JSONATA_EXPRESSION: Field '$states.result' does not exist. at /States/A/{place}"
            )
        };
        let found = errors(&jsonata_task(json!({"Arguments": "{% $states.result %}"})));
        assert_eq!(found, [text("Arguments")]);
        let pass = json!({"Type": "Pass", "Output": "{% EXPRESSION %}", "End": true});
        assert_eq!(missing_in("$states.result", pass), [text("Output")]);
    }

    #[test]
    fn eval_is_pointed_out() {
        let pass = jsonata(json!({"Type": "Pass", "Output": "{% $eval('1 + 1') %}", "End": true}));
        accepted(&pass);
        assert_eq!(
            warnings(&pass),
            [
                "POSSIBLY_UNDEFINED_VARIABLE: Variable 'eval' is possibly not defined. at /States/A/Output"
            ]
        );
    }

    #[test]
    fn an_error_output_is_there_in_a_catcher() {
        let catch = |text: &str| {
            let catcher = json!({"ErrorEquals": ["States.ALL"], "Assign": {"x": text}, "Output": text, "Next": "A"});
            jsonata_task(json!({"Catch": [catcher]}))
        };
        accepted(&catch("{% $states.errorOutput.Cause %}"));
        assert_eq!(
            errors(&catch("{% $states.result %}")),
            ["Assign/x", "Output"].map(|place| format!(
                "UNSUPPORTED_JSONATA_EXPRESSION: Field '$states.result' does not exist. at /States/A/Catch[0]/{place}"
            ))
        );
        let found = errors(&jsonata_task(
            json!({"Output": "{% $states.errorOutput %}"}),
        ));
        assert_eq!(
            found,
            [
                "UNSUPPORTED_JSONATA_EXPRESSION: Field '$states.errorOutput' does not exist. at /States/A/Output"
            ]
        );
    }

    #[test]
    fn states_has_four_fields() {
        let pass = json!({"Type": "Pass", "Output": "{% EXPRESSION %}", "End": true});
        assert_eq!(
            missing_in("$states.inputs & $states.inputs", pass.clone()),
            [
                "UNSUPPORTED_JSONATA_EXPRESSION: Field '$states.inputs' does not exist. at /States/A/Output"
            ]
        );
        for text in [
            "$states",
            "$states.input.result",
            "$states.context.Execution",
        ] {
            assert_eq!(missing_in(text, pass.clone()), [""; 0]);
        }
    }

    #[test]
    fn nothing_is_said_twice() {
        let used = || UnsupportedUse::FieldName {
            name: "a".to_owned(),
            position: 4,
        };
        let references = References {
            unsupported: vec![used(), used()],
            ..References::default()
        };
        let mut reader = Reader::new(&Value::Null, crate::Options::default());
        let sound = reader.check_references(&references, &Place::Whole, Moment::Entry);
        let offsets: Vec<Option<usize>> = reader
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.offset)
            .collect();
        assert_eq!((sound, offsets), (Err(ErrorReported), vec![Some(6)]));
    }
}
