//! Synchronization of documents (LSP 3.17, Text Document Synchronization).
use super::capabilities::watch;
use super::lifecycle::Phase;
use super::{Server, read};
use crate::documents::Document;
use crate::text::Text;
use lsp_server::Message;
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams,
};
use serde_json::Value;

impl Server {
    /// Takes a notification; one that is not known, or not as the protocol has it, changes nothing.
    pub(super) fn notification(&mut self, method: &str, params: Value) -> Vec<Message> {
        match (self.phase, method) {
            (_, "exit") => self.exit(),
            (Phase::Running, "initialized") if self.client.watches_files => {
                return vec![watch().into()];
            }
            (Phase::Running, "textDocument/didOpen") => self.open(params),
            (Phase::Running, "textDocument/didChange") => self.change(params),
            (Phase::Running, "textDocument/didSave") => self.save(params),
            // Of files next to the open ones it is not known who names them.
            (Phase::Running, "workspace/didChangeWatchedFiles") => self.touch_all(),
            (Phase::Running, "textDocument/didClose") => return self.close(params),
            _ => {}
        }
        Vec::new()
    }

    fn open(&mut self, params: Value) {
        let Ok(params) = read::<DidOpenTextDocumentParams>(params) else {
            return;
        };
        let item = params.text_document;
        let text = Text::new(item.text, self.client.encoding);
        let document = Document::new(item.uri.as_str(), item.language_id, item.version, text);
        self.touch(&document.uri, &document.path.clone());
        self.documents.insert(document);
    }

    fn change(&mut self, params: Value) {
        let Ok(params) = read::<DidChangeTextDocumentParams>(params) else {
            return;
        };
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.get_mut(uri) else {
            return;
        };
        document.change(params.content_changes, params.text_document.version);
        let path = document.path.clone();
        self.touch(uri, &path);
    }

    /// Handles a saved document, which others may refer to.
    fn save(&mut self, params: Value) {
        if let Ok(params) = read::<DidSaveTextDocumentParams>(params)
            && let Some(document) = self.documents.get(params.text_document.uri.as_str())
        {
            let path = document.path.clone();
            let uri = document.uri.clone();
            self.touch(&uri, &path);
        }
    }

    fn close(&mut self, params: Value) -> Vec<Message> {
        let Ok(params) = read::<DidCloseTextDocumentParams>(params) else {
            return Vec::new();
        };
        let uri = params.text_document.uri.as_str();
        let Some(document) = self.documents.get(uri) else {
            return Vec::new();
        };
        let path = document.path.clone();
        self.documents.remove(uri);
        self.publishing.touch_users(&path);
        self.clear(uri)
    }
}

#[cfg(test)]
mod tests {
    use crate::Server;
    use crate::testing::Session;
    use lsp_server::{Message, Notification, Request};
    use serde_json::json;

    /// Returns the numbers of published diagnostics.
    fn published_counts(session: &mut Session) -> Vec<usize> {
        let messages = std::iter::from_fn(|| session.server.work()).flatten();
        let counts = messages.filter_map(|message| match message {
            Message::Notification(it) => Some(it.params["diagnostics"].as_array()?.len()),
            _ => None,
        });
        counts.collect()
    }

    #[test]
    fn a_client_that_watches_files_is_asked_to() {
        let mut server = Server::default();
        let capabilities =
            json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
        let params = json!({"capabilities": capabilities});
        server.handle(Request::new(1.into(), "initialize".to_owned(), params).into());
        let asked = server.handle(Notification::new("initialized".to_owned(), json!({})).into());
        assert!(
            matches!(asked.as_slice(), [Message::Request(it)] if it.method == "client/registerCapability")
        );
    }

    #[test]
    fn settings_count_as_the_editor_has_them() {
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Choice", "Choices": [{"Variable": "$.n", "IsNull": true, "Next": "B"}]},
            "B": {"Type": "Succeed"}}}"#;
        let mut session = Session::default();
        session.open("m.asl.json", text);
        assert_eq!(published_counts(&mut session), [1]);
        session.open("asl.toml", "[rules]\nchoice-without-default = \"ignore\"\n");
        // The settings themselves are no definition.
        assert_eq!(published_counts(&mut session), [0, 0]);
        session.replace("asl.toml", "[rules]\n");
        assert_eq!(published_counts(&mut session), [0, 1]);
    }
}
