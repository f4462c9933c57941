//! map-pass: three Pass states with Parameters over every item.
use super::{field, object, take};
use serde_json::Value;

pub(super) fn run(input: &Value) -> Value {
    let items = field(input, "items").as_array();
    items.into_iter().flatten().map(iteration).collect()
}

fn iteration(item: &Value) -> Value {
    let copied = |name| field(item, name).clone();
    let mut a = object([
        ("id", copied("id")),
        ("name", copied("name")),
        ("qty", copied("qty")),
    ]);
    let label = format!(
        "{}-{}",
        field(&a, "name").as_str().unwrap_or(""),
        field(&a, "id")
    );
    let mut b = object([
        ("id", take(&mut a, "id")),
        ("label", label.into()),
        ("qty", take(&mut a, "qty")),
    ]);
    object([
        ("key", take(&mut b, "label")),
        ("n", take(&mut b, "qty")),
        ("const", true.into()),
    ])
}
