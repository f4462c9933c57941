//! A store that is checked, written out, copied and made small, from next to or while nobody has it.
mod common;

use asl_backend::{Backend as _, ExecutionStatus, Payload, TaskReply};
use asl_store::{Finding, OpenError, Store, StoreReader, compact};
use common::filled::*;
use common::*;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Changes the database behind the store's back.
fn damage(folder: &Folder, sql: &str) {
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_store_has_no_faults_open_or_not() {
    let folder = Folder::new();
    let store = filled(&folder, performer()).await;
    let (open, found) = check(&folder);
    assert_eq!((open.faults, found), (0, vec![]));
    assert_eq!((open.executions, open.definitions), (5, 2));
    assert!(open.records > 0, "{open:?}");
    close_sealed(store, &folder).await;
    let (closed, found) = check(&folder);
    assert_eq!((closed.faults, found), (0, vec![]));
    assert_eq!(closed.executions, 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_changed_is_found_and_named() {
    for (sql, expected) in [
        (
            "DELETE FROM journal WHERE execution = (SELECT id FROM executions WHERE name = 'waits') LIMIT 1",
            "execution:M:waits",
        ),
        (
            "UPDATE executions SET output = '{}' WHERE name = 'bad'",
            "execution:M:bad",
        ),
        (
            "UPDATE executions SET start = x'00' WHERE name = 'good'",
            "execution:M:good",
        ),
        (
            "UPDATE sealed SET data = x'0500000000' WHERE execution = (SELECT id FROM executions WHERE name = 'good')",
            "execution:M:good",
        ),
        (
            "UPDATE executions SET events = events + 1 WHERE name = 'good'",
            "execution:M:good",
        ),
        (
            "UPDATE executions SET definition = x'00'|| substr(definition, 2) WHERE name = 'good'",
            "execution:M:good",
        ),
        ("UPDATE definitions SET text = text || ' '", "definition "),
        ("UPDATE entries SET value = '{'", "stateMachine M"),
        (
            "INSERT INTO journal(id, execution, data) VALUES (1000000, 77, x'00')",
            "execution 77",
        ),
        ("DELETE FROM meta WHERE key = 'token_key'", "the database"),
    ] {
        let folder = Folder::new();
        close_sealed(filled(&folder, performer()).await, &folder).await;
        let sql = sql.replace(
            "DELETE FROM journal WHERE execution = ",
            "DELETE FROM journal WHERE id = (SELECT min(id) FROM journal WHERE execution = ",
        );
        damage(&folder, &sql.replace(" LIMIT 1", ")"));
        let (checked, found) = check(&folder);
        let names = |finding: &Finding| matches!(finding, Finding::Fault { about, .. } if about.contains(expected));
        assert!(found.iter().any(names), "{sql}: {found:?}");
        assert_eq!(checked.faults as usize, found.len(), "{sql}");
    }
}

/// Every column counts: a server cannot read a row with one of the wrong type.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_column_is_read_as_the_server_reads_it() {
    for column in [
        "name",
        "version",
        "alias",
        "map_run",
        "item_count",
        "started",
        "stopped",
        "redriven",
        "redrives",
    ] {
        let folder = Folder::new();
        let store = filled(&folder, performer()).await;
        close_sealed(store, &folder).await;
        damage(
            &folder,
            &format!("UPDATE executions SET {column} = x'ff00ff' WHERE name = 'good'"),
        );
        let (checked, found) = check(&folder);
        assert!(checked.faults > 0, "{column}: {found:?}");
        let told = format!("{found:?}");
        assert!(
            told.contains("its row cannot be read: "),
            "{column}: {told}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_column_of_what_executions_wait_for_is_read() {
    for insert in [
        "INSERT INTO mock_attempts(execution, effect, root, state, attempt) VALUES (1, 1, x'ff', 'Pay', 1)",
        "INSERT INTO mock_attempts(execution, effect, root, state, attempt) VALUES (1, 1, 1, 'Pay', x'ff')",
        "INSERT INTO mock_attempts(execution, effect, root, state, attempt) VALUES (1, 1, 1, x'ff', 1)",
    ] {
        let folder = Folder::new();
        close_sealed(filled(&folder, performer()).await, &folder).await;
        damage(&folder, insert);
        let (_, found) = check(&folder);
        let is_found = |finding: &Finding| matches!(finding, Finding::Fault { about, .. } if about == "an attempt of a mocked task");
        assert!(found.iter().any(is_found), "{insert}: {found:?}");
    }
}

/// One byte in the middle of the log of a store that was killed, with what was acknowledged behind it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_in_the_middle_of_the_log_is_reported_and_a_copy_kept() {
    let (folder, copied) = (Folder::new(), Folder::new());
    let store = filled(&folder, performer()).await;
    for name in ["asl.db", "asl.db-wal"] {
        std::fs::copy(folder.0.join(name), copied.0.join(name)).unwrap();
    }
    drop(store);
    let log = copied.0.join("asl.db-wal");
    let mut bytes = std::fs::read(&log).unwrap();
    let middle = bytes.len() / 3 * 2;
    bytes[middle] ^= 0xff;
    std::fs::write(&log, &bytes).unwrap();
    let (_, found) = check(&copied);
    assert!(
        format!("{found:?}").contains("its log is damaged"),
        "{found:?}"
    );
    let noticed = Arc::new(std::sync::Mutex::new(Vec::new()));
    let notes = Arc::clone(&noticed);
    let options = || {
        asl_store::Options::default().with_notices(asl_store::Notices::new({
            let notes = Arc::clone(&notes);
            move |notice| notes.lock().unwrap().push(notice.clone())
        }))
    };
    drop(Store::open(&copied.0, options()).unwrap());
    let notices = std::mem::take(&mut *noticed.lock().unwrap());
    let [asl_store::StoreNotice::LogDamaged { lost, copy }] = notices.as_slice() else {
        panic!("{notices:?}");
    };
    assert!(*lost > 0);
    assert_eq!(std::fs::read(copy).unwrap(), bytes);
    // It is reported once.
    drop(Store::open(&copied.0, options()).unwrap());
    assert!(noticed.lock().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_with_garbled_pages_has_faults_or_does_not_open() {
    let folder = Folder::new();
    close_sealed(filled(&folder, performer()).await, &folder).await;
    let file = folder.0.join("asl.db");
    let whole = std::fs::read(&file).unwrap();
    for page in 1..whole.len() / 8_192 {
        let mut garbled = whole.clone();
        garbled[page * 8_192..][..64].fill(0xa5);
        std::fs::write(&file, garbled).unwrap();
        let faults = StoreReader::open(&folder.0).and_then(|reader| reader.check(|_| ()));
        assert!(
            faults.is_err() || faults.is_ok_and(|checked| checked.faults > 0),
            "page {page}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_held_is_named_and_no_fault() {
    let folder = Folder::new();
    close_sealed(filled(&folder, performer()).await, &folder).await;
    damage(
        &folder,
        "UPDATE executions SET held = 'nobody is there' WHERE name = 'waits'",
    );
    let (checked, found) = check(&folder);
    assert_eq!((checked.faults, checked.held), (0, 1));
    let arn = "arn:aws:states:us-east-1:111111111111:execution:M:waits".to_owned();
    assert_eq!(
        found,
        [Finding::Suspended {
            arn,
            why: "nobody is there".to_owned()
        }]
    );
}

fn exported(folder: &Folder) -> Vec<Value> {
    let mut text = Vec::new();
    let exported = StoreReader::open(&folder.0)
        .unwrap()
        .export(&mut text)
        .unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(exported.lines as usize, text.lines().count());
    assert_eq!(exported.without_history, []);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_is_written_out_but_the_key() {
    let folder = Folder::new();
    let store = filled(&folder, performer()).await;
    let lines = exported(&folder);
    let kinds = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
    let counts = ["store", "definition", "stateMachine", "execution", "mapRun"].map(kinds);
    assert_eq!(counts, [1, 2, 1, 5, 1]);
    let find = |name: &str| {
        lines
            .iter()
            .find(|line| line["name"] == name && line["kind"] == "execution")
            .unwrap()
    };
    assert_eq!(find("good")["input"], r#"{"items": [{"n": 1}, {"n": 2}]}"#);
    assert_eq!(find("good")["status"], "SUCCEEDED");
    assert!(
        find("good")["output"]
            .as_str()
            .unwrap()
            .contains(r#""n":2"#)
    );
    assert_eq!(find("bad")["error"], "Unlucky");
    assert_eq!(find("waits")["status"], "RUNNING");
    let machine = lines
        .iter()
        .find(|line| line["kind"] == "stateMachine")
        .unwrap();
    assert_eq!(machine["value"], json!({"tags": {"a": "b"}}));
    for name in ["good", "bad", "waits"] {
        let arn = &find(name)["executionArn"];
        let events = lines
            .iter()
            .filter(|line| line["kind"] == "event" && line["executionArn"] == *arn);
        let events: Vec<&str> = events
            .map(|line| line["event"]["type"].as_str().unwrap())
            .collect();
        let expected = event_types(&store, &arn.as_str().unwrap().into()).await;
        assert_eq!(events, expected, "{name}");
    }
    let connection = Connection::open(folder.0.join("asl.db")).unwrap();
    let key: Vec<u8> = connection
        .query_row(
            "SELECT value FROM meta WHERE key = 'token_key'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let text = lines.iter().map(Value::to_string).collect::<String>();
    let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!text.contains(&hex) && !text.contains("token_key"));
    // What is written while it is open is what is written once it is closed.
    drop(connection);
    close_sealed(store, &folder).await;
    assert_eq!(exported(&folder), lines);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_history_that_cannot_be_made_is_named_and_the_rest_written() {
    let folder = Folder::new();
    close_sealed(filled(&folder, performer()).await, &folder).await;
    damage(
        &folder,
        "DELETE FROM journal WHERE execution = (SELECT id FROM executions WHERE name = 'waits')",
    );
    let mut text = Vec::new();
    let exported = StoreReader::open(&folder.0)
        .unwrap()
        .export(&mut text)
        .unwrap();
    assert_eq!(exported.executions, 5);
    let [(arn, _)] = &*exported.without_history else {
        panic!("{exported:?}")
    };
    assert!(arn.ends_with(":waits"), "{arn}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_old_goes_and_its_room_is_given_back() {
    let folder = Folder::new();
    let store = filled(&folder, performer()).await;
    let payload = json!({"items": [], "x": "y".repeat(200_000)}).to_string();
    for number in 0..10 {
        let old = start(&store, &machine(), &format!("old{number}"), &payload)
            .await
            .unwrap();
        ended(&store, &old.arn).await;
    }
    close_sealed(store, &folder).await;
    let kept = compact(&folder.0, DAY).unwrap();
    assert_eq!(kept.retired, 0);
    let histories = kept.histories;
    assert_eq!(histories.sealed + histories.replayed, 14, "{histories:?}");
    assert!(
        histories.sealed > 0 && histories.unsealed == 0,
        "{histories:?}"
    );
    damage(
        &folder,
        "UPDATE executions SET stopped = stopped - 2 * 86400000 WHERE name LIKE 'old%'",
    );
    let compacted = compact(&folder.0, DAY).unwrap();
    assert_eq!(compacted.retired, 10);
    assert!(
        compacted.bytes_after < kept.bytes_after / 2,
        "{kept:?}, {compacted:?}"
    );
    let (checked, found) = check(&folder);
    assert_eq!((checked.executions, found), (5, vec![]));
    let store = Store::open(&folder.0, performer()).unwrap();
    let good: Arc<str> = "arn:aws:states:us-east-1:111111111111:execution:M:good".into();
    assert_eq!(
        event_types(&store, &good).await.last().unwrap(),
        "ExecutionSucceeded"
    );
    let refused = compact(&folder.0, DAY);
    let pid = std::process::id().to_string();
    assert!(
        matches!(&refused, Err(OpenError::InUse { holder, .. }) if *holder == pid),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_copy_that_is_made_while_much_is_written_is_whole_and_goes_on() {
    let (folder, other) = (Folder::new(), Folder::new());
    let store = filled(&folder, performer()).await;
    let writing = store.clone();
    let (stop, mut stopped) = tokio::sync::oneshot::channel::<()>();
    let writing = tokio::spawn(async move {
        let mut count = 0;
        while stopped.try_recv().is_err() {
            start(&writing, &callback(), &format!("w{count}"), "{}")
                .await
                .unwrap();
            count += 1;
        }
        count
    });
    let (from, to) = (folder.0.clone(), other.0.join("asl.db"));
    let copied = tokio::task::spawn_blocking(move || {
        StoreReader::open(from).and_then(|reader| reader.back_up(to))
    });
    copied.await.unwrap().unwrap();
    stop.send(()).unwrap();
    assert!(writing.await.unwrap() > 0);
    let again = store.back_up(other.0.join("asl.db"));
    assert!(
        matches!(&again, Err(OpenError::Io { what, .. }) if what.contains("cannot be written")),
        "{again:?}"
    );
    assert!(!other.0.join("asl.db.part").exists());

    let (checked, found) = check(&other);
    assert_eq!(found, []);
    assert!(checked.executions >= 5);
    let copy = Store::open(&other.0, performer()).unwrap();
    let arn: Arc<str> = "arn:aws:states:us-east-1:111111111111:execution:M:waits".into();
    // Tokens of the one are tokens of the other.
    let token = token(&store, &arn).await;
    copy.reply_to_task(token, TaskReply::Success(Payload::parse("8").unwrap()))
        .await
        .unwrap();
    assert_eq!(ended(&copy, &arn).await.output.as_deref(), Some("8"));
    assert_eq!(
        described(&store, &arn).await.summary.status,
        ExecutionStatus::Running
    );
}

#[test]
fn where_no_store_is_nothing_is_made() {
    let folder = Folder::new();
    let missing = folder.0.join("missing");
    for refused in [
        StoreReader::open(&missing).map(drop),
        compact(&missing, DAY).map(drop),
        StoreReader::open(&folder.0).map(drop),
    ] {
        assert!(
            matches!(refused, Err(OpenError::Missing { .. })),
            "{refused:?}"
        );
    }
    assert!(!missing.exists());
    std::fs::write(
        folder.0.join("asl.db"),
        "this is no database, but a text that somebody wrote",
    )
    .unwrap();
    assert!(StoreReader::open(&folder.0).is_err());
    let other = Connection::open(folder.0.join("other.db")).unwrap();
    other.execute_batch("CREATE TABLE t(x)").unwrap();
    drop(other);
    std::fs::rename(folder.0.join("other.db"), folder.0.join("asl.db")).unwrap();
    for refused in [
        StoreReader::open(&folder.0).map(drop),
        compact(&folder.0, DAY).map(drop),
    ] {
        assert!(
            matches!(refused, Err(OpenError::NoStore { .. })),
            "{refused:?}"
        );
    }
}

/// The tables of a new store are in the log alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_damaged_at_its_beginning_is_named() {
    let (folder, copied) = (Folder::new(), Folder::new());
    let store = filled(&folder, performer()).await;
    for name in ["asl.db", "asl.db-wal"] {
        std::fs::copy(folder.0.join(name), copied.0.join(name)).unwrap();
    }
    drop(store);
    let log = copied.0.join("asl.db-wal");
    let mut bytes = std::fs::read(&log).unwrap();
    bytes[32 + 24 + 100] ^= 0xff;
    std::fs::write(&log, &bytes).unwrap();
    let error = StoreReader::open(&copied.0).err().unwrap().to_string();
    assert!(error.contains("asl.db-wal is damaged: up to "), "{error}");
}
