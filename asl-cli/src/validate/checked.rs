//! Checked definitions, and reports about them.
use crate::arguments::{ValidateArguments, ValidateFormat};
use crate::definition::{Definition, Lookup};
use crate::diagnostics;
use crate::exit::{Failure, print_styled};
use crate::settings::settings_of;
use crate::terminal::{self, ERROR, SUCCESS, WARNING, count_noun};
use asl_lint::format::ReportEntry;
use asl_lint::{CheckedMachine, Checker, LocatedDiagnostic, SettingsOfFolders, findings_of};
use asl_model::{Options, Severity};
use asl_template::Finding;
use std::collections::BTreeSet;

/// Results of all checks so far.
#[derive(Default)]
pub(super) struct CheckReport {
    definitions: Vec<CheckedDefinition>,
    /// Findings about templates as a whole.
    findings: Vec<Finding>,
    unread: usize,
    /// True if settings deny warnings.
    denies_warnings: bool,
}

/// A checked definition, with its name in reports.
struct CheckedDefinition {
    name: String,
    machine: CheckedMachine,
}

/// Data that is reused from one definition to the next.
#[derive(Default)]
pub(super) struct CheckSession {
    checker: Checker,
    settings: SettingsOfFolders,
}

/// Checks a definition by the settings nearest to it; also returns the options, and whether warnings are denied.
pub(super) fn check(
    definition: &Definition,
    arguments: &ValidateArguments,
    checking: &mut CheckSession,
) -> Result<(CheckedMachine, Options, bool), Failure> {
    let source = definition.source();
    let settings = settings_of(source.file(), &mut checking.settings)?;
    let options = arguments.rules.options_for(definition, &settings);
    let machine = checking.checker.check_machine(source, options, &settings);
    Ok((machine, options, settings.denies_warnings()))
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
            let findings = findings_of(contents, &settings);
            if is_text {
                for one in findings.iter().map(LocatedDiagnostic::from_finding) {
                    print_styled(&diagnostics::text(&one, ""))?;
                }
            }
            self.findings.extend(findings);
        }
        let definitions = looked.definitions();
        if definitions.is_empty() && !has_findings {
            self.report_empty_folder(&looked, argument);
        }
        for definition in definitions {
            let (machine, _, denies) = check(&definition, arguments, checking)?;
            self.denies_warnings |= denies;
            let name = definition.name().to_owned();
            if is_text {
                for one in machine.located() {
                    print_styled(&diagnostics::text(&one, &name))?;
                }
            }
            self.definitions.push(CheckedDefinition { name, machine });
        }
        Ok(())
    }

    /// Counts a file that cannot be read.
    pub(super) fn could_not(&mut self, failure: Failure) {
        failure.report();
        self.unread += 1;
    }

    /// Reports that an argument has no state machine: a warning for a template, an error for an empty folder.
    fn report_empty_folder(&mut self, looked: &Lookup, argument: &str) {
        let Failure(message) = looked.nothing(argument);
        match looked.contents() {
            [] => self.could_not(Failure(message)),
            _ => terminal::error_line(&format!("{WARNING}warning:{WARNING:#} {message}")),
        }
    }

    /// Returns all problems: those of templates, then those of definitions in the order of the files.
    pub(super) fn located(&self) -> Vec<LocatedDiagnostic<'_>> {
        let findings = self.findings.iter().map(LocatedDiagnostic::from_finding);
        let definitions = self.definitions.iter();
        let definitions = definitions.flat_map(|checked| checked.machine.located());
        findings.chain(definitions).collect()
    }

    /// Returns the entries of a report for programs: one for each definition, then one for each problem of a template.
    pub(super) fn entries(&self) -> Vec<ReportEntry<'_>> {
        let definitions = self.definitions.iter().map(|checked| {
            let source = checked.machine.source();
            ReportEntry {
                name: checked.name.clone(),
                file: source.file(),
                state_machine: source.name(),
                diagnostics: checked.machine.located(),
            }
        });
        let templates = self.findings.iter().map(|finding| {
            let file = finding.place().file.path();
            ReportEntry {
                name: file.display().to_string(),
                file,
                state_machine: None,
                diagnostics: vec![LocatedDiagnostic::from_finding(finding)],
            }
        });
        definitions.chain(templates).collect()
    }

    fn count(&self, severity: Severity) -> usize {
        let findings = self.findings.iter().map(|finding| finding.severity);
        let definitions = self.definitions.iter();
        let definitions = definitions.flat_map(|checked| checked.machine.severities());
        let all = findings.chain(definitions);
        all.filter(|one| *one == severity).count()
    }

    /// Returns true if the command must fail: for an error, a denied warning, or an unreadable file.
    pub(super) fn is_refused(&self, denies_warnings: bool) -> bool {
        let warnings = denies_warnings || self.denies_warnings;
        self.unread > 0
            || self.count(Severity::Error) > 0
            || (warnings && self.count(Severity::Warning) > 0)
    }

    /// Describes the number of checked definitions and files.
    fn describe_counts(&self) -> String {
        let files = self.definitions.iter();
        let files: BTreeSet<_> = files.map(|it| it.machine.source().file()).collect();
        match self.definitions.len() == files.len() {
            true => count_noun(files.len(), "file"),
            false => {
                let machines = count_noun(self.definitions.len(), "state machine");
                format!("{machines} in {}", count_noun(files.len(), "file"))
            }
        }
    }

    /// Prints a summary.
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
