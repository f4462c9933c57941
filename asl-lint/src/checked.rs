//! All problems of a file: of a template as a whole, and of each state machine in it, after settings.
use crate::{Checker, LocatedDiagnostic, NearestSettings};
use asl_model::{Diagnostic, DiagnosticRule, Diagnostics, Options, Severity};
use asl_template::{Contents, Finding, Kind, StateMachineSource};
use std::path::Path;

/// A checked state machine, with the problems that settings and Comments leave.
#[derive(Debug, Clone)]
pub struct CheckedMachine {
    source: StateMachineSource,
    diagnostics: Diagnostics,
    findings: Vec<Finding>,
}

impl CheckedMachine {
    /// Returns the source of the definition.
    pub fn source(&self) -> &StateMachineSource {
        &self.source
    }

    /// Returns the diagnostics of the definition.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Iterates over the severities of all problems. Their places are not computed.
    pub fn severities(&self) -> impl Iterator<Item = Severity> {
        let diagnostics = self.diagnostics.iter().map(|one| one.severity);
        let findings = self.findings.iter().map(|finding| finding.severity);
        findings.chain(diagnostics)
    }

    /// Returns all problems with their places: findings of the template around the definition, then diagnostics.
    pub fn located(&self) -> Vec<LocatedDiagnostic<'_>> {
        let mut all: Vec<_> = self
            .findings
            .iter()
            .map(LocatedDiagnostic::from_finding)
            .collect();
        if let Some(text) = self.source.definition() {
            all.extend(LocatedDiagnostic::locate(text, &self.diagnostics));
        }
        all
    }
}

impl Checker {
    /// Checks a state machine of a file. `options` are those of its kind, for instance from
    /// [`StateMachineSource::options`].
    ///
    /// ```
    /// use asl_lint::{Checker, NearestSettings};
    /// use asl_template::{File, FileSystem, ReadOptions, Substitutions, read_file};
    ///
    /// let given = Substitutions::default();
    /// let file = File::new("a.asl.json", r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}}}"#);
    /// let contents = read_file(file, &ReadOptions::new(&FileSystem, &given));
    /// let source = &contents.machines()[0];
    /// let options = source.options(asl_model::Options::default());
    /// let checked = Checker::default().check_machine(source, options, &NearestSettings::default());
    /// assert!(checked.located().iter().any(|one| one.message == "Missing 'Next' target: B"));
    /// ```
    pub fn check_machine(
        &self,
        source: &StateMachineSource,
        options: Options,
        settings: &NearestSettings,
    ) -> CheckedMachine {
        CheckedMachine {
            source: source.clone(),
            diagnostics: settings.apply(&self.check_source(source, options), source.file()),
            findings: leveled(source.findings(), settings, source.file()),
        }
    }

    /// Returns the diagnostics of a state machine of a file, before settings.
    pub fn check_source(&self, source: &StateMachineSource, options: Options) -> Diagnostics {
        let Some(text) = source.definition() else {
            return Diagnostics::default();
        };
        without_repeated_warnings(source, self.check(text.as_str(), options))
    }
}

/// Returns the findings of a template as a whole, after settings.
pub fn findings_of(contents: &Contents, settings: &NearestSettings) -> Vec<Finding> {
    leveled(contents.findings(), settings, contents.file().path())
}

/// Removes warnings about placeholders that the findings of a template, or of a Terraform plan, report already.
pub fn without_repeated_warnings(
    source: &StateMachineSource,
    diagnostics: Diagnostics,
) -> Diagnostics {
    if diagnostics.unreadable_at().is_some() {
        return diagnostics;
    }
    let is_template = source.kind() != Kind::Definition;
    let is_repeated = |one: &Diagnostic| {
        one.severity == Severity::Warning
            && one.rule == DiagnosticRule::UNREPLACED_PLACEHOLDER
            && (is_template || one.message.contains("'${expression}'"))
    };
    diagnostics.filter_map(|one| (!is_repeated(one)).then(|| one.clone()))
}

/// Applies the severities of settings to findings, and removes ignored ones.
fn leveled(findings: &[Finding], settings: &NearestSettings, file: &Path) -> Vec<Finding> {
    let leveled = findings.iter().filter_map(|finding| {
        let mut finding = finding.clone();
        finding.severity = settings.severity_of(finding.severity, finding.code.rule(), file)?;
        Some(finding)
    });
    leveled.collect()
}
