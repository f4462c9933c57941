//! Serialized form of executions, inputs and outputs: JSON as its text, bytes as bytes.
//!
//! A text is one string in any serde format, so that the format's nesting limit and its treatment of numbers and `null` do
//! not matter. The nesting of restored data is limited to slightly more than the engine's data may have.
use asl_path::json::{JsonError, printed};
use serde::{Deserialize, Deserializer, Serializer, de, ser};
use serde_json::Value;
use std::sync::Arc;

/// Maximum nesting of restored data: twice the default limit. Data that was created but not checked yet is deeper than its
/// parts, and data that a host received too deep is stored unchanged. This depth fits into 2 MiB of stack for printing,
/// cloning and releasing.
const MAX_DEPTH: usize = 2 * asl_path::json::DEFAULT_MAX_DEPTH;

/// Returns a value of its text.
pub(crate) fn value(text: &str) -> Result<Value, JsonError> {
    asl_path::json::parse(text, MAX_DEPTH)
}

fn from_text<E: de::Error>(text: &str) -> Result<Value, E> {
    value(text).map_err(E::custom)
}

/// A value.
pub(crate) mod text {
    use super::{Deserialize, Deserializer, Serializer, Value, from_text, printed};

    pub(crate) fn serialize<S: Serializer>(
        value: &Value,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&printed(value))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Value, D::Error> {
        from_text(&String::deserialize(deserializer)?)
    }
}

/// A value that others have too.
pub(crate) mod shared_text {
    use super::{Arc, Deserializer, Serializer, Value, text};

    pub(crate) fn serialize<S: Serializer>(
        value: &Arc<Value>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        text::serialize(value, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Value>, D::Error> {
        text::deserialize(deserializer).map(Arc::new)
    }
}

/// A value that may be missing.
pub(crate) mod optional_text {
    use super::{Deserialize, Deserializer, Serializer, Value, from_text, printed};

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<Value>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.serialize_some(&printed(value)),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Value>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| from_text(&text)).transpose()
    }
}

/// A shared value that may be missing.
pub(crate) mod optional_shared_text {
    use super::{Arc, Deserializer, Serializer, Value, optional_text, printed};

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<Arc<Value>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.serialize_some(&printed(value)),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Arc<Value>>, D::Error> {
        Ok(optional_text::deserialize(deserializer)?.map(Arc::new))
    }
}

/// Names with shared values, in order.
pub(crate) mod named_shared_texts {
    use super::{Arc, Deserialize, Deserializer, Serializer, Value, from_text, printed};

    type NamedText = (Arc<str>, Arc<Value>);

    pub(crate) fn serialize<S: Serializer>(
        named: &[NamedText],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let texts = named.iter().map(|(name, value)| (&**name, printed(value)));
        serializer.collect_seq(texts)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<NamedText>, D::Error> {
        let texts = Vec::<(Arc<str>, String)>::deserialize(deserializer)?;
        texts
            .into_iter()
            .map(|(name, text)| Ok((name, Arc::new(from_text(&text)?))))
            .collect()
    }
}

/// Names with their values, as one text.
pub(crate) mod object_text {
    use super::{Deserializer, Serializer, Value, de, ser, text};
    use serde_json::Map;

    pub(crate) fn serialize<S: Serializer>(
        fields: &Map<String, Value>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let text = serde_json::to_string(fields).map_err(ser::Error::custom)?;
        serializer.serialize_str(&text)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Map<String, Value>, D::Error> {
        match text::deserialize(deserializer)? {
            Value::Object(fields) => Ok(fields),
            _ => Err(de::Error::custom("the text of an object was expected")),
        }
    }
}

/// Bytes: as they are where the format has them, else in base64.
pub(crate) mod bytes {
    use super::{Deserialize, Deserializer, Serializer, de};
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use std::fmt;

    pub(crate) fn serialize<S: Serializer>(
        bytes: impl AsRef<[u8]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&STANDARD.encode(bytes))
        } else {
            serializer.serialize_bytes(bytes.as_ref())
        }
    }

    pub(crate) fn deserialize<'de, T: From<Vec<u8>>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            let bytes = STANDARD.decode(text).map_err(de::Error::custom)?;
            return Ok(bytes.into());
        }
        deserializer.deserialize_byte_buf(Bytes).map(T::from)
    }

    struct Bytes;

    impl<'de> de::Visitor<'de> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("bytes")
        }

        fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut bytes: A) -> Result<Vec<u8>, A::Error> {
            let mut all = Vec::new();
            while let Some(byte) = bytes.next_element()? {
                all.push(byte);
            }
            Ok(all)
        }
    }
}

/// 64 bits, of which any may be set: 16 hexadecimal digits in formats for people, whose tools may take numbers for
/// floats.
pub(crate) mod word {
    use super::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(word: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&format!("{word:016x}"))
        } else {
            serializer.serialize_u64(*word)
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        if deserializer.is_human_readable() {
            let digits = String::deserialize(deserializer)?;
            return u64::from_str_radix(&digits, 16).map_err(de::Error::custom);
        }
        u64::deserialize(deserializer)
    }
}

/// The same, if there is one.
pub(crate) mod optional_word {
    use super::{Deserialize, Deserializer, Serializer, word};
    use serde::Serialize;

    #[derive(Serialize, Deserialize)]
    struct Word(#[serde(with = "word")] u64);

    pub(crate) fn serialize<S: Serializer>(
        word: &Option<u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        word.map(Word).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        Ok(Option::<Word>::deserialize(deserializer)?.map(|Word(word)| word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
    struct Sample {
        #[serde(with = "text")]
        value: Value,
        #[serde(with = "optional_text")]
        optional: Option<Value>,
        #[serde(with = "bytes")]
        body: Vec<u8>,
    }

    fn sample(value: Value, optional: Option<Value>) -> Sample {
        Sample {
            value,
            optional,
            body: vec![0, 159, 146, 150],
        }
    }

    #[test]
    fn null_and_nothing_are_told_apart() {
        for optional in [None, Some(Value::Null), Some(json!([]))] {
            let kept = sample(json!({"b": 1.5, "a": [null]}), optional);
            let text = serde_json::to_string(&kept).expect("it can be written");
            let read: Sample = serde_json::from_str(&text).expect("it can be read");
            assert_eq!(read, kept);
        }
    }

    #[test]
    fn two_thousand_levels_are_read_by_plain_serde() {
        let mut value = json!(1);
        for _ in 0..MAX_DEPTH {
            value = Value::Array(vec![value]);
        }
        let kept = sample(value, None);
        let text = serde_json::to_string(&kept).expect("it can be written");
        assert_eq!(
            serde_json::from_str::<Sample>(&text).expect("it can be read"),
            kept
        );
    }

    #[test]
    fn what_nests_deeper_than_data_may_is_an_error() {
        let deep = format!("{}1{}", "[".repeat(2_001), "]".repeat(2_001));
        let text = json!({"value": deep, "optional": null, "body": ""}).to_string();
        assert!(serde_json::from_str::<Sample>(&text).is_err());
    }
}
