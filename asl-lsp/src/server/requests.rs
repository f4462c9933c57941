//! Requests about documents, and the functions that answer them.
use super::{Refusal, Server, read};
use crate::analysis::Analysis;
use crate::completion::{Candidate, complete, without_places};
use crate::documents::Document;
use crate::location::{path_of, uri_of};
use crate::symbols::symbols;
use lsp_server::ErrorCode;
use lsp_types::{
    CompletionItem, CompletionList, CompletionTextEdit, DocumentHighlight, Documentation, Hover,
    HoverContents, InsertTextFormat, Location, MarkupContent, MarkupKind, ReferenceParams,
    TextDocumentIdentifier, TextDocumentPositionParams, TextEdit, Uri,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Candidates of a completion that an editor is given.
const MOST_CANDIDATES: usize = 1_000;

/// Parameters that name a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfDocument {
    pub(super) text_document: TextDocumentIdentifier,
}

/// A place in an open document.
pub(super) struct At<'s> {
    pub(super) document: &'s Document,
    pub(super) analysis: &'s Analysis,
    pub(super) uri: Uri,
    pub(super) offset: usize,
}

impl Server {
    /// Answers a request of a running session.
    pub(super) fn answer(&mut self, method: &str, params: Value) -> Result<Value, Refusal> {
        match method {
            "textDocument/hover" => self.hover(params),
            "textDocument/completion" => self.completion(params),
            "textDocument/definition" => self.definition(params),
            "textDocument/references" => self.references(params),
            "textDocument/documentHighlight" => self.highlights(params),
            "textDocument/documentSymbol" => self.symbols(params),
            "textDocument/prepareRename" => self.prepare_rename(params),
            "textDocument/rename" => self.rename(params),
            "textDocument/formatting" => self.formatting(params),
            "textDocument/codeAction" => self.actions(params),
            "textDocument/codeLens" => self.lenses(params),
            "workspace/executeCommand" => self.execute(params),
            _ => Err(Refusal::new(
                ErrorCode::MethodNotFound,
                format!("unsupported request {method}"),
            )),
        }
    }

    /// Returns the open document of a URI.
    pub(super) fn document(&self, uri: &Uri) -> Result<&Document, Refusal> {
        let uri = uri.as_str();
        self.documents.get(uri).ok_or_else(|| {
            let message = format!("expected an open document, found {uri}");
            Refusal::new(ErrorCode::InvalidParams, message)
        })
    }

    /// Returns the place that parameters name.
    pub(super) fn at(&self, params: Value) -> Result<At<'_>, Refusal> {
        let params: TextDocumentPositionParams = read(params)?;
        let document = self.document(&params.text_document.uri)?;
        Ok(At {
            document,
            analysis: document.analysis(),
            uri: params.text_document.uri,
            offset: document.text.offset(params.position),
        })
    }

    fn hover(&self, params: Value) -> Result<Value, Refusal> {
        let at = self.at(params)?;
        let hover = at.analysis.hover(&self.services, at.offset);
        Ok(json!(hover.map(|hover| Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: hover.markdown,
            }),
            range: Some(at.document.text.range(hover.range)),
        })))
    }

    fn completion(&self, params: Value) -> Result<Value, Refusal> {
        let at = self.at(params)?;
        let sound = at.document.sound_analysis();
        let mut candidates = complete(at.analysis, sound, &self.services, at.offset);
        let is_incomplete = candidates.len() > MOST_CANDIDATES;
        if is_incomplete {
            // The editor asks again when more is typed.
            candidates.retain(|candidate| at.is_typed(candidate));
            candidates.truncate(MOST_CANDIDATES);
        }
        let items = candidates.into_iter().map(|it| self.item(&at, it));
        Ok(json!(CompletionList {
            is_incomplete,
            items: items.collect(),
        }))
    }

    fn item(&self, at: &At<'_>, candidate: Candidate) -> CompletionItem {
        let (snippet, format) = match self.client.takes_snippets {
            true => (candidate.snippet, InsertTextFormat::SNIPPET),
            false => (
                without_places(&candidate.snippet),
                InsertTextFormat::PLAIN_TEXT,
            ),
        };
        let replaced = at.analysis.syntax.slice(candidate.range.clone());
        CompletionItem {
            // Editors hold it against what is replaced, with its quotes.
            filter_text: replaced
                .starts_with('"')
                .then(|| format!("\"{}\"", candidate.label)),
            sort_text: Some(format!("{}{}", candidate.rank as u8, candidate.label)),
            kind: Some(candidate.kind),
            detail: candidate.detail,
            documentation: candidate.documentation.map(|value| {
                let kind = MarkupKind::Markdown;
                Documentation::MarkupContent(MarkupContent { kind, value })
            }),
            insert_text_format: Some(format),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit {
                range: at.document.text.range(candidate.range),
                new_text: snippet,
            })),
            label: candidate.label,
            ..CompletionItem::default()
        }
    }

    fn definition(&self, params: Value) -> Result<Value, Refusal> {
        let at = self.at(params)?;
        if let Some(uri) = at.named_file() {
            return Ok(json!([{"uri": uri, "range": lsp_types::Range::default()}]));
        }
        Ok(at.locations(|is_definition| is_definition))
    }

    fn references(&self, params: Value) -> Result<Value, Refusal> {
        let context = read::<ReferenceParams>(params.clone())?.context;
        let at = self.at(params)?;
        Ok(at.locations(|is_definition| context.include_declaration || !is_definition))
    }

    fn highlights(&self, params: Value) -> Result<Value, Refusal> {
        let at = self.at(params)?;
        let named = at.analysis.named_at(at.offset);
        let mentions = named.map_or_else(Vec::new, |named| at.analysis.mentions(&named));
        let highlight = mentions.into_iter().map(|mention| DocumentHighlight {
            kind: Some(mention.highlight()),
            range: at.document.text.range(mention.range),
        });
        Ok(json!(highlight.collect::<Vec<_>>()))
    }

    fn symbols(&self, params: Value) -> Result<Value, Refusal> {
        let document = self.document(&read::<OfDocument>(params)?.text_document.uri)?;
        Ok(json!(symbols(document.analysis(), &document.text)))
    }
}

/// Edits of one document, as the protocol has them.
pub(super) fn changes(uri: &Uri, edits: Vec<TextEdit>) -> Value {
    json!({"changes": BTreeMap::from([(uri.as_str(), edits)])})
}

impl At<'_> {
    /// Returns true if a candidate matches the typed text.
    fn is_typed(&self, candidate: &Candidate) -> bool {
        let range = candidate.range.start..self.offset;
        let typed = self.analysis.syntax.slice(range).trim_start_matches('"');
        let label = candidate.label.to_lowercase();
        label.contains(&typed.to_lowercase())
    }

    /// Returns the file that a template names here for a definition.
    fn named_file(&self) -> Option<String> {
        const FIELDS: [&str; 2] = ["DefinitionUri", "DefinitionS3Location"];
        let syntax = &self.analysis.syntax;
        let node = syntax.node_at(self.offset)?;
        let path = syntax.value(node)?;
        let is_local = !path.contains(':') && !path.starts_with('/');
        if !FIELDS.contains(&&*syntax.name(node)) || !is_local {
            return None;
        }
        let template = path_of(self.uri.as_str())?;
        Some(uri_of(&asl_template::plain_path(
            &template.parent()?.join(&*path),
        )))
    }

    /// Returns the locations of the thing at the cursor that a filter selects.
    fn locations(&self, is_wanted: impl Fn(bool) -> bool) -> Value {
        let named = self.analysis.named_at(self.offset);
        let mentions = named.map_or_else(Vec::new, |named| self.analysis.mentions(&named));
        let wanted = mentions
            .into_iter()
            .filter(|it| is_wanted(it.is_definition));
        let locations = wanted.map(|mention| {
            Location::new(self.uri.clone(), self.document.text.range(mention.range))
        });
        json!(locations.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;

    #[test]
    fn the_file_that_a_template_names_is_found() {
        let template = |path: &str| {
            format!(
                "Resources:\n  M:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      DefinitionUri: {path}\n"
            )
        };
        let asked = |path: &str| {
            Session::default().request_at_caret(
                "dir/template.yaml",
                &template(path),
                "textDocument/definition",
            )
        };
        let found = asked("../flows/or‸der.asl.json");
        assert_eq!(found[0]["uri"], "file:///nowhere/flows/order.asl.json");
        assert_eq!(asked("s3://bucket/or‸der.asl.json"), serde_json::json!([]));
    }
}
