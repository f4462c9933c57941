//! The documents that the client has open.
use crate::analysis::Analysis;
use crate::location::path_of;
use crate::text::Text;
use asl_template::{FileSystem, Files, is_called_definition, open_regular, plain_path};
use lsp_types::TextDocumentContentChangeEvent;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) uri: String,
    /// The path; the URI of a document without a file.
    pub(crate) path: PathBuf,
    pub(crate) language: String,
    pub(crate) version: i32,
    pub(crate) text: Text,
    analysis: OnceCell<Rc<Analysis>>,
    /// The analysis of the last complete text, which is used when the text is incomplete.
    sound: Option<Rc<Analysis>>,
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
            analysis: OnceCell::new(),
            sound: None,
        }
    }

    /// Takes another text.
    pub(crate) fn change(&mut self, changes: Vec<TextDocumentContentChangeEvent>, version: i32) {
        let analysis = self.analysis.take();
        if let Some(analysis) = analysis.filter(|it| !it.syntax.is_broken()) {
            self.sound = Some(analysis);
        }
        self.text.apply(changes);
        self.version = version;
    }

    /// Returns the analysis of the text; it is empty for a text that is too long.
    pub(crate) fn analysis(&self) -> &Analysis {
        self.analysis.get_or_init(|| {
            let text = match self.is_too_long() {
                true => "",
                false => self.text.as_str(),
            };
            Rc::new(Analysis::new(text, self.is_yaml(), self.is_definition()))
        })
    }

    /// The same of the last text in which nothing was missing, where something is now.
    pub(crate) fn sound_analysis(&self) -> Option<&Analysis> {
        self.sound
            .as_deref()
            .filter(|_| self.analysis().syntax.is_broken())
    }

    pub(crate) fn is_too_long(&self) -> bool {
        self.text.as_str().len() as u64 > FileSystem::MOST_BYTES
    }

    fn is_yaml(&self) -> bool {
        let ending = self.path.extension().and_then(|ending| ending.to_str());
        self.language.contains("yaml")
            || ending
                .is_some_and(|it| it.eq_ignore_ascii_case("yaml") || it.eq_ignore_ascii_case("yml"))
    }

    /// Returns true if the document is a definition by its name or its language, regardless of its content.
    pub(crate) fn is_definition(&self) -> bool {
        let language = self.language.to_ascii_lowercase();
        is_called_definition(&self.path) || language.split('-').any(|word| word == "asl")
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

    /// Returns the text of a file, from the editor if it is open.
    pub(crate) fn text_of(&self, path: &Path) -> io::Result<String> {
        match self.at(path) {
            Some(document) => Ok(document.text.as_str().to_owned()),
            None => io::read_to_string(open_regular(path)?),
        }
    }
}

/// Reads open documents from the editor, and other files from the file system.
impl Files for Documents {
    fn read(&self, path: &Path) -> Result<String, String> {
        match self.at(&plain_path(path)) {
            Some(document) => Ok(document.text.as_str().to_owned()),
            None => FileSystem.read(path),
        }
    }
}
