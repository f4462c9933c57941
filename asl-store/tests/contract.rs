//! The contract of backends: the store in a folder, and in memory.
mod common;

use asl_backend::Backend;
use asl_backend::contract::{Excuse, Subject, check};
use asl_engine::runtime::BoxFuture;
use asl_store::Store;
use common::{Folder, no_handlers};
use std::sync::{Arc, Mutex, PoisonError};

/// A store in a folder, which can be opened again.
struct InFolder {
    folder: Folder,
    open: Mutex<Option<Store>>,
}

impl Subject for InFolder {
    fn open(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let store = open.get_or_insert_with(|| Store::open(&self.folder.0, no_handlers()).unwrap());
        let store: Arc<dyn Backend> = Arc::new(store.clone());
        Box::pin(std::future::ready(store))
    }

    fn restart(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.take() {
            store.close();
        }
        drop(open);
        self.open()
    }
}

struct InMemory(Store);

impl Subject for InMemory {
    fn open(&self) -> BoxFuture<'_, Arc<dyn Backend>> {
        let store: Arc<dyn Backend> = Arc::new(self.0.clone());
        Box::pin(std::future::ready(store))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_a_folder_keeps_the_contract() {
    let subject = InFolder {
        folder: Folder::new(),
        open: Mutex::default(),
    };
    assert_eq!(check(&subject, &[]).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_memory_keeps_the_contract() {
    let subject = InMemory(Store::in_memory(no_handlers()).unwrap());
    assert_eq!(check(&subject, &[Excuse::Restart]).await, []);
}
