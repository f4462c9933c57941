//! Letting go of values without nesting: a value may nest deeper than the stack allows.
use super::{Function, Value};
use std::rc::Rc;

/// Whether a value may hold others.
pub(super) fn nests(value: &Value<'_>) -> bool {
    matches!(
        value,
        Value::Array(_) | Value::Object(_) | Value::Function(_) | Value::Tuple(_)
    )
}

/// Lets go of values, and of what only they hold.
pub(crate) fn release(mut pending: Vec<Value<'_>>) {
    while let Some(value) = pending.pop() {
        let held = match value {
            Value::Array(array) => Rc::into_inner(array).map(|mut array| array.take_items()),
            Value::Object(object) => Rc::into_inner(object).map(|mut object| object.take_values()),
            Value::Function(function) => Rc::into_inner(function).map(Function::into_values),
            Value::Tuple(tuple) => Rc::into_inner(tuple).map(|mut tuple| tuple.take_values()),
            _ => None,
        };
        pending.extend(held.into_iter().flatten().filter(nests));
    }
}
