//! Reading a definition of ten thousand states, against reading it as plain JSON.
use asl_model::{Options, SourceMap, parse};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::hint::black_box;

/// States of five kinds in a row.
fn definition(states: usize) -> String {
    let mut list = serde_json::Map::new();
    for n in 0..states {
        let next = format!("S{}", n + 1);
        let wildcard = json!({"ErrorEquals": ["States.ALL"]});
        let state = match n % 5 {
            0 => {
                json!({"Type": "Pass", "Parameters": {"a.$": "$.a", "b": {"c.$": "$.b.c"}}, "ResultPath": "$.r", "Next": next})
            }
            1 => json!({
                "Type": "Task",
                "Resource": "arn:aws:lambda:us-east-1:123456789012:function:echo",
                "TimeoutSeconds": 30,
                "Retry": [{"ErrorEquals": ["States.Timeout"], "MaxAttempts": 3, "BackoffRate": 2.0}, wildcard],
                "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "Done"}],
                "Next": next,
            }),
            2 => json!({"Type": "Choice", "Default": next, "Choices": [
                {"Variable": "$.a", "NumericLessThan": n, "Next": next},
                {"And": [{"Variable": "$.a", "IsPresent": true}, {"Not": {"Variable": "$.s", "StringMatches": "x*"}}], "Next": "Done"},
            ]}),
            3 => json!({"Type": "Wait", "Seconds": 1, "Next": next}),
            _ => json!({"Type": "Pass", "Result": {"v": n}, "ResultPath": "$.r", "Next": next}),
        };
        list.insert(format!("S{n}"), state);
    }
    list.insert(
        format!("S{states}"),
        json!({"Type": "Pass", "Next": "Done"}),
    );
    list.insert("Done".to_owned(), json!({"Type": "Succeed"}));
    json!({"StartAt": "S0", "States": list}).to_string()
}

fn reading(criterion: &mut Criterion) {
    let text = definition(10_000);
    let mut group = criterion.benchmark_group("10,000 states");
    group.sample_size(20);
    group.bench_function("as plain JSON", |bencher| {
        bencher.iter(|| serde_json::from_str::<Value>(black_box(&text)).map(|_| ()));
    });
    group.bench_function("parse and validate", |bencher| {
        bencher.iter(|| parse(black_box(&text), Options::default()).is_ok());
    });
    group.bench_function("places", |bencher| {
        bencher.iter(|| SourceMap::new(black_box(&text)).locate("/States/Done"));
    });
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
