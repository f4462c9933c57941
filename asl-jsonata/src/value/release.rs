//! Letting go of values without nesting: a value may nest deeper than the stack allows.
use super::Value;
use std::rc::Rc;

/// Values to release; only those that may contain others.
#[derive(Default)]
pub(crate) struct PendingValues<'a>(Vec<Value<'a>>);

impl<'a> PendingValues<'a> {
    /// Adds values. Those without nested values are released immediately.
    pub(crate) fn extend(&mut self, values: impl IntoIterator<Item = Value<'a>>) {
        self.0.extend(values.into_iter().filter(nests));
    }

    /// Releases the values, with their unshared content.
    pub(crate) fn release(mut self) {
        while let Some(value) = self.0.pop() {
            match value {
                Value::Array(array) => {
                    if let Some(mut array) = Rc::into_inner(array) {
                        array.give(&mut self);
                    }
                }
                Value::Object(object) => {
                    if let Some(mut object) = Rc::into_inner(object) {
                        object.give(&mut self);
                    }
                }
                Value::Function(function) => {
                    if let Some(function) = Rc::into_inner(function) {
                        function.give(&mut self);
                    }
                }
                Value::Tuple(tuple) => {
                    if let Some(mut tuple) = Rc::into_inner(tuple) {
                        tuple.give(&mut self);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns true if a value may hold others.
pub(super) fn nests(value: &Value<'_>) -> bool {
    matches!(
        value,
        Value::Array(_) | Value::Object(_) | Value::Function(_) | Value::Tuple(_)
    )
}

/// Releases the content of a value that ends.
pub(crate) fn release<'a>(give: impl FnOnce(&mut PendingValues<'a>)) {
    let mut pending = PendingValues::default();
    give(&mut pending);
    pending.release();
}
