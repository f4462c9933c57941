//! `asl validate`.
use crate::arguments::{Format, ValidateArguments};
use crate::diagnostics::{self, Located};
use crate::exit::{Exit, Failure, print_json};
use crate::source::Source;
use crate::substitutions::Substitutions;
use crate::terminal::{self, ERROR, SUCCESS, WARNING, counted};
use asl_model::{Diagnostics, Severity};
use serde_json::{Value, json};

/// Checks every file and tells all that is wrong.
pub(crate) fn validate(arguments: &ValidateArguments) -> Result<Exit, Failure> {
    let substitutions = arguments.substitutions.file.iter();
    let files = arguments.files.iter().chain(substitutions);
    if files.filter(|file| *file == "-").count() > 1 {
        return Err(Failure::new("stdin is named twice: it can be read once"));
    }
    let options = arguments.rules.options();
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let mut checked = Vec::new();
    let mut unread = 0;
    for file in &arguments.files {
        let source = match substitutions.read_definition(file) {
            Ok(source) => source,
            Err(failure) => {
                failure.report();
                unread += 1;
                continue;
            }
        };
        let diagnostics = asl_model::validate(&source.text, options);
        if arguments.format == Format::Text {
            diagnostics::print(&source, &diagnostics);
        }
        checked.push((source, diagnostics));
    }
    substitutions.warn_of_unused();
    match arguments.format {
        Format::Text => summarize(&checked, unread),
        Format::Json => print_json(report(&checked))?,
    }
    let failed = checked.iter().any(|(_, found)| found.has_errors());
    Ok(if failed || unread > 0 {
        Exit::Refused
    } else {
        Exit::Success
    })
}

fn report(checked: &[(Source, Diagnostics)]) -> Value {
    checked
        .iter()
        .map(|(source, diagnostics)| {
            let located = Located::all(source, diagnostics);
            json!({
                "file": source.name,
                "result": if diagnostics.has_errors() { "FAIL" } else { "OK" },
                "diagnostics": located.iter().map(Located::to_json).collect::<Vec<_>>(),
            })
        })
        .collect()
}

fn summarize(checked: &[(Source, Diagnostics)], unread: usize) {
    if checked.is_empty() {
        return;
    }
    let count = |severity| {
        let all = checked.iter().flat_map(|(_, found)| found.iter());
        all.filter(|diagnostic| diagnostic.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let files = counted(checked.len(), "file");
    let missing = match unread {
        0 => String::new(),
        _ => format!("; {ERROR}{} not read{ERROR:#}", counted(unread, "file")),
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
        true => format!("{SUCCESS}{files} checked, nothing to complain about{SUCCESS:#}{missing}"),
        false => format!("{} in {files}{missing}", parts.join(" and ")),
    });
}
