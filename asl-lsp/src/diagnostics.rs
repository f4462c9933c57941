//! Problems of a document, at the positions of the edited files.
use crate::documents::{Document, Documents};
use crate::text::Text;
use asl_lint::{Checker, Edits, LocatedDiagnostic, NearestSettings, findings_of};
use asl_model::{DiagnosticRule, Fix, Options, Severity};
use asl_template::{
    Contents, File, Kind, Place, ReadOptions, StateMachineSource, Substitutions, read_file,
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
    pub(crate) rule: DiagnosticRule,
    /// Message with its hint.
    pub(crate) message: String,
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
        Diagnostic {
            range: self.range,
            severity: Some(match self.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(self.rule.name().to_owned())),
            source: Some("asl".to_owned()),
            message: self.message.clone(),
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
    for finding in &findings_of(contents, settings) {
        problems.add(LocatedDiagnostic::from_finding(finding), None);
    }
    for source in contents.machines() {
        problems.add_machine(source, checker);
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
    fn add_machine(&mut self, source: &StateMachineSource, checker: &Checker) {
        let options = source.options(
            Options::default().with_resources(self.settings.resources().unwrap_or_default()),
        );
        let checked = checker.check_machine(source, options, self.settings);
        let located = checked.located();
        let has_fixes = located.iter().any(|one| one.fix.is_some());
        let text = source.definition().filter(|_| has_fixes);
        let edits = text.map(|text| Edits::new(text, options));
        for mut one in located {
            // A problem of a definition that is empty, or ends too early.
            let start = || source.definition()?.place_at(0);
            one.place = one.place.or_else(start);
            let fix = edits.as_ref().zip(one.fix.as_ref());
            let fix = fix.and_then(|(edits, fix)| self.fix(fix, edits.of(fix)?));
            self.add(one, fix);
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

    /// Adds a problem, if it has a place.
    fn add(&mut self, one: LocatedDiagnostic<'_>, fix: Option<ProblemFix>) {
        let Some(place) = one.place else {
            return;
        };
        let range = self.range(place);
        self.list.push(Problem {
            path: place.file.path().to_owned(),
            range,
            severity: one.severity,
            rule: one.rule,
            message: one.message_with_hint(),
            fix,
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
