//! Operations on object stores.
use crate::execution::output::{PartStart, StorageOperation};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Operations on a bucket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SavedOperation {
    GetObject {
        key: String,
        version_id: Option<String>,
        #[serde(default)]
        from: Option<PartStart>,
    },
    ListObjects {
        prefix: Option<String>,
        max_items: Option<u64>,
    },
    PutObject {
        key: String,
        #[serde(with = "crate::saved::bytes")]
        body: Arc<[u8]>,
    },
}

impl From<&StorageOperation> for SavedOperation {
    fn from(operation: &StorageOperation) -> Self {
        match operation.clone() {
            StorageOperation::GetObject {
                key,
                version_id,
                from,
            } => Self::GetObject {
                key,
                version_id,
                from,
            },
            StorageOperation::ListObjects { prefix, max_items } => {
                Self::ListObjects { prefix, max_items }
            }
            StorageOperation::PutObject { key, body } => Self::PutObject { key, body },
        }
    }
}

impl From<SavedOperation> for StorageOperation {
    fn from(operation: SavedOperation) -> Self {
        match operation {
            SavedOperation::GetObject {
                key,
                version_id,
                from,
            } => Self::GetObject {
                key,
                version_id,
                from,
            },
            SavedOperation::ListObjects { prefix, max_items } => {
                Self::ListObjects { prefix, max_items }
            }
            SavedOperation::PutObject { key, body } => Self::PutObject { key, body },
        }
    }
}
