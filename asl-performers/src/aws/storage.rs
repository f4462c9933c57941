//! Objects of Amazon S3.
use super::failure;
use super::names::ServiceNames;
use crate::directory_storage::MOST_BYTES;
use asl_aws::{CallError, CallFailure, CallOptions, Caller};
use asl_engine::runtime::{BoxFuture, Storage};
use asl_engine::{StorageOperation, StorageResult, StoredObject};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const SERVICE: &str = "s3";
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

    async fn get(
        &self,
        bucket: &str,
        key: &str,
        version_id: Option<&str>,
    ) -> Result<Vec<u8>, String> {
        let parameters = json!({"Bucket": bucket, "Key": key, "VersionId": version_id});
        let most = usize::try_from(MOST_BYTES).unwrap_or(usize::MAX);
        let options = CallOptions::default().with_max_response_bytes(most);
        let called = self
            .caller
            .call_raw(SERVICE, "getObject", &parameters, &options);
        let response = called.await.map_err(|failure| self.cause(&failure))?;
        Ok(response.body)
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
                StorageOperation::GetObject { key, version_id } => {
                    let content = storage.get(&bucket, &key, version_id.as_deref()).await?;
                    StorageResult::Object(content)
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
