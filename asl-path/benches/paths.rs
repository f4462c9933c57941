//! Paths, and reading the document, each next to a loop written by hand (or `serde_json`) that does the same.
use asl_path::{JsonPath, ReferencePath, json};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::hint::black_box;

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

fn filter_by_hand(document: &Value) -> Value {
    let mut ids = Vec::new();
    for item in document["items"].as_array().unwrap() {
        let expensive = item
            .get("price")
            .and_then(Value::as_f64)
            .is_some_and(|price| price > 50.0);
        if expensive && item.get("tag").and_then(Value::as_str) == Some("x") {
            ids.extend(item.get("id").cloned());
        }
    }
    Value::Array(ids)
}

fn scan_by_hand(node: &Value, ids: &mut Vec<Value>) {
    match node {
        Value::Object(fields) => {
            ids.extend(fields.get("id").cloned());
            fields.values().for_each(|value| scan_by_hand(value, ids));
        }
        Value::Array(elements) => elements
            .iter()
            .for_each(|element| scan_by_hand(element, ids)),
        _ => {}
    }
}

fn paths(criterion: &mut Criterion) {
    let document = document();

    let mut group = criterion.benchmark_group("definite");
    let path = JsonPath::parse("$.items[4000].nested.k[0].id").unwrap();
    group.bench_function("path", |bencher| {
        bencher.iter(|| black_box(path.evaluate(black_box(&document)).unwrap()))
    });
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| {
            let item = black_box(&document).get("items")?.get(4000)?;
            black_box(item.get("nested")?.get("k")?.get(0)?.get("id"))
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("filter");
    let path = JsonPath::parse("$.items[?(@.price > 50 && @.tag == 'x')].id").unwrap();
    assert_eq!(
        *path.evaluate(&document).unwrap(),
        filter_by_hand(&document)
    );
    group.bench_function("path", |bencher| {
        bencher.iter(|| black_box(path.evaluate(black_box(&document)).unwrap()))
    });
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| black_box(filter_by_hand(black_box(&document))))
    });
    group.finish();

    let mut group = criterion.benchmark_group("scan");
    let path = JsonPath::parse("$..id").unwrap();
    let by_hand = |document: &Value| {
        let mut ids = Vec::new();
        scan_by_hand(document, &mut ids);
        Value::Array(ids)
    };
    assert_eq!(*path.evaluate(&document).unwrap(), by_hand(&document));
    group.bench_function("path", |bencher| {
        bencher.iter(|| black_box(path.evaluate(black_box(&document)).unwrap()))
    });
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| black_box(by_hand(black_box(&document))))
    });
    group.finish();
}

fn reading(criterion: &mut Criterion) {
    let text = document().to_string();
    let mut group = criterion.benchmark_group("json");
    group.bench_function("parse", |bencher| {
        bencher.iter(|| black_box(json::parse(black_box(&text), json::DEFAULT_MAX_DEPTH).unwrap()));
    });
    group.bench_function("serde_json", |bencher| {
        bencher.iter(|| black_box(serde_json::from_str::<Value>(black_box(&text)).unwrap()));
    });
    group.finish();
}

fn writing(criterion: &mut Criterion) {
    let mut document = document();
    let path = ReferencePath::parse("$.items[4000].nested.k[0].id").unwrap();
    criterion.bench_function("write/path", |bencher| {
        bencher.iter(|| {
            path.write(black_box(&mut document), black_box(json!(1)))
                .unwrap()
        });
    });
}

criterion_group!(benches, paths, reading, writing);
criterion_main!(benches);
