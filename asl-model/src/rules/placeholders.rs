//! Placeholders: a string that holds `${Name}` is replaced before the definition is deployed, so any value may stand
//! there.
use crate::read::{Place, Reader};
use crate::{DiagnosticRule, Placeholders, Severity};
use serde_json::Value;
use std::collections::HashSet;
use std::ops::Range;

/// Returns true if a placeholder is in the text.
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

/// Returns the names of the placeholders in a text, as tools write them: `${Name}`, `${AWS::Region}`, `${module.name}`. In
/// JSONata other things may follow `${`.
///
/// ```
/// let found: Vec<&str> = asl_model::placeholder_names("arn:aws:lambda:${Region}:${AWS::AccountId}:f").collect();
/// assert_eq!(found, ["Region", "AWS::AccountId"]);
/// ```
pub fn placeholder_names(text: &str) -> impl Iterator<Item = &str> {
    let is_named = |name: &&str| {
        let named = |c: char| c.is_alphanumeric() || "_-.:/!".contains(c);
        !name.is_empty() && name.chars().all(named)
    };
    let parts = text.split("${").skip(1);
    parts
        .filter_map(|part| Some(part.split_once('}')?.0.trim()))
        .filter(is_named)
}

/// Returns a JSONata expression without its strings and comments.
fn without_strings(expression: &str) -> String {
    let mut kept = String::new();
    let mut rest = expression;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let mut characters = from.chars();
        let sign = characters.next().unwrap_or_default();
        let inner = characters.as_str();
        rest = match (sign, inner.strip_prefix('*')) {
            ('/', Some(comment)) => comment.split_once("*/").map_or("", |(_, after)| after),
            ('/', None) => {
                kept.push(sign);
                inner
            }
            _ => after_string(inner, sign),
        };
    }
    kept + rest
}

/// Returns the text after the quotation mark that ends a string.
fn after_string(text: &str, mark: char) -> &str {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            _ if character == mark => return characters.as_str(),
            _ => {}
        }
    }
    ""
}

/// Replaces every `${Name}` that has a value. The inserted text is not scanned again.
///
/// ```
/// let value = |name: &str| (name == "Region").then_some("eu-west-1");
/// assert_eq!(asl_model::replace_placeholders("${Region}:${ Region }:${Table}", value), "eu-west-1:eu-west-1:${Table}");
/// ```
pub fn replace_placeholders<'v>(
    text: &str,
    value_of: impl FnMut(&str) -> Option<&'v str>,
) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut end = 0;
    for (range, value) in placeholder_values(text, value_of) {
        replaced.push_str(text.get(end..range.start).unwrap_or_default());
        replaced.push_str(value);
        end = range.end;
    }
    replaced + text.get(end..).unwrap_or_default()
}

/// Bytes of the name of a placeholder at most, its spaces with it.
const LONGEST_NAME: usize = 1_024;

/// Finds each `${Name}` with a value, and returns its range and value, as replaced by [`replace_placeholders`].
///
/// ```
/// let value = |name: &str| (name == "A").then_some("1");
/// assert_eq!(asl_model::placeholder_values("${A}${B}", value), [(0..4, "1")]);
/// ```
pub fn placeholder_values<'v>(
    text: &str,
    mut value_of: impl FnMut(&str) -> Option<&'v str>,
) -> Vec<(Range<usize>, &'v str)> {
    let mut found: Vec<(Range<usize>, &str)> = Vec::new();
    // The last sign that was looked for, so that none is looked for twice.
    let mut close = 0;
    for (start, sign) in text.match_indices("${") {
        let inner = start + sign.len();
        if found.last().is_some_and(|(range, _)| start < range.end) {
            continue;
        }
        if close < inner {
            match text.get(inner..).and_then(|rest| rest.find('}')) {
                Some(at) => close = inner + at,
                None => break,
            }
        }
        if close - inner > LONGEST_NAME {
            continue;
        }
        let name = text.get(inner..close).unwrap_or_default();
        if let Some(value) = value_of(name.trim()) {
            found.push((start..close + 1, value));
        }
    }
    found
}

impl Reader<'_> {
    /// Warns about a placeholder for a value that an execution needs. In a definition that is to be run, this is an error.
    pub(crate) fn warn_of_placeholder(&mut self, place: &Place<'_>, text: &str) {
        let (severity, rule, message) = match self.options.placeholders {
            Placeholders::ToBeReplaced => (
                Severity::Warning,
                DiagnosticRule::UNREPLACED_PLACEHOLDER,
                format!("the placeholder '{text}' stands where it cannot be checked"),
            ),
            Placeholders::Left => (
                Severity::Error,
                DiagnosticRule::LEFT_PLACEHOLDER,
                format!("the placeholder '{text}' was not replaced, and decides what happens"),
            ),
        };
        // A field that may be several things is read as one after the other.
        let is_told = self.diagnostics.last().is_some_and(|last| {
            self.may_report() && last.message == message && last.location == place.location()
        });
        if is_told {
            return;
        }
        self.report(place, severity, rule, message)
            .with_hint(self, "replace it before the definition is deployed or run");
    }

    /// Reports a placeholder that was left where a text is accepted unchanged, and decides something all the same.
    pub(crate) fn check_left_placeholder(&mut self, place: &Place<'_>, text: &str) {
        if self.options.placeholders == Placeholders::Left
            && placeholder_names(text).next().is_some()
        {
            self.warn_of_placeholder(place, text);
        }
    }

    /// Warns once about each placeholder in a string that is only passed on. The "Resource" of a Task State is not checked,
    /// because only its performer knows whether it needs the value.
    pub(crate) fn warn_of_left_placeholders(&mut self, definition: &Value) {
        let has_faults = || {
            self.diagnostics
                .iter()
                .any(|one| one.severity == Severity::Error)
        };
        if self.options.placeholders == Placeholders::Left && !has_faults() {
            let mut told = HashSet::new();
            self.warn_within(definition, &Place::Whole, &mut told);
        }
    }

    fn warn_within<'v>(
        &mut self,
        value: &'v Value,
        place: &Place<'_>,
        told: &mut HashSet<&'v str>,
    ) {
        match value {
            Value::String(text) => self.warn_of_names(text, place, told),
            Value::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    self.warn_within(element, &place.element(index), told);
                }
            }
            Value::Object(fields) => {
                let is_task = fields.get("Type").is_some_and(|word| word == "Task");
                let read = fields
                    .iter()
                    .filter(|(name, _)| *name != "Comment" && !(is_task && *name == "Resource"));
                for (name, value) in read {
                    let place = place.field(name);
                    self.warn_of_names(name, &place, told);
                    self.warn_within(value, &place, told);
                }
            }
            _ => {}
        }
    }

    fn warn_of_names<'v>(&mut self, text: &'v str, place: &Place<'_>, told: &mut HashSet<&'v str>) {
        for name in placeholder_names(text).filter(|name| told.insert(name)) {
            self.warn(
                place,
                DiagnosticRule::UNREPLACED_PLACEHOLDER,
                format!(
                    "the placeholder '${{{name}}}' was not replaced, and is passed on as it stands"
                ),
                "replace it before the definition is run",
            );
        }
    }

    /// Reports a placeholder that was left in a JSONata expression outside of its strings and comments: in a regular
    /// expression, or in a name.
    pub(crate) fn check_left_in_expression(&mut self, place: &Place<'_>, text: &str) {
        if self.options.placeholders == Placeholders::Left
            && placeholder_names(&without_strings(text)).next().is_some()
        {
            self.warn_of_placeholder(place, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{accepted, choice, jsonata, jsonata_choice, machine, task, warnings};
    use crate::{Options, parse_value};
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

    /// Returns the faults and the warnings of a definition that is to be run.
    fn remaining(definition: &Value) -> (Vec<String>, Vec<String>) {
        let options = Options::default().with_placeholders(Placeholders::Left);
        let found = match parse_value(definition, options) {
            Ok((_, found)) | Err(found) => found,
        };
        let of = |severity| {
            let list = found.iter().filter(|one| one.severity == severity);
            list.map(|one| one.location.to_string()).collect()
        };
        (of(Severity::Error), of(Severity::Warning))
    }

    #[test]
    fn a_placeholder_that_was_left_is_a_fault_where_it_decides() {
        let next = json!({"StartAt": "A", "States": {
            "A": {"Type": "Choice", "Choices": [{"Variable": "$.a", "IsNull": true, "Next": "${Next}"}]},
            "B": {"Type": "Succeed"},
        }});
        let map = json!({"Type": "Map", "Items": "${Items}", "End": true,
            "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}});
        let retry = |errors: Value| task(json!({"Retry": [{"ErrorEquals": errors}]}));
        for (definition, place) in [
            (
                task(json!({"TimeoutSeconds": "${Timeout}"})),
                "TimeoutSeconds",
            ),
            (task(json!({"InputPath": "${Path}"})), "InputPath"),
            (task(json!({"InputPath": "$['${Key}']"})), "InputPath"),
            (task(json!({"ResultPath": "$['${Key}']"})), "ResultPath"),
            (
                task(json!({"Parameters": {"a.$": "$['${Key}']"}})),
                "Parameters/a.$",
            ),
            (retry(json!(["${Error}"])), "Retry[0]/ErrorEquals[0]"),
            (
                machine(json!({"Type": "Wait", "Seconds": "${Seconds}", "End": true})),
                "Seconds",
            ),
            (
                choice(json!({"Variable": "$.a", "StringEquals": "${Word}"})),
                "Choices[0]/StringEquals",
            ),
            (
                choice(json!({"Variable": "$.a", "StringMatches": "${Word}*"})),
                "Choices[0]/StringMatches",
            ),
            (
                choice(json!({"Variable": "$.a", "BooleanEquals": "${Flag}"})),
                "Choices[0]/BooleanEquals",
            ),
            (
                jsonata_choice(json!({"Condition": "${Flag}"})),
                "Choices[0]/Condition",
            ),
            (
                jsonata(json!({"Type": "Pass", "Output": "{% 1 + ${N} %}", "End": true})),
                "Output",
            ),
            (
                jsonata(
                    json!({"Type": "Pass", "Output": "{% $match('a', /${N}/) %}", "End": true}),
                ),
                "Output",
            ),
            (
                jsonata(
                    json!({"Type": "Pass", "Output": "{% $states.input.`${N}` %}", "End": true}),
                ),
                "Output",
            ),
            (
                task(json!({"Parameters": {"a.$": "States.Format('${Word} {}', $.${N})"}})),
                "Parameters/a.$",
            ),
            (task(json!({"Retry": "${Retry}"})), "Retry"),
            (task(json!({"Catch": "${Catch}"})), "Catch"),
            (machine(json!({"Type": "Pass", "End": "${End}"})), "End"),
            (jsonata(map), "Items"),
            (next, "Choices[0]/Next"),
        ] {
            let (faults, _) = remaining(&definition);
            assert_eq!(faults, [format!("/States/A/{place}")], "{definition}");
            accepted(&definition);
        }
    }

    #[test]
    fn a_placeholder_that_was_left_in_a_text_is_pointed_out_once() {
        let words = json!({"a": "${Word} ${Word}", "b": ["${Word}", "${AWS::Region}"]});
        let text = json!({"Type": "Pass", "Output": "{% 'the ${Word}' %}", "End": true});
        let call = json!({"a.$": "States.Format('${Word} {}', $.a)"});
        for (definition, places) in [
            (
                task(json!({"Parameters": words, "Comment": "${Why}"})),
                vec!["Parameters/a", "Parameters/b[1]"],
            ),
            (task(json!({"Parameters": call})), vec!["Parameters/a.$"]),
            (
                task(json!({"Parameters": {"${Key}": 1}})),
                vec!["Parameters/${Key}"],
            ),
            (jsonata(text), vec!["Output"]),
            (
                jsonata(
                    json!({"Type": "Pass", "Output": "{% /* ${Why} */ \"a \\\" ${Word}\" %}", "End": true}),
                ),
                vec!["Output", "Output"],
            ),
            (
                machine(
                    json!({"Type": "Task", "Resource": "arn:aws:lambda:${Region}:1:function:f", "End": true}),
                ),
                vec![],
            ),
            (
                machine(json!({"Type": "Fail", "Error": "${Error}", "Cause": "c"})),
                vec!["Error"],
            ),
        ] {
            let places: Vec<String> = places
                .iter()
                .map(|place| format!("/States/A/{place}"))
                .collect();
            assert_eq!(remaining(&definition), (Vec::new(), places), "{definition}");
        }
        let group = json!({"Type": "Pass", "Output": "{% $states.input.a.${b: c} %}", "End": true});
        assert_eq!(remaining(&jsonata(group)), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_placeholder_is_told_of_once() {
        let wait = json!({"Type": "Wait", "Seconds": "{% ${N} %}", "End": true});
        let text = "the placeholder '{% ${N} %}' stands where it cannot be checked";
        for (definition, place) in [
            (
                jsonata_choice(json!({"Condition": "{% ${N} %}"})),
                "Choices[0]/Condition",
            ),
            (jsonata(wait), "Seconds"),
        ] {
            let expected = format!("UNREPLACED_PLACEHOLDER: {text} at /States/A/{place}");
            assert_eq!(warnings(&definition), [expected]);
        }
    }

    #[test]
    fn what_is_no_placeholder_costs_no_more_than_its_length() {
        let text = "${".repeat(200_000) + "}";
        assert_eq!(replace_placeholders(&text, |_| None), text);
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
