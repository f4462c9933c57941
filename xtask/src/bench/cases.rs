//! Benchmark cases: expressions, documents, and the same work in plain Rust.
use serde_json::{Map, Value, json};

/// An expression over a document, and a loop that does the same.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) expression: &'static str,
    pub(super) by_hand: fn(&Value) -> Value,
    document: Document,
}

/// Documents of the cases.
enum Document {
    /// About 1 MB of orders.
    Large,
    /// One field.
    Tiny,
}

impl Case {
    /// Returns the document, given the large one.
    pub(super) fn input(&self, large: &Value) -> Value {
        match self.document {
            Document::Large => large.clone(),
            Document::Tiny => json!({"name": "Ada"}),
        }
    }
}

/// All cases.
pub(super) static CASES: [Case; 6] = [
    Case {
        name: "path",
        expression: "orders.items.price",
        by_hand: path,
        document: Document::Large,
    },
    Case {
        name: "filter",
        expression: "orders[price > 50 and status = 'open'].id",
        by_hand: filter,
        document: Document::Large,
    },
    Case {
        name: "sum",
        expression: "$sum(orders.(price * quantity))",
        by_hand: sum,
        document: Document::Large,
    },
    Case {
        name: "group-by",
        expression: "orders{customer: $sum(price)}",
        by_hand: group_by,
        document: Document::Large,
    },
    Case {
        name: "map-reduce",
        expression: "$reduce($map(orders, function($o) {$o.price * $o.quantity}), function($a, $b) {$a + $b})",
        by_hand: sum,
        document: Document::Large,
    },
    Case {
        name: "greeting",
        expression: "'Hello, ' & name & '!'",
        by_hand: greeting,
        document: Document::Tiny,
    },
];

const STATUSES: [&str; 3] = ["open", "sent", "paid"];

/// Orders of a hundred customers. Prices are quarters, so that sums are exact in any order.
pub(super) fn large() -> Value {
    let item = |i: usize, n: usize| json!({"sku": format!("sku-{:05}", i * 2 + n), "price": (i * 7 + n) % 90, "label": "a small thing"});
    let order = |i: usize| {
        json!({"id": i, "customer": format!("customer {:02}", i % 100), "status": STATUSES[i % 3],
            "price": (i * 37 % 400) as f64 * 0.25, "quantity": i % 7, "items": [item(i, 0), item(i, 1)],
            "address": {"street": format!("{i} Main Street"), "city": "Springfield"}})
    };
    json!({"orders": (0..4_000).map(order).collect::<Vec<_>>()})
}

/// Returns true if two results are the same: 15 and 15.0 are.
pub(super) fn same(left: &Option<Value>, right: &Option<Value>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => same_value(left, right),
        _ => left.is_none() && right.is_none(),
    }
}

fn same_value(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same_value(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            let same_field = |(name, value): (&String, &Value)| {
                right
                    .get(name)
                    .is_some_and(|other| same_value(value, other))
            };
            left.len() == right.len() && left.iter().all(same_field)
        }
        _ => left == right,
    }
}

fn orders(input: &Value) -> impl Iterator<Item = &Value> {
    input["orders"].as_array().into_iter().flatten()
}

fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or(0.0)
}

fn path(input: &Value) -> Value {
    let items = orders(input).filter_map(|order| order["items"].as_array());
    items.flatten().map(|item| item["price"].clone()).collect()
}

fn filter(input: &Value) -> Value {
    let wanted = |order: &&Value| number(order, "price") > 50.0 && order["status"] == "open";
    orders(input)
        .filter(wanted)
        .map(|order| order["id"].clone())
        .collect()
}

fn sum(input: &Value) -> Value {
    let total: f64 = orders(input)
        .map(|order| number(order, "price") * number(order, "quantity"))
        .sum();
    total.into()
}

fn group_by(input: &Value) -> Value {
    let mut sums: Map<String, Value> = Map::new();
    for order in orders(input) {
        let customer = order["customer"].as_str().unwrap_or("");
        let price = number(order, "price");
        match sums.get_mut(customer) {
            Some(sum) => *sum = (sum.as_f64().unwrap_or(0.0) + price).into(),
            None => drop(sums.insert(customer.to_owned(), price.into())),
        }
    }
    sums.into()
}

fn greeting(input: &Value) -> Value {
    format!("Hello, {}!", input["name"].as_str().unwrap_or("")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_jsonata::{Environment, Expression};

    #[test]
    fn every_loop_does_what_its_expression_says() {
        let document = large();
        let size = document.to_string().len();
        assert!((900_000..1_200_000).contains(&size), "{size} bytes");
        for case in &CASES {
            let input = case.input(&document);
            let expression = Expression::parse(case.expression).expect(case.expression);
            let result = expression.evaluate(&mut Environment::from_input(&input));
            let result = result.expect(case.expression);
            assert!(
                same(&result, &Some((case.by_hand)(&input))),
                "{}",
                case.name
            );
        }
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let some = |value: Value| Some(value);
        assert!(same(
            &some(json!({"a": [1.0, "x"]})),
            &some(json!({"a": [1, "x"]}))
        ));
        assert!(!same(&some(json!([1])), &some(json!([2]))));
        assert!(!same(&None, &some(json!(null))));
    }
}
