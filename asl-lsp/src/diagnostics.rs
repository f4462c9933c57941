//! What is wrong with a document, at the places of the files that are edited.
use crate::documents::{Document, Documents};
use crate::text::Text;
use asl_model::{Options, Severity};
use asl_template::{
    Contents, File, Found, Kind, Place, Places, Reading, Substitutions, is_called_definition,
    read_file,
};
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Range};
use std::collections::BTreeMap;
use std::ops;
use std::path::{Path, PathBuf};

/// Bytes of a document that is looked at, at most: more than any definition or template has.
pub(crate) const MOST_BYTES: u64 = asl_template::FileSystem::MOST_BYTES;

/// Something wrong, in one of the files that a document's definitions are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) path: PathBuf,
    pub(crate) range: Range,
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Problem {
    /// As the protocol has it.
    pub(crate) fn to_protocol(&self) -> Diagnostic {
        let message = match &self.hint {
            Some(hint) => format!("{}\nhint: {hint}", self.message),
            None => self.message.clone(),
        };
        Diagnostic {
            range: self.range,
            severity: Some(match self.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(self.code.to_owned())),
            source: Some("asl".to_owned()),
            message,
            ..Diagnostic::default()
        }
    }
}

/// What a document holds; None where it is not of this server's business, or too long.
pub(crate) fn contents(document: &Document, documents: &Documents) -> Option<Contents> {
    let text = document.text.as_str();
    if text.len() as u64 > MOST_BYTES {
        return None;
    }
    let given = Substitutions::default();
    let file = File::new(document.path.clone(), text);
    let contents = read_file(file, &Reading::new(documents, &given));
    (contents.kind() != Kind::Definition || is_definition(document)).then_some(contents)
}

/// Whether a document that is no template is a definition, by its name, its language or its words.
fn is_definition(document: &Document) -> bool {
    let language = document.language.to_ascii_lowercase();
    is_called_definition(&document.path)
        || language.split('-').any(|word| word == "asl")
        || document.text.as_str().contains("StartAt")
}

/// All that is wrong with what a document holds: the one place where that is found out.
pub(crate) fn problems(document: &Document, contents: &Contents) -> Vec<Problem> {
    let mut problems = Problems {
        document,
        others: BTreeMap::new(),
        list: Vec::new(),
    };
    let findings = contents.findings().iter();
    let of_machines = contents.machines().iter().flat_map(Found::findings);
    for finding in findings.chain(of_machines) {
        let said = (finding.severity, finding.code.as_str());
        let hint = finding.hint.as_deref();
        problems.add(finding.place(), said, &finding.message, hint);
    }
    for found in contents.machines() {
        problems.add_faults(found);
    }
    problems.list
}

struct Problems<'d> {
    document: &'d Document,
    /// The texts of other files that something is wrong in.
    others: BTreeMap<PathBuf, Text>,
    list: Vec<Problem>,
}

impl Problems<'_> {
    fn add_faults(&mut self, found: &Found) {
        let Some(text) = found.definition() else {
            return;
        };
        let faults = asl_lint::check(text.as_str(), found.options(Options::default()));
        if faults.is_empty() {
            return;
        }
        let places = Places::new(text);
        for fault in faults.iter() {
            let place = match faults.unreadable_at() {
                Some(position) => places.in_file(position),
                None => places.place_of(fault),
            };
            if let Some(place) = place.or_else(|| text.place_at(0)) {
                let said = (fault.severity, fault.rule.name());
                self.add(place, said, &fault.message, fault.hint.as_deref());
            }
        }
    }

    fn add(
        &mut self,
        place: Place<'_>,
        (severity, code): (Severity, &'static str),
        message: &str,
        hint: Option<&str>,
    ) {
        let range = self.range(place);
        self.list.push(Problem {
            path: place.file.path().to_owned(),
            range,
            severity,
            code,
            message: message.to_owned(),
            hint: hint.map(str::to_owned),
        });
    }

    fn range(&mut self, place: Place<'_>) -> Range {
        let (path, encoding) = (place.file.path(), self.document.text.encoding());
        if path == self.document.path {
            // A file is read without the mark of its byte order.
            let text = &self.document.text;
            let has_mark = text.as_str().starts_with(MARK);
            let mark = if has_mark { MARK.len_utf8() } else { 0 };
            return text.range(token_at(text.as_str(), place.offset + mark));
        }
        let read = || Text::new(place.file.text().to_owned(), encoding);
        let text = self.others.entry(path.to_owned()).or_insert_with(read);
        text.range(token_at(text.as_str(), place.offset))
    }
}

/// The mark of a text's byte order.
const MARK: char = '\u{feff}';

/// What stands at a place: a string, a word, or a bracket alone.
fn token_at(text: &str, offset: usize) -> ops::Range<usize> {
    let rest = text.get(offset..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let length = match line.chars().next() {
        None => 0,
        Some(quote @ ('"' | '\'')) => string_length(line, quote),
        Some('{' | '[' | '}' | ']') => 1,
        Some(_) => line.find([',', '}', ']', '#']).unwrap_or(line.len()),
    };
    let token = line.get(..length).unwrap_or(line).trim_end();
    offset..offset + token.len()
}

fn string_length(line: &str, quote: char) -> usize {
    let mut is_escaped = true;
    for (at, character) in line.char_indices() {
        if character == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    line.len()
}

/// The files that a document names and that its definitions are in.
pub(crate) fn referenced(contents: &Contents) -> impl Iterator<Item = &Path> {
    let machines = contents.machines().iter();
    machines.flat_map(|found| found.referenced().iter().map(PathBuf::as_path))
}
