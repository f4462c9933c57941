//! Comparison of recorded and actual values: placeholders match anything, and JSON strings match by their values.
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

/// Texts that stand for a whole value of a recording which differs every time.
const WILD: [&str; 13] = [
    "timestamp",
    "date",
    "start-date",
    "stop-date",
    "start_date",
    "start-time",
    "snf_role_arn",
    "state_machine_role_arn",
    "map_run_arn",
    "generated-uuid",
    "RandomNumberGenerated",
    "redacted",
    "<datetime>",
];

/// Placeholders in a longer text: `<ArnPart_0idx>`, `<<name>:1>`, the word `date`.
static PLACEHOLDERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"<<?[A-Za-z_][^<>]*>(?::\d+>)?|\bdate\b").expect("the pattern is constant")
});

/// A placeholder in angle brackets.
static BRACKETED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"<[A-Za-z_][^<>]*>").expect("the pattern is constant"));

/// The first difference between an actual and an expected value, with both values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Difference {
    /// JSON pointer.
    pub(crate) location: String,
    /// None if it should be absent.
    pub(crate) expected: Option<Value>,
    /// None if it is absent.
    pub(crate) actual: Option<Value>,
}

impl Difference {
    /// `/output/a: expected 1, got 2`, both values cut to `width` characters.
    pub(crate) fn describe(&self, width: usize) -> String {
        format!(
            "{}: expected {}, got {}",
            self.location,
            show(self.expected.as_ref(), width),
            show(self.actual.as_ref(), width)
        )
    }
}

fn show(value: Option<&Value>, width: usize) -> String {
    value.map_or_else(
        || "nothing".to_owned(),
        |value| value.to_string().chars().take(width).collect(),
    )
}

/// Returns true if `text` stands for any value at all.
pub(crate) fn is_wild(text: &str) -> bool {
    WILD.contains(&text) || text == "\"date\""
}

/// Returns true if `text` holds a placeholder in angle brackets.
pub(crate) fn holds_placeholder(text: &str) -> bool {
    BRACKETED.is_match(text)
}

/// Returns the first difference of `actual` from `expected`, None if it matches. `location` is where both stand.
pub(crate) fn difference(expected: &Value, actual: &Value, location: &str) -> Option<Difference> {
    let (from_expected, from_actual) = json_in_texts(expected, actual);
    let (expected, actual) = (
        from_expected.as_ref().unwrap_or(expected),
        from_actual.as_ref().unwrap_or(actual),
    );
    let same = match (expected, actual) {
        (Value::String(text), _) if is_wild(text) => true,
        (Value::Object(expected), Value::Object(actual)) => {
            return difference_of_objects(expected, actual, location);
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            return expected
                .iter()
                .zip(actual)
                .enumerate()
                .find_map(|(index, (e, a))| difference(e, a, &format!("{location}/{index}")));
        }
        (Value::Number(expected), Value::Number(actual)) => same_number(expected, actual),
        (Value::String(expected), Value::String(actual)) => text_matches(expected, actual),
        (Value::String(expected), Value::Number(actual)) => {
            text_matches(expected, &actual.to_string())
        }
        _ => expected == actual,
    };
    (!same).then(|| Difference {
        location: location.to_owned(),
        expected: Some(expected.clone()),
        actual: Some(actual.clone()),
    })
}

/// Returns a text on one side and a container on the other: what the text says as JSON, recordings hold either.
fn json_in_texts(expected: &Value, actual: &Value) -> (Option<Value>, Option<Value>) {
    let is_container = |value: &Value| value.is_object() || value.is_array();
    match (expected, actual) {
        (_, Value::String(text)) if is_container(expected) => {
            (None, serde_json::from_str(text).ok())
        }
        (Value::String(text), _) if is_container(actual) && !is_wild(text) => {
            (serde_json::from_str(text).ok(), None)
        }
        _ => (None, None),
    }
}

fn difference_of_objects(
    expected: &serde_json::Map<String, Value>,
    actual: &serde_json::Map<String, Value>,
    location: &str,
) -> Option<Difference> {
    let missing_or_different = expected.iter().find_map(|(name, e)| {
        let location = format!("{location}/{name}");
        match actual.get(name) {
            Some(a) => difference(e, a, &location),
            None => Some(Difference {
                location,
                expected: Some(e.clone()),
                actual: None,
            }),
        }
    });
    missing_or_different.or_else(|| {
        let (name, a) = actual
            .iter()
            .find(|(name, _)| !expected.contains_key(*name))?;
        Some(Difference {
            location: format!("{location}/{name}"),
            expected: None,
            actual: Some(a.clone()),
        })
    })
}

/// `1` and `1.0` are the same number.
fn same_number(expected: &serde_json::Number, actual: &serde_json::Number) -> bool {
    expected == actual
        || ((expected.is_f64() || actual.is_f64()) && expected.as_f64() == actual.as_f64())
}

/// Returns true if an actual text matches a recorded one.
pub(crate) fn text_matches(expected: &str, actual: &str) -> bool {
    expected == actual
        || is_wild(expected)
        || same_json(expected, actual)
        || matches_around_placeholders(expected, actual)
}

/// Both are JSON texts of the same kind that say the same: their spacing is not judged.
fn same_json(expected: &str, actual: &str) -> bool {
    let opening = expected.chars().next();
    if !matches!(opening, Some('[' | '{')) || actual.chars().next() != opening {
        return false;
    }
    match (serde_json::from_str(expected), serde_json::from_str(actual)) {
        (Ok(expected), Ok(actual)) => difference(&expected, &actual, "").is_none(),
        _ => false,
    }
}

fn matches_around_placeholders(expected: &str, actual: &str) -> bool {
    if !(holds_placeholder(expected) || expected.contains(" date") || expected.contains("date ")) {
        return false;
    }
    let mut pattern = String::from("(?s)^");
    let mut end = 0;
    for placeholder in PLACEHOLDERS.find_iter(expected) {
        pattern.push_str(&regex::escape(&expected[end..placeholder.start()]));
        pattern.push_str(".*");
        end = placeholder.end();
    }
    pattern.push_str(&regex::escape(&expected[end..]));
    pattern.push('$');
    Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(actual))
}

/// Returns true if the recorded text `whole` holds the message `part`, placeholders on either side left out.
pub(crate) fn text_holds(whole: &str, part: &str) -> bool {
    static ANY_BRACKETS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("<[^<>]*>").expect("the pattern is constant"));
    whole.contains(part)
        || (holds_placeholder(whole)
            && ANY_BRACKETS
                .replace_all(whole, "")
                .contains(&*ANY_BRACKETS.replace_all(part, "")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn location(expected: Value, actual: Value) -> Option<String> {
        difference(&expected, &actual, "").map(|found| found.location)
    }

    #[test]
    fn equal_values_match_and_the_first_difference_is_named() {
        let value = json!({"a": [1, {"b": null}], "c": "x"});
        assert_eq!(location(value.clone(), value.clone()), None);
        let other = json!({"a": [1, {"b": 2}], "c": "y"});
        assert_eq!(location(value, other), Some("/a/1/b".to_owned()));
    }

    #[test]
    fn absent_and_surplus_fields_differ() {
        let absent = difference(&json!({"a": 1}), &json!({}), "").expect("differs");
        assert_eq!((absent.location.as_str(), absent.actual), ("/a", None));
        let surplus = difference(&json!({}), &json!({"a": 1}), "").expect("differs");
        assert_eq!((surplus.location.as_str(), surplus.expected), ("/a", None));
    }

    #[test]
    fn arrays_of_different_lengths_differ_as_a_whole() {
        assert_eq!(
            location(json!({"a": [1]}), json!({"a": [1, 2]})),
            Some("/a".to_owned())
        );
    }

    #[test]
    fn field_order_is_not_judged() {
        assert_eq!(
            location(json!({"a": 1, "b": 2}), json!({"b": 2, "a": 1})),
            None
        );
    }

    #[test]
    fn numbers_are_compared_by_value_and_never_with_booleans() {
        assert_eq!(location(json!(1), json!(1.0)), None);
        assert_eq!(
            location(
                json!(9_007_199_254_740_993_i64),
                json!(9_007_199_254_740_992_i64)
            ),
            Some(String::new())
        );
        assert_eq!(location(json!(true), json!(1)), Some(String::new()));
        assert_eq!(location(json!(0), json!(false)), Some(String::new()));
        assert_eq!(location(json!("1"), json!(1)), None);
        assert_eq!(location(json!(1), json!("1")), Some(String::new()));
    }

    #[test]
    fn json_in_a_text_is_compared_as_json() {
        assert_eq!(location(json!({"a": 1}), json!("{ \"a\" : 1 }")), None);
        assert_eq!(location(json!("[1, 2]"), json!([1, 2])), None);
        assert_eq!(location(json!("{\"a\": 1}"), json!("{\"a\":1}")), None);
        assert_eq!(
            location(json!("{\"a\": 1}"), json!("{\"a\":2}")),
            Some(String::new())
        );
        assert_eq!(
            location(json!("{\"a\": 1}"), json!("[1]")),
            Some(String::new())
        );
    }

    #[test]
    fn wild_words_match_any_value_but_not_an_absent_one() {
        assert_eq!(location(json!("timestamp"), json!({"any": "thing"})), None);
        assert_eq!(location(json!("\"date\""), json!(4)), None);
        assert_eq!(
            location(json!({"a": "date"}), json!({})),
            Some("/a".to_owned())
        );
    }

    #[test]
    fn placeholders_match_within_a_text_and_the_rest_must_be_equal() {
        assert!(text_matches(
            "arn:aws:x:<region>:1:f",
            "arn:aws:x:us-east-1:1:f"
        ));
        assert!(text_matches("<<name>:1> is late", "anything is late"));
        assert!(!text_matches("arn:<region>:f", "arn:us-east-1:g"));
        assert!(text_matches(
            "stopped at date by x",
            "stopped at 2024-01-01 by x"
        ));
        assert!(!text_matches("update", "outdate"));
        assert!(text_matches("a <x> (b) [c]", "a 1\n2 (b) [c]"));
        assert!(
            !text_matches("a < b > c", "a 1 c"),
            "no name follows the bracket"
        );
    }

    #[test]
    fn messages_are_found_in_recorded_texts() {
        assert!(text_holds(
            "'CODE: no state at /States/A'",
            "no state at /States/A"
        ));
        assert!(text_holds("no <field> at /A", "no <name> at /A"));
        assert!(!text_holds("no field at /A", "no state at /A"));
    }

    #[test]
    fn a_difference_is_described_with_cut_values() {
        let found = difference(&json!({"a": "12345678"}), &json!({"a": 1}), "").expect("differs");
        assert_eq!(found.describe(4), "/a: expected \"123, got 1");
    }
}
