//! A client for tests: texts with a caret `‸` where the cursor is.
use crate::server::Server;
use crate::text::{Encoding, Text};
use lsp_server::{Message, Notification, Request};
use lsp_types::{Range, TextEdit};
use serde_json::{Value, json};

/// Marks the cursor in a test's text.
pub(crate) const CARET: char = '‸';

/// A session with a server.
pub(crate) struct Session {
    pub(crate) server: Server,
    next: i32,
}

impl Default for Session {
    fn default() -> Self {
        let mut session = Self {
            server: Server::default(),
            next: 0,
        };
        let capabilities =
            json!({"textDocument": {"completion": {"completionItem": {"snippetSupport": true}}}});
        session.request("initialize", json!({"capabilities": capabilities}));
        session
    }
}

impl Session {
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let notification = Notification::new(method.to_owned(), params);
        self.server.handle(notification.into());
    }

    /// Returns the result of a request, or the message of its refusal.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let request = Request::new(self.next.into(), method.to_owned(), params);
        let answers = self.server.handle(request.into());
        let [Message::Response(answer)] = answers.as_slice() else {
            panic!("{answers:?}")
        };
        match &answer.response_result {
            Ok(result) => result.clone(),
            Err(error) => error.message.clone().into(),
        }
    }

    pub(crate) fn open(&mut self, file: &str, text: &str) {
        let language = if file.ends_with("json") {
            "json"
        } else {
            "yaml"
        };
        let document =
            json!({"uri": uri(file), "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// The text as the server has it.
    pub(crate) fn text(&self, file: &str) -> String {
        let document = self.server.documents.get(&uri(file)).unwrap();
        document.text.as_str().to_owned()
    }

    /// Replaces the whole text.
    pub(crate) fn replace(&mut self, file: &str, text: &str) {
        let document = json!({"uri": uri(file), "version": 2});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [{"text": text}]}),
        );
    }

    /// Opens a text and asks about all of it.
    pub(crate) fn request_for(&mut self, file: &str, text: &str, method: &str) -> Value {
        self.open(file, text);
        self.request(method, json!({"textDocument": {"uri": uri(file)}}))
    }

    /// Opens a text and asks about where its caret is.
    pub(crate) fn request_at_caret(&mut self, file: &str, text: &str, method: &str) -> Value {
        let (text, position) = without_caret(text);
        self.open(file, &text);
        self.request(
            method,
            json!({"textDocument": {"uri": uri(file)}, "position": position, "context": {"includeDeclaration": true}}),
        )
    }

    /// Returns the text after a rename at its caret, or the reason why it failed.
    pub(crate) fn rename_at_caret(&mut self, file: &str, text: &str, name: &str) -> String {
        let (text, position) = without_caret(text);
        self.open(file, &text);
        let params =
            json!({"textDocument": {"uri": uri(file)}, "position": position, "newName": name});
        let result = self.request("textDocument/rename", params);
        match result {
            Value::String(message) => message,
            result => edited(&text, &result["changes"][uri(file)]),
        }
    }
}

pub(crate) fn uri(file: &str) -> String {
    format!("file:///nowhere/{file}")
}

/// Returns a text and the position of its caret.
#[track_caller]
pub(crate) fn without_caret(text: &str) -> (String, Value) {
    let offset = text.find(CARET).expect("a caret");
    let text = text.replace(CARET, "");
    let position = Text::new(text.clone(), Encoding::Utf16).position(offset);
    (text, json!(position))
}

/// Returns a text after edits, which are given as the protocol has them.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<TextEdit> = serde_json::from_value(edits.clone()).unwrap();
    edits.sort_by_key(|edit| (edit.range.start.line, edit.range.start.character));
    let places = Text::new(text.to_owned(), Encoding::Utf16);
    let mut edited = text.to_owned();
    for edit in edits.into_iter().rev() {
        edited.replace_range(places.range_of(edit.range), &edit.new_text);
    }
    edited
}

/// `LINE:COLUMN-COLUMN` of each range in a result.
pub(crate) fn shown_ranges(result: &Value) -> Vec<String> {
    let list = result.as_array().into_iter().flatten();
    list.map(|one| {
        let range: Range = serde_json::from_value(one["range"].clone()).unwrap();
        let (start, end) = (range.start, range.end);
        format!("{}:{}-{}", start.line, start.character, end.character)
    })
    .collect()
}
