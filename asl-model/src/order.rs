//! The order of the parts of a definition.
use crate::location::segments;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Finds where the parts of a definition are in its order.
pub(crate) struct Order<'v> {
    definition: &'v Value,
    /// Indexes of the fields of large objects, by the address of the object, as far as they were looked at.
    large: HashMap<*const Map<String, Value>, HashMap<&'v str, usize>>,
}

/// Number of fields up to which they are searched one by one.
const SMALL: usize = 16;

impl<'v> Order<'v> {
    pub(crate) fn new(definition: &'v Value) -> Self {
        Self {
            definition,
            large: HashMap::new(),
        }
    }

    /// Returns the place of the deepest part on the way to what the pointer names: of each part on that way, its index in the
    /// one around it. A part comes before its own parts.
    pub(crate) fn place_of(&mut self, pointer: &str) -> Vec<usize> {
        let mut place = Vec::new();
        let mut value = self.definition;
        for segment in segments(pointer) {
            let child = match value {
                Value::Object(fields) => self.field(fields, &segment),
                Value::Array(elements) => segment
                    .parse()
                    .ok()
                    .and_then(|index: usize| Some((index, elements.get(index)?))),
                _ => None,
            };
            let Some((index, child)) = child else {
                break;
            };
            place.push(index);
            value = child;
        }
        place
    }

    fn field(&mut self, fields: &'v Map<String, Value>, name: &str) -> Option<(usize, &'v Value)> {
        let value = fields.get(name)?;
        if fields.len() <= SMALL {
            return Some((fields.keys().position(|key| key == name)?, value));
        }
        let keys = || fields.keys().enumerate();
        let index = self
            .large
            .entry(fields)
            .or_insert_with(|| keys().map(|(index, key)| (key.as_str(), index)).collect());
        Some((*index.get(name)?, value))
    }
}

#[cfg(test)]
mod tests {
    use super::Order;
    use serde_json::{Map, Value, json};

    #[test]
    fn a_part_has_its_place_or_that_of_what_is_around_it() {
        let many: Map<String, Value> = (0..40).map(|n| (format!("k{n}"), json!([n]))).collect();
        let definition = json!({"a": [0, {"b/c": 1}], "many": many});
        let mut order = Order::new(&definition);
        for (pointer, place) in [
            ("/", &[][..]),
            ("/a/1/b~1c", &[0, 1, 0]),
            ("/a/2", &[0]),
            ("/a/x/b", &[0]),
            ("/many/k39/0", &[1, 39, 0]),
            ("/many/k40", &[1]),
        ] {
            assert_eq!(order.place_of(pointer), place, "{pointer}");
        }
        assert!(order.place_of("/a") < order.place_of("/a/0"));
        assert!(order.place_of("/a/1/b~1c") < order.place_of("/many"));
    }
}
