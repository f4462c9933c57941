//! Tasks that call Amazon S3, done in a folder.
mod common;

use asl_performers::{DirectoryStorage, ObjectTasks};
use common::*;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A folder with a bucket, which is removed in the end.
struct Root(PathBuf);

impl Root {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let root = std::env::temp_dir().join(format!("asl-host-object-tasks-{id}-{name}"));
        std::fs::create_dir_all(root.join("bucket")).unwrap();
        Self(root)
    }

    /// Runs a task, and returns its output, or its error and cause.
    async fn call(&self, action: &str, parameters: Value) -> Result<Value, (String, String)> {
        let tasks = ObjectTasks::new(DirectoryStorage::new(&self.0));
        let runtime = virtual_time().handlers(tasks).build();
        let program = task(&format!("arn:aws:states:::aws-sdk:s3:{action}"), json!({}));
        let outcome = runtime.run(program, start(parameters)).await;
        match outcome.output() {
            Some(output) => Ok((**output).clone()),
            None => Err(failure(outcome)),
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[tokio::test]
async fn an_object_is_written_and_read_as_the_service_shows_it() {
    let root = Root::new("objects");
    let put = json!({"Bucket": "bucket", "Key": "a/b", "Body": "text data"});
    let etag = "\"332eec544317a6d340b8e77da7fe54ad\"";
    let written = root.call("putObject", put).await.unwrap();
    assert_eq!(
        written,
        json!({"ETag": etag, "ServerSideEncryption": "AES256"})
    );
    let get = json!({"Bucket": "bucket", "Key": "a/b"});
    let mut read = root.call("getObject", get).await.unwrap();
    let modified = read["LastModified"].take();
    assert!(
        modified
            .as_str()
            .is_some_and(|date| date.len() == "2024-01-01T00:00:00Z".len()),
        "{modified}"
    );
    assert_eq!(
        read,
        json!({"AcceptRanges": "bytes", "ContentLength": 9, "ContentType": "binary/octet-stream", "ETag": etag,
            "LastModified": null, "Metadata": {}, "ServerSideEncryption": "AES256", "Body": "text data"})
    );
}

#[tokio::test]
async fn a_list_comes_by_pages() {
    let root = Root::new("pages");
    for key in ["b", "a/2", "a/1"] {
        let put = json!({"Bucket": "bucket", "Key": key, "Body": {"n": 1}});
        root.call("putObject", put).await.unwrap();
    }
    let keys = |page: &Value| -> Vec<String> {
        let objects = page["Contents"].as_array().cloned().unwrap_or_default();
        let key = |object: &Value| object["Key"].as_str().unwrap_or_default().to_owned();
        objects.iter().map(key).collect()
    };
    let all = json!({"Bucket": "bucket", "MaxKeys": 2});
    let page = root.call("listObjectsV2", all).await.unwrap();
    assert_eq!(keys(&page), ["a/1", "a/2"]);
    assert_eq!(
        (&page["IsTruncated"], &page["KeyCount"]),
        (&json!(true), &json!(2))
    );
    let rest = json!({"Bucket": "bucket", "ContinuationToken": page["NextContinuationToken"]});
    let page = root.call("listObjectsV2", rest).await.unwrap();
    assert_eq!(keys(&page), ["b"]);
    assert_eq!(page.get("NextContinuationToken"), None);
    let marked = json!({"Bucket": "bucket", "Marker": "a/1", "Prefix": "a/"});
    let page = root.call("listObjects", marked).await.unwrap();
    assert_eq!(keys(&page), ["a/2"]);
    assert_eq!(page["Contents"][0]["Size"], 7);
    let none = json!({"Bucket": "bucket", "Prefix": "c"});
    let page = root.call("listObjects", none).await.unwrap();
    assert_eq!(page.get("Contents"), None);
}

/// The words are recorded from the service, of a bucket.
#[tokio::test]
async fn what_is_not_there_is_missing_as_in_the_service() {
    let root = Root::new("missing");
    let list = json!({"Bucket": "other"});
    let (error, cause) = root.call("listObjects", list).await.unwrap_err();
    assert_eq!(error, "S3.NoSuchBucketException");
    let words = "The specified bucket does not exist (Service: S3, Status Code: 404, Request ID: ";
    assert!(cause.starts_with(words), "{cause}");
    let get = json!({"Bucket": "bucket", "Key": "none"});
    let (error, _) = root.call("getObject", get).await.unwrap_err();
    assert_eq!(error, "S3.NoSuchKeyException");
}

#[tokio::test]
async fn parameters_beyond_a_folder_and_ways_out_of_it_are_refused() {
    let root = Root::new("refused");
    let by_delimiter = json!({"Bucket": "bucket", "Delimiter": "/"});
    let (_, cause) = root.call("listObjectsV2", by_delimiter).await.unwrap_err();
    assert!(cause.ends_with("found Delimiter"), "{cause}");
    let out = json!({"Bucket": "bucket", "Key": "../../x"});
    let (error, cause) = root.call("getObject", out).await.unwrap_err();
    assert_eq!(error, "States.TaskFailed");
    assert!(cause.contains("would leave the bucket"), "{cause}");
}
