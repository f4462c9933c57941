//! Distributed Maps that read a CSV dataset and batch its items, at one, two and four times a size: time must grow no faster.

use asl_engine::{
    Outcome, Program, Start, StorageRequest, StorageResult, SynchronousHost, TaskError,
    TaskInvocation, drive_with,
};
use asl_model::{Options, Timestamp};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
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

/// An object store with one object.
struct Store<'t>(&'t str);

impl SynchronousHost for Store<'_> {
    fn invoke_task(&mut self, _: &TaskInvocation) -> Result<Value, TaskError> {
        Ok(Value::Null)
    }

    fn perform_storage(&mut self, _: &StorageRequest) -> Result<StorageResult, String> {
        Ok(StorageResult::Object(self.0.as_bytes().to_vec()))
    }
}

/// Returns a Map over a CSV file, in batches so limited; its children do nothing.
fn program(batcher: &Value) -> Program {
    let child = json!({"StartAt": "Nothing", "States": {"Nothing": {"Type": "Pass", "Result": 0, "End": true}},
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}});
    let map = json!({"Type": "Map", "End": true, "ItemProcessor": child, "ItemBatcher": batcher, "ItemReader": {
        "Resource": "arn:aws:states:::s3:getObject",
        "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW"},
        "Parameters": {"Bucket": "bucket", "Key": "items.csv"}}});
    let definition = json!({"StartAt": "Map", "States": {"Map": map}});
    let (machine, _) = asl_model::parse_value(&definition, Options::default()).expect("no fault");
    Program::compile(&machine).expect("it compiles")
}

fn run(program: &Program, text: &str) -> Outcome {
    let start = Start::new("run", json!({}), Timestamp::from_milliseconds(0));
    let outcome = drive_with(program, start, Store(text));
    assert_eq!(outcome.status(), "SUCCEEDED", "{outcome:?}");
    outcome
}

fn distributed_maps(criterion: &mut Criterion) {
    let batchers = [
        ("items", json!({"MaxItemsPerBatch": 100})),
        ("bytes", json!({"MaxInputBytesPerBatch": 10_000})),
    ];
    let mut group = criterion.benchmark_group("distributed");
    for records in SIZES {
        let text = csv_text(records);
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (name, batcher) in &batchers {
            let program = program(batcher);
            group.bench_with_input(BenchmarkId::new(*name, records), &text, |bencher, text| {
                bencher.iter_with_large_drop(|| run(black_box(&program), text));
            });
        }
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

/// Returns the items by the `csv` crate, which knows no backslashes.
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

criterion_group!(benches, distributed_maps);
criterion_main!(benches);
