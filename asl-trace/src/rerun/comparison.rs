//! Comparison of values that may differ in each run.
use asl_model::Timestamp;
use serde_json::Value;
use std::collections::BTreeSet;

/// Fields that are of the account, not of the execution.
const OF_ACCOUNT: [&str; 6] = [
    "roleArn",
    "stateMachineAliasArn",
    "stateMachineVersionArn",
    "mapRunArn",
    "inputDetails",
    "outputDetails",
];
/// The words before the id of an event in a cause.
const EVENT_ID: &str = "event id #";

/// Values that differ in each run: pairs of a recorded one and that of the rerun, as texts.
#[derive(Default)]
pub(super) struct VaryingValues(BTreeSet<(String, String)>);

/// A value that differs.
#[derive(Debug, PartialEq)]
pub(super) struct ValueDifference {
    pub(super) place: String,
    pub(super) recorded: Option<Value>,
    pub(super) rerun: Option<Value>,
}

/// Compares details of events.
pub(super) struct Comparison<'c> {
    pub(super) varying: &'c mut VaryingValues,
    /// True if a state reads values that differ in each run.
    pub(super) may_vary: bool,
    /// The recorded id of an event of the rerun.
    pub(super) ids: &'c dyn Fn(u64) -> Option<u64>,
}

impl VaryingValues {
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }
}

impl Comparison<'_> {
    /// Returns the first difference of the details of two events.
    pub(super) fn details(&mut self, recorded: &Value, rerun: &Value) -> Option<ValueDifference> {
        let (recorded, rerun) = (without_account(recorded), without_account(rerun));
        self.value("", &recorded, &rerun)
    }

    /// Recursion is bounded by the nesting of the values, which was limited when they were parsed or made.
    fn value(&mut self, place: &str, recorded: &Value, rerun: &Value) -> Option<ValueDifference> {
        match (recorded, rerun) {
            (Value::Object(one), Value::Object(other)) => {
                let of_both = one
                    .iter()
                    .map(|(name, value)| (name, Some(value), other.get(name)));
                let others = other.iter().filter(|(name, _)| !one.contains_key(*name));
                let others = others.map(|(name, value)| (name, None, Some(value)));
                of_both.chain(others).find_map(|(name, recorded, rerun)| {
                    let place = match place {
                        "" => name.clone(),
                        place => format!("{place}.{name}"),
                    };
                    self.optional(place, recorded, rerun)
                })
            }
            (Value::Array(one), Value::Array(other)) => {
                (0..one.len().max(other.len())).find_map(|index| {
                    self.optional(
                        format!("{place}[{index}]"),
                        one.get(index),
                        other.get(index),
                    )
                })
            }
            (Value::String(one), Value::String(other)) if one != other => {
                match (parsed(one), parsed(other)) {
                    (Some(one), Some(other)) => self.value(place, &one, &other),
                    _ => self.scalar(place, recorded, rerun),
                }
            }
            _ => self.scalar(place, recorded, rerun),
        }
    }

    fn optional(
        &mut self,
        place: String,
        recorded: Option<&Value>,
        rerun: Option<&Value>,
    ) -> Option<ValueDifference> {
        match (recorded, rerun) {
            (Some(recorded), Some(rerun)) => self.value(&place, recorded, rerun),
            (recorded, rerun) => Some(ValueDifference {
                place,
                recorded: recorded.cloned(),
                rerun: rerun.cloned(),
            }),
        }
    }

    fn scalar(&mut self, place: &str, recorded: &Value, rerun: &Value) -> Option<ValueDifference> {
        if recorded == rerun
            || recorded
                .as_f64()
                .is_some_and(|it| Some(it) == rerun.as_f64())
        {
            return None;
        }
        let pair = (plain(recorded), plain(rerun));
        let is_container = |value: &Value| value.is_object() || value.is_array();
        let has_container = is_container(recorded) || is_container(rerun);
        let varies = self.varying.0.contains(&pair)
            || (!has_container && self.may_vary)
            || self.texts_match(&pair.0, &pair.1);
        if varies {
            self.varying.0.insert(pair);
            return None;
        }
        Some(ValueDifference {
            place: place.to_owned(),
            recorded: Some(recorded.clone()),
            rerun: Some(rerun.clone()),
        })
    }

    /// Returns true if two texts are equal but for times, UUIDs, ids of events and values that vary.
    fn texts_match(&self, recorded: &str, rerun: &str) -> bool {
        let masked = masked_text(recorded);
        let mut rerun = self.with_recorded_ids(rerun);
        if masked == masked_text(&rerun) {
            return true;
        }
        // Within a longer text, such as a cause.
        for (of_history, of_rerun) in &self.varying.0 {
            if of_rerun.len() > 3 {
                rerun = rerun.replace(of_rerun.as_str(), of_history);
            }
        }
        masked == masked_text(&rerun)
    }

    /// Returns a text of the rerun with the recorded ids of events.
    fn with_recorded_ids(&self, text: &str) -> String {
        let mut translated = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(EVENT_ID) {
            let (before, from) = rest.split_at(at + EVENT_ID.len());
            let digits = from.bytes().take_while(u8::is_ascii_digit).count();
            let (digits, after) = from.split_at(digits);
            let id = digits.parse().ok().and_then(|id| (self.ids)(id));
            translated.push_str(before);
            match id {
                Some(id) => translated.push_str(&id.to_string()),
                None => translated.push_str(digits),
            }
            rest = after;
        }
        translated + rest
    }
}

fn without_account(details: &Value) -> Value {
    let mut details = details.clone();
    if let Value::Object(fields) = &mut details {
        fields.retain(|name, _| !OF_ACCOUNT.contains(&name.as_str()));
    }
    details
}

/// Returns the value of a text that is JSON.
fn parsed(text: &str) -> Option<Value> {
    asl_path::json::parse(text, asl_path::json::DEFAULT_MAX_DEPTH).ok()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns a text with its UUIDs and times masked.
fn masked_text(text: &str) -> String {
    let is_of_word =
        |character: char| character.is_ascii_alphanumeric() || "-:.+".contains(character);
    let mut masked = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|it| !is_of_word(it)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        masked.push_str(&masked_word(word));
        let other = after.chars().next().map_or(0, char::len_utf8);
        masked.push_str(&after[..other]);
        rest = &after[other..];
    }
    masked
}

/// A UUID may be a part of a word: `execution:M:0f…`.
fn masked_word(word: &str) -> String {
    if word.len() >= 20 && Timestamp::parse(word).is_some() {
        return "TIME".to_owned();
    }
    let mut masked = String::new();
    let mut rest = word;
    while let Some(character) = rest.chars().next() {
        let length = match rest.get(..36) {
            Some(start) if is_uuid(start) => {
                masked.push_str("UUID");
                36
            }
            _ => {
                masked.push(character);
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    masked
}

fn is_uuid(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn difference(recorded: Value, rerun: Value) -> Option<String> {
        let mut comparison = Comparison {
            varying: &mut VaryingValues::default(),
            may_vary: false,
            ids: &|id| (id == 7).then_some(9),
        };
        let found = comparison.details(&recorded, &rerun);
        found.map(|found| found.place)
    }

    #[test]
    fn texts_of_json_are_compared_by_their_values() {
        let (one, other) = (
            json!({"output": "{\"a\": 1.0, \"b\": [2]}"}),
            json!({"output": "{\"b\":[2],\"a\":1}"}),
        );
        assert_eq!(difference(one.clone(), other), None);
        let other = json!({"output": "{\"b\":[3],\"a\":1}"});
        assert_eq!(difference(one, other).as_deref(), Some("output.b[0]"));
    }

    #[test]
    fn times_uuids_and_ids_of_events_are_no_differences() {
        let pairs = [
            (
                "at 2024-01-01T00:00:00.123Z, later",
                "at 2031-10-01T10:00:00Z, later",
            ),
            (
                "x:0f8fad5b-d9cb-469f-a165-70867728950e!",
                "x:7c9e6679-7425-40de-944b-e07fc1f90ae7!",
            ),
            (
                "(entered at the event id #9)",
                "(entered at the event id #7)",
            ),
        ];
        for (one, other) in pairs {
            assert_eq!(
                difference(json!({"cause": one}), json!({"cause": other})),
                None,
                "{one}"
            );
        }
        let one = json!({"cause": "event id #8"});
        assert!(difference(one, json!({"cause": "event id #7"})).is_some());
    }

    #[test]
    fn a_value_that_varies_once_may_vary_again_in_the_same_way() {
        let mut varying = VaryingValues::default();
        let mut comparison = Comparison {
            varying: &mut varying,
            may_vary: true,
            ids: &|_| None,
        };
        assert_eq!(
            comparison.details(&json!({"output": "5"}), &json!({"output": "8"})),
            None
        );
        comparison.may_vary = false;
        assert_eq!(
            comparison.details(&json!({"input": "5"}), &json!({"input": "8"})),
            None
        );
        assert!(
            comparison
                .details(&json!({"input": "5"}), &json!({"input": "9"}))
                .is_some()
        );
        assert_eq!(varying.count(), 1);
    }
}
