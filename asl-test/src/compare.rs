//! The first difference of two JSON values.
use asl_model::escaped_segment;
use serde_json::Value;

/// The first place where a value is not as expected.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct JsonDifference {
    /// JSON pointer (RFC 6901); empty for the whole value.
    pub pointer: String,
    /// The expected value; None if no value was expected.
    pub expected: Option<Value>,
    /// The actual value; None, unlike null, if it is missing.
    pub found: Option<Value>,
}

/// Required completeness of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// Objects may have more fields.
    Part,
}

/// Returns the first difference in the order of the expected value. Needs no stack, however deep the values are.
pub(crate) fn difference(
    expected: &Value,
    found: &Value,
    extent: Extent,
) -> Option<JsonDifference> {
    let mut open: Vec<(String, Option<&Value>, Option<&Value>)> =
        vec![(String::new(), Some(expected), Some(found))];
    while let Some((pointer, expected, found)) = open.pop() {
        match (expected, found) {
            (Some(Value::Object(wanted)), Some(Value::Object(there))) => {
                let more = there.iter().filter(|(name, _)| !wanted.contains_key(*name));
                if extent == Extent::Whole {
                    let more = more
                        .map(|(name, value)| (member_pointer(&pointer, name), None, Some(value)));
                    open.extend(more);
                }
                let fields = wanted.iter().rev();
                open.extend(fields.map(|(name, value)| {
                    (member_pointer(&pointer, name), Some(value), there.get(name))
                }));
            }
            (Some(Value::Array(wanted)), Some(Value::Array(there))) => {
                let element = |index| {
                    (
                        member_pointer(&pointer, &format!("{index}")),
                        wanted.get(index),
                        there.get(index),
                    )
                };
                open.extend((0..wanted.len().max(there.len())).rev().map(element));
            }
            (Some(expected), Some(found)) if same(expected, found) => {}
            (expected, found) => {
                return Some(JsonDifference {
                    pointer,
                    expected: expected.cloned(),
                    found: found.cloned(),
                });
            }
        }
    }
    None
}

/// Numbers are the same by their value: 1 is 1.0.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a.is_f64() != b.is_f64() && a.as_f64() == b.as_f64())
        }
        _ => one == other,
    }
}

/// Returns the JSON pointer of a member.
pub(crate) fn member_pointer(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", escaped_segment(name))
}

#[cfg(test)]
mod tests {
    use super::{Extent, JsonDifference, difference};
    use serde_json::{Value, json};

    fn place(expected: Value, found: Value, extent: Extent) -> Option<String> {
        difference(&expected, &found, extent).map(|difference| difference.pointer)
    }

    #[test]
    fn the_first_difference_is_found() {
        let expected = json!({"a": [1, {"b/c": 2}], "d": 4});
        let whole = |found| place(expected.clone(), found, Extent::Whole);
        assert_eq!(whole(json!({"d": 4, "a": [1.0, {"b/c": 2}]})), None);
        assert_eq!(
            whole(json!({"a": [1, {"b/c": 3}], "d": 5})).as_deref(),
            Some("/a/1/b~1c")
        );
        assert_eq!(whole(json!({"a": [1], "d": 4})).as_deref(), Some("/a/1"));
        assert_eq!(
            whole(json!({"a": [1, {"b/c": 2}], "d": 4, "e": 5})).as_deref(),
            Some("/e")
        );
        assert_eq!(whole(json!(1)).as_deref(), Some(""));
    }

    #[test]
    fn of_a_part_objects_may_have_more_and_arrays_not() {
        let part = |expected, found| place(expected, found, Extent::Part);
        assert_eq!(
            part(
                json!({"a": {"b": 1}}),
                json!({"a": {"b": 1, "c": 2}, "d": 3})
            ),
            None
        );
        assert_eq!(part(json!([1]), json!([1, 2])).as_deref(), Some("/1"));
    }

    #[test]
    fn null_is_not_nothing() {
        let difference = difference(&json!({"a": null}), &json!({}), Extent::Part);
        let expected = JsonDifference {
            pointer: "/a".to_owned(),
            expected: Some(Value::Null),
            found: None,
        };
        assert_eq!(difference, Some(expected));
        assert_eq!(
            place(json!({}), json!({"a": null}), Extent::Whole).as_deref(),
            Some("/a")
        );
    }
}
