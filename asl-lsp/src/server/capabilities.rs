//! What client and server can do (LSP 3.17, Initialize Request).
use crate::text::Encoding;
use lsp_types::{
    ClientCapabilities, PositionEncodingKind, SaveOptions, ServerCapabilities,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions,
};

/// What is to be known of the client.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
}

impl Client {
    pub(super) fn new(capabilities: &ClientCapabilities) -> Self {
        let general = capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_ref());
        let takes_utf8 = encodings.is_some_and(|all| all.contains(&PositionEncodingKind::UTF8));
        Self {
            encoding: if takes_utf8 {
                Encoding::Utf8
            } else {
                Encoding::Utf16
            },
        }
    }
}

/// What the server does.
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
        ..ServerCapabilities::default()
    }
}
