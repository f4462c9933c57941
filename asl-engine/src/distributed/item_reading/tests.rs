//! Whole readings against a bucket in memory.
use super::super::gzip::tests::compressed;
use super::super::inventory::tests::manifest;
use super::super::listing::tests::object;
use super::*;
use crate::distributed::ItemReaderRequest;
use asl_model::{
    CsvDelimiter, CsvHeaderLocation, InputType, ManifestType, ReaderConfig, ReaderTransformation,
};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// Objects by bucket and key.
#[derive(Default)]
struct Store {
    objects: BTreeMap<(String, String), Vec<u8>>,
    calls: usize,
}

impl Store {
    fn with(mut self, bucket: &str, key: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let place = (bucket.to_owned(), key.to_owned());
        self.objects.insert(place, bytes.into());
        self
    }

    fn perform(&mut self, call: StorageCall) -> StorageResult {
        self.calls += 1;
        match call.operation {
            StorageOperation::GetObject { key, .. } => {
                let bytes = self.objects.get(&(call.bucket, key)).expect("an object");
                StorageResult::Object(bytes.clone())
            }
            StorageOperation::ListObjects { prefix, max_items } => {
                let prefix = prefix.unwrap_or_default();
                let keys = self.objects.keys().map(|(_, key)| key);
                let keys = keys.filter(|key| key.starts_with(&prefix));
                let max_items = max_items.map_or(usize::MAX, |max| max as usize);
                StorageResult::Listing(keys.take(max_items).map(|key| object(key)).collect())
            }
            StorageOperation::PutObject { .. } => panic!("readers do not write"),
        }
    }

    /// Reads to the end.
    fn read(&mut self, request: &ItemReaderRequest) -> Result<Vec<Value>, ItemReaderError> {
        let mut reading = request.start()?;
        loop {
            let result = self.perform(reading.call());
            let progress = reading.handle_result(result, &ItemReaderLimits::default())?;
            if progress == ReadingProgress::Complete {
                return Ok(reading.take_items());
            }
        }
    }
}

fn get(config: ReaderConfig) -> ItemReaderRequest {
    ItemReaderRequest {
        resource: "arn:aws:states:::s3:getObject".to_owned(),
        parameters: json!({"Bucket": "b", "Key": "k"}),
        config,
        max_items: None,
    }
}

fn list(config: ReaderConfig) -> ItemReaderRequest {
    ItemReaderRequest {
        resource: "arn:aws:states:::s3:listObjectsV2".to_owned(),
        parameters: json!({"Bucket": "b", "Prefix": "data/"}),
        config,
        max_items: None,
    }
}

fn input_type(input_type: InputType) -> ReaderConfig {
    ReaderConfig::default().with_input_type(input_type)
}

fn at_most(max_items: u64, request: ItemReaderRequest) -> ItemReaderRequest {
    ItemReaderRequest {
        max_items: Some(max_items),
        ..request
    }
}

fn cause<T: std::fmt::Debug>(result: Result<T, ItemReaderError>) -> String {
    result.expect_err("a failure").to_string()
}

#[test]
fn a_file_is_read_in_one_call() {
    let mut reading = (ItemReaderRequest {
        parameters: json!({"Bucket": "b", "Key": "k", "VersionId": "v1"}),
        ..get(input_type(InputType::JsonLines))
    })
    .start()
    .expect("understood");
    let operation = StorageOperation::GetObject {
        key: "k".to_owned(),
        version_id: Some("v1".to_owned()),
        from: None,
    };
    let call = StorageCall {
        bucket: "b".to_owned(),
        operation,
    };
    assert_eq!(reading.call(), call);
    let file = StorageResult::Object(b"1\n2".to_vec());
    let progress = reading.handle_result(file, &ItemReaderLimits::default());
    assert_eq!(progress, Ok(ReadingProgress::Complete));
    assert_eq!(reading.take_items(), [json!(1), json!(2)]);
}

#[test]
fn csv_json_and_json_lines_are_formats_of_files() {
    let mut store = Store::default().with("b", "k", "[1]\n");
    let read = |store: &mut Store, word| store.read(&get(input_type(word)));
    assert_eq!(read(&mut store, InputType::Json), Ok(vec![json!(1)]));
    assert_eq!(read(&mut store, InputType::JsonLines), Ok(vec![json!([1])]));
    assert_eq!(read(&mut store, InputType::Csv), Ok(vec![]));
}

#[test]
fn max_items_applies_to_every_format() {
    for (word, text) in [
        (InputType::Json, "[1,2,3]"),
        (InputType::JsonLines, "1\n2\n3"),
        (InputType::Csv, "X\n1\n2\n3"),
    ] {
        let items = Store::default()
            .with("b", "k", text)
            .read(&at_most(2, get(input_type(word))));
        assert_eq!(items.expect("read").len(), 2, "{word:?}");
    }
}

#[test]
fn csv_fields_of_the_configuration_are_applied() {
    let config = input_type(InputType::Csv)
        .with_csv_header_location(CsvHeaderLocation::Given)
        .with_csv_headers(vec!["X".to_owned(), "Y".to_owned()])
        .with_csv_delimiter(CsvDelimiter::Pipe);
    let items = Store::default().with("b", "k", "1|2\n").read(&get(config));
    assert_eq!(items, Ok(vec![json!({"X": "1", "Y": "2"})]));
}

#[test]
fn the_items_pointer_is_applied() {
    let config = input_type(InputType::Json).with_items_pointer("/data".to_owned());
    let items = Store::default()
        .with("b", "k", r#"{"data": [7]}"#)
        .read(&get(config));
    assert_eq!(items, Ok(vec![json!(7)]));
}

#[test]
fn a_listing_is_a_dataset_of_metadata() {
    let mut store = Store::default()
        .with("b", "data/1", "")
        .with("b", "data/2", "")
        .with("b", "other", "");
    let items = store.read(&list(ReaderConfig::default())).expect("read");
    assert_eq!(items.len(), 2);
    assert_eq!(items[0]["Key"], "data/1");
    let reading = at_most(1, list(ReaderConfig::default())).start();
    let operation = StorageOperation::ListObjects {
        prefix: Some("data/".to_owned()),
        max_items: Some(1),
    };
    assert_eq!(reading.expect("understood").call().operation, operation);
}

#[test]
fn listed_objects_are_loaded_where_asked() {
    let config =
        input_type(InputType::JsonLines).with_transformation(ReaderTransformation::LoadAndFlatten);
    let mut store = Store::default()
        .with("b", "data/", "")
        .with("b", "data/1", "1\n2")
        .with("b", "data/2", "3\n4")
        .with("b", "data/3", "5");
    let read = store.read(&list(config.clone()));
    assert_eq!(read.map(Value::from), Ok(json!([1, 2, 3, 4, 5])));
    store.calls = 0;
    let read = store.read(&at_most(3, list(config)));
    assert_eq!(read.map(Value::from), Ok(json!([1, 2, 3])));
    assert_eq!(store.calls, 3, "the listing and two files, not the third");
}

#[test]
fn an_inventory_is_read_through_its_data_files() {
    let mut store = Store::default()
        .with("b", "k", manifest().to_string())
        .with(
            "inventory",
            "data/1.csv.gz",
            compressed("\"s\",\"a.txt\",\"3\"\n"),
        )
        .with(
            "inventory",
            "data/2.csv.gz",
            compressed("\"s\",\"b.txt\",\"4\"\n"),
        );
    let expected = json!([
        {"Bucket": "s", "Key": "a.txt", "Size": "3"},
        {"Bucket": "s", "Key": "b.txt", "Size": "4"},
    ]);
    let read = store
        .read(&get(input_type(InputType::Manifest)))
        .map(Value::from);
    assert_eq!(read, Ok(expected.clone()));
    let by_manifest_type = ReaderConfig::default().with_manifest_type(ManifestType::S3Inventory);
    assert_eq!(
        store.read(&get(by_manifest_type)).map(Value::from),
        Ok(expected)
    );
}

#[test]
fn an_inventory_of_nothing_has_no_items() {
    let mut empty = manifest();
    empty["files"] = json!([]);
    let mut store = Store::default().with("b", "k", empty.to_string());
    assert_eq!(
        store.read(&get(input_type(InputType::Manifest))),
        Ok(vec![])
    );
}

#[test]
fn an_athena_manifest_is_read_through_its_data_files() {
    let config = input_type(InputType::JsonLines).with_manifest_type(ManifestType::AthenaData);
    let mut store = Store::default()
        .with("b", "k", "s3://c/1.gz\ns3://c/2\n")
        .with("c", "1.gz", compressed("{\"a\":1}\n"))
        .with("c", "2", "{\"a\":2}");
    let read = store.read(&get(config)).map(Value::from);
    assert_eq!(read, Ok(json!([{"a": 1}, {"a": 2}])));
}

#[test]
fn a_faulty_file_is_named_with_its_fault() {
    let read = |word, text: &str| {
        let items = Store::default()
            .with("b", "k", text)
            .read(&get(input_type(word)));
        cause(items)
    };
    assert_eq!(
        read(InputType::Csv, "X\n\"1"),
        "s3://b/k: the record that begins at line 2 opens a double quote that nothing closes"
    );
    assert!(read(InputType::Json, "{").starts_with("s3://b/k: not JSON: "));
    assert!(read(InputType::JsonLines, "{").starts_with("s3://b/k: line 1 is not JSON: "));
    assert!(read(InputType::Manifest, "[]").starts_with("s3://b/k: not an inventory: "));
    let nothing_iterable = "Attempting to map over non-iterable node.";
    assert_eq!(
        read(InputType::Json, "1"),
        nothing_iterable,
        "as the service writes it"
    );
}

#[test]
fn a_request_that_is_not_understood_says_why() {
    let begin = |request: ItemReaderRequest| cause(request.start());
    let with = |parameters, config| {
        begin(ItemReaderRequest {
            parameters,
            ..get(config)
        })
    };
    assert_eq!(
        with(json!({"Key": "k"}), input_type(InputType::Json)),
        "the parameter \"Bucket\" of the ItemReader is missing"
    );
    assert_eq!(
        with(
            json!({"Bucket": "b", "Key": 1}),
            input_type(InputType::Json)
        ),
        "the parameter \"Key\" of the ItemReader is not a string"
    );
    assert_eq!(
        begin(get(input_type(InputType::Parquet))),
        "s3://b/k: this interpreter does not read PARQUET files; convert it to CSV, JSON or JSONL"
    );
    let versioned = ItemReaderRequest {
        parameters: json!({"Bucket": "b", "Key": "k", "VersionId": "v1"}),
        ..get(input_type(InputType::Parquet))
    };
    assert_eq!(
        begin(versioned),
        "S3 Version ID selection is not currently supported for PARQUET files"
    );
    assert_eq!(
        begin(get(ReaderConfig::default())),
        "InputType: expected CSV, JSON, JSONL or MANIFEST, found none"
    );
    let config = input_type(InputType::Csv).with_csv_header_location(CsvHeaderLocation::Given);
    assert_eq!(
        begin(get(config)),
        "CSVHeaders: expected the names of the columns, found none"
    );
    let put = ItemReaderRequest {
        resource: "arn:aws:states:::s3:putObject".to_owned(),
        ..get(input_type(InputType::Json))
    };
    assert_eq!(
        begin(put),
        "arn:aws:states:::s3:putObject reads no items: expected arn:aws:states:::s3:getObject or \
         arn:aws:states:::s3:listObjectsV2"
    );
}

#[test]
fn resources_of_other_partitions_read_too() {
    let request = ItemReaderRequest {
        resource: "arn:aws-cn:states:::s3:getObject".to_owned(),
        ..get(input_type(InputType::Json))
    };
    assert!(request.start().is_ok());
}

#[test]
fn an_answer_of_another_kind_is_refused() {
    let limits = ItemReaderLimits::default();
    let mut file = get(input_type(InputType::Json))
        .start()
        .expect("understood");
    assert_eq!(
        cause(file.handle_result(StorageResult::Written, &limits)),
        "expected an object as the answer of the object store"
    );
    let mut listing = list(ReaderConfig::default()).start().expect("understood");
    assert_eq!(
        cause(listing.handle_result(StorageResult::Object(Vec::new()), &limits)),
        "expected a listing of objects as the answer of the object store"
    );
}

#[test]
fn a_file_larger_than_allowed_is_refused() {
    let limits = ItemReaderLimits {
        max_file_bytes: 4,
        ..ItemReaderLimits::default()
    };
    let mut reading = get(input_type(InputType::Json))
        .start()
        .expect("understood");
    let result = reading.handle_result(StorageResult::Object(b"[1,2]".to_vec()), &limits);
    assert_eq!(cause(result), "s3://b/k: larger than the 4 bytes allowed");
}

#[test]
fn nesting_beyond_the_limit_is_refused_in_every_format() {
    let deep = "[".repeat(100_000);
    for word in [InputType::Json, InputType::JsonLines, InputType::Manifest] {
        let items = Store::default()
            .with("b", "k", deep.as_str())
            .read(&get(input_type(word)));
        let cause = cause(items);
        assert!(cause.contains("nested deeper than the limit"), "{cause}");
    }
}

#[test]
fn the_limit_on_nesting_is_a_parameter() {
    let limits = ItemReaderLimits {
        max_data_depth: 2,
        ..ItemReaderLimits::default()
    };
    let read = |word, text: &str| {
        let mut reading = get(input_type(word)).start().expect("understood");
        reading.handle_result(StorageResult::Object(text.as_bytes().to_vec()), &limits)
    };
    assert!(read(InputType::Json, "[[1]]").is_ok());
    assert!(read(InputType::Json, "[[[1]]]").is_err());
    assert!(read(InputType::JsonLines, "[[1]]\n[[[1]]]").is_err());
}

fn one_of<T: Copy + std::fmt::Debug>(list: &'static [T]) -> impl Strategy<Value = Option<T>> {
    proptest::option::of(proptest::sample::select(list))
}

fn any_request() -> impl Strategy<Value = ItemReaderRequest> {
    let config = (
        one_of(&[
            InputType::Csv,
            InputType::Json,
            InputType::JsonLines,
            InputType::Manifest,
            InputType::Parquet,
        ]),
        one_of(&[ManifestType::AthenaData, ManifestType::S3Inventory]),
        one_of(&[CsvHeaderLocation::FirstRow, CsvHeaderLocation::Given]),
        proptest::option::of(proptest::collection::vec("[ab]", 0..3)),
        one_of(&["", "/a", "a", "/0/a"]).prop_map(|pointer| pointer.map(str::to_owned)),
    );
    let config = config.prop_map(|(input_type, manifest_type, location, headers, pointer)| {
        ReaderConfig::default()
            .with_input_type(input_type)
            .with_manifest_type(manifest_type)
            .with_csv_header_location(location)
            .with_csv_headers(headers)
            .with_items_pointer(pointer)
    });
    (config, proptest::option::of(0u64..3)).prop_map(|(config, max_items)| ItemReaderRequest {
        max_items,
        ..get(config)
    })
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        any::<Vec<u8>>(),
        "[\\[\\]{}\",:a-c0-9\\\\\n]{0,40}".prop_map(String::into_bytes),
        Just(manifest().to_string().into_bytes()),
        "(s3://b/k\n){0,3}".prop_map(String::into_bytes),
    ]
}

proptest! {
    #[test]
    fn any_answers_are_read_or_refused(
        request in any_request(),
        answers in proptest::collection::vec(any_file(), 1..4),
    ) {
        let Ok(mut reading) = request.start() else {
            return Ok(());
        };
        for answer in answers {
            let result = StorageResult::Object(answer);
            match reading.handle_result(result, &ItemReaderLimits::default()) {
                Err(_) => break,
                Ok(ReadingProgress::Continues) => {}
                Ok(ReadingProgress::Complete) => {
                    let items = reading.take_items();
                    let max_items = request.max_items.unwrap_or(u64::MAX);
                    prop_assert!(items.len() as u64 <= max_items);
                    break;
                }
            }
        }
    }
}
