//! Diagnostics of a definition, and findings of a template, with their places in the files that are edited.
use crate::definition::Definition;
use crate::snippet::Snippet;
use crate::terminal::{self, ERROR, FRAME, HINT, STRONG, WARNING};
use asl_model::{Diagnostic, DiagnosticRule, Diagnostics, Severity};
use asl_template::{DefinitionText, Finding, Place, Places};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::Path;

/// A diagnostic of a definition or a template, with its location.
#[derive(Debug, Clone)]
pub(crate) struct LocatedDiagnostic<'d> {
    pub(crate) severity: Severity,
    pub(crate) rule: DiagnosticRule,
    /// As the service has it, or one in its manner; None of lints.
    code: Option<&'static str>,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    pub(crate) place: Option<Place<'d>>,
    /// In the definition, as the service writes it.
    pub(crate) location: String,
}

impl<'d> LocatedDiagnostic<'d> {
    /// All of a definition's diagnostics.
    pub(crate) fn all(text: &'d DefinitionText, diagnostics: &Diagnostics) -> Vec<Self> {
        let places = Places::new(text);
        let unreadable = diagnostics.unreadable_at();
        let in_file = |position| {
            places
                .in_file(position)
                .map_or(position, |it| it.position())
        };
        let told = diagnostics.clone().relocated(in_file);
        told.iter()
            .map(|diagnostic| {
                let place = match unreadable {
                    Some(position) => places.in_file(position),
                    None => places.place_of(diagnostic),
                };
                Self::of_diagnostic(diagnostic, place)
            })
            .collect()
    }

    fn of_diagnostic(diagnostic: &Diagnostic, place: Option<Place<'d>>) -> Self {
        Self {
            severity: diagnostic.severity,
            rule: diagnostic.rule,
            code: diagnostic.code().map(|code| code.as_str()),
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            place,
            location: diagnostic.location.to_string(),
        }
    }

    /// Creates a finding, as a diagnostic is.
    pub(crate) fn of_finding(finding: &'d Finding) -> Self {
        Self {
            severity: finding.severity,
            rule: finding.code.rule(),
            code: Some(finding.code.as_str()),
            message: finding.message.clone(),
            hint: finding.hint.clone(),
            place: Some(finding.place()),
            location: "/".to_owned(),
        }
    }

    /// For programs; `file` is that of the definition.
    pub(crate) fn to_json(&self, file: &Path) -> Value {
        let Self {
            severity,
            rule,
            code,
            message,
            hint,
            place,
            location,
        } = self;
        let mut object = json!({
            "severity": severity, "code": code, "rule": rule.name(), "message": message, "location": location,
        });
        if let Some(place) = place {
            let position = place.position();
            object["line"] = position.line.into();
            object["column"] = position.column.into();
            if place.file.path() != file {
                object["file"] = place.file.path().display().to_string().into();
            }
        }
        if let Some(hint) = hint {
            object["hint"] = hint.as_str().into();
        }
        object
    }

    /// Formats the diagnostic for reading; `definition` is the name of the definition.
    pub(crate) fn text(&self, definition: &str) -> String {
        let (style, word) = match self.severity {
            Severity::Error => (ERROR, "error"),
            Severity::Warning => (WARNING, "warning"),
        };
        let (rule, message) = (&self.rule, shortened(&self.message));
        let mut text = format!("{style}{word}[{rule}]{style:#}{STRONG}: {message}{STRONG:#}\n");
        text.push_str(&match self.place {
            Some(place) => {
                let name = place.file.path().display().to_string();
                let snippet = Snippet::at_place(&name, place);
                snippet.with_style(style).to_string()
            }
            None => {
                let place = match self.location.as_str() {
                    "" | "/" => definition.to_owned(),
                    location => format!("{definition}: {}", shortened(location)),
                };
                format!(" {FRAME}-->{FRAME:#} {place}")
            }
        });
        text.push('\n');
        if let Some(hint) = &self.hint {
            let hint = shortened(hint);
            text.push_str(&format!("  {FRAME}={FRAME:#} {HINT}hint:{HINT:#} {hint}\n"));
        }
        text
    }

    /// For people, on stderr.
    pub(crate) fn print(&self, definition: &str) {
        terminal::error_line(&self.text(definition));
    }
}

/// Returns the beginning of a text that names something long of a definition.
fn shortened(text: &str) -> Cow<'_, str> {
    const MOST_CHARACTERS: usize = 2_000;
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Reports all of a definition's diagnostics on stderr.
pub(crate) fn print(definition: &Definition, diagnostics: &Diagnostics) {
    for told in definition.locate_diagnostics(diagnostics) {
        told.print(definition.name());
    }
}

/// Prints the findings about a template around a definition.
pub(crate) fn print_findings(definition: &Definition) {
    for finding in definition.source().findings() {
        LocatedDiagnostic::of_finding(finding).print("");
    }
}

/// Returns true if it would not be there but for a placeholder.
pub(crate) fn is_of_placeholder(diagnostic: &Diagnostic) -> bool {
    let hint = diagnostic.hint.as_deref().unwrap_or_default();
    diagnostic.rule == DiagnosticRule::LEFT_PLACEHOLDER
        || (diagnostic.severity == Severity::Error && hint.starts_with("replace the placeholder "))
}
