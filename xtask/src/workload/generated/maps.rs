//! Map states over many items.
use super::{function, map, scope};
use crate::workload::files::Workload;
use serde_json::{Value, json};

/// Three Pass states with Parameters over every item.
pub(super) fn passes(items: usize) -> Workload {
    let processor = scope(
        "S",
        vec![
            json!({"Type": "Pass", "Parameters": {"id.$": "$.id", "name.$": "$.name", "qty.$": "$.qty"}}),
            json!({"Type": "Pass", "Parameters": {"id.$": "$.id", "label.$": "States.Format('{}-{}', $.name, $.id)", "qty.$": "$.qty"}}),
            json!({"Type": "Pass", "Parameters": {"key.$": "$.label", "n.$": "$.qty", "const": true}}),
        ],
    );
    let item = |i: usize| {
        let tag = if i.is_multiple_of(2) { "a" } else { "b" };
        json!({"id": i, "name": format!("item-{i}"), "qty": i % 7, "tag": tag, "extra": {"a": i, "b": [1, 2, 3]}})
    };
    let output = |i: usize| json!({"key": format!("item-{i}-{i}"), "n": i % 7, "const": true});
    let expected = (0..items).map(output).collect();
    Workload::generated(
        "map-pass",
        &map("ItemsPath", "$.items", processor),
        json!({"items": (0..items).map(item).collect::<Vec<_>>()}),
        expected,
    )
}

/// Returns a task over every item that answers with its payload.
pub(super) fn tasks(items: usize) -> Workload {
    let processor = scope(
        "T",
        vec![json!({"Type": "Task", "Resource": function("echo")})],
    );
    let item = |i: usize| json!({"id": i, "name": format!("n{i}")});
    let items: Vec<Value> = (0..items).map(item).collect();
    Workload::generated(
        "map-task",
        &map("ItemsPath", "$.items", processor),
        json!({"items": items}),
        items.into(),
    )
}
