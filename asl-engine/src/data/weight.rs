//! Weight of data in memory: the unit of an execution's budget.
//!
//! A weight follows from the value alone, not from who else has it nor from how it came to be, so it is the same on every
//! machine, after a restart and on replay. It is what the value takes in memory on a machine of 64 bits, rounded up.
use asl_path::json::Size;
use serde_json::Value;

/// Weight of any value, without its content.
pub(crate) const VALUE: u64 = Size::VALUE as u64;

/// Of a byte of JSON text, about: fields with numbers and short texts.
pub(super) const WEIGHT_OF_A_BYTE: u64 = 16;

/// Returns the weight of a value. No recursion.
#[inline]
pub(crate) fn weigh(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => VALUE,
        Value::String(text) => VALUE + text.len() as u64,
        Value::Array(_) | Value::Object(_) => weigh_nested(value),
    }
}

/// Returns the maximum weight of the value of a JSON text, before it is parsed.
pub(crate) fn weigh_text(text: &str) -> u64 {
    Size::from_text(text).weight() as u64
}

fn weigh_nested(value: &Value) -> u64 {
    Size::from_value(value).weight() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const FIELD: u64 = Size::FIELD as u64;

    #[test]
    fn a_value_weighs_what_its_parts_do() {
        assert_eq!(weigh(&json!(null)), VALUE);
        assert_eq!(weigh(&json!("abc")), VALUE + 3);
        assert_eq!(weigh(&json!([1, "ab"])), 3 * VALUE + 2);
        let object = json!({"name": [true], "b": {}});
        assert_eq!(weigh(&object), 4 * VALUE + 2 * FIELD + 5);
    }

    #[test]
    fn a_text_weighs_no_less_than_its_value() {
        for value in [
            json!(null),
            json!(",:[{\\\","),
            json!([1, [], "a,b"]),
            json!({"a:b": {"c": [1, 2]}, "d": {}}),
        ] {
            let text = value.to_string();
            let (of_text, of_value) = (weigh_text(&text), weigh(&value));
            assert!(of_text >= of_value, "{text}: {of_text} < {of_value}");
            let slack = text.len() as u64 + 8 * VALUE;
            assert!(of_text <= of_value + slack, "{text}: {of_text}");
        }
    }

    #[test]
    fn data_as_deep_as_allowed_is_weighed_without_recursion() {
        let nested = (0..1_000).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(weigh(&nested), 1_001 * VALUE);
    }
}
