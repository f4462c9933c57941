//! Letting go of data without recursion: what comes from outside may nest deeper than the stack allows.
use serde_json::Value;
use std::sync::Arc;

/// Lets go of a value, and where nobody else has it of all that is in it.
pub(crate) fn release(value: Arc<Value>) {
    let mut pending: Vec<Value> = Arc::into_inner(value).into_iter().collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(elements) => pending.extend(elements.into_iter().filter(nests)),
            Value::Object(fields) => {
                pending.extend(fields.into_iter().map(|(_, value)| value).filter(nests));
            }
            _ => {}
        }
    }
}

fn nests(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_million_levels_take_no_stack() {
        let nested = (0..1_000_000).fold(json!(1), |inner, level| match level % 2 {
            0 => Value::Array(vec![inner]),
            _ => Value::Object([("a".to_owned(), inner)].into_iter().collect()),
        });
        let (value, other) = (Arc::new(nested), Arc::new(json!([[1]])));
        release(Arc::clone(&other));
        assert_eq!(*other, json!([[1]]));
        release(value);
    }
}
