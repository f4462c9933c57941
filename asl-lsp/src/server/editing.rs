//! Changes of a document: rename and formatting (LSP 3.17, Rename Request, Document Formatting Request).
use super::requests::changes;
use super::{Refusal, Server, read};
use asl_format::{FormatError, Style, format};
use lsp_server::ErrorCode;
use lsp_types::{DocumentFormattingParams, PrepareRenameResponse, RenameParams, TextEdit};
use serde_json::{Value, json};

impl Server {
    pub(super) fn prepare_rename(&self, params: Value) -> Result<Value, Refusal> {
        let at = self.at(params)?;
        let named = at.analysis.named_at(at.offset);
        let mentions = named.map_or_else(Vec::new, |named| at.analysis.mentions(&named));
        let here = mentions
            .into_iter()
            .map(|mention| mention.range)
            .find(|range| range.start.saturating_sub(1) <= at.offset && at.offset <= range.end);
        Ok(json!(here.map(|range| {
            PrepareRenameResponse::Range(at.document.text.range(range))
        })))
    }

    pub(super) fn rename(&self, params: Value) -> Result<Value, Refusal> {
        let name = read::<RenameParams>(params.clone())?.new_name;
        let at = self.at(params)?;
        let replacements = at.analysis.rename(at.offset, &name);
        let replacements =
            replacements.map_err(|message| Refusal::new(ErrorCode::RequestFailed, message))?;
        let edits = replacements.into_iter().map(|one| TextEdit {
            range: at.document.text.range(one.range),
            new_text: one.text,
        });
        Ok(changes(&at.uri, edits.collect()))
    }

    /// A definition by itself is formatted; templates have formatters of their own.
    pub(super) fn formatting(&self, params: Value) -> Result<Value, Refusal> {
        let params: DocumentFormattingParams = read(params)?;
        let document = self.document(&params.text_document.uri)?;
        let text = document.text.as_str();
        if document.is_too_long() {
            return Ok(Value::Null);
        }
        let style = Style::default().with_indent(
            usize::try_from(params.options.tab_size)
                .unwrap_or(2)
                .clamp(1, 16),
        );
        let formatted = match format(text, &style) {
            Ok(formatted) => formatted,
            Err(FormatError::NoDefinition) => return Ok(Value::Null),
            Err(error) => {
                let message = format!("the text cannot be formatted: {error}");
                return Err(Refusal::new(ErrorCode::RequestFailed, message));
            }
        };
        // What is the same at both ends stays, so that cursors and folds do.
        let start = common(text.char_indices(), formatted.char_indices());
        let (rest, new) = (tail(text, start), tail(&formatted, start));
        let end = common(rest.char_indices().rev(), new.char_indices().rev());
        let edit = TextEdit {
            range: document.text.range(start..text.len() - end),
            new_text: new.get(..new.len() - end).unwrap_or_default().to_owned(),
        };
        let is_same = text == formatted;
        Ok(json!(if is_same { Vec::new() } else { vec![edit] }))
    }
}

fn tail(text: &str, start: usize) -> &str {
    text.get(start..).unwrap_or_default()
}

/// Returns the number of bytes that two texts share, in whole characters.
fn common(
    one: impl Iterator<Item = (usize, char)>,
    other: impl Iterator<Item = (usize, char)>,
) -> usize {
    let both = one
        .zip(other)
        .take_while(|((_, one), (_, other))| one == other);
    both.map(|((_, character), _)| character.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use crate::testing::{Session, edited, uri};
    use serde_json::{Value, json};

    fn formatted(session: &mut Session, file: &str, text: &str) -> Value {
        session.open(file, text);
        let options = json!({"tabSize": 4, "insertSpaces": true});
        session.request(
            "textDocument/formatting",
            json!({"textDocument": {"uri": uri(file)}, "options": options}),
        )
    }

    #[test]
    fn a_definition_is_formatted() {
        let mut session = Session::default();
        let text =
            "{\"States\": {\"é\": {\"End\": true, \"Type\": \"Pass\"}},\n \"StartAt\": \"é\"}\n";
        let expected = "{\n    \"StartAt\": \"é\",\n    \"States\": {\n        \"é\": {\n            \"Type\": \"Pass\",\n            \"End\": true\n        }\n    }\n}\n";
        let edits = formatted(&mut session, "m.asl.json", text);
        assert_eq!(edited(text, &edits), expected);
        assert_eq!(formatted(&mut session, "m.asl.json", expected), json!([]));
    }

    #[test]
    fn what_cannot_be_formatted_is_left() {
        let mut session = Session::default();
        assert_eq!(formatted(&mut session, "x.json", "{\"a\":1}"), Value::Null);
        let broken = formatted(&mut session, "m.asl.json", "{\"StartAt\": ");
        assert!(
            broken
                .as_str()
                .unwrap()
                .starts_with("the text cannot be formatted: "),
            "{broken}"
        );
    }
}
