//! `asl validate`.
use crate::arguments::{Format, ValidateArguments};
use crate::diagnostics::{self, Located};
use crate::exit::{Exit, Failure, print};
use crate::source::Source;
use crate::terminal::{self, ERROR, SUCCESS, WARNING, counted};
use asl_model::{Diagnostics, Severity};
use serde_json::{Value, json};

/// Checks every file and tells all that is wrong.
pub(crate) fn validate(arguments: &ValidateArguments) -> Result<Exit, Failure> {
    let options = arguments.rules.options();
    let mut checked = Vec::new();
    for file in &arguments.files {
        let source = Source::read(file)?;
        let diagnostics = asl_model::validate(&source.text, options);
        if arguments.format == Format::Text {
            diagnostics::print(&source, &diagnostics);
        }
        checked.push((source, diagnostics));
    }
    match arguments.format {
        Format::Text => summarize(&checked),
        Format::Json => print(report(&checked))?,
    }
    let failed = checked.iter().any(|(_, found)| found.has_errors());
    Ok(if failed { Exit::Refused } else { Exit::Success })
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

fn summarize(checked: &[(Source, Diagnostics)]) {
    let count = |severity| {
        let all = checked.iter().flat_map(|(_, found)| found.iter());
        all.filter(|diagnostic| diagnostic.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let files = counted(checked.len(), "file");
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
        true => format!("{SUCCESS}{files} checked, nothing to complain about{SUCCESS:#}"),
        false => format!("{} in {files}", parts.join(" and ")),
    });
}
