//! Diagnostics of a definition, and findings of a template, for people.
use crate::definition::Definition;
use crate::snippet::Snippet;
use crate::terminal::{self, ERROR, FRAME, HINT, STRONG, WARNING};
use asl_lint::LocatedDiagnostic;
use asl_lint::format::TextParts;
use asl_model::{Diagnostic, DiagnosticRule, Diagnostics, Severity};

/// Formats a diagnostic with its source line; `definition` is the name of the definition.
pub(crate) fn text(one: &LocatedDiagnostic<'_>, definition: &str) -> String {
    let style = match one.severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
    };
    let TextParts {
        severity,
        rule,
        message,
        place,
        hint,
        ..
    } = TextParts::new(one, definition);
    let mut text = format!("{style}{severity}[{rule}]{style:#}{STRONG}: {message}{STRONG:#}\n");
    text.push_str(&match place {
        Ok(place) => {
            let name = place.file.path().display().to_string();
            let snippet = Snippet::at_place(&name, place);
            snippet.with_style(style).to_string()
        }
        Err(place) => format!(" {FRAME}-->{FRAME:#} {place}"),
    });
    text.push('\n');
    if let Some(hint) = hint {
        text.push_str(&format!("  {FRAME}={FRAME:#} {HINT}hint:{HINT:#} {hint}\n"));
    }
    text
}

/// Reports all of a definition's diagnostics on stderr.
pub(crate) fn print(definition: &Definition, diagnostics: &Diagnostics) {
    for one in LocatedDiagnostic::locate(definition.text(), diagnostics) {
        terminal::error_line(&text(&one, definition.name()));
    }
}

/// Prints the findings about a template around a definition.
pub(crate) fn print_findings(definition: &Definition) {
    for finding in definition.source().findings() {
        terminal::error_line(&text(&LocatedDiagnostic::from_finding(finding), ""));
    }
}

/// Returns true if the diagnostic is caused by a placeholder.
pub(crate) fn is_of_placeholder(diagnostic: &Diagnostic) -> bool {
    let hint = diagnostic.hint.as_deref().unwrap_or_default();
    diagnostic.rule == DiagnosticRule::LEFT_PLACEHOLDER
        || (diagnostic.severity == Severity::Error && hint.starts_with("replace the placeholder "))
}
