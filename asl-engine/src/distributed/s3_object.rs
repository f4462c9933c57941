//! Objects in a bucket, and requests for them.
use super::error::{FileFault, ItemReaderError};
use crate::{PartStart, StorageOperation};

/// A request to a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StorageCall {
    /// The bucket.
    pub(crate) bucket: String,
    /// The operation.
    pub(crate) operation: StorageOperation,
}

/// Location of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct S3Object {
    pub(crate) bucket: String,
    pub(crate) key: String,
    pub(crate) version_id: Option<String>,
    /// Entity tag of the object, if it was read before.
    pub(crate) etag: Option<String>,
}

impl S3Object {
    pub(super) fn new(bucket: &str, key: &str) -> Self {
        Self {
            bucket: bucket.to_owned(),
            key: key.to_owned(),
            version_id: None,
            etag: None,
        }
    }

    /// Returns the request for the whole object, or the part that begins there.
    pub(super) fn get(&self, from: Option<PartStart>) -> StorageCall {
        StorageCall {
            bucket: self.bucket.clone(),
            operation: StorageOperation::GetObject {
                key: self.key.clone(),
                version_id: self.version_id.clone(),
                from,
            },
        }
    }

    pub(super) fn fault(&self, fault: FileFault) -> ItemReaderError {
        ItemReaderError::Failed(match fault {
            FileFault::Service(cause) => cause,
            FileFault::File(fault) => format!("s3://{}/{}: {fault}", self.bucket, self.key),
            FileFault::TooHeavy(error) => return error.into(),
        })
    }
}
