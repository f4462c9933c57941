//! Expressions over a document, each next to a loop written by hand that does the same.
use asl_jsonata::{Environment, Expression};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Map, Value, json};
use std::hint::black_box;

/// The loop that does the same.
type ByHand = fn(&Value) -> Value;

/// About 1 MB.
fn document() -> Value {
    let items = (0..5_000).map(|at: i64| {
        let tag = ["x", "y", "z"][usize::try_from(at % 3).unwrap()];
        json!({
            "id": at,
            "price": (at * 37) % 100,
            "tag": tag,
            "name": format!("product number {at:06}"),
            "desc": "lorem ipsum dolor sit amet consectetur ".repeat(2),
            "nested": {"id": at + 100_000, "k": [{"id": -at}]},
        })
    });
    json!({"items": items.collect::<Vec<_>>()})
}

fn items(document: &Value) -> impl Iterator<Item = &Value> {
    document
        .get("items")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn price(item: &Value) -> Option<f64> {
    item.get("price").and_then(Value::as_f64)
}

fn path(document: &Value) -> Value {
    let ids = items(document).filter_map(|item| item.get("nested")?.get("id").cloned());
    ids.collect()
}

fn filter(document: &Value) -> Value {
    let wanted = |item: &&Value| {
        price(item).is_some_and(|price| price > 50.0)
            && item.get("tag").and_then(Value::as_str) == Some("x")
    };
    let ids = items(document).filter(wanted);
    ids.filter_map(|item| item.get("id").cloned()).collect()
}

fn sum(document: &Value) -> Value {
    items(document).filter_map(price).sum::<f64>().into()
}

fn objects(document: &Value) -> Value {
    let objects = items(document).map(|item| {
        let mut object = Map::new();
        object.insert("id".to_owned(), item.get("id").cloned().into());
        object.insert(
            "double".to_owned(),
            price(item).map(|price| price * 2.0).into(),
        );
        Value::Object(object)
    });
    objects.collect()
}

fn group(document: &Value) -> Value {
    let mut sums: Map<String, Value> = Map::new();
    for item in items(document) {
        let tag = item.get("tag").and_then(Value::as_str).unwrap_or_default();
        let price = price(item).unwrap_or_default();
        match sums.get_mut(tag) {
            Some(sum) => *sum = (sum.as_f64().unwrap_or_default() + price).into(),
            None => drop(sums.insert(tag.to_owned(), price.into())),
        }
    }
    sums.into()
}

fn sort(document: &Value) -> Value {
    let mut sorted: Vec<&Value> = items(document).collect();
    sorted.sort_by(|left, right| price(left).partial_cmp(&price(right)).unwrap());
    sorted
        .iter()
        .filter_map(|item| item.get("id").cloned())
        .collect()
}

fn greeting(document: &Value) -> Value {
    format!(
        "Hello, {}!",
        document
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    )
    .into()
}

fn condition(document: &Value) -> Value {
    (document.get("name").and_then(Value::as_str) == Some("Ada")).into()
}

fn expressions(criterion: &mut Criterion) {
    let (large, tiny) = (document(), json!({"name": "Ada", "count": 3}));
    let cases: [(&str, &str, &Value, ByHand); 9] = [
        ("path", "items.nested.id", &large, path),
        (
            "filter",
            "items[price > 50 and tag = 'x'].id",
            &large,
            filter,
        ),
        ("sum", "$sum(items.price)", &large, sum),
        (
            "objects",
            "items.{'id': id, 'double': price * 2}",
            &large,
            objects,
        ),
        ("group-by", "items{tag: $sum(price)}", &large, group),
        (
            "map-reduce",
            "$reduce($map(items, function($item) {$item.price}), function($sum, $price) {$sum + $price})",
            &large,
            sum,
        ),
        ("sort", "items^(price).id", &large, sort),
        ("greeting", "'Hello, ' & name & '!'", &tiny, greeting),
        ("condition", "name = 'Ada'", &tiny, condition),
    ];
    for (name, source, document, by_hand) in cases {
        let expression = Expression::parse(source).unwrap();
        let evaluate = |document| {
            let mut environment = Environment::from_input(document);
            expression.evaluate(&mut environment).unwrap()
        };
        assert_eq!(
            evaluate(document).map(|value| value.to_string().replace(".0", "")),
            Some(by_hand(document).to_string().replace(".0", "")),
            "{name}"
        );
        let mut group = criterion.benchmark_group(name);
        group.bench_function("expression", |bencher| {
            bencher.iter(|| black_box(evaluate(black_box(document))))
        });
        group.bench_function("by hand", |bencher| {
            bencher.iter(|| black_box(by_hand(black_box(document))))
        });
        group.finish();
    }
}

criterion_group!(benches, expressions);
criterion_main!(benches);
