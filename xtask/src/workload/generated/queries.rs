//! A hundred queries of one large document.
use super::scope;
use crate::workload::files::Workload;
use serde_json::{Value, json};

/// Returns a filter over `items` objects.
pub(super) fn filter(items: usize) -> Workload {
    let matches = |i: &usize| price(*i) > 50 && tag(*i) == "x";
    let found: Vec<Value> = (0..items).filter(matches).map(Value::from).collect();
    query(
        "jsonpath-filter",
        "$.items[?(@.price > 50 && @.tag == 'x')].id",
        items,
        found,
    )
}

/// Returns a deep scan of them.
pub(super) fn scan(items: usize) -> Workload {
    let ids = |i: usize| [json!(i), json!(i + 100_000), json!(-(i as i64))];
    let found = (0..items).flat_map(ids).collect();
    query("jsonpath-scan", "$..id", items, found).with_free_order("out")
}

fn price(i: usize) -> usize {
    i * 37 % 100
}

fn tag(i: usize) -> &'static str {
    ["x", "y", "z"][i % 3]
}

fn query(name: &str, path: &str, items: usize, found: Vec<Value>) -> Workload {
    let item = |i: usize| {
        json!({"id": i, "price": price(i), "tag": tag(i), "name": format!("product number {i:06}"),
            "desc": "lorem ipsum dolor sit amet consectetur ".repeat(2),
            "nested": {"id": i + 100_000, "k": [{"id": -(i as i64)}]}})
    };
    let document = json!({"items": (0..items).map(item).collect::<Vec<_>>()});
    let state = json!({"Type": "Pass", "Parameters": {"r.$": path}, "ResultPath": "$.out"});
    let mut expected = document.clone();
    expected["out"] = json!({"r": found});
    Workload::generated(name, &scope("P", vec![state; 100]), document, expected)
}
