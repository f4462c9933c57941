//! Permanent errors of the database are reported to the waiting caller, and to later ones.
mod common;

use asl_backend::{BackendError, StartError};
use asl_store::Store;
use common::*;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_database_refuses_is_told() {
    let folder = Folder::new();
    let definition = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    // While nobody has it.
    drop(Store::open(&folder.0, no_handlers()).unwrap());
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON executions BEGIN SELECT RAISE(ABORT, 'not this'); END";
    let other = rusqlite::Connection::open(folder.0.join("asl.db")).unwrap();
    other.execute_batch(refuse).unwrap();
    drop(other);
    let store = Store::open(&folder.0, no_handlers()).unwrap();
    // The one that meets it, and those after it.
    for name in ["second", "third"] {
        let starting = start(&store, &definition, name, "[1]");
        let refused = tokio::time::timeout(Duration::from_secs(30), starting).await;
        let refused = refused.expect("it is answered");
        let is_told = matches!(&refused, Err(StartError::Backend(BackendError::Broken(why))) if why.contains("not this"));
        assert!(is_told, "{refused:?}");
    }
    store.close();
}

#[test]
fn a_store_is_not_opened_outside_of_a_runtime() {
    let folder = Folder::new();
    let path = folder.0.join("new");
    for opened in [
        Store::open(&path, no_handlers()),
        Store::in_memory(no_handlers()),
    ] {
        let error = opened.unwrap_err();
        assert!(matches!(error, asl_store::OpenError::NoRuntime), "{error}");
    }
    assert!(!path.exists());
}
