//! JSON texts in, with a limit on nesting.
//!
//! `serde_json` itself either stops at 128 levels or not at all; a limit of one's own lets deep documents in and keeps
//! hostile ones out.
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::fmt::{self, Formatter};

/// Nesting allowed unless told otherwise.
pub const DEFAULT_MAX_DEPTH: usize = 1_000;

/// Why a text is not JSON, or too deep.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line} column {column}")]
pub struct JsonError {
    /// What is wrong.
    pub message: String,
    /// One-based.
    pub line: usize,
    /// One-based.
    pub column: usize,
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
        Self {
            message,
            line: error.line(),
            column: error.column().max(1),
        }
    }
}

/// Parses, allowing `max_depth` levels of arrays and objects. The stack in use grows with the depth of the text, never
/// beyond what `max_depth` levels need: [`DEFAULT_MAX_DEPTH`] fits into 2 MiB.
///
/// # Errors
///
/// Where the text is not JSON, has something after the value, or is nested deeper than allowed.
///
/// # Example
///
/// ```
/// use asl_path::json;
///
/// assert_eq!(json::parse("[[1]]", 2).unwrap(), serde_json::json!([[1]]));
/// let error = json::parse("[[1]]", 1).unwrap_err();
/// assert_eq!(error.to_string(), "nested deeper than the limit of 1 level at line 1 column 2");
/// ```
pub fn parse(text: &str, max_depth: usize) -> Result<Value, JsonError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = Level {
        max_depth,
        left: max_depth,
    }
    .deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// How many levels of arrays and objects `value` has, or None where more than `limit`. No recursion.
///
/// ```
/// use asl_path::json::depth_within;
///
/// let value = serde_json::json!({"a": [1]});
/// assert_eq!(depth_within(&value, 10), Some(2));
/// assert_eq!(depth_within(&value, 1), None);
/// ```
pub fn depth_within(value: &Value, limit: usize) -> Option<usize> {
    let mut open = Vec::new();
    open.extend(Children::of(value));
    let mut deepest = open.len();
    while let Some(children) = open.last_mut() {
        if deepest > limit {
            return None;
        }
        match children.find_map(Children::of) {
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
    fn of(value: &'v Value) -> Option<Self> {
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

/// A value that may have `left` more levels.
#[derive(Clone, Copy)]
struct Level {
    max_depth: usize,
    left: usize,
}

impl Level {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left, ..self }),
            None => Err(too_deep(self.max_depth)),
        }
    }
}

#[cold]
fn too_deep<E: de::Error>(max_depth: usize) -> E {
    let levels = if max_depth == 1 { "level" } else { "levels" };
    E::custom(format_args!(
        "nested deeper than the limit of {max_depth} {levels}"
    ))
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Value;

    fn expecting(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut array = Vec::new();
        while let Some(element) = elements.next_element_seed(inner)? {
            array.push(element);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut fields = Map::new();
        while let Some(name) = entries.next_key::<Name>()? {
            let value = entries.next_value_seed(inner)?;
            fields.insert(name.0, value);
        }
        Ok(Value::Object(fields))
    }
}

/// A field name.
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer).map(|name| Self(name.into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_value_is_as_serde_json_has_it() {
        let text = r#" {"z":[1,-1,18446744073709551615,1.5,1e3,"é\n\u00e9"],"a":{"b":null,"c":true},"a2":""} "#;
        let expected: Value = serde_json::from_str(text).unwrap();
        let value = parse(text, 10).unwrap();
        assert_eq!(value, expected);
        assert_eq!(
            value.to_string(),
            expected.to_string(),
            "fields keep their order"
        );
    }

    #[test]
    fn the_last_of_equal_names_counts() {
        assert_eq!(parse(r#"{"a":1,"a":2}"#, 1).unwrap(), json!({"a": 2}));
    }

    #[test]
    fn faults_have_a_place() {
        let error = parse("{\n  \"a\": ]\n}", 10).unwrap_err();
        assert_eq!((error.line, error.column), (2, 8));
        assert_eq!(error.to_string(), "expected value at line 2 column 8");
        assert_eq!(parse("1 2", 10).unwrap_err().message, "trailing characters");
        assert_eq!(
            parse("", 10).unwrap_err().message,
            "EOF while parsing a value"
        );
    }

    #[test]
    fn depth_counts_arrays_and_objects() {
        assert_eq!(depth_within(&json!(1), 0), Some(0));
        assert_eq!(depth_within(&json!([]), 0), None);
        assert_eq!(depth_within(&json!([1, {"a": []}, [2]]), 3), Some(3));
        assert_eq!(depth_within(&json!([1, {"a": []}, [2]]), 2), None);
    }
}
