//! `asl validate`.
use crate::arguments::{Format, ValidateArguments};
use crate::definition::{Definition, Looked, is_error};
use crate::diagnostics;
use crate::exit::{Exit, Failure, print_json};
use crate::substitutions::Substitutions;
use crate::terminal::{self, ERROR, SUCCESS, WARNING, counted};
use asl_model::{Diagnostics, Severity};
use asl_template::Finding;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Checks every definition and tells all that is wrong.
pub(crate) fn validate(arguments: &ValidateArguments) -> Result<Exit, Failure> {
    let substitutions = arguments.substitutions.file.iter();
    let files = arguments.files.iter().chain(substitutions);
    if files.filter(|file| *file == "-").count() > 1 {
        return Err(Failure::new("stdin is named twice: it can be read once"));
    }
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let mut checked = Checked::default();
    for argument in &arguments.files {
        match Looked::look(&substitutions, argument) {
            Ok(looked) => checked.check(looked, argument, arguments),
            Err(failure) => {
                failure.report();
                checked.unread += 1;
            }
        }
    }
    substitutions.warn_of_unused();
    match arguments.format {
        Format::Text => checked.summarize(),
        Format::Json => print_json(checked.report())?,
    }
    Ok(match checked.count(Severity::Error) + checked.unread {
        0 => Exit::Success,
        _ => Exit::Refused,
    })
}

/// What was checked so far.
#[derive(Default)]
struct Checked {
    definitions: Vec<(Definition, Diagnostics)>,
    /// Of templates as a whole.
    findings: Vec<Finding>,
    unread: usize,
}

impl Checked {
    fn check(&mut self, mut looked: Looked, argument: &str, arguments: &ValidateArguments) {
        self.unread += looked.tell_failures();
        for contents in looked.contents() {
            if arguments.format == Format::Text {
                diagnostics::print_all(contents.findings());
            }
            self.findings.extend_from_slice(contents.findings());
        }
        let definitions = looked.definitions();
        if definitions.is_empty() && self.findings.is_empty() {
            self.tell_of_nothing(&looked, argument);
        }
        for definition in definitions {
            let diagnostics = definition.validate(arguments.rules.options_for(&definition));
            if arguments.format == Format::Text {
                diagnostics::print_findings(&definition);
                diagnostics::print(&definition, &diagnostics);
            }
            self.definitions.push((definition, diagnostics));
        }
    }

    /// A template may well hold no state machine; whoever names a folder expects one in it.
    fn tell_of_nothing(&mut self, looked: &Looked, argument: &str) {
        let Failure(message) = looked.nothing(argument);
        match looked.contents() {
            [] => {
                self.unread += 1;
                Failure(message).report();
            }
            _ => terminal::error_line(&format!("{WARNING}warning:{WARNING:#} {message}")),
        }
    }

    fn report(&self) -> Value {
        let definitions = self.definitions.iter().map(|(definition, diagnostics)| {
            let found = definition.found();
            let has_errors = diagnostics.has_errors() || found.findings().iter().any(is_error);
            let located = definition.located(diagnostics);
            let findings = found.findings().iter();
            let findings = findings.map(|it| diagnostics::finding_to_json(it, found.file()));
            let located = located.iter().map(|it| it.to_json(found.file()));
            let mut object = json!({
                "file": definition.name(),
                "result": if has_errors { "FAIL" } else { "OK" },
                "diagnostics": findings.chain(located).collect::<Vec<_>>(),
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
                "result": "FAIL",
                "diagnostics": [diagnostics::finding_to_json(finding, file)],
            })
        });
        definitions.chain(templates).collect()
    }

    fn count(&self, severity: Severity) -> usize {
        let faults = self.definitions.iter().flat_map(|(_, found)| found.iter());
        let faults = faults.filter(|fault| fault.severity == severity).count();
        let findings = self
            .definitions
            .iter()
            .flat_map(|(it, _)| it.found().findings());
        let findings = findings.chain(&self.findings);
        faults
            + findings
                .filter(|finding| finding.severity == severity)
                .count()
    }

    /// What was checked, in words.
    fn counted(&self) -> String {
        let files = self.definitions.iter().map(|(it, _)| it.found().file());
        let files: BTreeSet<_> = files.collect();
        match self.definitions.len() == files.len() {
            true => counted(files.len(), "file"),
            false => {
                let machines = counted(self.definitions.len(), "state machine");
                format!("{machines} in {}", counted(files.len(), "file"))
            }
        }
    }

    fn summarize(&self) {
        if self.definitions.is_empty() {
            return;
        }
        let (errors, warnings) = (self.count(Severity::Error), self.count(Severity::Warning));
        let files = self.counted();
        let missing = match self.unread {
            0 => String::new(),
            unread => format!("; {ERROR}{} not read{ERROR:#}", counted(unread, "file")),
        };
        let mut parts = Vec::new();
        if errors > 0 {
            parts.push(format!("{ERROR}{}{ERROR:#}", counted(errors, "error")));
        }
        if warnings > 0 {
            parts.push(format!(
                "{WARNING}{}{WARNING:#}",
                counted(warnings, "warning")
            ));
        }
        terminal::error_line(&match parts.is_empty() {
            true => {
                format!("{SUCCESS}{files} checked, nothing to complain about{SUCCESS:#}{missing}")
            }
            false => format!("{} in {files}{missing}", parts.join(" and ")),
        });
    }
}
