//! A workload: a definition, its input and what comes of them, from files or made here.
use super::generated;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A definition, its input, and what comes of them.
#[derive(Debug, Clone)]
pub(super) struct Workload {
    pub(super) name: String,
    pub(super) definition: String,
    pub(super) input: Value,
    /// None if only the definition's validity counts.
    pub(super) expected: Option<Value>,
    /// Top-level fields of the output that are random.
    drop: Vec<String>,
    /// A top-level field in whose lists the order is free.
    order_free: Option<String>,
}

impl Workload {
    /// Reads `NAME.{asl,input,expected,meta}.json`.
    fn read(folder: &Path, name: &str) -> Result<Self, String> {
        let text = |part: &str| {
            let path = folder.join(format!("{name}.{part}.json"));
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let json = |part: &str| -> Result<Value, String> {
            serde_json::from_str(&text(part)?)
                .map_err(|error| format!("{name}.{part}.json: {error}"))
        };
        let meta = json("meta")?;
        let drop = meta.get("drop").and_then(Value::as_array);
        let names = drop.into_iter().flatten().filter_map(Value::as_str);
        let order_free = meta.get("order_free").and_then(Value::as_str);
        Ok(Self {
            name: name.to_owned(),
            definition: text("asl")?,
            input: json("input")?,
            expected: folder
                .join(format!("{name}.expected.json"))
                .exists()
                .then(|| json("expected"))
                .transpose()?,
            drop: names.map(str::to_owned).collect(),
            order_free: order_free.map(str::to_owned),
        })
    }

    /// Creates the workload `name`: of the files of a folder, or as it is made here.
    pub(super) fn load(name: &str, folder: Option<&Path>) -> Result<Self, String> {
        match folder {
            Some(folder) => Self::read(folder, name),
            None => generated::usual(name).ok_or_else(|| {
                let names = generated::NAMES.join(", ");
                let twins = generated::TWINS.map(|(name, keeping)| format!("{name}{}", keeping.suffix()));
                let twins = twins.join(", ");
                format!("there is no workload {name}: choose among hello, {names}, {twins}, or give --dir")
            }),
        }
    }

    /// Creates a generated workload.
    pub(super) fn generated(name: &str, definition: &Value, input: Value, expected: Value) -> Self {
        Self {
            input,
            expected: Some(expected),
            ..Self::definition(name, definition)
        }
    }

    /// Creates a workload that only loads its definition.
    pub(super) fn definition(name: &str, definition: &Value) -> Self {
        Self {
            name: name.to_owned(),
            definition: definition.to_string(),
            input: Value::Null,
            expected: None,
            drop: Vec::new(),
            order_free: None,
        }
    }

    /// Another definition for the same input and output.
    pub(super) fn in_other_words(&self, name: String, definition: &Value) -> Self {
        Self {
            name,
            definition: definition.to_string(),
            ..self.clone()
        }
    }

    /// Top-level fields of the output are random.
    pub(super) fn without(mut self, fields: &[&str]) -> Self {
        self.drop = fields.iter().map(|field| (*field).to_owned()).collect();
        self
    }

    /// Sets the top-level field whose lists have no fixed order.
    pub(super) fn with_free_order(mut self, field: &str) -> Self {
        self.order_free = Some(field.to_owned());
        self
    }

    /// Returns true if `output` is the expected output.
    pub(super) fn is_expected(&self, output: &Value) -> bool {
        let Some(expected) = &self.expected else {
            return false;
        };
        self.comparable(output) == self.comparable(expected)
    }

    fn comparable(&self, output: &Value) -> Value {
        let mut output = output.clone();
        if let Value::Object(fields) = &mut output {
            fields.retain(|name, _| !self.drop.contains(name));
            if let Some(free) = self
                .order_free
                .as_ref()
                .and_then(|name| fields.get_mut(name))
            {
                sort_lists(free);
            }
        }
        output
    }
}

fn sort_lists(value: &mut Value) {
    match value {
        Value::Object(fields) => fields.values_mut().for_each(sort_lists),
        Value::Array(elements) => elements.sort_by_cached_key(Value::to_string),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn random_fields_and_free_orders_are_not_compared() {
        let expected = json!({"a": 1, "r": 5, "o": {"l": [1, 2]}});
        let workload = Workload::generated("w", &json!({}), json!({}), expected)
            .without(&["r"])
            .with_free_order("o");
        assert!(workload.is_expected(&json!({"o": {"l": [2, 1]}, "a": 1, "r": 9})));
        assert!(!workload.is_expected(&json!({"a": 2, "o": {"l": [1, 2]}})));
        assert!(!workload.is_expected(&json!({"a": 1, "o": {"l": [1, 1]}})));
    }
}
