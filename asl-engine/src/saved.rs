//! How parts of a saved execution are written where serde alone would lose something.

/// An option that may hold `null`, which JSON could not tell from none: a sequence of at most one element.
pub(crate) mod optional {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(value)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        Vec::deserialize(deserializer).map(|values| values.into_iter().next())
    }
}

/// A list of such options.
pub(crate) mod optionals {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer>(
        values: &[Option<T>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(Option::as_slice))
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Option<T>>, D::Error> {
        let values = Vec::<Vec<T>>::deserialize(deserializer)?;
        Ok(values
            .into_iter()
            .map(|value| value.into_iter().next())
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Saved {
        #[serde(with = "super::optional")]
        value: Option<Value>,
    }

    #[test]
    fn null_and_nothing_are_told_apart() {
        for value in [None, Some(Value::Null), Some(json!([]))] {
            let saved = Saved { value };
            let text = serde_json::to_string(&saved).expect("it can be written");
            assert_eq!(
                serde_json::from_str::<Saved>(&text).expect("it can be read"),
                saved
            );
        }
    }
}
