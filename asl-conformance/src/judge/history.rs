//! Recorded event histories held against actual ones.
use crate::matching::{Difference, difference};
use serde_json::{Map, Value};
use std::fmt::Write;

/// Fields of events that are never judged.
const NOISE: [&str; 4] = ["timestamp", "region", "inputDetails", "outputDetails"];

/// Agreement of an actual history with a recorded one.
#[derive(Debug, PartialEq)]
pub(crate) enum Agreement {
    /// Every field of every event.
    Fields,
    /// The sequence of event types, but not this field.
    Types(Difference),
    /// Not even those.
    None {
        /// Types of the recorded events.
        expected: Vec<String>,
        /// Types of the actual ones.
        actual: Vec<String>,
    },
}

/// Compares. Where branches or iterations ran side by side the order of events is not judged, nor are their ids.
pub(crate) fn compare(expected: &[Value], actual: Vec<Value>) -> Agreement {
    let mut expected = expected.to_vec();
    let mut actual = actual;
    if !expected.iter().any(is_end_of_parallel) {
        actual.retain(|event| !is_end_of_parallel(event)); // the recorder lost them
    }
    let (mut expected_types, mut actual_types) = (types(&expected), types(&actual));
    let concurrent = expected_types
        .iter()
        .any(|name| name == "MapIterationStarted" || name == "ParallelStateStarted");
    for event in expected.iter_mut().chain(&mut actual) {
        drop_noise(event);
    }
    if concurrent {
        let key = |event: &Value| (type_of(event).to_owned(), details_text(event));
        expected.sort_by_cached_key(key);
        actual.sort_by_cached_key(key);
        expected_types.sort();
        actual_types.sort();
        for event in expected.iter_mut().chain(&mut actual) {
            for field in ["id", "previousEventId"] {
                remove(event, field);
            }
        }
    }
    if expected_types != actual_types {
        return Agreement::None {
            expected: expected_types,
            actual: actual_types,
        };
    }
    let found = expected.iter().zip(&actual).find_map(|(e, a)| {
        let place = e
            .get("id")
            .map_or_else(|| type_of(e).to_owned(), Value::to_string);
        difference(e, a, &format!("/{place}"))
    });
    found.map_or(Agreement::Fields, Agreement::Types)
}

fn type_of(event: &Value) -> &str {
    event.get("type").and_then(Value::as_str).unwrap_or("")
}

fn types(events: &[Value]) -> Vec<String> {
    events
        .iter()
        .map(|event| type_of(event).to_owned())
        .collect()
}

fn is_end_of_parallel(event: &Value) -> bool {
    matches!(
        type_of(event),
        "ParallelStateSucceeded" | "ParallelStateFailed"
    )
}

fn remove(object: &mut Value, field: &str) {
    if let Value::Object(fields) = object {
        fields.shift_remove(field);
    }
}

fn drop_noise(event: &mut Value) {
    let Value::Object(fields) = event else { return };
    // The service's own first answer is not among the tasks of a case.
    if let Some(submitted) = fields.get_mut("taskSubmittedEventDetails") {
        remove(submitted, "output");
    }
    fields.retain(|name, _| !NOISE.contains(&name.as_str()));
    for details in fields.values_mut() {
        if let Value::Object(details) = details {
            details.retain(|name, _| !NOISE.contains(&name.as_str()));
        }
    }
}

/// An event's details as a text that is the same however JSON within them is spaced and ordered.
fn details_text(event: &Value) -> String {
    let mut text = String::new();
    let details: Map<String, Value> = event
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| name.ends_with("EventDetails"))
        .map(|(name, details)| (name.clone(), parsed(details)))
        .collect();
    write_sorted(&Value::Object(details), &mut text);
    text
}

/// `value` with the JSON texts in it parsed.
fn parsed(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !NOISE.contains(&name.as_str()))
            .map(|(name, field)| (name.clone(), parsed(field)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(elements) => elements.iter().map(parsed).collect(),
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(value) => parsed(&value),
            Err(_) => value.clone(),
        },
        _ => value.clone(),
    }
}

/// JSON with sorted fields, spaced and escaped as Python's `json.dumps` does it, so that `judge.py` sorts alike.
fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            text.push('{');
            for (index, name) in names.into_iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                write_ascii(name, text);
                text.push_str(": ");
                write_sorted(&fields[name], text);
            }
            text.push('}');
        }
        Value::Array(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { ", " });
                write_sorted(element, text);
            }
            text.push(']');
        }
        Value::String(string) => write_ascii(string, text),
        _ => text.push_str(&value.to_string()),
    }
}

fn write_ascii(string: &str, text: &mut String) {
    for character in Value::from(string).to_string().chars() {
        if character.is_ascii() {
            text.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entered(id: u64, name: &str) -> Value {
        json!({"id": id, "previousEventId": id - 1, "type": "PassStateEntered", "timestamp": "timestamp",
            "stateEnteredEventDetails": {"name": name, "input": "{}", "inputDetails": {"truncated": false}}})
    }

    #[test]
    fn timestamps_and_truncation_flags_are_not_judged() {
        let mut actual = entered(1, "A");
        actual["timestamp"] = json!("2024-01-01T00:00:00Z");
        remove(&mut actual["stateEnteredEventDetails"], "inputDetails");
        assert_eq!(compare(&[entered(1, "A")], vec![actual]), Agreement::Fields);
    }

    #[test]
    fn a_field_that_differs_is_named_by_the_event_id() {
        let Agreement::Types(found) = compare(&[entered(1, "A")], vec![entered(1, "B")]) else {
            panic!("the names differ");
        };
        assert_eq!(found.location, "/1/stateEnteredEventDetails/name");
    }

    #[test]
    fn a_missing_event_is_no_agreement() {
        let found = compare(&[entered(1, "A"), entered(2, "B")], vec![entered(1, "A")]);
        assert!(
            matches!(found, Agreement::None { expected, actual } if expected.len() == 2 && actual.len() == 1)
        );
    }

    #[test]
    fn order_and_ids_are_free_where_branches_run_side_by_side() {
        let started = json!({"id": 1, "previousEventId": 0, "type": "ParallelStateStarted"});
        let expected = [started.clone(), entered(2, "A"), entered(3, "B")];
        let actual = vec![started, entered(2, "B"), entered(3, "A")];
        assert_eq!(compare(&expected, actual.clone()), Agreement::Fields);
        let sequential = [entered(2, "A"), entered(3, "B")];
        assert!(matches!(
            compare(&sequential, actual[1..].to_vec()),
            Agreement::Types(_)
        ));
    }

    #[test]
    fn ends_of_parallel_states_are_passed_over_where_the_recording_lacks_them() {
        let ended = json!({"id": 2, "previousEventId": 1, "type": "ParallelStateSucceeded"});
        assert_eq!(
            compare(&[entered(1, "A")], vec![entered(1, "A"), ended.clone()]),
            Agreement::Fields
        );
        assert!(matches!(
            compare(&[ended], vec![entered(1, "A")]),
            Agreement::None { .. }
        ));
    }

    #[test]
    fn texts_for_sorting_ignore_spacing_and_field_order() {
        let text = |input: &str| details_text(&json!({"xEventDetails": {"input": input}, "id": 1}));
        assert_eq!(text("{\"b\": 1, \"a\": 2}"), text("{\"a\":2,\"b\":1}"));
        assert_eq!(
            text("{\"é\":1}"),
            r#"{"xEventDetails": {"input": {"\u00e9": 1}}}"#
        );
    }
}
