//! Depth and length of data: payload limits are checked without walking all data at every state.
//!
//! Data carries an upper bound of its measure. Building a payload costs as much as measuring it, so there the
//! bound is exact; writing into data adds up bounds. Only a bound over the limit makes the data be measured
//! anew, so the cost is spread over as many states as it took to grow.

use super::weight::weigh;
use crate::Limits;
use asl_path::json::Size;
use serde_json::{Number, Value};

/// The exceeded limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    Bytes,
    Depth,
}

/// Upper bounds on data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Measure {
    /// Levels of arrays and objects.
    pub(crate) depth: usize,
    /// Bytes of the compact JSON text, if they are limited.
    pub(crate) bytes: u64,
}

impl Measure {
    /// Of `[]`.
    pub(crate) const EMPTY_ARRAY: Self = Self { depth: 1, bytes: 2 };

    /// Returns the measure of data whose bytes do not count.
    pub(crate) fn from_size(size: Size) -> Self {
        let (depth, bytes) = (size.depth, 0);
        Self { depth, bytes }
    }

    /// Returns the limit that data of this measure may be over.
    #[inline]
    pub(crate) fn excess(self, limits: &Limits) -> Option<Excess> {
        if self.depth > limits.max_data_depth {
            Some(Excess::Depth)
        } else if limits.max_payload_bytes.is_some_and(|max| self.bytes > max) {
            Some(Excess::Bytes)
        } else {
            None
        }
    }

    /// Of an array of this measure with one element more.
    pub(crate) fn with_element(self, element: Self) -> Self {
        Self {
            depth: self.depth.max(element.depth.saturating_add(1)),
            bytes: self.bytes.saturating_add(element.bytes).saturating_add(1),
        }
    }

    /// Of an object of this measure with one value more in it, whose name is counted already.
    pub(crate) fn with_value(self, value: Self) -> Self {
        Self {
            depth: self.depth.max(value.depth.saturating_add(1)),
            bytes: self.bytes.saturating_add(value.bytes),
        }
    }

    /// Of a value written into data of this measure, `levels` below its top.
    pub(crate) fn with_written(self, levels: usize, name_bytes: u64, written: Self) -> Self {
        Self {
            depth: self.depth.max(levels.saturating_add(written.depth)),
            bytes: self
                .bytes
                .saturating_add(name_bytes)
                .saturating_add(written.bytes),
        }
    }
}

/// Measures `value` exactly; bytes are 0 if they are not limited. It does not recurse.
#[inline]
pub(crate) fn measure(value: &Value, count_bytes: bool) -> Measure {
    match value {
        Value::Array(_) | Value::Object(_) if count_bytes => measure_nested(value),
        Value::Array(_) | Value::Object(_) => Measure::from_size(Size::from_value(value)),
        _ if !count_bytes => Measure::default(),
        scalar => Measure {
            depth: 0,
            bytes: scalar_bytes(scalar),
        },
    }
}

/// Returns the results of [`measure`] and [`weigh`] for a value, in one walk if bytes are not counted.
#[inline]
pub(crate) fn measure_and_weigh_exactly(value: &Value, count_bytes: bool) -> (Measure, u64) {
    match value {
        Value::Array(_) | Value::Object(_) if !count_bytes => {
            let size = Size::from_value(value);
            (Measure::from_size(size), size.weight() as u64)
        }
        _ => (measure(value, count_bytes), weigh(value)),
    }
}

fn measure_nested(value: &Value) -> Measure {
    let mut measure = Measure::default();
    // Only nested data needs a place to wait in.
    let mut pending = Vec::new();
    let mut next = Some((value, 1));
    while let Some((value, level)) = next {
        match value {
            Value::Array(items) => {
                measure.depth = measure.depth.max(level);
                measure.bytes += items.len().saturating_sub(1) as u64 + 2;
                for item in items {
                    visit(item, level, &mut measure, &mut pending);
                }
            }
            Value::Object(fields) => {
                measure.depth = measure.depth.max(level);
                measure.bytes += fields.len().saturating_sub(1) as u64 + 2;
                for (name, field) in fields {
                    measure.bytes += string_bytes(name) + 1;
                    visit(field, level, &mut measure, &mut pending);
                }
            }
            scalar => measure.bytes += scalar_bytes(scalar),
        }
        next = pending.pop();
    }
    measure
}

/// Counts a scalar on the spot; only arrays and objects need a place on the stack.
fn visit<'v>(
    value: &'v Value,
    level: usize,
    measure: &mut Measure,
    pending: &mut Vec<(&'v Value, usize)>,
) {
    match value {
        Value::Array(_) | Value::Object(_) => pending.push((value, level + 1)),
        scalar => measure.bytes += scalar_bytes(scalar),
    }
}

fn scalar_bytes(value: &Value) -> u64 {
    match value {
        Value::Null => 4,
        Value::Bool(true) => 4,
        Value::Bool(false) => 5,
        Value::Number(number) => number_bytes(number),
        Value::String(text) => string_bytes(text),
        Value::Array(_) | Value::Object(_) => 0,
    }
}

fn number_bytes(number: &Number) -> u64 {
    match (number.as_u64(), number.as_i64()) {
        (Some(whole), _) => digits(whole),
        (None, Some(whole)) => digits(whole.unsigned_abs()) + 1,
        _ => number.to_string().len() as u64,
    }
}

fn digits(whole: u64) -> u64 {
    u64::from(whole.checked_ilog10().unwrap_or(0)) + 1
}

/// Bytes of a JSON string with its quotes and escapes.
fn string_bytes(text: &str) -> u64 {
    let escapes: u64 = text.bytes().map(escape_bytes).sum();
    text.len() as u64 + escapes + 2
}

/// Bytes that an escape adds.
fn escape_bytes(byte: u8) -> u64 {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 1,
        0x00..0x20 => 5,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn depth_counts_levels_of_arrays_and_objects() {
        let depth = |value| measure(&value, false).depth;
        assert_eq!(depth(json!(1)), 0);
        assert_eq!(depth(json!([])), 1);
        assert_eq!(depth(json!({"a": [1, {"b": {}}], "c": []})), 4);
    }

    fn json_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn bytes_are_those_of_the_compact_text(value in json_value()) {
            prop_assert_eq!(measure(&value, true).bytes, value.to_string().len() as u64);
        }
    }
}
