//! Diagnostics of a definition, with their places in the files that are edited.
use crate::definition::Definition;
use crate::snippet::Snippet;
use crate::terminal::{self, ERROR, FRAME, HINT, STRONG, WARNING};
use asl_model::{Diagnostic, Diagnostics, Severity};
use asl_template::{DefinitionText, Finding, Place, Places};
use serde_json::{Value, json};

/// A diagnostic and where it is.
#[derive(Debug)]
pub(crate) struct Located<'d> {
    diagnostic: Diagnostic,
    place: Option<Place<'d>>,
}

impl<'d> Located<'d> {
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
            .map(|diagnostic| Self {
                diagnostic: diagnostic.clone(),
                place: match unreadable {
                    Some(position) => places.in_file(position),
                    None => places.place_of(diagnostic),
                },
            })
            .collect()
    }

    /// For programs; `file` is that of the definition.
    pub(crate) fn to_json(&self, file: &std::path::Path) -> Value {
        let Diagnostic {
            severity,
            rule,
            message,
            location,
            ..
        } = &self.diagnostic;
        let mut object = json!({
            "severity": severity, "code": rule.code(), "rule": rule.name(), "message": message,
            "location": location.as_str(),
        });
        add_place(&mut object, self.place, file);
        object
    }

    fn print(&self, name: &str) {
        let Diagnostic {
            severity,
            rule,
            message,
            location,
            hint,
            ..
        } = &self.diagnostic;
        let message = Message {
            severity: *severity,
            rule: rule.name(),
            message,
            hint: hint.as_deref(),
        };
        message.print(name, self.place, location.as_str());
    }
}

/// What is said, and to do about it.
struct Message<'m> {
    severity: Severity,
    rule: &'m str,
    message: &'m str,
    hint: Option<&'m str>,
}

impl Message<'_> {
    fn print(&self, definition: &str, place: Option<Place<'_>>, location: &str) {
        let Self {
            severity,
            rule,
            message,
            hint,
        } = self;
        let (style, word) = match severity {
            Severity::Error => (ERROR, "error"),
            Severity::Warning => (WARNING, "warning"),
        };
        terminal::error_line(&format!(
            "{style}{word}[{rule}]{style:#}{STRONG}: {message}{STRONG:#}"
        ));
        match place {
            Some(place) => {
                let name = place.file.path().display().to_string();
                let snippet = Snippet::at_place(&name, place);
                terminal::error_line(&snippet.with_style(style).to_string());
            }
            None => {
                let place = match location {
                    "" | "/" => definition.to_owned(),
                    location => format!("{definition}: {location}"),
                };
                terminal::error_line(&format!(" {FRAME}-->{FRAME:#} {place}"));
            }
        }
        if let Some(hint) = hint {
            terminal::error_line(&format!("  {FRAME}={FRAME:#} {HINT}hint:{HINT:#} {hint}"));
        }
        terminal::error_line("");
    }
}

fn add_place(object: &mut Value, place: Option<Place<'_>>, file: &std::path::Path) {
    let Some(place) = place else {
        return;
    };
    let position = place.position();
    object["line"] = position.line.into();
    object["column"] = position.column.into();
    if place.file.path() != file {
        object["file"] = place.file.path().display().to_string().into();
    }
}

/// A finding for programs, as a diagnostic is.
pub(crate) fn finding_to_json(finding: &Finding, file: &std::path::Path) -> Value {
    let mut object = json!({
        "severity": finding.severity, "code": finding.code.as_str(), "rule": finding.code.rule().name(),
        "message": finding.message, "location": "/",
    });
    add_place(&mut object, Some(finding.place()), file);
    object
}

/// Tells all of a definition's diagnostics on stderr.
pub(crate) fn print(definition: &Definition, diagnostics: &Diagnostics) {
    let located = definition.located(diagnostics);
    for located in &located {
        located.print(definition.name());
    }
}

/// Tells what is to be said of a template around a definition.
pub(crate) fn print_findings(definition: &Definition) {
    print_all(definition.found().findings());
}

/// Tells findings.
pub(crate) fn print_all(findings: &[Finding]) {
    for finding in findings {
        let message = Message {
            severity: finding.severity,
            rule: finding.code.rule().name(),
            message: &finding.message,
            hint: finding.hint.as_deref(),
        };
        message.print("", Some(finding.place()), "");
    }
}

/// Whether it would not be there but for a placeholder.
pub(crate) fn is_of_placeholder(diagnostic: &Diagnostic) -> bool {
    let hint = diagnostic.hint.as_deref().unwrap_or_default();
    diagnostic.severity == Severity::Error
        && (diagnostic.message.starts_with("the placeholder ")
            || hint.starts_with("replace the placeholder "))
}
