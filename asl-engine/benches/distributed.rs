//! Reading CSV datasets and batching items, at one, two and four times a size: time must grow no faster.

use asl_engine::distributed::csv::{CsvFormat, Header, read};
use asl_engine::distributed::{BatchLimits, batch};
use asl_model::CsvDelimiter;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::fmt::Write;
use std::hint::black_box;

const SIZES: [usize; 3] = [10_000, 20_000, 40_000];

fn csv_text(records: usize) -> String {
    let mut text = "id,name,city,amount,note\n".to_owned();
    for record in 0..records {
        let line = format!("{record},Name {record},\"City, {record}\",{record}.50,a \"\"note\"\"");
        let _ = writeln!(text, "{line}");
    }
    text
}

fn reading_csv(criterion: &mut Criterion) {
    let format = CsvFormat {
        delimiter: CsvDelimiter::Comma,
        header: Header::FirstRow,
    };
    let mut group = criterion.benchmark_group("csv");
    for records in SIZES {
        let text = csv_text(records);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("read", records), &text, |bencher, text| {
            bencher.iter_with_large_drop(|| read(black_box(text), &format, usize::MAX));
        });
        group.bench_with_input(
            BenchmarkId::new("floor", records),
            &text,
            |bencher, text| {
                bencher.iter_with_large_drop(|| read_by_crate(black_box(text)));
            },
        );
    }
    group.finish();
}

/// The same objects by the `csv` crate, which knows no backslashes.
fn read_by_crate(text: &str) -> Vec<Value> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let records = reader.records().map_while(Result::ok);
    let object = |record: csv::StringRecord| {
        let members = header.iter().zip(record.iter());
        members
            .map(|(name, field)| (name.to_owned(), Value::from(field)))
            .collect()
    };
    records.map(object).collect()
}

fn batching(criterion: &mut Criterion) {
    let limits = [
        (
            "items",
            BatchLimits {
                max_items: Some(100),
                max_input_bytes: None,
            },
        ),
        (
            "bytes",
            BatchLimits {
                max_items: None,
                max_input_bytes: Some(10_000),
            },
        ),
    ];
    let mut group = criterion.benchmark_group("batch");
    for size in SIZES {
        let items: Vec<Value> = (0..size)
            .map(|n| json!({"id": n, "name": format!("Name {n}"), "tags": ["a", "b"]}))
            .collect();
        group.throughput(Throughput::Elements(size as u64));
        for (name, limits) in limits {
            group.bench_with_input(BenchmarkId::new(name, size), &items, |bencher, items| {
                let batched = |items| batch(items, Some(&json!({"run": 1})), limits);
                bencher.iter_batched(|| items.clone(), batched, BatchSize::LargeInput);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, reading_csv, batching);
criterion_main!(benches);
