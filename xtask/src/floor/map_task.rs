//! map-task: a task over every item that answers with its payload.
use super::field;
use serde_json::Value;

pub(super) fn run(input: &Value) -> Value {
    let items = field(input, "items").as_array();
    items.into_iter().flatten().map(echo).collect()
}

fn echo(payload: &Value) -> Value {
    payload.clone()
}
