//! loop: a Choice that sends the data back to a Pass state which adds one, until it is large enough.
use super::{Floor, field, object};
use serde_json::Value;

pub(super) fn prepare(definition: &Value) -> Floor {
    let limit = definition.pointer("/States/Check/Choices/0/NumericLessThan");
    let limit = limit.and_then(Value::as_i64).unwrap_or(0);
    Box::new(move |input| run(limit, input))
}

fn run(limit: i64, input: &Value) -> Value {
    let mut data = input.clone();
    while let Some(i) = field(&data, "i").as_i64()
        && i < limit
    {
        data = object([("i", (i + 1).into())]);
    }
    data
}
