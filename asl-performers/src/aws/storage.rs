//! Objects of Amazon S3.
use super::failure;
use super::names::ServiceNames;
use crate::directory_storage::{MOST_BYTES, PART_BYTES};
use asl_aws::{CallError, CallFailure, CallOptions, Caller, HttpResponse};
use asl_engine::runtime::{BoxFuture, Storage};
use asl_engine::{ObjectPart, PartStart, StorageOperation, StorageResult, StoredObject};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const SERVICE: &str = "s3";
/// Status of a response with a part of an object.
const PARTIAL_CONTENT: u16 = 206;
/// Objects of a listing without "MaxItems".
const MOST_OBJECTS: usize = 1_000_000;

/// Objects of Amazon S3, or of a server with its API, that ItemReader and ResultWriter read and write.
///
/// ```
/// use asl_aws::{Caller, Settings, Target};
/// use asl_engine::runtime::Runtime;
/// use asl_performers::S3Storage;
/// use std::sync::Arc;
///
/// let settings = Settings::of_process().with_target(Target::Url("http://localhost:9000".into()));
/// let builder = Runtime::builder().storage(S3Storage::new(Arc::new(Caller::new(settings))));
/// ```
#[derive(Debug, Clone)]
pub struct S3Storage {
    caller: Arc<Caller>,
}

impl S3Storage {
    /// Creates the storage behind a caller.
    pub fn new(caller: Arc<Caller>) -> Self {
        Self { caller }
    }

    /// Returns the cause of a failure, as tasks that call S3 have it.
    fn cause(&self, failure: &CallFailure) -> String {
        let model = self.caller.service(SERVICE, "getObject");
        match (failure, model) {
            (CallFailure::Answered(CallError::Service(error)), Some(model)) => {
                let names = ServiceNames::of_service("aws-sdk:s3", &model);
                failure::cause(error, &names)
            }
            (other, _) => other.to_string(),
        }
    }

    /// Reads a part of an object, or the whole object from a server that gives no parts.
    async fn get(
        &self,
        bucket: &str,
        key: &str,
        version_id: Option<&str>,
        from: Option<PartStart>,
    ) -> Result<StorageResult, String> {
        let offset = from.as_ref().map_or(0, |from| from.offset);
        let range = format!("bytes={offset}-{}", offset.saturating_add(PART_BYTES - 1));
        let known = from.and_then(|from| from.etag);
        let parameters = json!({"Bucket": bucket, "Key": key, "VersionId": version_id, "Range": range, "IfMatch": known});
        let most = usize::try_from(MOST_BYTES).unwrap_or(usize::MAX);
        let options = CallOptions::default().with_max_response_bytes(most);
        let called = self
            .caller
            .call_raw(SERVICE, "getObject", &parameters, &options);
        match called.await {
            Ok(response) => object_part(response, offset),
            // An empty object has no part.
            Err(failure) if offset == 0 && is_beyond_end(&failure) => {
                Ok(StorageResult::Object(Vec::new()))
            }
            Err(failure) => Err(self.cause(&failure)),
        }
    }

    async fn put(&self, bucket: &str, key: &str, body: &[u8]) -> Result<(), String> {
        // All results and manifests are JSON.
        let body = String::from_utf8_lossy(body);
        let parameters =
            json!({"Bucket": bucket, "Key": key, "Body": body, "ContentType": "application/json"});
        let options = CallOptions::default();
        let called = self
            .caller
            .call_raw(SERVICE, "putObject", &parameters, &options);
        called
            .await
            .map(drop)
            .map_err(|failure| self.cause(&failure))
    }

    /// Lists objects, page by page.
    async fn list(
        &self,
        bucket: &str,
        prefix: Option<&str>,
        max_items: Option<u64>,
    ) -> Result<Vec<StoredObject>, String> {
        let limit = max_items.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let mut objects = Vec::new();
        let mut parameters = json!({"Bucket": bucket, "Prefix": prefix});
        loop {
            let options = CallOptions::default();
            let called = self
                .caller
                .call(SERVICE, "listObjectsV2", &parameters, &options);
            let page = called.await.map_err(|failure| self.cause(&failure))?.result;
            let listed = page["Contents"].as_array().map_or(&[] as &[_], |it| it);
            objects.extend(listed.iter().map(stored_object));
            let next = &page["NextContinuationToken"];
            let is_enough = limit.is_some_and(|limit| objects.len() >= limit);
            if is_enough || next.is_null() {
                objects.truncate(limit.unwrap_or(usize::MAX));
                return Ok(objects);
            }
            if objects.len() >= MOST_OBJECTS && limit.is_none() {
                return Err(format!(
                    "bucket `{bucket}` has more than {MOST_OBJECTS} objects: expected a Prefix that fewer have, or MaxItems"
                ));
            }
            parameters["ContinuationToken"] = next.clone();
        }
    }
}

impl Storage for S3Storage {
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        let storage = self.clone();
        Box::pin(async move {
            Ok(match operation {
                StorageOperation::GetObject {
                    key,
                    version_id,
                    from,
                } => {
                    let version_id = version_id.as_deref();
                    storage.get(&bucket, &key, version_id, from).await?
                }
                StorageOperation::ListObjects { prefix, max_items } => {
                    let listed = storage.list(&bucket, prefix.as_deref(), max_items).await?;
                    StorageResult::Listing(listed)
                }
                StorageOperation::PutObject { key, body } => {
                    storage.put(&bucket, &key, &body).await?;
                    StorageResult::Written
                }
            })
        })
    }
}

/// Returns the part of an object that a response has.
fn object_part(response: HttpResponse, offset: u64) -> Result<StorageResult, String> {
    if response.status != PARTIAL_CONTENT {
        return match offset {
            0 => Ok(StorageResult::Object(response.body)),
            _ => Err(format!(
                "expected a part of the object, found all of it (status {}): the server does not support ranges",
                response.status
            )),
        };
    }
    let range = response.header("content-range").unwrap_or_default();
    let size = range
        .rsplit_once('/')
        .and_then(|(_, size)| size.parse().ok());
    let is_requested = range.starts_with(&format!("bytes {offset}-"));
    let size = size.filter(|_| is_requested).ok_or_else(|| {
        format!("expected the Content-Range `bytes {offset}-LAST/SIZE`, found `{range}`")
    })?;
    let etag = response.header("etag").map(str::to_owned);
    let bytes = response.body;
    Ok(StorageResult::Part(ObjectPart { bytes, size, etag }))
}

fn is_beyond_end(failure: &CallFailure) -> bool {
    matches!(failure, CallFailure::Answered(CallError::Service(error)) if error.code == "InvalidRange")
}

fn stored_object(listed: &Value) -> StoredObject {
    let text = |name: &str| listed[name].as_str().unwrap_or_default().to_owned();
    let number = |name: &str| listed[name].as_f64().unwrap_or_default();
    StoredObject {
        key: text("Key"),
        size: listed["Size"].as_u64().unwrap_or_default(),
        etag: text("ETag"),
        #[expect(clippy::cast_possible_truncation, reason = "seconds since the epoch")]
        last_modified: number("LastModified") as i64,
        storage_class: text("StorageClass"),
    }
}
