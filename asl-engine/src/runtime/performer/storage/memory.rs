//! An object store in memory.
use super::{Storage, entity_tag, is_listed, no_such_key};
use crate::{StorageOperation, StorageResult, StoredObject};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// An object store in memory, for tests. Buckets need not be made; all objects are of 1970.
///
/// ```
/// use asl_engine::runtime::MemoryStorage;
///
/// let storage = MemoryStorage::default().with("bucket", "folder/items.json", "[1, 2]");
/// assert_eq!(storage.object("bucket", "folder/items.json"), Some(b"[1, 2]".to_vec()));
/// ```
#[derive(Debug, Default)]
pub struct MemoryStorage(Mutex<BTreeMap<String, BTreeMap<String, Vec<u8>>>>);

impl MemoryStorage {
    /// Adds an object.
    #[must_use]
    pub fn with(self, bucket: &str, key: &str, content: impl Into<Vec<u8>>) -> Self {
        self.put(bucket.to_owned(), key.to_owned(), content.into());
        self
    }

    /// Returns an object's content.
    pub fn object(&self, bucket: &str, key: &str) -> Option<Vec<u8>> {
        let buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.get(bucket)?.get(key).cloned()
    }

    /// Returns all keys of a bucket, in order.
    pub fn keys(&self, bucket: &str) -> Vec<String> {
        let buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = buckets.get(bucket).map(|objects| objects.keys().cloned());
        keys.into_iter().flatten().collect()
    }

    fn put(&self, bucket: String, key: String, content: Vec<u8>) {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.entry(bucket).or_default().insert(key, content);
    }

    fn list(
        &self,
        bucket: &str,
        prefix: Option<&str>,
        max_items: Option<u64>,
    ) -> Vec<StoredObject> {
        let buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let objects = buckets.get(bucket).into_iter().flatten();
        let limit = max_items.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        objects
            .filter(|(key, _)| is_listed(key, prefix))
            .take(limit)
            .filter_map(|(key, content)| {
                // Reading what is in memory does not fail.
                let (etag, size) = entity_tag(&**content).ok()?;
                Some(StoredObject {
                    key: key.clone(),
                    size,
                    etag,
                    last_modified: 0,
                    storage_class: "STANDARD".to_owned(),
                })
            })
            .collect()
    }
}

impl Storage for MemoryStorage {
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        let result = match operation {
            StorageOperation::GetObject { key, .. } => self
                .object(&bucket, &key)
                .map(StorageResult::Object)
                .ok_or_else(|| no_such_key(&bucket, &key)),
            StorageOperation::ListObjects { prefix, max_items } => Ok(StorageResult::Listing(
                self.list(&bucket, prefix.as_deref(), max_items),
            )),
            StorageOperation::PutObject { key, body } => {
                self.put(bucket, key, body.to_vec());
                Ok(StorageResult::Written)
            }
        };
        std::future::ready(result).boxed()
    }
}
