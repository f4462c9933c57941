//! Old executions are deleted, and their space is used again.
mod common;

use asl_backend::{
    Backend as _, Definition, DefinitionId, EntryKey, EntryKind, StopError, WriteOutcome,
};
use asl_engine::ErrorOutput;
use asl_engine::model::{Profile, StateMachineType};
use asl_store::{Durability, Options, Store, compact};
use common::filled::{close_sealed, filled, performer};
use common::*;
use futures::future::join_all;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);

fn keeping(retention: Duration) -> Options {
    no_handlers()
        .with_durability(Durability::Fast)
        .with_retention(retention)
}

fn pass() -> Value {
    json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}})
}

/// Runs so many executions at once.
async fn run(store: &Store, round: usize, count: usize, input: &str) {
    let (machine, names) = (
        pass(),
        (0..count).map(|number| format!("e{round}-{number}")),
    );
    let started = names.map(|name| {
        let (machine, store) = (&machine, &store);
        async move { start(store, machine, &name, input).await.unwrap() }
    });
    join_all(started).await;
}

/// Returns a number that the database gives, without the store being reported it.
fn number(folder: &Folder, sql: &str) -> i64 {
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Reports a store something, so that it is not idle.
async fn poke(store: &Store) {
    let stopped = store.stop("nobody".into(), ErrorOutput::default()).await;
    assert_eq!(stopped, Err(StopError::NoExecution));
}

/// Waits until there are no executions any more; reports the store something meanwhile, where it is not to be idle.
async fn all_gone(folder: &Folder, within: Duration, told: Option<&Store>) {
    let begun = Instant::now();
    loop {
        if let Some(store) = told {
            poke(store).await;
        }
        let count = number(folder, "SELECT count(*) FROM executions");
        if count == 0 {
            return;
        }
        assert!(begun.elapsed() < within, "{count} are left");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_store_lets_go_of_all_that_is_old() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, keeping(YEAR)).unwrap();
    run(&store, 0, 1_200, "{}").await;
    close_sealed(store, &folder).await;
    let store = Store::open(&folder.0, keeping(Duration::ZERO)).unwrap();
    // More than go at a time; nobody reports it anything for half a minute.
    all_gone(&folder, Duration::from_secs(15), None).await;
    store.close();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_room_of_what_went_is_used_again() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, keeping(Duration::ZERO)).unwrap();
    let input = json!("x".repeat(8_000)).to_string();
    let mut pages = Vec::new();
    for round in 0..5 {
        run(&store, round, 200, &input).await;
        all_gone(&folder, Duration::from_secs(60), Some(&store)).await;
        pages.push(number(&folder, "PRAGMA page_count"));
    }
    let [first, second, .., last] = pages[..] else {
        panic!("there were rounds")
    };
    assert!(last < 2 * first.max(second), "{pages:?}");
    let free = number(&folder, "PRAGMA freelist_count");
    assert!(free > last / 2, "{free} of {pages:?} are free");
    store.close();
    let compacted = compact(&folder.0, YEAR).unwrap();
    assert!(
        compacted.bytes_after < compacted.bytes_before / 2,
        "{compacted:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ended_first_goes_where_there_is_too_much() {
    let folder = Folder::new();
    let store = Store::open(&folder.0, keeping(YEAR)).unwrap();
    let input = json!("x".repeat(8_000)).to_string();
    for round in 0..3 {
        run(&store, round, 200, &input).await;
    }
    // Only what is sealed goes.
    close_sealed(store, &folder).await;
    let options = keeping(YEAR).with_retention_bytes(2_000_000);
    let store = Store::open(&folder.0, options).unwrap();
    let begun = Instant::now();
    let held = "SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
    while number(&folder, held) > 2_000_000 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    store.close();
    let held = number(&folder, held);
    assert!(held > 1_500_000, "{held} bytes are kept");
    // The last ones are among them, and the first ones are not.
    let last = "SELECT count(*) FROM executions WHERE name LIKE 'e2-%'";
    let first = "SELECT count(*) FROM executions WHERE name LIKE 'e0-%'";
    let (last, first) = (number(&folder, last), number(&folder, first));
    assert!(last > 50 && first == 0, "{last} and {first}");
}

/// Keeps a definition that is like no other; an entry that names it, if it is to be kept.
async fn keep(store: &Store, result: &str, is_named: bool) -> DefinitionId {
    let mut machine = pass();
    machine["States"]["A"]["Result"] = result.into();
    let definition = Definition {
        text: machine.to_string().into(),
        profile: Profile::Aws,
        state_machine_type: StateMachineType::Standard,
    };
    let id = store.store_definition(definition).await.unwrap();
    if is_named {
        let key = EntryKey {
            kind: EntryKind::StateMachine,
            scope: "s".into(),
            name: result.into(),
        };
        let digits: String = id.0.iter().map(|byte| format!("{byte:02x}")).collect();
        let entry = json!({"versions": [{"revision": {"definition": digits}}]}).to_string();
        let written = store.write_entry(key, None, Some(entry.into())).await;
        assert_eq!(written, Ok(WriteOutcome::Done));
    }
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn definitions_that_nothing_names_go() {
    let folder = Folder::new();
    // Those of the executions that it is filled with are two.
    let store = filled(&folder, performer()).await;
    let named = keep(&store, "named", true).await;
    let nobodys = keep(&store, "nobody's", false).await;
    close_sealed(store, &folder).await;
    let compacted = compact(&folder.0, YEAR).unwrap();
    assert_eq!((compacted.retired, compacted.definitions), (0, 1));
    let store = Store::open(&folder.0, performer()).unwrap();
    assert!(store.definition(named).await.unwrap().is_some());
    assert!(store.definition(nobodys).await.unwrap().is_none());
    // It is kept anew where it is wanted again.
    assert_eq!(keep(&store, "nobody's", false).await, nobodys);
    assert!(store.definition(nobodys).await.unwrap().is_some());
    close_sealed(store, &folder).await;
    // One execution runs.
    let compacted = compact(&folder.0, Duration::ZERO).unwrap();
    assert_eq!((compacted.retired, compacted.definitions), (4, 2));
    assert_eq!(number(&folder, "SELECT count(*) FROM definitions"), 2);
}
