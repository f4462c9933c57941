//! Objects that come in parts have the items, and the faults, of the same objects in one piece.
use super::super::gzip::tests::compressed;
use super::*;
use crate::distributed::ItemReaderRequest;
use crate::{ObjectPart, PartStart};
use asl_model::{InputType, ReaderConfig};
use proptest::prelude::*;
use serde_json::json;

/// An object store that gives no more than some bytes of its only object at a time.
struct Store {
    object: Vec<u8>,
    part_bytes: usize,
    etag: Option<&'static str>,
    calls: usize,
}

impl Store {
    fn new(object: impl Into<Vec<u8>>, part_bytes: usize) -> Self {
        Self {
            object: object.into(),
            part_bytes,
            etag: Some("\"1\""),
            calls: 0,
        }
    }

    fn perform(&mut self, call: StorageCall) -> StorageResult {
        self.calls += 1;
        let StorageOperation::GetObject { from, .. } = call.operation else {
            panic!("only an object is read");
        };
        let from = from.map_or(0, |from| from.offset as usize);
        let end = self.object.len().min(from + self.part_bytes);
        StorageResult::Part(ObjectPart {
            bytes: self.object[from..end].to_vec(),
            size: self.object.len() as u64,
            etag: self.etag.map(str::to_owned),
        })
    }

    /// Reads to the end, taking the items after each part.
    fn read(&mut self, mut reading: ItemReading) -> Result<Vec<Value>, ItemReaderError> {
        let mut items = Vec::new();
        loop {
            let result = self.perform(reading.call());
            let progress = reading.handle_result(result, &ItemReaderLimits::default())?;
            items.extend(reading.take_items());
            if progress == ReadingProgress::Complete {
                return Ok(items);
            }
        }
    }
}

fn request(config: ReaderConfig) -> ItemReaderRequest {
    ItemReaderRequest {
        resource: "arn:aws:states:::s3:getObject".to_owned(),
        parameters: json!({"Bucket": "b", "Key": "k"}),
        config,
        max_items: None,
    }
}

fn of_type(input_type: InputType) -> ItemReaderRequest {
    request(ReaderConfig::default().with_input_type(input_type))
}

fn start(request: &ItemReaderRequest) -> ItemReading {
    request.start().expect("understood")
}

fn read_in_parts(
    request: &ItemReaderRequest,
    object: &[u8],
    part_bytes: usize,
) -> Result<Vec<Value>, String> {
    let read = Store::new(object, part_bytes).read(start(request));
    read.map_err(|error| error.to_string())
}

fn read_whole(request: &ItemReaderRequest, object: &[u8]) -> Result<Vec<Value>, String> {
    let mut reading = start(request);
    let result = StorageResult::Object(object.to_vec());
    let progress = reading.handle_result(result, &ItemReaderLimits::default());
    progress.map_err(|error| error.to_string())?;
    Ok(reading.take_items())
}

#[test]
fn a_large_dataset_is_counted_and_then_read_part_by_part() {
    let object: String = (0..1_000).map(|n| format!("{{\"n\": {n}}}\n")).collect();
    let mut store = Store::new(object, 1_000);
    let mut reading = start(&of_type(InputType::JsonLines));
    let limits = ItemReaderLimits {
        max_held_weight: 10_000,
        ..ItemReaderLimits::default()
    };
    loop {
        let result = store.perform(reading.call());
        let progress = reading.handle_result(result, &limits).expect("JSON lines");
        assert!(reading.held_weight() <= 10_000 + 1_000);
        if progress == ReadingProgress::Complete {
            break;
        }
    }
    assert!(reading.counts_only);
    assert_eq!((reading.found, reading.take_items().len()), (1_000, 0));
    let again = reading.again().expect("there is a file");
    let first = again.call().operation;
    let from = Some(PartStart {
        offset: 0,
        etag: Some("\"1\"".to_owned()),
    });
    assert!(matches!(first, StorageOperation::GetObject { from: it, .. } if it == from));
    let items = store.read(again).expect("as before");
    let expected: Vec<_> = (0..1_000).map(|n| json!({ "n": n })).collect();
    assert_eq!(items, expected);
}

#[test]
fn parts_beyond_max_items_are_not_requested() {
    let object = "1\n".repeat(10_000);
    for input_type in [InputType::JsonLines, InputType::Csv] {
        let request = ItemReaderRequest {
            max_items: Some(3),
            ..of_type(input_type)
        };
        let mut store = Store::new(&*object, 100);
        let items = store.read(start(&request)).expect("read");
        assert_eq!((items.len(), store.calls), (3, 1));
    }
}

#[test]
fn an_object_that_changes_while_it_is_read_is_refused() {
    let mut store = Store::new("1\n2\n3\n", 2);
    let mut reading = start(&of_type(InputType::JsonLines));
    let limits = ItemReaderLimits::default();
    let first = store.perform(reading.call());
    let progress = reading.handle_result(first, &limits);
    assert_eq!(progress, Ok(ReadingProgress::Continues));
    store.etag = Some("\"2\"");
    let second = store.perform(reading.call());
    let error = reading.handle_result(second, &limits).expect_err("changed");
    assert_eq!(
        error.to_string(),
        "s3://b/k: the object changed while it was read: expected the entity tag \"1\", found \"2\""
    );
}

#[test]
fn an_empty_part_before_the_end_is_refused() {
    let part = StorageResult::Part(ObjectPart {
        bytes: Vec::new(),
        size: 5,
        etag: None,
    });
    let handled = start(&of_type(InputType::Csv)).handle_result(part, &ItemReaderLimits::default());
    let error = handled.expect_err("it has no bytes").to_string();
    assert_eq!(error, "s3://b/k: the object ends after 0 bytes: expected 5");
}

#[test]
fn an_item_is_looked_for_again_when_there_is_twice_as_much() {
    let object = format!("\"{}\"\n", "x".repeat(10_000));
    let mut reading = start(&of_type(InputType::Json));
    let mut store = Store::new(object, 10);
    let mut attempts = Vec::new();
    loop {
        let result = store.perform(reading.call());
        let before = reading.object.wanted;
        let progress = reading.handle_result(result, &ItemReaderLimits::default());
        if reading.object.wanted > before {
            attempts.push(reading.object.wanted);
        }
        if !matches!(progress, Ok(ReadingProgress::Continues)) {
            break;
        }
    }
    assert!(attempts.len() < 12, "{attempts:?}");
}

#[test]
fn what_is_incomplete_counts_for_the_limit() {
    let limits = ItemReaderLimits {
        max_weight: 100,
        ..ItemReaderLimits::default()
    };
    let mut reading = start(&of_type(InputType::Csv));
    let mut store = Store::new(format!("a\n\"{}", "x".repeat(1_000)), 60);
    let mut refused = None;
    while refused.is_none() {
        let result = store.perform(reading.call());
        refused = reading.handle_result(result, &limits).err();
    }
    let error = refused.map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("more than the 100 bytes"), "{error}");
}

#[test]
fn faults_of_json_in_parts_say_where_they_are() {
    for (pointer, text, expected) in [
        (
            None,
            "[1, 2, x]",
            "expected a value, found 'x' at line 1 column 1 of the value at offset 7",
        ),
        (
            None,
            "[1, 2] 3",
            "expected the end of the text, found '3' at offset 7",
        ),
        (
            None,
            "[1 2]",
            "expected ',' or the end of the array or object, found '2' at offset 3",
        ),
        (None, "[1, ]", "expected a value, found ']' at offset 4"),
        (None, "[1}", "expected ']', found '}' at offset 2"),
        (
            None,
            "[1, 2",
            "the text ends at offset 5, before the end of its value",
        ),
        (
            None,
            "{1: 2}",
            "expected a field name in double quotes, found '1' at offset 1",
        ),
        (
            None,
            "{\"a\" 2}",
            "expected ':' after a field name, found '2' at offset 5",
        ),
        (None, "7 ", "Attempting to map over non-iterable node."),
        (
            Some("/a"),
            "{\"b\": [1]}",
            "ItemsPointer /a points to nothing in it",
        ),
        (
            Some("/a/b"),
            "{\"a\": 1}",
            "ItemsPointer /a/b points to nothing in it",
        ),
        (
            Some("a"),
            "{\"a\": [1]}",
            "ItemsPointer a points to nothing in it",
        ),
    ] {
        let pointer = pointer.map(str::to_owned);
        let config = ReaderConfig::default()
            .with_input_type(InputType::Json)
            .with_items_pointer(pointer);
        let error = read_in_parts(&request(config), text.as_bytes(), 1).expect_err(text);
        assert!(error.ends_with(expected), "{text}: {error}");
    }
}

/// A value of few characters, some of them not ASCII.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-c\"\\\\,\\[\\]{}é€ \n]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-c]{0,2}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn json_in_parts_has_the_same_items(
        value in any_value(),
        pointer in proptest::sample::select(&[None, Some("/a"), Some("/0"), Some("/1/b"), Some("/a/0/c")]),
        is_pretty in any::<bool>(),
        part_bytes in 1usize..20,
        max_items in proptest::option::of(1u64..4),
    ) {
        let text = match is_pretty {
            true => serde_json::to_string_pretty(&value).expect("a text"),
            false => value.to_string(),
        };
        let pointer = pointer.map(str::to_owned);
        let config = ReaderConfig::default().with_input_type(InputType::Json).with_items_pointer(pointer);
        let request = ItemReaderRequest { max_items, ..request(config) };
        let parts = read_in_parts(&request, text.as_bytes(), part_bytes);
        let whole = read_whole(&request, text.as_bytes());
        prop_assert_eq!(parts, whole);
    }

    #[test]
    fn lines_and_records_in_parts_are_the_same(
        text in prop_oneof!["[a-c\",;1-3\\\\\r\né{}]{0,60}", "(\\{\"a\": [1-9]{1,3}\\}\r?\n){0,9}", "(\"a,[\"b\n]{0,3}\",c\r?\n){0,9}"],
        input_type in proptest::sample::select(&[InputType::Csv, InputType::JsonLines]),
        part_bytes in 1usize..20,
        max_items in proptest::option::of(1u64..4),
    ) {
        let request = ItemReaderRequest { max_items, ..of_type(input_type) };
        let parts = read_in_parts(&request, text.as_bytes(), part_bytes);
        prop_assert_eq!(parts, read_whole(&request, text.as_bytes()));
    }

    #[test]
    fn compressed_objects_in_parts_are_read_whole(
        lines in proptest::collection::vec(any_value(), 0..6),
        part_bytes in 1usize..20,
    ) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let read = read_in_parts(&of_type(InputType::JsonLines), &compressed(&text), part_bytes);
        prop_assert_eq!(read, Ok(lines));
    }

    #[test]
    fn any_bytes_in_parts_are_read_or_refused(
        bytes in proptest::collection::vec(proptest::sample::select(&b"[]{}\",:a1\\\n\xff\xc3\xa9\x1f\x8b"[..]), 0..40),
        input_type in proptest::sample::select(&[InputType::Csv, InputType::Json, InputType::JsonLines, InputType::Manifest]),
        part_bytes in 1usize..10,
    ) {
        let parts = read_in_parts(&of_type(input_type), &bytes, part_bytes);
        let whole = read_whole(&of_type(input_type), &bytes);
        prop_assert_eq!(parts.is_ok(), whole.is_ok(), "{:?} {:?}", parts, whole);
    }
}
