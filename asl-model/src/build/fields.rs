//! The fields of an object that is being built.
use serde_json::{Map, Value};

/// Fields in the order in which they were given; the last value of a field counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Fields {
    map: Map<String, Value>,
    /// True if something in it was left out, since it nests too deep.
    pub(super) is_too_deep: bool,
}

impl Fields {
    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.map.insert(name.to_owned(), value.into());
    }

    /// Sets one of several forms of a field, of which an object has only one.
    pub(super) fn set_form(&mut self, forms: &[&str], name: &str, value: impl Into<Value>) {
        for form in forms {
            self.map.shift_remove(*form);
        }
        self.set(name, value);
    }

    /// Appends to the array in a field.
    pub(super) fn push(&mut self, name: &str, element: impl Into<Value>) {
        let array = self
            .map
            .entry(name)
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(elements) = array {
            elements.push(element.into());
        }
    }

    pub(super) fn into_map(self) -> Map<String, Value> {
        self.map
    }
}

impl From<Fields> for Value {
    fn from(fields: Fields) -> Self {
        Self::Object(fields.map)
    }
}
