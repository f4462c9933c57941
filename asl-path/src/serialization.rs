//! Paths as texts in any serde format.
use crate::{JsonPath, Path, ReferencePath};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// Reads a text and parses it.
struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the text of a path")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse()
            .map_err(|error| E::custom(format_args!("{error} in the path `{text}`")))
    }
}

macro_rules! serialized_as_source {
    ($($name:ty),*) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.source())
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_str(TextVisitor(PhantomData))
                }
            }
        )*
    };
}

serialized_as_source!(JsonPath, Path, ReferencePath);

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Configuration {
        items: JsonPath,
        name: Path,
        result: ReferencePath,
    }

    #[test]
    fn paths_are_their_texts() {
        let text = r#"{"items":"$..a[?(@.b > 1)]","name":"$$.State.Name","result":"$.a[0]"}"#;
        let configuration: Configuration = serde_json::from_str(text).expect("paths");
        assert_eq!(configuration.result.source(), "$.a[0]");
        let again = serde_json::to_string(&configuration).expect("JSON");
        assert_eq!(again, text);
    }

    #[test]
    fn a_text_that_is_no_path_is_refused_with_the_reason() {
        let error = serde_json::from_str::<JsonPath>(r#""a.b""#).expect_err("no path");
        let text = error.to_string();
        assert!(text.contains("in the path `a.b`"), "{text}");
        let error = serde_json::from_str::<ReferencePath>("7").expect_err("no text");
        assert!(error.to_string().contains("expected the text of a path"));
    }
}
