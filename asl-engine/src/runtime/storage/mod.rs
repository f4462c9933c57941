//! Object stores: what ItemReader and ResultWriter of a distributed Map read from and write to.
mod directory;
mod memory;

pub use directory::DirectoryStorage;
pub use memory::MemoryStorage;

use crate::{StorageOperation, StorageResult};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::sync::Arc;

/// An object store. Its errors are texts for people: they become the cause of States.ItemReaderFailed or
/// States.ResultWriterFailed.
pub trait Storage: Send + Sync + 'static {
    /// Does what is asked for in a bucket.
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>>;
}

impl<S: Storage + ?Sized> Storage for Arc<S> {
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        (**self).perform(bucket, operation)
    }
}

/// What a runtime has without a storage.
pub(super) struct NoStorage;

impl Storage for NoStorage {
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        let what = match &operation {
            StorageOperation::GetObject { key, .. } => {
                format!("object `{key}` of bucket `{bucket}` cannot be read")
            }
            StorageOperation::ListObjects { .. } => format!("bucket `{bucket}` cannot be listed"),
            StorageOperation::PutObject { key, .. } => {
                format!("object `{key}` of bucket `{bucket}` cannot be written")
            }
        };
        let cause = format!(
            "{what}: no object store was given; give a folder with a subfolder for each bucket (`DirectoryStorage`)"
        );
        std::future::ready(Err(cause)).boxed()
    }
}

/// The entity tag of an object's content, as S3 makes it: its MD5 in quotes.
fn entity_tag(content: &[u8]) -> String {
    use md5::{Digest, Md5};
    let digest = Md5::digest(content);
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in digest {
        tag.extend(
            [byte >> 4, byte & 15]
                .map(|nibble| char::from_digit(u32::from(nibble), 16).unwrap_or('0')),
        );
    }
    tag.push('"');
    tag
}

fn no_such_key(bucket: &str, key: &str) -> String {
    format!("no object `{key}` in bucket `{bucket}`")
}

/// Takes the objects that a listing asks for, of all objects in the order of their keys.
fn is_listed(key: &str, prefix: Option<&str>) -> bool {
    prefix.is_none_or(|prefix| key.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_entity_tag_is_the_quoted_md5() {
        assert_eq!(
            super::entity_tag(b""),
            "\"d41d8cd98f00b204e9800998ecf8427e\""
        );
    }
}
