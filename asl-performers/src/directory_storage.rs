//! An object store in a folder.
use asl_engine::runtime::{BoxFuture, Storage, entity_tag};
use asl_engine::{ObjectPart, PartStart, StorageOperation, StorageResult, StoredObject};
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// An object store in a folder: the object `key` of bucket `bucket` is the file `ROOT/bucket/key`.
///
/// Folders are made as needed. A key (or bucket) that would leave the root (`..`, an absolute path, a symbolic link to a
/// place outside) is refused.
#[derive(Debug, Clone)]
pub struct DirectoryStorage {
    root: PathBuf,
}

impl DirectoryStorage {
    /// Creates a store in `root`, a folder with a subfolder for each bucket.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn perform_blocking(
        &self,
        bucket: &str,
        operation: StorageOperation,
    ) -> Result<StorageResult, String> {
        match operation {
            StorageOperation::GetObject { key, from, .. } => {
                let from = from.unwrap_or(PartStart {
                    offset: 0,
                    etag: None,
                });
                self.read(bucket, &key, |path| read_part(path, &from))
            }
            StorageOperation::ListObjects { prefix, max_items } => self
                .list(bucket, prefix.as_deref(), max_items)
                .map(StorageResult::Listing),
            StorageOperation::PutObject { key, body } => self
                .put(bucket, &key, &body)
                .map(|()| StorageResult::Written),
        }
    }

    pub(crate) fn get(&self, bucket: &str, key: &str) -> Result<Vec<u8>, String> {
        self.read(bucket, key, read_file)
    }

    fn read<T>(
        &self,
        bucket: &str,
        key: &str,
        read: impl FnOnce(&Path) -> io::Result<T>,
    ) -> Result<T, String> {
        let path = self.path_of(bucket, key)?;
        match self.check_root(&path).and_then(|()| read(&path)) {
            Ok(content) => Ok(content),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let path = path.display();
                Err(format!(
                    "no object `{key}` in bucket `{bucket}`: no file {path}"
                ))
            }
            Err(error) => Err(unreadable(&path, &error)),
        }
    }

    pub(crate) fn put(&self, bucket: &str, key: &str, body: &[u8]) -> Result<(), String> {
        let path = self.path_of(bucket, key)?;
        let failed = |error: io::Error| format!("cannot write {}: {error}", path.display());
        let there = path
            .ancestors()
            .find(|path| path.symlink_metadata().is_ok());
        self.check_root(there.unwrap_or(&self.root))
            .map_err(failed)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::write(&path, body).map_err(failed)
    }

    fn list(
        &self,
        bucket: &str,
        prefix: Option<&str>,
        max_items: Option<u64>,
    ) -> Result<Vec<StoredObject>, String> {
        let most = max_items.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        let (objects, _) = self.list_after(bucket, prefix, None, most)?;
        Ok(objects)
    }

    /// Lists the first objects in key order after a key, and returns whether there are more.
    pub(crate) fn list_after(
        &self,
        bucket: &str,
        prefix: Option<&str>,
        after: Option<&str>,
        most: usize,
    ) -> Result<(Vec<StoredObject>, bool), String> {
        let folder = self.bucket_folder(bucket)?;
        let listed = self.check_root(&folder);
        let listed = listed.and_then(|()| keys_within(&folder, prefix));
        let mut keys = listed.map_err(|error| {
            format!(
                "bucket `{bucket}` cannot be listed: {}",
                unreadable(&folder, &error)
            )
        })?;
        keys.retain(|key| {
            after.is_none_or(|after| key.as_str() > after)
                && self.check_root(&folder.join(key)).is_ok()
        });
        keys.sort_unstable();
        let has_more = keys.len() > most;
        keys.truncate(most);
        let objects = keys.into_iter().map(|key| {
            let path = folder.join(&key);
            stored_object(key, &path).map_err(|error| unreadable(&path, &error))
        });
        Ok((objects.collect::<Result<_, _>>()?, has_more))
    }

    /// Returns true if a folder exists for a bucket.
    pub(crate) fn has_bucket(&self, bucket: &str) -> bool {
        let folder = self.bucket_folder(bucket);
        folder.is_ok_and(|folder| folder.is_dir() && self.check_root(&folder).is_ok())
    }

    /// Returns an object without its content, if it exists.
    pub(crate) fn object(&self, bucket: &str, key: &str) -> Result<Option<StoredObject>, String> {
        let path = self.path_of(bucket, key)?;
        let found = self.check_root(&path);
        match found.and_then(|()| stored_object(key.to_owned(), &path)) {
            Ok(object) => Ok(Some(object)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unreadable(&path, &error)),
        }
    }

    /// Fails where symbolic links lead to a place outside of the root.
    fn check_root(&self, path: &Path) -> io::Result<()> {
        let (root, place) = (self.root.canonicalize()?, path.canonicalize()?);
        match place.starts_with(&root) {
            true => Ok(()),
            false => Err(io::Error::other("it is a link to a place outside the root")),
        }
    }

    fn bucket_folder(&self, bucket: &str) -> Result<PathBuf, String> {
        let plain = !bucket.is_empty()
            && !bucket.contains(['/', '\\', '\0'])
            && bucket != "."
            && bucket != "..";
        if plain {
            Ok(self.root.join(bucket))
        } else {
            Err(format!(
                "`{bucket}` is not a bucket name: expected a name without slashes"
            ))
        }
    }

    /// Returns the file of a key. Each part of the key between slashes is a folder or file name, and the path cannot leave
    /// the bucket.
    fn path_of(&self, bucket: &str, key: &str) -> Result<PathBuf, String> {
        let folder = self.bucket_folder(bucket)?;
        let refused = |why: &str| {
            Err(format!(
                "key `{key}` cannot be a file of bucket `{bucket}`: {why}"
            ))
        };
        if key.is_empty() {
            return refused("it is empty");
        }
        if key.starts_with('/') || Path::new(key).is_absolute() {
            return refused("it is an absolute path");
        }
        for part in key.split('/') {
            match part {
                ".." => return refused("`..` would leave the bucket"),
                "" | "." => return refused("a segment between slashes is empty or `.`"),
                _ if part.contains(['\\', '\0']) => {
                    return refused("it contains a character that is invalid in file names");
                }
                _ => {}
            }
        }
        Ok(folder.join(key))
    }
}

impl Storage for DirectoryStorage {
    fn perform(
        &self,
        bucket: String,
        operation: StorageOperation,
    ) -> BoxFuture<'static, Result<StorageResult, String>> {
        let storage = self.clone();
        let work =
            tokio::task::spawn_blocking(move || storage.perform_blocking(&bucket, operation));
        Box::pin(async { work.await.unwrap_or_else(|error| Err(error.to_string())) })
    }
}

/// Reads a regular file. Other files, such as pipes, may be endless.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::metadata(path)?;
    match file.is_file() {
        true if file.len() > MOST_BYTES => Err(io::Error::other(format!(
            "it has {} bytes, and at most {MOST_BYTES} are read",
            file.len()
        ))),
        true => fs::read(path),
        false => Err(io::Error::other("it is no file")),
    }
}

/// Bytes of an object that are read at once at most.
pub(crate) const MOST_BYTES: u64 = 1 << 30;

/// Bytes of a part of an object.
pub(crate) const PART_BYTES: u64 = 2 << 20;

/// Reads a part of a regular file, or all of a small one.
fn read_part(path: &Path, from: &PartStart) -> io::Result<StorageResult> {
    let metadata = fs::metadata(path)?;
    let is_first = from.offset == 0 && from.etag.is_none();
    // Other files, such as pipes, are refused before they are opened.
    if !metadata.is_file() || (is_first && metadata.len() <= PART_BYTES) {
        return read_file(path).map(StorageResult::Object);
    }
    let etag = version(&metadata)?;
    if from.etag.as_ref().is_some_and(|known| *known != etag) {
        return Err(io::Error::other("it changed while it was read"));
    }
    let mut file = fs::File::open(path)?;
    file.seek(SeekFrom::Start(from.offset))?;
    let mut bytes = Vec::new();
    file.take(PART_BYTES).read_to_end(&mut bytes)?;
    Ok(StorageResult::Part(ObjectPart {
        bytes,
        size: metadata.len(),
        etag: Some(etag),
    }))
}

/// Returns a text that changes when a file does: the entity tag of S3 would take a reading of all of it.
fn version(metadata: &fs::Metadata) -> io::Result<String> {
    let since = since_epoch(metadata)?;
    Ok(format!("\"{}-{}\"", metadata.len(), since.as_nanos()))
}

/// Returns the time of the last change of a file.
fn since_epoch(metadata: &fs::Metadata) -> io::Result<Duration> {
    let since = metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH);
    Ok(since.unwrap_or_default())
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Lists the keys of all files in `folder` with a prefix, in no order. Symbolic links to folders are not followed.
fn keys_within(folder: &Path, prefix: Option<&str>) -> io::Result<Vec<String>> {
    let mut keys = Vec::new();
    let mut open = vec![(folder.to_path_buf(), String::new())];
    while let Some((folder, path)) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // A name that is not Unicode cannot be a key.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let key = format!("{path}{name}");
            if entry.file_type()?.is_dir() {
                let below = format!("{key}/");
                if prefix
                    .is_none_or(|prefix| prefix.starts_with(&below) || below.starts_with(prefix))
                {
                    open.push((entry.path(), below));
                }
            } else if prefix.is_none_or(|prefix| key.starts_with(prefix)) && entry.path().is_file()
            {
                keys.push(key);
            }
        }
    }
    Ok(keys)
}

fn stored_object(key: String, path: &Path) -> io::Result<StoredObject> {
    let (etag, size) = entity_tag(fs::File::open(path)?)?;
    let since = since_epoch(&fs::metadata(path)?)?;
    Ok(StoredObject {
        key,
        size,
        etag,
        last_modified: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        storage_class: "STANDARD".to_owned(),
    })
}
