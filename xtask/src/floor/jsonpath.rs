//! jsonpath-filter and jsonpath-scan: a hundred queries of one document, each result written into it.
use super::{field, object};
use serde_json::Value;

/// Number of states with queries.
const QUERIES: usize = 100;

pub(super) fn filter(input: &Value) -> Value {
    query(input, |data| {
        let items = field(data, "items").as_array();
        items
            .into_iter()
            .flatten()
            .filter(|item| {
                field(item, "price")
                    .as_f64()
                    .is_some_and(|price| price > 50.0)
                    && field(item, "tag").as_str() == Some("x")
            })
            .filter_map(|item| item.get("id").cloned())
            .collect()
    })
}

pub(super) fn scan(input: &Value) -> Value {
    query(input, |data| {
        let mut found = Vec::new();
        collect_ids(data, &mut found);
        found.into()
    })
}

/// Evaluates a query several times. The first evaluation sees no result; each other one sees the result before it.
fn query(input: &Value, evaluate: impl Fn(&Value) -> Value) -> Value {
    let mut data = input.clone();
    for _ in 0..QUERIES {
        let result = object([("r", evaluate(&data))]);
        if let Value::Object(fields) = &mut data {
            fields.insert("out".to_owned(), result);
        }
    }
    data
}

fn collect_ids(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("id").cloned());
            for field in fields.values() {
                collect_ids(field, found);
            }
        }
        Value::Array(elements) => {
            for element in elements {
                collect_ids(element, found);
            }
        }
        _ => {}
    }
}
