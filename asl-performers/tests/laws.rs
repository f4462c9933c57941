//! Laws of the performers: a folder as an object store, and mocks by attempt.
mod common;

use asl_engine::runtime::{Performer as _, Request, Storage as _, Task};
use asl_engine::{Answer, StorageOperation, StorageResult, TaskAnswer};
use asl_performers::{DirectoryStorage, MockConfiguration};
use common::Folder;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::future::Future;

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let tokio = tokio::runtime::Builder::new_current_thread().build();
    tokio.unwrap().block_on(future)
}

fn perform(store: &DirectoryStorage, operation: StorageOperation) -> Result<StorageResult, String> {
    block_on(async { store.perform("bucket".to_owned(), operation).await })
}

/// Parts of keys: names, and what means something to a file system.
fn key() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => "[a-c]{1,2}",
        1 => Just("..".to_owned()),
        1 => Just(".".to_owned()),
        1 => Just(String::new()),
        1 => "[ -~ä€]{1,4}",
    ];
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The store agrees with a map of those keys that it took, and writes nowhere else.
    #[test]
    fn a_folder_stores_what_a_map_stores(
        writes in prop::collection::vec((key(), prop::collection::vec(any::<u8>(), 0..9)), 1..8),
        prefix in prop::option::of("[a-c]{0,2}/?"),
        most in prop::option::of(0_u64..4),
    ) {
        let folder = Folder::new();
        let root = folder.0.join("within/root");
        std::fs::create_dir_all(root.join("bucket")).unwrap();
        let store = DirectoryStorage::new(&root);
        let mut model = BTreeMap::new();
        for (key, body) in writes {
            let put = StorageOperation::PutObject { key: key.clone(), body: body.clone().into() };
            if perform(&store, put).is_ok() {
                model.insert(key, body);
            }
        }
        for (key, body) in &model {
            prop_assert!(!key.split('/').any(|part| part == ".."), "{key} leaves the bucket");
            let get = StorageOperation::GetObject { key: key.clone(), version_id: None, from: None };
            prop_assert_eq!(perform(&store, get), Ok(StorageResult::Object(body.clone())));
        }
        let list = StorageOperation::ListObjects { prefix: prefix.clone(), max_items: most };
        let Ok(StorageResult::Listing(objects)) = perform(&store, list) else {
            return Err(TestCaseError::fail("no listing"));
        };
        let found: Vec<(String, u64)> = objects.into_iter().map(|it| (it.key, it.size)).collect();
        let wanted = model.iter().filter(|(key, _)| key.starts_with(prefix.as_deref().unwrap_or_default()));
        let most = most.map_or(usize::MAX, |most| most as usize);
        let wanted: Vec<(String, u64)> = wanted.take(most).map(|(key, body)| (key.clone(), body.len() as u64)).collect();
        prop_assert_eq!(found, wanted);
        let outside = std::fs::read_dir(&folder.0).unwrap().count();
        prop_assert_eq!(outside, 1, "something lies beside the root");
    }

    /// Each attempt has the answer of its range.
    #[test]
    fn an_attempt_has_the_answer_of_its_range(lengths in prop::collection::vec(1_u64..4, 1..5)) {
        let (mut response, mut first) = (serde_json::Map::new(), 0);
        let mut answers = Vec::new();
        for (index, length) in lengths.iter().enumerate() {
            let last = first + length - 1;
            let name = if first == last { first.to_string() } else { format!("{first}-{last}") };
            response.insert(name, json!({"Return": index}));
            answers.extend((first..=last).map(|_| index));
            first = last + 1;
        }
        let file = json!({
            "StateMachines": {"M": {"TestCases": {"Case": {"Test": "R"}}}},
            "MockedResponses": {"R": response}});
        let configuration = MockConfiguration::from_value(&file).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let mocks = configuration.test_case(Some("M"), "Case").map_err(|error| TestCaseError::fail(error.to_string()))?;
        for expected in answers {
            let task = Task::for_test("work", json!({}));
            let answer = block_on(mocks.perform(Request::Task(task)));
            prop_assert_eq!(answer, Ok(Answer::Task(TaskAnswer::Completed(json!(expected)))));
        }
    }

    /// Any JSON is a configuration, or is refused at a place that it has.
    #[test]
    fn a_refused_configuration_names_a_place(file in value()) {
        if let Err(error) = MockConfiguration::from_value(&file) {
            prop_assert!(!error.message.is_empty());
            let parent = error.location.rsplit_once('/').map_or("", |(parent, _)| parent);
            prop_assert!(file.pointer(parent).is_some(), "{} in {file}", error.location);
        }
    }
}

/// JSON with the names of a configuration.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(json!("R")),
        Just(json!(1)),
        Just(json!({"Return": 1})),
        Just(json!({"Throw": {"Error": "E", "Cause": "c"}})),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let names = prop::sample::select(vec![
            "StateMachines",
            "MockedResponses",
            "M",
            "TestCases",
            "R",
            "0",
            "1-2",
            "2-1",
            "Return",
            "Throw",
            "a/b",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::btree_map(names.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}
