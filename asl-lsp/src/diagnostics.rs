//! Problems of a document, at the positions of the edited files.
use crate::documents::{Document, Documents};
use crate::text::Text;
use asl_lint::{Checker, Edits, NearestSettings};
use asl_model::{Fix, Options, Severity};
use asl_template::{
    Contents, File, Kind, Place, Places, ReadOptions, StateMachineSource, Substitutions, read_file,
};
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, Range, TextEdit};
use std::collections::BTreeMap;
use std::ops;
use std::path::{Path, PathBuf};

/// Something wrong, in one of the files that a document's definitions are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) path: PathBuf,
    pub(crate) range: Range,
    pub(crate) severity: Severity,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) fix: Option<ProblemFix>,
}

/// A fix of a problem inside the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProblemFix {
    pub(crate) title: String,
    /// True if the fix is unambiguous.
    pub(crate) is_sure: bool,
    pub(crate) edits: Vec<TextEdit>,
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

/// Returns the content of a document; None if it has no definitions, or is too long.
pub(crate) fn contents(document: &Document, documents: &Documents) -> Option<Contents> {
    if document.is_too_long() {
        return None;
    }
    let text = document.text.as_str();
    let given = Substitutions::default();
    let file = File::new(document.path.clone(), text);
    let contents = read_file(file, &ReadOptions::new(documents, &given));
    let is_meant = contents.kind() != Kind::Definition
        || document.is_definition()
        || document.text.as_str().contains("StartAt");
    is_meant.then_some(contents)
}

/// Returns all that is wrong with what a document holds: the one place where that is found out.
pub(crate) fn problems(
    document: &Document,
    contents: &Contents,
    settings: &NearestSettings,
    checker: &Checker,
) -> Vec<Problem> {
    let mut problems = Problems {
        document,
        settings,
        others: BTreeMap::new(),
        list: Vec::new(),
    };
    let findings = contents.findings().iter();
    let of_machines = contents
        .machines()
        .iter()
        .flat_map(StateMachineSource::findings);
    for finding in findings.chain(of_machines) {
        let said = (finding.severity, finding.code.as_str());
        let hint = finding.hint.as_deref();
        problems.add(finding.place(), said, &finding.message, hint);
    }
    for found in contents.machines() {
        problems.add_faults(found, checker);
    }
    problems.list
}

struct Problems<'d> {
    document: &'d Document,
    settings: &'d NearestSettings,
    /// The texts of other files that something is wrong in.
    others: BTreeMap<PathBuf, Text>,
    list: Vec<Problem>,
}

impl Problems<'_> {
    fn add_faults(&mut self, found: &StateMachineSource, checker: &Checker) {
        let Some(text) = found.definition() else {
            return;
        };
        let options = found.options(Options::default());
        let faults = checker.check(text.as_str(), options);
        let faults = self.settings.apply(&faults, found.file());
        if faults.is_empty() {
            return;
        }
        let places = Places::new(text);
        let has_fixes = faults.iter().any(|fault| fault.fix.is_some());
        let edits = has_fixes.then(|| Edits::new(text, options));
        for fault in faults.iter() {
            let place = match faults.unreadable_at() {
                Some(position) => places.in_file(position),
                None => places.place_of(fault),
            };
            let Some(place) = place.or_else(|| text.place_at(0)) else {
                continue;
            };
            let said = (fault.severity, fault.rule.name());
            self.add(place, said, &fault.message, fault.hint.as_deref());
            let fix = edits.as_ref().zip(fault.fix.as_ref());
            let fix = fix.and_then(|(edits, fix)| self.fix(fix, edits.of(fix)?));
            if let Some(last) = self.list.last_mut() {
                last.fix = fix;
            }
        }
    }

    /// A fix as the protocol has it; None if another file would have to change.
    fn fix(&self, fix: &Fix, edits: Vec<asl_lint::TextEdit>) -> Option<ProblemFix> {
        let text = &self.document.text;
        let edits = edits.into_iter().map(|edit| {
            let mark = self.mark();
            let range = edit.range.start + mark..edit.range.end + mark;
            (edit.file == self.document.path).then(|| TextEdit::new(text.range(range), edit.text))
        });
        Some(ProblemFix {
            title: fix.title.clone(),
            is_sure: fix.is_sure,
            edits: edits.collect::<Option<_>>()?,
        })
    }

    /// A file is read without the mark of its byte order: so many bytes come before.
    fn mark(&self) -> usize {
        match self.document.text.as_str().starts_with(MARK) {
            true => MARK.len_utf8(),
            false => 0,
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
            fix: None,
        });
    }

    fn range(&mut self, place: Place<'_>) -> Range {
        let (path, encoding) = (place.file.path(), self.document.text.encoding());
        if path == self.document.path {
            let text = &self.document.text;
            let offset = place.offset + self.mark();
            let shown = self.document.analysis().marked_range_at(offset);
            return text.range(shown.unwrap_or_else(|| token_at(text.as_str(), offset)));
        }
        let read = || Text::new(place.file.text().to_owned(), encoding);
        let text = self.others.entry(path.to_owned()).or_insert_with(read);
        text.range(token_at(text.as_str(), place.offset))
    }
}

/// The mark of a text's byte order.
const MARK: char = '\u{feff}';

/// Returns the token at an offset: a string, a word, or a bracket.
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

/// Returns the files that a document names and that its definitions are in.
pub(crate) fn referenced(contents: &Contents) -> impl Iterator<Item = &Path> {
    let machines = contents.machines().iter();
    machines.flat_map(|found| found.referenced().iter().map(PathBuf::as_path))
}
