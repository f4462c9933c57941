//! Nesting depth of values.
use serde_json::Value;
use std::fmt;

/// An error: the JSON nests deeper than a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[expect(clippy::exhaustive_structs, reason = "a limit is its whole meaning")]
pub struct TooDeep(
    /// The limit.
    pub usize,
);

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(limit) = self;
        let levels = if *limit == 1 { "level" } else { "levels" };
        write!(f, "nested deeper than the limit of {limit} {levels}")
    }
}

/// Returns the number of levels of arrays and objects in `value`, or None if it exceeds `limit`. It does not recurse.
///
/// ```
/// use asl_path::json::depth_within;
///
/// let value = serde_json::json!({"a": [1]});
/// assert_eq!(depth_within(&value, 10), Some(2));
/// assert_eq!(depth_within(&value, 1), None);
/// ```
pub fn depth_within(value: &Value, limit: usize) -> Option<usize> {
    let mut open: Vec<Children<'_>> = Children::from_value(value).into_iter().collect();
    let mut deepest = open.len();
    while let Some(children) = open.last_mut() {
        if deepest > limit {
            return None;
        }
        match children.find_map(Children::from_value) {
            Some(inner) => open.push(inner),
            None => {
                open.pop();
            }
        }
        deepest = deepest.max(open.len());
    }
    Some(deepest)
}

/// The children of an array or an object.
enum Children<'v> {
    Elements(std::slice::Iter<'v, Value>),
    Fields(serde_json::map::Values<'v>),
}

impl<'v> Children<'v> {
    fn from_value(value: &'v Value) -> Option<Self> {
        match value {
            Value::Array(elements) => Some(Self::Elements(elements.iter())),
            Value::Object(fields) => Some(Self::Fields(fields.values())),
            _ => None,
        }
    }
}

impl<'v> Iterator for Children<'v> {
    type Item = &'v Value;

    fn next(&mut self) -> Option<&'v Value> {
        match self {
            Self::Elements(elements) => elements.next(),
            Self::Fields(values) => values.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn depth_counts_arrays_and_objects() {
        assert_eq!(depth_within(&json!(1), 0), Some(0));
        assert_eq!(depth_within(&json!([]), 0), None);
        assert_eq!(depth_within(&json!([1, {"a": []}, [2]]), 3), Some(3));
        assert_eq!(depth_within(&json!([1, {"a": []}, [2]]), 2), None);
    }
}
