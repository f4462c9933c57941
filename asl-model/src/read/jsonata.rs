//! Fields of JSONata states (2024 specification, JSONata Concepts).
use super::{Object, Place, Read, Reader};
use crate::advice::advise_half_open;
use crate::rules::placeholders::is_placeholder;
use crate::{DiagnosticRule, QueryLanguage};
use asl_jsonata::{DelimitedText, Dialect, JsonataString, Options, delimited};
use serde_json::Value;

/// Bytes of a JSONata string before its expression.
pub(crate) const DELIMITER: usize = "{%".len();

/// The time at which a field is evaluated, which determines the fields of `$states` (2024 specification, Reserved "states"
/// Variable with JSONata).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The state has its input.
    Entry,
    /// The state has a result too.
    Result,
    /// The state has an Error Output instead.
    Caught,
}

impl<'v> Reader<'v> {
    pub(crate) fn is_jsonata(&self) -> bool {
        self.query_language == QueryLanguage::JSONata
    }

    /// Returns the expression in a field of a JSONata state; None for other values.
    pub(crate) fn expression(
        &mut self,
        object: Object<'v, '_>,
        name: &str,
    ) -> Read<Option<JsonataString>> {
        match object.get(name) {
            Some(Value::String(text)) if self.is_jsonata() => {
                self.jsonata_string(text, &object.place.field(name), Moment::Entry)
            }
            _ => Ok(None),
        }
    }

    /// Returns the expression in a string of a JSONata state; None for plain text.
    pub(crate) fn jsonata_string(
        &mut self,
        text: &'v str,
        place: &Place<'_>,
        moment: Moment,
    ) -> Read<Option<JsonataString>> {
        let expression = match delimited(text) {
            DelimitedText::Text => return Ok(None),
            DelimitedText::Expression(expression) => expression,
            DelimitedText::HalfOpen => return self.half_open(text, place),
        };
        let options = Options::default().with_dialect(Dialect::StatesLanguage);
        match JsonataString::parse(expression, &options, &mut self.jsonata_patterns) {
            Ok(string) => {
                let references = string.expression().references();
                self.note_references(references, place);
                self.check_references(references, place, moment)?;
                self.check_left_in_expression(place, text);
                Ok(Some(string))
            }
            Err(_) if is_placeholder(text) => {
                self.warn_of_placeholder(place, text);
                Ok(None)
            }
            Err(error) => {
                let hint = format!("the JSONata reference knows this as {}", error.code());
                let rule = DiagnosticRule::INVALID_JSONATA;
                let reported = self.fault(place, rule, error.message());
                Err(reported
                    .with_offset(self, DELIMITER + error.position())
                    .with_hint(self, hint))
            }
        }
    }

    fn half_open(&mut self, text: &str, place: &Place<'_>) -> Read<Option<JsonataString>> {
        if is_placeholder(text) {
            self.warn_of_placeholder(place, text);
            return Ok(None);
        }
        let message = "JSONata string must start with {% and end with %}";
        let rule = DiagnosticRule::HALF_OPEN_JSONATA;
        let reported = self.fault(place, rule, message);
        Err(reported.with_advice(self, advise_half_open(place, text)))
    }
}

#[cfg(test)]
mod tests {
    use super::DELIMITER;
    use crate::testing::{accepted, errors, jsonata, jsonata_task, machine};
    use serde_json::json;

    fn output(text: &str) -> serde_json::Value {
        jsonata(json!({"Type": "Pass", "Output": {"a": [text]}, "End": true}))
    }

    #[test]
    fn a_string_within_delimiters_is_an_expression() {
        for text in [
            "{% $states.input.a %}",
            "{%1%}",
            "plain",
            "50 %",
            "{ % 1 % }",
        ] {
            accepted(&output(text));
        }
        for text in ["{% 1", "1 %}", " {% 1 %}", "{% 1 %} ", "{%}"] {
            assert_eq!(
                errors(&output(text)),
                [
                    "SCHEMA_VALIDATION_FAILED: JSONata string must start with {% and end with %} at /States/A/Output/a[0]"
                ],
                "{text}"
            );
        }
    }

    #[test]
    fn an_expression_that_cannot_be_read_is_a_fault_of_its_field() {
        let found = errors(&output("{% 1 + %}"));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("INVALID_JSONATA_EXPRESSION: "),
            "{found:?}"
        );
        assert!(found[0].ends_with(" at /States/A/Output/a[0]"), "{found:?}");
        let found = crate::parse_value(&output("{% (1 %}"), crate::Options::default());
        let offset = found.unwrap_err().iter().find_map(|fault| fault.offset);
        assert!(offset >= Some(DELIMITER), "{offset:?}");
    }

    #[test]
    fn regular_expressions_of_a_definition_are_bounded_together() {
        let fields = |count: usize, length: fn(usize) -> usize| {
            let field = |n| json!(format!("{{% $match('', /.{{{}}}/) %}}", length(n)));
            let fields: Vec<serde_json::Value> = (0..count).map(field).collect();
            jsonata(json!({"Type": "Pass", "Output": fields, "End": true}))
        };
        accepted(&fields(40, |n| n));
        accepted(&fields(2_000, |_| 300));
        let faults = errors(&fields(400, |n| 500 + n));
        let large =
            "The regular expressions are too large: together they take more than 33554432 bytes";
        assert!(!faults.is_empty());
        assert!(faults.iter().all(|fault| fault.contains(large)));
    }

    #[test]
    fn a_placeholder_may_stand_in_an_expression() {
        accepted(&output("{% ${Expression} %}"));
        accepted(&output("{% ${Expression}"));
    }

    #[test]
    fn delimiters_mean_nothing_to_a_jsonpath_state() {
        let state = json!({"Type": "Pass", "Parameters": {"a": "{% 1 +"}, "End": true});
        accepted(&machine(state));
    }

    #[test]
    fn names_of_fields_are_taken_as_they_are() {
        accepted(&jsonata_task(json!({"Arguments": {"a": 1, "a.$": "$.b"}})));
    }
}
