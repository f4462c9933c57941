//! Diagnostics with their places in source files.
use asl_model::{Diagnostic, DiagnosticRule, Diagnostics, Fix, Severity};
use asl_template::{DefinitionText, Finding, Place, Places};

/// A problem of a definition or a template, with its place in a source file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LocatedDiagnostic<'d> {
    /// Severity, after settings.
    pub severity: Severity,
    /// Violated rule.
    pub rule: DiagnosticRule,
    /// Code of the service, or a code in its style; None for a lint.
    pub code: Option<&'static str>,
    /// Message.
    pub message: String,
    /// Suggestion to fix the problem.
    pub hint: Option<String>,
    /// Fix, as changes of the definition.
    pub fix: Option<Fix>,
    /// Place in a source file; None if the definition's text has no such part.
    pub place: Option<Place<'d>>,
    /// Location in the definition, in the service's notation: `/States/a/Next`.
    pub location: String,
}

impl<'d> LocatedDiagnostic<'d> {
    /// Locates the diagnostics of a definition in its source files.
    ///
    /// ```
    /// use asl_lint::LocatedDiagnostic;
    /// use asl_template::{DefinitionText, File};
    /// use std::sync::Arc;
    ///
    /// let text = "{\n  \"StartAt\": \"A\",\n  \"States\": {\"A\": {\"Type\": \"Pass\", \"Next\": \"B\"}}\n}";
    /// let definition = DefinitionText::from_file(&Arc::new(File::new("a.asl.json", text)));
    /// let found = asl_lint::check(text, asl_model::Options::default());
    /// let located = LocatedDiagnostic::locate(&definition, &found);
    /// let missing = located.iter().find(|one| one.rule.name() == "unknown-target").unwrap();
    /// assert_eq!((missing.place.unwrap().position().line, missing.location.as_str()), (3, "/States/A/Next"));
    /// ```
    pub fn locate(text: &'d DefinitionText, diagnostics: &'d Diagnostics) -> Vec<Self> {
        if diagnostics.is_empty() {
            return Vec::new();
        }
        let places = Places::of_diagnostics(text, diagnostics);
        let unreadable = diagnostics.unreadable_at();
        let in_file = |position| {
            places
                .in_file(position)
                .map_or(position, |it| it.position())
        };
        let relocated = diagnostics.clone().relocated(in_file);
        let positions = diagnostics.located().map(|(_, position)| position);
        relocated
            .iter()
            .zip(positions)
            .map(|(diagnostic, position)| {
                // Where the parser knows the position, no map of the text is needed.
                let place = match unreadable.or(position) {
                    Some(position) => places.in_file(position),
                    None => places.place_of(diagnostic),
                };
                Self::from_diagnostic(diagnostic, place)
            })
            .collect()
    }

    fn from_diagnostic(diagnostic: &Diagnostic, place: Option<Place<'d>>) -> Self {
        Self {
            severity: diagnostic.severity,
            rule: diagnostic.rule,
            code: diagnostic.code().map(|code| code.as_str()),
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            fix: diagnostic.fix.clone(),
            place,
            location: diagnostic.location.to_string(),
        }
    }

    /// Converts a finding of a template.
    pub fn from_finding(finding: &'d Finding) -> Self {
        Self {
            severity: finding.severity,
            rule: finding.code.rule(),
            code: Some(finding.code.as_str()),
            message: finding.message.clone(),
            hint: finding.hint.clone(),
            fix: None,
            place: Some(finding.place()),
            location: "/".to_owned(),
        }
    }

    /// Returns the message, with the hint on a line of its own.
    pub fn message_with_hint(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\nhint: {hint}", self.message),
            None => self.message.clone(),
        }
    }
}
