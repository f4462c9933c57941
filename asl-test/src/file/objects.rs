//! The objects of a case: written in the test file, or the files of a folder.
use super::reader::Node;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

/// By bucket and key.
pub(super) type Objects = BTreeMap<(String, String), Arc<[u8]>>;

/// Bytes of all files together, far beyond a test's.
const MOST: u64 = 256 << 20;

/// Reads `{bucket: {key: content}}`, or a folder with a subfolder for each bucket, whose files are added to `files`.
pub(super) fn read(node: &Node<'_>, folder: &Path, files: &mut BTreeSet<PathBuf>) -> Objects {
    if let Value::String(path) = node.value {
        let root = folder.join(path);
        let found = from_folder(&root, files);
        return found.unwrap_or_else(|error| {
            node.fault(format!("cannot read {}: {error}", root.display()));
            Objects::new()
        });
    }
    let mut objects = Objects::new();
    for (bucket, keys) in node.entries() {
        for (key, content) in keys.entries() {
            let content = match content.value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let place = (bucket.to_owned(), key.to_owned());
            objects.insert(place, content.into_bytes().into());
        }
    }
    objects
}

fn from_folder(root: &Path, files: &mut BTreeSet<PathBuf>) -> io::Result<Objects> {
    let (mut objects, mut size) = (Objects::new(), 0);
    let mut open: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        files.insert(folder.clone());
        for entry in fs::read_dir(folder)? {
            let (path, kind) = entry.and_then(|it| Ok((it.path(), it.file_type()?)))?;
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() {
                size += fs::metadata(&path)?.len();
                if size > MOST {
                    return Err(io::Error::other(format!("the files exceed {MOST} bytes")));
                }
                files.insert(path.clone());
                if let Some(place) = place(root, &path) {
                    objects.insert(place, fs::read(&path)?.into());
                }
            }
        }
    }
    Ok(objects)
}

/// Returns the bucket and the key of a file.
fn place(root: &Path, path: &Path) -> Option<(String, String)> {
    let within = path.strip_prefix(root).ok()?;
    let parts: Option<Vec<&str>> = within.iter().map(|part| part.to_str()).collect();
    let parts = parts?;
    let (bucket, key) = parts.split_first()?;
    (!key.is_empty()).then(|| ((*bucket).to_owned(), key.join("/")))
}
