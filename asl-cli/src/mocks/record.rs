//! `asl mocks record`.
use super::{places, write};
use crate::arguments::MocksRecordArguments;
use crate::definition::Definition as Named;
use crate::exit::{Exit, Failure, print};
use crate::recorded_history;
use crate::source::check_stdin;
use crate::substitutions::Substitutions;
use crate::terminal::{self, FAINT};
use asl_test::{Definition, RecordSettings, TestFile, recorded_case};
use std::fmt::Write as _;
use std::path::Path;

/// Writes a case from the history of an execution.
pub(super) fn record(arguments: &MocksRecordArguments) -> Result<Exit, Failure> {
    let definition = &arguments.definition;
    check_stdin(&[
        ("the history", Some(&arguments.history)),
        ("the definition", Some(definition)),
    ])?;
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let source = Named::read(&substitutions, definition)?;
    substitutions.warn_of_unused();
    source.parse(source.source().options(asl_model::Options::default()))?;
    let events = recorded_history::read(&arguments.history, &arguments.server)?;
    let settings = RecordSettings::default()
        .with_name(arguments.name.clone())
        .with_masked(arguments.masked.clone());
    let parsed = Definition::parse(source.text().as_str())
        .map_err(|error| Failure::new(format!("{}: {error}", source.name())))?;
    let case = recorded_case(&parsed, &events, &settings)
        .map_err(|error| Failure::new(format!("cannot record {}: {error}", arguments.history)))?;
    let (output, named) = places(definition, arguments.output.as_deref())?;
    let head = head(named.as_deref(), substitutions);
    let Some(path) = output else {
        print(format!("{head}{case}").trim_end())?;
        return Ok(Exit::Success);
    };
    let is_new = arguments.force || !path.exists();
    match is_new {
        true => write(&path, &format!("{head}{case}"), true)?,
        false => append(&path, &case, &arguments.name)?,
    }
    let (what, path) = (
        if is_new { "wrote" } else { "added the case to" },
        path.display(),
    );
    terminal::error_line(&format!(
        "{FAINT}{what}{FAINT:#} {path}{FAINT}: run it with asl test{FAINT:#}"
    ));
    Ok(Exit::Success)
}

/// Returns the begin of a test file.
fn head(definition: Option<&str>, substitutions: Substitutions) -> String {
    let mut head = "version: 1\n".to_owned();
    // Writing to a string cannot fail. JSON is YAML.
    if let Some(definition) = definition {
        let _ = writeln!(head, "definition: {}", serde_json::Value::from(definition));
    }
    let used = substitutions.into_used();
    if !used.is_empty() {
        let _ = writeln!(head, "substitutions: {}", serde_json::json!(used));
    }
    head + "cases:\n"
}

/// Adds a case to a test file, if its cases are at its end.
fn append(path: &Path, case: &str, name: &str) -> Result<(), Failure> {
    let shown = path.display();
    let file = TestFile::read(path).map_err(|error| Failure::new(error.to_string()))?;
    if file.cases().iter().any(|case| case.name() == name) {
        return Err(Failure::new(format!(
            "{shown} has a case '{name}': give another with --name, or overwrite the file with --force"
        )));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("cannot read {shown}: {error}")))?;
    let is_key = |line: &&str| line.starts_with(|first: char| first.is_ascii_alphabetic());
    let last = text.lines().rfind(is_key).map(str::trim_end);
    let indent = text
        .lines()
        .skip_while(|line| line.trim_end() != "cases:")
        .nth(1);
    let indent = indent.map_or(0, |line| line.len() - line.trim_start().len());
    if last != Some("cases:") || indent != 2 {
        return Err(Failure::new(format!(
            "expected 'cases:' as the last section of {shown}, indented by two spaces: print the case with - in place of the file, or \
             overwrite the file with --force"
        )));
    }
    write(path, &format!("{}\n{case}", text.trim_end()), true)
}
