//! Object stores: what ItemReader and ResultWriter of a distributed Map read from and write to.
mod memory;

pub use memory::MemoryStorage;

use super::{EffectHost, PerformResult, Performer, Request};
use crate::runtime::{ExecutionId, RunningExecution};
use crate::{
    Answer, ProgramTask, StorageOperation, StorageRequest, StorageResult, TaskError, TaskInvocation,
};
use futures::FutureExt;
use futures::future::BoxFuture;
use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// An object store. Its errors are texts for people: they become the cause of States.ItemReaderFailed or
/// States.ResultWriterFailed.
pub trait Storage: Send + Sync + 'static {
    /// Performs a request in a bucket.
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>>;

    /// Returns true if there is anything that serves a bucket, be the bucket there or not.
    fn serves(&self, bucket: &str) -> bool {
        let _ = bucket;
        true
    }
}

impl<S: Storage + ?Sized> Storage for Arc<S> {
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        (**self).perform(bucket, operation)
    }

    fn serves(&self, bucket: &str) -> bool {
        (**self).serves(bucket)
    }
}

/// An object storage request, with the connection to its host.
pub struct StorageTask {
    request: Box<StorageRequest>,
    host: Arc<dyn EffectHost>,
}

impl StorageTask {
    /// Creates the call of a request, for a host.
    pub fn new(request: Box<StorageRequest>, host: Arc<dyn EffectHost>) -> Self {
        Self { request, host }
    }

    /// Returns the request.
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

/// Returns a performer of tasks, with an object store that does what concerns object stores: for hosts that take one
/// performer.
///
/// ```
/// use asl_engine::runtime::{MemoryStorage, TaskHandlers, with_storage};
/// use std::sync::Arc;
///
/// let performer = with_storage(Arc::new(TaskHandlers::new()), MemoryStorage::default());
/// ```
pub fn with_storage(tasks: Arc<dyn Performer>, storage: impl Storage) -> impl Performer {
    let storage = Arc::new(storage);
    WithStorage { tasks, storage }
}

/// A performer whose object store is another.
pub(in crate::runtime) struct WithStorage {
    pub(in crate::runtime) tasks: Arc<dyn Performer>,
    pub(in crate::runtime) storage: Arc<dyn Storage>,
}

impl Performer for WithStorage {
    fn perform(&self, request: Request) -> BoxFuture<'static, PerformResult> {
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

    fn can_perform_storage(&self, request: &StorageRequest) -> bool {
        self.storage.serves(&request.bucket)
    }

    fn follows(&self, task: &TaskInvocation) -> bool {
        self.tasks.follows(task)
    }

    fn execution_ended(&self, root: ExecutionId) {
        self.tasks.execution_ended(root);
    }
}

/// Returns the error of performers without an object store.
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
        "{what}: no object store was given; give a folder with a subfolder for each bucket (`asl_performers::DirectoryStorage`)"
    ))
}

/// Returns the entity tag of an object's content as S3 computes it, the MD5 in quotes, and its length. The content is read
/// in pieces.
///
/// ```
/// use asl_engine::runtime::entity_tag;
///
/// let (etag, size) = entity_tag(&b"content"[..])?;
/// assert_eq!((&*etag, size), ("\"9a0364b9e99bb480dd25e1f0284c8555\"", 7));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Those of reading.
pub fn entity_tag(mut content: impl Read) -> io::Result<(String, u64)> {
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

/// Takes the objects that a listing requests, of all objects in the order of their keys.
fn is_listed(key: &str, prefix: Option<&str>) -> bool {
    prefix.is_none_or(|prefix| key.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EffectId;
    use crate::runtime::{TaskHandlers, task_fn, value_fn};

    /// Gives at most three bytes at a time.
    struct Slowly<'a>(&'a [u8]);

    impl Read for Slowly<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let room = buffer.len().min(3);
            self.0.read(&mut buffer[..room])
        }
    }

    #[test]
    fn only_what_has_an_object_store_serves_buckets() {
        let request = StorageRequest {
            id: EffectId(1),
            bucket: "b".into(),
            operation: StorageOperation::ListObjects {
                prefix: None,
                max_items: None,
            },
        };
        let serves = |performer: &dyn Performer| performer.can_perform_storage(&request);
        let with_objects = || with_storage(Arc::new(TaskHandlers::new()), MemoryStorage::default());
        assert!(serves(&with_objects()));
        assert!(serves(&Arc::new(with_objects())));
        assert!(serves(&TaskHandlers::new().otherwise(with_objects())));
        assert!(!serves(&TaskHandlers::new()));
        assert!(!serves(&value_fn(|input| async { Ok(input) })));
        assert!(!serves(&task_fn(async |task| Ok(task.payload().clone()))));
    }

    #[test]
    fn an_entity_tag_is_the_quoted_md5() {
        let (etag, size) = entity_tag(&b""[..]).unwrap();
        assert_eq!((&*etag, size), ("\"d41d8cd98f00b204e9800998ecf8427e\"", 0));
        let content = vec![7; 200_000];
        let whole = entity_tag(&*content).unwrap();
        assert_eq!(whole.1, 200_000);
        assert_eq!(entity_tag(Slowly(&content)).unwrap(), whole);
    }
}
