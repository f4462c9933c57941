//! What was checked, and what is to be reported it.
use crate::arguments::{ValidateArguments, ValidateFormat};
use crate::definition::{Definition, Lookup};
use crate::diagnostics::LocatedDiagnostic;
use crate::exit::{Failure, print_styled};
use crate::settings::unreadable;
use crate::terminal::{self, ERROR, SUCCESS, WARNING, count_noun};
use asl_lint::{Checker, NearestSettings, SettingsOfFolders};
use asl_model::{Diagnostics, Severity};
use asl_template::Finding;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// What was checked so far.
#[derive(Default)]
pub(super) struct CheckReport {
    definitions: Vec<CheckedDefinition>,
    /// Of templates as a whole.
    findings: Vec<Finding>,
    unread: usize,
    /// True if settings say that warnings are not to be there.
    denies_warnings: bool,
}

/// A definition, and what its settings leave of what is to be said.
struct CheckedDefinition {
    definition: Definition,
    diagnostics: Diagnostics,
    findings: Vec<Finding>,
}

impl CheckedDefinition {
    fn locate_findings(&self) -> Vec<LocatedDiagnostic<'_>> {
        let findings = self.findings.iter().map(LocatedDiagnostic::of_finding);
        findings
            .chain(self.definition.locate_diagnostics(&self.diagnostics))
            .collect()
    }
}

/// What is kept from one definition to the next.
#[derive(Default)]
pub(super) struct CheckSession {
    checker: Checker,
    settings: SettingsOfFolders,
}

/// Returns all that is to be said of a definition, by the settings nearest to it.
pub(super) fn diagnostics_of(
    definition: &Definition,
    arguments: &ValidateArguments,
    checking: &mut CheckSession,
) -> Result<(Diagnostics, Vec<Finding>, bool), Failure> {
    let file = definition.source().file();
    let settings = settings_of(file, &mut checking.settings)?;
    let diagnostics = definition.check(&checking.checker, arguments.rules.options_for(definition));
    let findings = definition.source().findings().iter();
    let findings = findings.filter_map(|finding| leveled(finding.clone(), &settings, file));
    Ok((
        settings.apply(&diagnostics, file),
        findings.collect(),
        settings.denies_warnings(),
    ))
}

/// Returns the settings that count for a file.
fn settings_of(file: &Path, all: &mut SettingsOfFolders) -> Result<NearestSettings, Failure> {
    all.nearest(file, &|path| std::fs::read_to_string(path))
        .map_err(|fault| unreadable(&fault))
}

/// Returns a finding as bad as the settings have it; None if they ignore it.
fn leveled(mut finding: Finding, settings: &NearestSettings, file: &Path) -> Option<Finding> {
    finding.severity = settings.severity_of(finding.severity, finding.code.rule(), file)?;
    Some(finding)
}

impl CheckReport {
    pub(super) fn check(
        &mut self,
        mut looked: Lookup,
        argument: &str,
        arguments: &ValidateArguments,
        checking: &mut CheckSession,
    ) -> Result<(), Failure> {
        let is_text = arguments.format == ValidateFormat::Text;
        self.unread += looked.report_failures();
        let mut has_findings = false;
        for contents in looked.contents() {
            let file = contents.file().path();
            let settings = settings_of(file, &mut checking.settings)?;
            has_findings |= !contents.findings().is_empty();
            let findings = contents.findings().iter().cloned();
            let findings: Vec<Finding> = findings
                .filter_map(|finding| leveled(finding, &settings, file))
                .collect();
            if is_text {
                for told in findings.iter().map(LocatedDiagnostic::of_finding) {
                    print_styled(&told.text(""))?;
                }
            }
            self.findings.extend(findings);
        }
        let definitions = looked.definitions();
        if definitions.is_empty() && !has_findings {
            self.report_empty_folder(&looked, argument);
        }
        for definition in definitions {
            let (diagnostics, findings, denies) = diagnostics_of(&definition, arguments, checking)?;
            self.denies_warnings |= denies;
            let checked = CheckedDefinition {
                definition,
                diagnostics,
                findings,
            };
            if is_text {
                for told in checked.locate_findings() {
                    print_styled(&told.text(checked.definition.name()))?;
                }
            }
            self.definitions.push(checked);
        }
        Ok(())
    }

    /// Counts a file that cannot be read.
    pub(super) fn could_not(&mut self, failure: Failure) {
        failure.report();
        self.unread += 1;
    }

    /// A template may well hold no state machine; whoever names a folder expects one in it.
    fn report_empty_folder(&mut self, looked: &Lookup, argument: &str) {
        let Failure(message) = looked.nothing(argument);
        match looked.contents() {
            [] => self.could_not(Failure(message)),
            _ => terminal::error_line(&format!("{WARNING}warning:{WARNING:#} {message}")),
        }
    }

    /// Returns all that is to be told, in the order of the files.
    pub(super) fn locate_all_findings(&self) -> Vec<LocatedDiagnostic<'_>> {
        let findings = self.findings.iter().map(LocatedDiagnostic::of_finding);
        let definitions = self.definitions.iter().flat_map(CheckedDefinition::locate_findings);
        findings.chain(definitions).collect()
    }

    /// For programs: an object for each definition.
    pub(super) fn report(&self) -> Value {
        let definitions = self.definitions.iter().map(|checked| {
            let found = checked.definition.source();
            let told = checked.locate_findings();
            let has_errors = told.iter().any(|told| told.severity == Severity::Error);
            let shown = told.iter().map(|told| told.to_json(found.file()));
            let mut object = json!({
                "file": checked.definition.name(),
                "result": if has_errors { "FAIL" } else { "OK" },
                "diagnostics": shown.collect::<Vec<_>>(),
            });
            if let Some(name) = found.name() {
                object["stateMachine"] = name.into();
            }
            object
        });
        let templates = self.findings.iter().map(|finding| {
            let file = finding.place().file.path();
            json!({
                "file": file,
                "result": match finding.severity {
                    Severity::Error => "FAIL",
                    Severity::Warning => "OK",
                },
                "diagnostics": [LocatedDiagnostic::of_finding(finding).to_json(file)],
            })
        });
        definitions.chain(templates).collect()
    }

    fn count(&self, severity: Severity) -> usize {
        let told = self.locate_all_findings();
        told.iter().filter(|told| told.severity == severity).count()
    }

    /// Returns true if there is what must not be.
    pub(super) fn is_refused(&self, denies_warnings: bool) -> bool {
        let warnings = denies_warnings || self.denies_warnings;
        self.unread > 0
            || self.count(Severity::Error) > 0
            || (warnings && self.count(Severity::Warning) > 0)
    }

    /// What was checked, in words.
    fn describe_counts(&self) -> String {
        let files = self.definitions.iter();
        let files: BTreeSet<_> = files.map(|it| it.definition.source().file()).collect();
        match self.definitions.len() == files.len() {
            true => count_noun(files.len(), "file"),
            false => {
                let machines = count_noun(self.definitions.len(), "state machine");
                format!("{machines} in {}", count_noun(files.len(), "file"))
            }
        }
    }

    /// Reports people how it went.
    pub(super) fn summarize(&self, denies_warnings: bool) -> Result<(), Failure> {
        if self.definitions.is_empty() {
            return Ok(());
        }
        let (errors, warnings) = (self.count(Severity::Error), self.count(Severity::Warning));
        let files = self.describe_counts();
        let missing = match self.unread {
            0 => String::new(),
            unread => format!("; {ERROR}{} not read{ERROR:#}", count_noun(unread, "file")),
        };
        let mut parts = Vec::new();
        if errors > 0 {
            parts.push(format!("{ERROR}{}{ERROR:#}", count_noun(errors, "error")));
        }
        if warnings > 0 {
            let denied = match denies_warnings || self.denies_warnings {
                true => " (denied)",
                false => "",
            };
            let warnings = count_noun(warnings, "warning");
            parts.push(format!("{WARNING}{warnings}{WARNING:#}{denied}"));
        }
        print_styled(&match parts.is_empty() {
            true => format!("{SUCCESS}{files} checked, no problems found{SUCCESS:#}{missing}"),
            false => format!("{} in {files}{missing}", parts.join(" and ")),
        })
    }
}
