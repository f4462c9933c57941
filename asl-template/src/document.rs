//! Templates, and the files that they name, as documents.
use crate::{File, Finding, FindingCode};
use asl_model::{Diagnostics, DifferentScalar, Document, Options, Syntax};
use std::path::Path;
use std::sync::Arc;

/// Levels of a template: CloudFormation takes far fewer.
pub(crate) const MAX_DEPTH: usize = 256;

/// Returns true if a file is called YAML, so that a brace at its beginning need not make it JSON.
pub(crate) fn is_called_yaml(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|it| it.eq_ignore_ascii_case("yaml") || it.eq_ignore_ascii_case("yml"))
}

/// Parses a template, or a file that one names.
pub(crate) fn read_document(text: &str) -> Result<Document, Diagnostics> {
    read_document_as(text, Syntax::Yaml)
}

fn read_document_as(text: &str, syntax: Syntax) -> Result<Document, Diagnostics> {
    let limits = Options::default()
        .with_max_depth(MAX_DEPTH)
        .with_syntax(syntax);
    Document::parse(text, limits)
}

/// Reads a text again as CloudFormation reads it. Returns the scalars that differ with it.
pub(crate) fn as_cloudformation(document: Document) -> (Document, Vec<DifferentScalar>) {
    match read_document_as(document.text(), Syntax::CloudFormation) {
        Ok(older) => {
            let differences = older.differences_from(&document);
            (older, differences)
        }
        Err(_) => (document, Vec::new()),
    }
}

pub(crate) fn unreadable_finding(file: &Arc<File>, faults: &Diagnostics) -> Finding {
    let message = faults.iter().map(|fault| fault.message.as_str()).next();
    let offset = faults.unreadable_at().map_or(0, |at| file.offset(at));
    let code = FindingCode::UnreadableTemplate;
    let message = format!("the file cannot be read: {}", message.unwrap_or_default());
    Finding::error(code, (file, offset), message)
}
