//! A value of another type than its field's.
use super::other_language::as_jsonata;
use super::{Advice, fix, pointer, removed, renamed, replaced};
use crate::Change;
use crate::read::{Place, Reader};
use crate::rules::static_paths::is_like_path;
use serde_json::{Number, Value};

/// Fields that have a sibling for a path.
const WITH_PATH: &[&str] = &[
    "Cause",
    "Error",
    "HeartbeatSeconds",
    "MaxConcurrency",
    "MaxInputBytesPerBatch",
    "MaxItems",
    "MaxItemsPerBatch",
    "Seconds",
    "TimeoutSeconds",
    "Timestamp",
    "ToleratedFailureCount",
    "ToleratedFailurePercentage",
];

/// Fields whose one element stands by itself as often as not.
const LISTS: &[&str] = &[
    "ErrorEquals",
    "Retry",
    "Catch",
    "Choices",
    "Branches",
    "And",
    "Or",
];

impl Reader<'_> {
    /// Returns advice for a value of the wrong type.
    pub(crate) fn advise_wrong_type(&self, place: &Place<'_>, expected: &str) -> Advice {
        let Some(value) = place.value_in(self.definition) else {
            return Advice::default();
        };
        let name = place.name().unwrap_or_default();
        match (expected, value) {
            _ if place.parent().is_none() => {
                Advice::new("a definition is an object with the fields StartAt and States")
            }
            (_, Value::Null) if place.name().is_some() => Advice::new(format!(
                "null is not a valid value of `{name}`: omit the field"
            ))
            .with_fix(removed(false, place)),
            ("Integer" | "Number", Value::String(text)) => self.number_in_quotes(place, name, text),
            ("Boolean", Value::String(text)) => self.boolean_in_quotes(place, text),
            ("Integer", Value::Number(_)) => Advice::new("a whole number, without a fraction"),
            ("Array", Value::String(_) | Value::Object(_)) if LISTS.contains(&name) => {
                one_element(place, name, value)
            }
            ("String", Value::Number(number)) => text_without_quotes(place, name, number),
            ("Object", Value::Array(_)) if name == "States" => {
                Advice::new("States is an object: the name of each state, and the state")
            }
            _ => Advice::default(),
        }
    }

    fn number_in_quotes(&self, place: &Place<'_>, name: &str, text: &str) -> Advice {
        if let Some(number) = number(text) {
            let hint = format!("write the number without quotes: {number}");
            // Whoever compares may as well have meant the text.
            let is_sure = !name.starts_with("Numeric");
            let hint = match is_sure {
                true => hint,
                false => format!(
                    "{hint}; use {} to compare with a string",
                    operator_for(name, "Numeric", "String")
                ),
            };
            let title = format!("write {number} without quotes");
            let change = Change::Replace {
                pointer: pointer(place),
                value: number.into(),
            };
            return Advice::new(hint).with_fix(fix(is_sure, title, change));
        }
        if self.is_jsonata() {
            return expression_without_delimiters(place, text);
        }
        let has_path = WITH_PATH.contains(&name) || name.starts_with("Numeric");
        if !has_path || !is_like_path(text) {
            return Advice::default();
        }
        let sibling = format!("{name}Path");
        Advice::new(format!("use `{sibling}` for a path")).with_fix(renamed(true, place, &sibling))
    }

    fn boolean_in_quotes(&self, place: &Place<'_>, text: &str) -> Advice {
        let truth = match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => true,
            "false" | "no" | "off" => false,
            _ if self.is_jsonata() => return expression_without_delimiters(place, text),
            _ => return Advice::default(),
        };
        let hint = match text.eq_ignore_ascii_case(&truth.to_string()) {
            true => format!("write it without quotes: {truth}"),
            false => format!("this is a string, even in YAML: write {truth}"),
        };
        Advice::new(hint).with_fix(replaced(true, place, truth))
    }
}

/// Returns a text of a JSONata state that would be JSONata between delimiters.
fn expression_without_delimiters(place: &Place<'_>, text: &str) -> Advice {
    let hint = "write JSONata between `{%` and `%}`, the first and last characters of the string";
    let expression = match is_like_path(text) {
        true => as_jsonata(text),
        false => text.starts_with('$').then(|| format!("{{% {text} %}}")),
    };
    match expression {
        Some(expression) => Advice::new(format!("{hint}: \"{expression}\""))
            .with_fix(replaced(false, place, expression)),
        None => Advice::default(),
    }
}

fn one_element(place: &Place<'_>, name: &str, value: &Value) -> Advice {
    let (hint, is_sure) = match value {
        Value::String(text) if name == "ErrorEquals" => (
            format!("an array of names: [{}]", Value::from(text.as_str())),
            true,
        ),
        Value::String(_) => return Advice::default(),
        _ => (
            format!("`{name}` is an array, even with one element: [{{…}}]"),
            true,
        ),
    };
    Advice::new(hint).with_fix(replaced(is_sure, place, vec![value.clone()]))
}

fn text_without_quotes(place: &Place<'_>, name: &str, number: &Number) -> Advice {
    if name.starts_with("String") {
        let operator = operator_for(name, "String", "Numeric");
        return Advice::new(format!("use {operator} to compare with a number"))
            .with_fix(renamed(false, place, &operator));
    }
    let text = number.to_string();
    Advice::new(format!("write it in quotes: \"{text}\"")).with_fix(replaced(true, place, text))
}

fn operator_for(name: &str, from: &str, to: &str) -> String {
    name.replacen(from, to, 1)
}

/// Returns a whole number, or one with decimals, as JSON has it.
fn number(text: &str) -> Option<Number> {
    let text = text.trim();
    let whole = text.parse::<u64>().map(Number::from).ok();
    whole.or_else(|| text.parse().ok().and_then(Number::from_f64))
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, choice, jsonata, machine, task};
    use serde_json::{Value, json};

    fn wait(seconds: Value) -> Value {
        json!({"Type": "Wait", "Seconds": seconds, "End": true})
    }

    #[test]
    fn numbers_and_booleans_lose_their_quotes() {
        assert_eq!(
            advice(&task(json!({"TimeoutSeconds": "5"}))),
            ["write the number without quotes: 5 (write 5 without quotes)"]
        );
        let rule = json!({"Variable": "$.a", "NumericEquals": "5"});
        assert_eq!(
            advice(&choice(rule)),
            [
                "write the number without quotes: 5; use StringEquals to compare with a string (write 5 without quotes?)"
            ]
        );
        let state = json!({"Type": "Pass", "End": "yes"});
        assert_eq!(
            advice(&machine(state)).last().unwrap(),
            "this is a string, even in YAML: write true (write true)"
        );
    }

    #[test]
    fn paths_go_where_paths_go() {
        assert_eq!(
            advice(&machine(wait(json!("$.n")))),
            ["use `SecondsPath` for a path (rename the field to 'SecondsPath')"]
        );
        assert_eq!(
            advice(&jsonata(wait(json!("$.n")))),
            [
                "write JSONata between `{%` and `%}`, the first and last characters of the string: \"{% $states.input.n %}\" \
              (write \"{% $states.input.n %}\"?)"
            ]
        );
        assert_eq!(advice(&machine(wait(json!("five")))), [""]);
    }

    #[test]
    fn one_element_is_an_array_too() {
        let retry = json!([{"ErrorEquals": "States.ALL"}]);
        assert_eq!(
            advice(&task(json!({"Retry": retry}))),
            ["an array of names: [\"States.ALL\"] (put the value in an array)"]
        );
        let retry = json!({"ErrorEquals": ["States.ALL"]});
        assert_eq!(
            advice(&task(json!({"Retry": retry}))),
            ["`Retry` is an array, even with one element: [{…}] (put the value in an array)"]
        );
    }

    #[test]
    fn texts_get_their_quotes() {
        assert_eq!(
            advice(&task(json!({"Comment": 5}))),
            ["write it in quotes: \"5\" (write \"5\")"]
        );
        let rule = json!({"Variable": "$.a", "StringEquals": 5});
        assert_eq!(
            advice(&choice(rule)),
            ["use NumericEquals to compare with a number (rename the field to 'NumericEquals'?)"]
        );
        assert_eq!(
            advice(&task(json!({"TimeoutSeconds": null}))),
            [
                "null is not a valid value of `TimeoutSeconds`: omit the field (remove 'TimeoutSeconds'?)"
            ]
        );
    }
}
