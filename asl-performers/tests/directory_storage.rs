//! Object storage: behaviour of all implementations, and of a folder.
mod common;

use asl_engine::runtime::{MemoryStorage, Storage};
use asl_engine::{PartStart, StorageOperation, StorageResult, StoredObject};
use asl_performers::DirectoryStorage;
use common::Folder;

async fn put(storage: &impl Storage, key: &str, body: &str) -> Result<StorageResult, String> {
    let operation = StorageOperation::PutObject {
        key: key.to_owned(),
        body: body.as_bytes().into(),
    };
    storage.perform("bucket".to_owned(), operation).await
}

async fn get(storage: &impl Storage, key: &str) -> Result<StorageResult, String> {
    let operation = StorageOperation::GetObject {
        key: key.to_owned(),
        version_id: None,
        from: None,
    };
    storage.perform("bucket".to_owned(), operation).await
}

async fn list(
    storage: &impl Storage,
    prefix: Option<&str>,
    max_items: Option<u64>,
) -> Vec<StoredObject> {
    let operation = StorageOperation::ListObjects {
        prefix: prefix.map(str::to_owned),
        max_items,
    };
    match storage.perform("bucket".to_owned(), operation).await {
        Ok(StorageResult::Listing(objects)) => objects,
        other => panic!("no listing: {other:?}"),
    }
}

async fn keys(storage: &impl Storage, prefix: Option<&str>, max_items: Option<u64>) -> Vec<String> {
    list(storage, prefix, max_items)
        .await
        .into_iter()
        .map(|object| object.key)
        .collect()
}

async fn keeps_objects(storage: &impl Storage) {
    for key in ["b/2.json", "b/1.json", "a.txt", "b.txt", "b/c/d"] {
        assert_eq!(
            put(storage, key, "content").await,
            Ok(StorageResult::Written)
        );
    }
    assert_eq!(
        put(storage, "a.txt", "other").await,
        Ok(StorageResult::Written)
    );
    assert_eq!(
        get(storage, "a.txt").await,
        Ok(StorageResult::Object(b"other".to_vec()))
    );
    let missing = get(storage, "b/none").await.unwrap_err();
    assert!(
        missing.starts_with("no object `b/none` in bucket `bucket`"),
        "{missing}"
    );
    assert_eq!(
        keys(storage, None, None).await,
        ["a.txt", "b.txt", "b/1.json", "b/2.json", "b/c/d"]
    );
    assert_eq!(
        keys(storage, Some("b/"), None).await,
        ["b/1.json", "b/2.json", "b/c/d"]
    );
    assert_eq!(keys(storage, Some("b/c"), None).await, ["b/c/d"]);
    assert_eq!(
        keys(storage, Some("b"), Some(2)).await,
        ["b.txt", "b/1.json"]
    );
    let object = &list(storage, Some("b/1"), None).await[0];
    assert_eq!(
        (object.size, object.storage_class.as_str()),
        (7, "STANDARD")
    );
    assert_eq!(object.etag, "\"9a0364b9e99bb480dd25e1f0284c8555\"");
}

#[tokio::test]
async fn a_store_in_memory_keeps_objects() {
    keeps_objects(&MemoryStorage::default()).await;
}

#[tokio::test]
async fn a_store_in_a_folder_keeps_objects_as_files() {
    let folder = Folder::new();
    let storage = DirectoryStorage::new(&folder.0);
    keeps_objects(&storage).await;
    assert_eq!(
        std::fs::read_to_string(folder.0.join("bucket/b/c/d")).unwrap(),
        "content"
    );
    let modified = list(&storage, Some("a"), None).await[0].last_modified;
    assert!(modified > 1_600_000_000, "{modified}");
    let missing = storage.perform(
        "none".to_owned(),
        StorageOperation::ListObjects {
            prefix: None,
            max_items: None,
        },
    );
    let cause = missing.await.unwrap_err();
    assert!(
        cause.starts_with("bucket `none` cannot be listed: cannot read"),
        "{cause}"
    );
}

#[tokio::test]
async fn no_key_leads_out_of_the_folder() {
    let folder = Folder::new();
    let storage = DirectoryStorage::new(folder.0.join("root"));
    for (key, why) in [
        ("../out", "`..` would leave the bucket"),
        ("a/../../out", "`..` would leave the bucket"),
        ("/etc/out", "it is an absolute path"),
        ("", "it is empty"),
        ("a//b", "a segment between slashes is empty or `.`"),
        ("a/", "a segment between slashes is empty or `.`"),
        (
            "a\\..\\b",
            "it contains a character that is invalid in file names",
        ),
    ] {
        let expected = Err(format!(
            "key `{key}` cannot be a file of bucket `bucket`: {why}"
        ));
        assert_eq!(put(&storage, key, "x").await, expected);
        assert_eq!(get(&storage, key).await, expected);
    }
    for bucket in ["..", "", ".", "a/b"] {
        let operation = StorageOperation::GetObject {
            key: "k".to_owned(),
            version_id: None,
            from: None,
        };
        let cause = storage
            .perform(bucket.to_owned(), operation)
            .await
            .unwrap_err();
        assert_eq!(
            cause,
            format!("`{bucket}` is not a bucket name: expected a name without slashes")
        );
    }
    assert!(!folder.0.join("out").exists() && !folder.0.join("root").exists());
}

/// Reads an object part by part.
async fn get_parts(storage: &impl Storage, key: &str) -> Result<Vec<Vec<u8>>, String> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut from = None;
    loop {
        let operation = StorageOperation::GetObject {
            key: key.to_owned(),
            version_id: None,
            from: from.take(),
        };
        let part = match storage.perform("bucket".to_owned(), operation).await? {
            StorageResult::Part(part) => part,
            other => panic!("no part: {other:?}"),
        };
        parts.push(part.bytes);
        let offset = parts.iter().map(|part| part.len() as u64).sum();
        if offset >= part.size {
            return Ok(parts);
        }
        let etag = part.etag;
        from = Some(PartStart { offset, etag });
    }
}

#[tokio::test]
async fn a_large_file_is_read_in_parts() {
    let folder = Folder::new();
    let storage = DirectoryStorage::new(&folder.0);
    let content: Vec<u8> = (0..9_000_000_u32).map(|n| (n % 251) as u8).collect();
    std::fs::create_dir(folder.0.join("bucket")).unwrap();
    std::fs::write(folder.0.join("bucket/large"), &content).unwrap();
    let parts = get_parts(&storage, "large").await.unwrap();
    assert_eq!(parts.len(), 5);
    assert!(parts.concat() == content);
}

#[tokio::test]
async fn a_file_that_changes_between_its_parts_is_refused() {
    let folder = Folder::new();
    let storage = DirectoryStorage::new(&folder.0);
    put(&storage, "k", "content").await.unwrap();
    let operation = StorageOperation::GetObject {
        key: "k".to_owned(),
        version_id: None,
        from: Some(PartStart {
            offset: 3,
            etag: Some("\"another\"".to_owned()),
        }),
    };
    let refused = storage.perform("bucket".to_owned(), operation).await;
    let cause = refused.unwrap_err();
    assert!(cause.ends_with("it changed while it was read"), "{cause}");
}

/// Links within the root are followed, those out of it neither read, listed nor written; a pipe has no content.
#[cfg(unix)]
#[tokio::test]
async fn links_out_of_the_root_and_pipes_are_no_objects() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    let (root, outside) = (folder.0.join("root"), folder.0.join("outside"));
    std::fs::create_dir_all(root.join("bucket/real")).unwrap();
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("secret"), "secret").unwrap();
    std::fs::write(root.join("bucket/real/file"), "content").unwrap();
    symlink(&outside, root.join("bucket/folder")).unwrap();
    symlink(outside.join("secret"), root.join("bucket/link")).unwrap();
    symlink(outside.join("new"), root.join("bucket/dangling")).unwrap();
    symlink(root.join("bucket/real/file"), root.join("bucket/inner")).unwrap();
    symlink(&outside, root.join("elsewhere")).unwrap();
    let pipe = root.join("bucket/pipe");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let storage = DirectoryStorage::new(&root);
    for key in ["link", "folder/secret"] {
        let error = get(&storage, key).await.unwrap_err();
        assert!(
            error.contains("a link to a place outside the root"),
            "{error}"
        );
    }
    let error = get(&storage, "pipe").await.unwrap_err();
    assert!(error.contains("it is no file"), "{error}");
    for key in ["link", "folder/new", "folder/a/b", "dangling"] {
        assert!(put(&storage, key, "written").await.is_err(), "{key}");
    }
    assert!(!outside.join("new").exists() && !outside.join("a").exists());
    assert_eq!(
        std::fs::read_to_string(outside.join("secret")).unwrap(),
        "secret"
    );
    assert_eq!(keys(&storage, None, None).await, ["inner", "real/file"]);
    let content = StorageResult::Object(b"content".to_vec());
    assert_eq!(get(&storage, "inner").await, Ok(content));
    let operation = StorageOperation::ListObjects {
        prefix: None,
        max_items: None,
    };
    assert!(
        storage
            .perform("elsewhere".to_owned(), operation)
            .await
            .is_err()
    );
}
