//! Workloads made at any size, to show how time grows with states, items and payload.
use super::files::Workload;
use serde_json::{Map, Value, json};

/// The three that are made at several sizes, and what grows.
pub(super) const SCALED: [(&str, &str); 3] = [
    ("chain", "states"),
    ("map-pass", "items"),
    ("big-payload", "payload"),
];

/// The workload `name` at `size` times its usual size.
pub(super) fn scaled(name: &str, size: usize) -> Workload {
    match name {
        "chain" => writes(name, 1000 * size, "r", 10, json!({"id": 1})),
        "map-pass" => map_pass(10_000 * size),
        _ => writes(name, 200, "f", 200, big_payload(5000 * size)),
    }
}

/// A chain of Pass states that write `{"v": n}` into one of `fields` fields.
fn writes(name: &str, states: usize, prefix: &str, fields: usize, input: Value) -> Workload {
    let mut chain = Map::new();
    let mut expected = input.clone();
    for n in 0..states {
        let field = format!("{prefix}{}", n % fields);
        expected[&field] = json!({"v": n});
        let mut state =
            json!({"Type": "Pass", "Result": {"v": n}, "ResultPath": format!("$.{field}")});
        link(&mut state, n + 1, states);
        chain.insert(format!("P{n}"), state);
    }
    Workload::generated(
        name,
        &json!({"StartAt": "P0", "States": chain}),
        input,
        expected,
    )
}

fn link(state: &mut Value, next: usize, states: usize) {
    if next < states {
        state["Next"] = format!("P{next}").into();
    } else {
        state["End"] = true.into();
    }
}

fn map_pass(items: usize) -> Workload {
    let processor = json!({"ProcessorConfig": {"Mode": "INLINE"}, "StartAt": "A", "States": {
        "A": {"Type": "Pass", "Parameters": {"id.$": "$.id", "name.$": "$.name", "qty.$": "$.qty"}, "Next": "B"},
        "B": {"Type": "Pass", "Parameters": {"id.$": "$.id", "label.$": "States.Format('{}-{}', $.name, $.id)", "qty.$": "$.qty"}, "Next": "C"},
        "C": {"Type": "Pass", "Parameters": {"key.$": "$.label", "n.$": "$.qty", "const": true}, "End": true}}});
    let definition = json!({"StartAt": "M", "States": {"M": {"Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": 0,
        "ItemProcessor": processor, "End": true}}});
    let item = |i: usize| {
        json!({"id": i, "name": format!("item-{i}"), "qty": i % 7, "tag": if i.is_multiple_of(2) { "a" } else { "b" },
        "extra": {"a": i, "b": [1, 2, 3]}})
    };
    let input: Vec<Value> = (0..items).map(item).collect();
    let expected = (0..items)
        .map(|i| json!({"key": format!("item-{i}-{i}"), "n": i % 7, "const": true}))
        .collect();
    Workload::generated("map-pass", &definition, json!({"items": input}), expected)
}

fn big_payload(items: usize) -> Value {
    let item = |i: usize| {
        json!({"id": i, "name": format!("object number {i:05}"), "qty": i % 13, "price": i as f64 * 0.25,
        "tags": ["alpha", "beta", "gamma"], "active": i.is_multiple_of(2),
        "address": {"street": format!("{i} Main Street"), "city": "Springfield", "zip": format!("{i:05}")}, "note": "x".repeat(20)})
    };
    json!({"items": (0..items).map(item).collect::<Vec<_>>()})
}
