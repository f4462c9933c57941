//! Chains of Pass states that write into the data.
use super::scope;
use crate::workload::files::Workload;
use serde_json::{Value, json};

/// States that write `{"v": n}` into ten fields in turn.
pub(super) fn chain(states: usize) -> Workload {
    let mut expected = json!({"id": 1});
    let chain = scope(
        "P",
        writes(states, "r", 10, &mut expected, |n| json!({"v": n})),
    );
    Workload::generated("chain", &chain, json!({"id": 1}), expected)
}

/// Two hundred states that each write a field of their own next to an array of `items` objects.
pub(super) fn big_payload(items: usize) -> Workload {
    let item = |i: usize| {
        json!({"id": i, "name": format!("object number {i:05}"), "qty": i % 13, "price": i as f64 * 0.25,
            "tags": ["alpha", "beta", "gamma"], "active": i.is_multiple_of(2),
            "address": {"street": format!("{i} Main Street"), "city": "Springfield", "zip": format!("{i:05}")},
            "note": "x".repeat(20)})
    };
    let input = json!({"items": (0..items).map(item).collect::<Vec<_>>()});
    let mut expected = input.clone();
    let chain = scope(
        "P",
        writes(200, "f", 200, &mut expected, |n| json!({"n": n})),
    );
    Workload::generated("big-payload", &chain, input, expected)
}

/// Branches of such chains.
pub(super) fn parallel(branches: usize, states: usize) -> Workload {
    let (mut definitions, mut outputs) = (Vec::new(), Vec::new());
    for branch in 0..branches {
        let mut expected = json!({"id": 1});
        let result = |i| json!({"b": branch, "i": i});
        let states = writes(states, "r", 5, &mut expected, result);
        definitions.push(scope(&format!("B{branch}S"), states));
        outputs.push(expected);
    }
    let definition = scope(
        "Par",
        vec![json!({"Type": "Parallel", "Branches": definitions})],
    );
    Workload::generated("parallel", &definition, json!({"id": 1}), outputs.into())
}

/// States that write a result into `fields` fields in turn, and what `data` is after them.
fn writes(
    states: usize,
    prefix: &str,
    fields: usize,
    data: &mut Value,
    result: impl Fn(usize) -> Value,
) -> Vec<Value> {
    let write = |n: usize| {
        let field = format!("{prefix}{}", n % fields);
        data[&field] = result(n);
        json!({"Type": "Pass", "Result": result(n), "ResultPath": format!("$.{field}")})
    };
    (0..states).map(write).collect()
}
