//! The documents that the client has open.
use crate::location::path_of;
use crate::text::Text;
use asl_template::{FileSystem, Files, plain_path};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: String,
    /// Where it lies; what has no file is called as its URI is.
    pub(crate) path: PathBuf,
    pub(crate) language: String,
    pub(crate) version: i32,
    pub(crate) text: Text,
}

impl Document {
    pub(crate) fn new(uri: &str, language: String, version: i32, text: Text) -> Self {
        let path = path_of(uri).map(|path| plain_path(&path));
        Self {
            path: path.unwrap_or_else(|| PathBuf::from(uri)),
            uri: uri.to_owned(),
            language,
            version,
            text,
        }
    }
}

/// All of them, by URI.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    open: BTreeMap<String, Document>,
}

impl Documents {
    pub(crate) fn insert(&mut self, document: Document) {
        self.open.insert(document.uri.clone(), document);
    }

    pub(crate) fn remove(&mut self, uri: &str) {
        self.open.remove(uri);
    }

    pub(crate) fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    pub(crate) fn get_mut(&mut self, uri: &str) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Document> {
        self.open.values()
    }

    pub(crate) fn at(&self, path: &Path) -> Option<&Document> {
        self.iter().find(|document| document.path == path)
    }
}

/// What is open is read as the editor has it, all else from the file system.
impl Files for Documents {
    fn read(&self, path: &Path) -> Result<String, String> {
        match self.at(&plain_path(path)) {
            Some(document) => Ok(document.text.as_str().to_owned()),
            None => FileSystem.read(path),
        }
    }
}
