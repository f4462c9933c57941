//! Object stores: what ItemReader and ResultWriter of a distributed Map read from and write to.
mod directory;
mod memory;

pub use directory::DirectoryStorage;
pub use memory::MemoryStorage;

use super::{Answered, EffectHost, Performer, Request};
use crate::runtime::{ExecutionId, RunningExecution};
use crate::{Answer, ProgramTask, StorageOperation, StorageRequest, StorageResult, TaskError};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::fmt;
use std::io::{self, Read};
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

/// Something to be done in an object store, and the ways to talk with its host meanwhile.
pub struct StorageTask {
    request: Box<StorageRequest>,
    host: Arc<dyn EffectHost>,
}

impl StorageTask {
    /// What `host` asks for.
    pub fn new(request: Box<StorageRequest>, host: Arc<dyn EffectHost>) -> Self {
        Self { request, host }
    }

    /// What to do.
    pub fn request(&self) -> &StorageRequest {
        &self.request
    }

    /// The execution it is of.
    pub fn execution(&self) -> &RunningExecution {
        self.host.execution()
    }
}

impl fmt::Debug for StorageTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StorageTask")
            .field("request", &self.request)
            .finish_non_exhaustive()
    }
}

/// A performer whose object store is another.
pub(in crate::runtime) struct WithStorage {
    pub(in crate::runtime) tasks: Arc<dyn Performer>,
    pub(in crate::runtime) storage: Arc<dyn Storage>,
}

impl Performer for WithStorage {
    fn perform(&self, request: Request) -> BoxFuture<'static, Answered> {
        let task = match request {
            Request::Storage(task) => task,
            request @ Request::Task(_) => return self.tasks.perform(request),
        };
        let StorageRequest {
            bucket, operation, ..
        } = *task.request;
        let result = self.storage.perform(bucket, operation);
        result
            .map(|result| result.map(Answer::Storage).map_err(TaskError::failed))
            .boxed()
    }

    fn can_perform(&self, task: &ProgramTask<'_>) -> bool {
        self.tasks.can_perform(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.tasks.execution_ended(root);
    }
}

/// What those answer who have no object store.
pub(super) fn refusal(request: &StorageRequest) -> TaskError {
    let bucket = &request.bucket;
    let what = match &request.operation {
        StorageOperation::GetObject { key, .. } => {
            format!("object `{key}` of bucket `{bucket}` cannot be read")
        }
        StorageOperation::ListObjects { .. } => format!("bucket `{bucket}` cannot be listed"),
        StorageOperation::PutObject { key, .. } => {
            format!("object `{key}` of bucket `{bucket}` cannot be written")
        }
    };
    TaskError::failed(format!(
        "{what}: no object store was given; give a folder with a subfolder for each bucket (`DirectoryStorage`)"
    ))
}

/// The entity tag of an object's content, as S3 makes it: its MD5 in quotes.
fn entity_tag(content: &[u8]) -> String {
    use md5::{Digest, Md5};
    quoted(Md5::digest(content).as_slice())
}

/// The entity tag and the length of content that is read piece by piece.
fn entity_tag_of(mut content: impl Read) -> io::Result<(String, u64)> {
    use md5::{Digest, Md5};
    let (mut digest, mut length) = (Md5::new(), 0);
    let mut piece = vec![0; 64 << 10];
    loop {
        let count = content.read(&mut piece)?;
        let read = piece.get(..count).unwrap_or_default();
        if read.is_empty() {
            return Ok((quoted(digest.finalize().as_slice()), length));
        }
        digest.update(read);
        length += count as u64;
    }
}

fn quoted(digest: &[u8]) -> String {
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
        let content = vec![7; 200_000];
        assert_eq!(
            super::entity_tag_of(&*content).unwrap(),
            (super::entity_tag(&content), 200_000)
        );
    }
}
