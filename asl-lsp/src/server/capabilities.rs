//! Capabilities of client and server (LSP 3.17, Initialize Request).
use super::actions::FIX_ALL;
use super::commands::GRAPH;
use crate::text::Encoding;
use lsp_server::{Request, RequestId};
use lsp_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
    CodeLensOptions, CompletionOptions, ExecuteCommandOptions, HoverProviderCapability, OneOf,
    PositionEncodingKind, RenameOptions, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions,
};
use serde_json::json;

/// Capabilities of the client.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// It fills in snippets.
    pub(crate) takes_snippets: bool,
    /// True if the client can report changed files.
    pub(crate) watches_files: bool,
}

impl Client {
    pub(super) fn new(capabilities: &ClientCapabilities) -> Self {
        let general = capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_ref());
        let takes_utf8 = encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        let documents = capabilities.text_document.as_ref();
        let completion = documents.and_then(|documents| documents.completion.as_ref());
        let item = completion.and_then(|completion| completion.completion_item.as_ref());
        let workspace = capabilities.workspace.as_ref();
        let watching = workspace.and_then(|workspace| workspace.did_change_watched_files);
        Self {
            watches_files: watching.and_then(|it| it.dynamic_registration) == Some(true),
            takes_snippets: item.and_then(|item| item.snippet_support) == Some(true),
            encoding: if takes_utf8 {
                Encoding::Utf8
            } else {
                Encoding::Utf16
            },
        }
    }
}

/// Asks to be reported the files that documents may name, and of settings.
pub(super) fn watch() -> Request {
    let patterns = ["**/asl.toml", "**/*.asl.{json,yaml,yml}"];
    let watchers = patterns.map(|pattern| json!({"globPattern": pattern}));
    let registration = json!({
        "id": "asl-files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": {"watchers": watchers},
    });
    let id = RequestId::from("asl-files".to_owned());
    let method = "client/registerCapability".to_owned();
    Request::new(id, method, json!({"registrations": [registration]}))
}

/// Returns the capabilities of the server.
pub(super) fn capabilities(client: &Client) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match client.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::INCREMENTAL),
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions {
                    include_text: Some(false),
                })),
                ..TextDocumentSyncOptions::default()
            },
        )),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(["\"", "$", ".", ":"].map(str::to_owned).into()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, FIX_ALL]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![GRAPH.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
