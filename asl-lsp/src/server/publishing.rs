//! Diagnostics: documents to check, and published results (LSP 3.17, PublishDiagnostics).
use super::Server;
use crate::diagnostics::{self, Problem};
use crate::documents::Document;
use crate::location::uri_of;
use asl_lint::SettingsOfFolders;
use lsp_server::{Message, Notification};
use lsp_types::Diagnostic;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Name of settings files.
const SETTINGS: &str = "asl.toml";

/// State of published diagnostics.
#[derive(Debug, Default)]
pub(crate) struct PublishedDiagnostics {
    /// Documents whose text, or whose referenced files, changed since the last check.
    changed: BTreeSet<String>,
    /// Published diagnostics by document.
    told: BTreeMap<String, PublishedVersion>,
}

#[derive(Debug, Default)]
struct PublishedVersion {
    /// The files that the document names.
    referenced: BTreeSet<PathBuf>,
    /// Published diagnostics by URI of files that are not open.
    elsewhere: BTreeMap<String, Vec<Diagnostic>>,
    /// Problems of the document itself, with the version that was checked.
    here: (i32, Vec<Problem>),
}

impl PublishedDiagnostics {
    /// Marks the documents that refer to a changed path.
    pub(super) fn touch_users(&mut self, path: &Path) {
        let users = self.told.iter();
        let users = users.filter(|(_, told)| told.referenced.contains(path));
        self.changed.extend(users.map(|(uri, _)| uri.clone()));
    }

    /// Returns all that documents say of a file that is not open.
    fn of_file(&self, uri: &str) -> Vec<&Diagnostic> {
        let all = self.told.values();
        all.filter_map(|told| told.elsewhere.get(uri))
            .flatten()
            .collect()
    }
}

impl Server {
    /// Notes that a document has another text.
    pub(super) fn touch(&mut self, uri: &str, path: &Path) {
        self.publishing.changed.insert(uri.to_owned());
        match path.file_name().is_some_and(|name| name == SETTINGS) {
            true => self.touch_all(),
            false => self.publishing.touch_users(path),
        }
    }

    /// Marks all documents.
    pub(super) fn touch_all(&mut self) {
        let all = self.documents.iter().map(|document| document.uri.clone());
        self.publishing.changed.extend(all);
    }

    /// Returns true if there is background work.
    pub(super) fn has_work(&self) -> bool {
        !self.publishing.changed.is_empty()
    }

    /// Checks one changed document.
    pub(super) fn publish_next(&mut self) -> Option<Vec<Message>> {
        let uri = self.publishing.changed.pop_first()?;
        let Some(document) = self.documents.get(&uri) else {
            return Some(Vec::new());
        };
        let told = self.look_at(document);
        let (version, here) = (told.here.0, told.here.1.iter());
        let here: Vec<Diagnostic> = here.map(Problem::to_protocol).collect();
        let mut messages = vec![publish(&uri, Some(version), &json!(here))];
        messages.extend(self.publish_version(&uri, told));
        Some(messages)
    }

    fn look_at(&self, document: &Document) -> PublishedVersion {
        let contents = diagnostics::contents(document, &self.documents);
        // Settings that cannot be read say nothing here: `asl validate` reports what is wrong with them.
        let text_of = |path: &Path| self.documents.text_of(path);
        let settings = SettingsOfFolders::default().nearest(&document.path, &text_of);
        let settings = settings.unwrap_or_default();
        let problems = contents.as_ref().map_or_else(Vec::new, |contents| {
            diagnostics::problems(document, contents, &settings, &self.checker)
        });
        let referenced = contents.iter().flat_map(diagnostics::referenced);
        let (here, others): (Vec<Problem>, Vec<Problem>) = problems
            .into_iter()
            .partition(|it| it.path == document.path);
        let mut told = PublishedVersion {
            referenced: referenced.map(Path::to_owned).collect(),
            elsewhere: BTreeMap::new(),
            here: (document.version, here),
        };
        for problem in others {
            // An open file is reported by itself.
            if self.documents.at(&problem.path).is_none() {
                let of_file = told.elsewhere.entry(uri_of(&problem.path)).or_default();
                of_file.push(problem.to_protocol());
            }
        }
        told
    }

    /// Returns the current problems of a document.
    pub(super) fn problems_of(&self, document: &Document) -> Vec<Problem> {
        let told = self.publishing.told.get(&document.uri);
        let known = told.filter(|told| told.here.0 == document.version);
        match known {
            Some(told) if !self.publishing.changed.contains(&document.uri) => told.here.1.clone(),
            _ => self.look_at(document).here.1,
        }
    }

    /// Clears the diagnostics of a closed document.
    pub(super) fn clear(&mut self, uri: &str) -> Vec<Message> {
        let mut messages = vec![publish(uri, None, &json!([]))];
        messages.extend(self.publish_version(uri, PublishedVersion::default()));
        self.publishing.told.remove(uri);
        messages
    }

    /// Replaces what a document reported other files.
    fn publish_version(&mut self, uri: &str, told: PublishedVersion) -> Vec<Message> {
        let new: BTreeSet<String> = told.elsewhere.keys().cloned().collect();
        let old = self.publishing.told.insert(uri.to_owned(), told);
        let old = old.into_iter().flat_map(|told| told.elsewhere.into_keys());
        let files: BTreeSet<String> = old.chain(new).collect();
        let closed = files
            .into_iter()
            .filter(|it| self.documents.get(it).is_none());
        closed
            .map(|file| publish(&file, None, &json!(self.publishing.of_file(&file))))
            .collect()
    }
}

fn publish(uri: &str, version: Option<i32>, diagnostics: &serde_json::Value) -> Message {
    let mut params = json!({"uri": uri, "diagnostics": diagnostics});
    if let Some(version) = version {
        params["version"] = version.into();
    }
    Notification::new("textDocument/publishDiagnostics".to_owned(), params).into()
}
