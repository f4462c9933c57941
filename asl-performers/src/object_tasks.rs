//! Tasks that call Amazon S3 by its SDK, done in a folder.
use crate::DirectoryStorage;
use asl_engine::runtime::{BoxFuture, Task, TaskHandler};
use asl_engine::{OrError as _, Resource, StoredObject, TaskAnswer, TaskError, Timestamp};
use serde_json::{Map, Value, json};
use std::future::ready;

const SERVICE: &str = "aws-sdk:s3";
/// Objects of a page, by default and at most (Amazon S3 API Reference, ListObjectsV2).
const LONGEST_PAGE: usize = 1_000;

/// Does the tasks `arn:aws:states:::aws-sdk:s3:` `getObject`, `putObject`, `listObjects` and `listObjectsV2` in a folder.
///
/// A missing bucket or object fails the task as in the service, with `S3.NoSuchBucketException` or
/// `S3.NoSuchKeyException`. Parameters that would need more than a folder fail it too.
///
/// ```
/// use asl_engine::Resource;
/// use asl_performers::ObjectTasks;
///
/// assert!(ObjectTasks::does(&Resource::parse("arn:aws:states:::aws-sdk:s3:getObject")));
/// assert!(!ObjectTasks::does(&Resource::parse("arn:aws:states:::aws-sdk:s3:copyObject")));
/// ```
#[derive(Debug, Clone)]
pub struct ObjectTasks {
    storage: DirectoryStorage,
}

impl ObjectTasks {
    /// Creates the tasks for the buckets of a folder.
    pub fn new(storage: DirectoryStorage) -> Self {
        Self { storage }
    }

    /// Returns true if a task of this resource is supported.
    pub fn does(resource: &Resource) -> bool {
        action(resource).is_some()
    }
}

impl TaskHandler for ObjectTasks {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let Some(action) = action(task.resource()) else {
            let cause = format!(
                "expected an object operation, found {}",
                task.resource().uri
            );
            return Box::pin(ready(Err(TaskError::failed(cause))));
        };
        let call = Call {
            storage: self.storage.clone(),
            parameters: task.payload().clone(),
            request_id: task.idempotency_key(),
        };
        let work = tokio::task::spawn_blocking(move || action(&call));
        Box::pin(async { Ok(TaskAnswer::Completed(work.await.or_failed()??)) })
    }
}

type Action = fn(&Call) -> Result<Value, TaskError>;

fn action(resource: &Resource) -> Option<Action> {
    let integration = resource.integration()?;
    match (&*integration.service, &*integration.action) {
        (SERVICE, "getObject") => Some(get_object),
        (SERVICE, "putObject") => Some(put_object),
        (SERVICE, "listObjects") => Some(|call| list_objects(call, &FIRST)),
        (SERVICE, "listObjectsV2") => Some(|call| list_objects(call, &SECOND)),
        _ => None,
    }
}

/// One call of the API.
struct Call {
    storage: DirectoryStorage,
    parameters: Value,
    request_id: String,
}

impl Call {
    fn text(&self, name: &str) -> Option<&str> {
        self.parameters.get(name)?.as_str()
    }

    fn required(&self, name: &str) -> Result<&str, TaskError> {
        let text = self.text(name).filter(|text| !text.is_empty());
        text.ok_or_else(|| TaskError::failed(format!("expected a string in the parameter {name}")))
    }

    /// Fails where a parameter is given that would be left out of account.
    fn takes(&self, names: &[&str]) -> Result<(), TaskError> {
        let parameters = self.parameters.as_object();
        let mut given = parameters.into_iter().flat_map(Map::keys);
        match given.find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(TaskError::failed(format!(
                "the local folder for Amazon S3 supports the parameters {}, found {name}",
                names.join(", ")
            ))),
            None => Ok(()),
        }
    }

    /// Returns the bucket, which must exist.
    fn bucket(&self) -> Result<&str, TaskError> {
        let bucket = self.required("Bucket")?;
        match self.storage.has_bucket(bucket) {
            true => Ok(bucket),
            false => Err(self.missing("NoSuchBucket", "The specified bucket does not exist")),
        }
    }

    /// Returns the error for a bucket that does not exist (recorded).
    fn missing(&self, code: &str, message: &str) -> TaskError {
        let short = self.request_id.get(..16).unwrap_or_default();
        TaskError::new(
            format!("S3.{code}Exception"),
            format!(
                "{message} (Service: S3, Status Code: 404, Request ID: {}, Extended Request ID: {})",
                short.to_ascii_uppercase(),
                self.request_id
            ),
        )
    }

    fn object(&self, bucket: &str, key: &str) -> Result<Option<StoredObject>, TaskError> {
        let object = self.storage.object(bucket, key);
        object.map_err(TaskError::failed)
    }
}

/// Reads an object (recorded for text). Bytes that are not UTF-8 are replaced.
fn get_object(call: &Call) -> Result<Value, TaskError> {
    call.takes(&["Bucket", "Key"])?;
    let (bucket, key) = (call.bucket()?, call.required("Key")?);
    let Some(object) = call.object(bucket, key)? else {
        return Err(call.missing("NoSuchKey", "The specified key does not exist."));
    };
    let body = call.storage.get(bucket, key).map_err(TaskError::failed)?;
    Ok(json!({
        "AcceptRanges": "bytes",
        "ContentLength": object.size,
        "ContentType": "binary/octet-stream",
        "ETag": object.etag,
        "LastModified": date(object.last_modified),
        "Metadata": {},
        "ServerSideEncryption": "AES256",
        "Body": String::from_utf8_lossy(&body),
    }))
}

/// Writes an object. A body that is not a string is written as JSON.
fn put_object(call: &Call) -> Result<Value, TaskError> {
    call.takes(&["Bucket", "Key", "Body", "ContentType"])?;
    let (bucket, key) = (call.bucket()?, call.required("Key")?);
    let body = match call.parameters.get("Body") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    let put = call.storage.put(bucket, key, body.as_bytes());
    put.map_err(TaskError::failed)?;
    let object = call.object(bucket, key)?;
    Ok(json!({
        "ETag": object.map(|object| object.etag),
        "ServerSideEncryption": "AES256",
    }))
}

/// Fields that both versions of a list share.
struct Listing {
    after: &'static [&'static str],
    next: Option<&'static str>,
    counts: bool,
}

/// Amazon S3 API Reference, ListObjects: without a delimiter, the last key is the next marker.
const FIRST: Listing = Listing {
    after: &["Marker"],
    next: None,
    counts: false,
};
/// Amazon S3 API Reference, ListObjectsV2.
const SECOND: Listing = Listing {
    after: &["ContinuationToken", "StartAfter"],
    next: Some("NextContinuationToken"),
    counts: true,
};

fn list_objects(call: &Call, listing: &Listing) -> Result<Value, TaskError> {
    let parameters = [&["Bucket", "Prefix", "MaxKeys"], listing.after].concat();
    call.takes(&parameters)?;
    let (bucket, prefix) = (call.bucket()?, call.text("Prefix"));
    let asked = call.parameters.get("MaxKeys").and_then(Value::as_u64);
    let most = asked.map_or(LONGEST_PAGE, |most| {
        usize::try_from(most).map_or(LONGEST_PAGE, |most| most.min(LONGEST_PAGE))
    });
    let after = listing.after.iter().find_map(|name| call.text(name));
    let listed = call.storage.list_after(bucket, prefix, after, most);
    let (objects, has_more) = listed.map_err(TaskError::failed)?;
    let mut answer = Map::new();
    let mut insert = |name: &str, value: Value| answer.insert(name.to_owned(), value);
    insert("IsTruncated", has_more.into());
    if let Some(last) = objects.last().filter(|_| has_more)
        && let Some(next) = listing.next
    {
        insert(next, last.key.as_str().into());
    }
    if listing.counts {
        insert("KeyCount", objects.len().into());
    }
    if !objects.is_empty() {
        insert("Contents", objects.into_iter().map(describe).collect());
    }
    insert("Name", bucket.into());
    insert("Prefix", prefix.unwrap_or_default().into());
    insert("MaxKeys", most.into());
    Ok(answer.into())
}

fn describe(object: StoredObject) -> Value {
    json!({
        "Key": object.key,
        "LastModified": date(object.last_modified),
        "ETag": object.etag,
        "Size": object.size,
        "StorageClass": object.storage_class,
    })
}

/// Prints a time like the SDK, without a fraction of a second.
fn date(seconds: i64) -> String {
    let moment = Timestamp::from_milliseconds(seconds.saturating_mul(1_000)).to_string();
    moment.replace(".000Z", "Z")
}
