//! Counts the findings of each lint in folders of definitions, to distinguish true and false positives.
use asl_lint::{Checker, Lint};
use asl_model::{Diagnostic, Options, StateMachineType};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Arguments of `cargo xtask lints`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Folders or files: definitions, and cases that hold one
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Show what this rule finds; `all` shows every rule's
    #[arg(long, value_name = "RULE")]
    show: Option<String>,
}

/// A definition that lints look at.
struct Definition {
    text: String,
    options: Options,
}

/// Findings of a rule.
#[derive(Debug, Default)]
struct Hits {
    findings: usize,
    files: usize,
    errors: usize,
}

/// Prints a line for each rule: how often it finds something, in how many files.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut files = Vec::new();
    for path in &arguments.paths {
        find(path, &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    files.sort();
    let lints = Lint::ALL.iter().map(|lint| lint.rule.name());
    let mut rules: BTreeMap<&str, Hits> = lints.map(|name| (name, Hits::default())).collect();
    let checker = Checker::default();
    let (mut accepted, mut refused) = (0, 0);
    for file in &files {
        for definition in definitions(file) {
            let Ok((machine, _)) = asl_model::parse(&definition.text, definition.options) else {
                refused += 1;
                continue;
            };
            accepted += 1;
            let found = checker.lint(&machine, definition.options);
            count(&found, &mut rules);
            show(arguments, file, &found);
        }
    }
    println!("{accepted} definitions, {refused} more are refused without lints");
    println!(
        "{:<32} {:>8} {:>8} {:>8}",
        "rule", "findings", "errors", "files"
    );
    for (name, hits) in &rules {
        println!(
            "{name:<32} {:>8} {:>8} {:>8}",
            hits.findings, hits.errors, hits.files
        );
    }
    Ok(true)
}

fn count(found: &[Diagnostic], rules: &mut BTreeMap<&str, Hits>) {
    for (name, hits) in rules {
        let own = found.iter().filter(|one| one.rule.name() == *name);
        let (mut findings, mut errors) = (0, 0);
        for one in own {
            findings += 1;
            errors += usize::from(one.severity == asl_model::Severity::Error);
        }
        hits.findings += findings;
        hits.errors += errors;
        hits.files += usize::from(findings > 0);
    }
}

fn show(arguments: &Arguments, file: &Path, found: &[Diagnostic]) {
    let Some(wanted) = arguments.show.as_deref() else {
        return;
    };
    for one in found {
        let name = one.rule.name();
        if wanted == name || wanted == "all" {
            let hint = one.hint.as_deref().unwrap_or_default();
            println!(
                "{}: {} {name} at {}: {} ({hint})",
                file.display(),
                one.severity,
                one.location,
                one.message
            );
        }
    }
}

fn find(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        let extension = path.extension().unwrap_or_default();
        if path.is_dir()
            || ["json", "yaml", "yml", "asl"]
                .iter()
                .any(|it| extension == *it)
        {
            find(&path, files)?;
        }
    }
    Ok(())
}

/// Returns the definitions of a file: it is one itself, or a case or several that hold one.
fn definitions(file: &Path) -> Vec<Definition> {
    let Ok(text) = fs::read_to_string(file) else {
        return Vec::new();
    };
    let plain = |text| Definition {
        text,
        options: Options::default(),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Array(cases)) => cases.iter().filter_map(of_case).collect(),
        Ok(value) if value.get("StartAt").is_none() => of_case(&value).into_iter().collect(),
        _ => vec![plain(text)],
    }
}

fn of_case(case: &Value) -> Option<Definition> {
    let text = match (case.get("definition"), case.get("definition_text")) {
        (Some(definition), _) => definition.to_string(),
        (None, Some(text)) => text.as_str()?.to_owned(),
        (None, None) => of_request(case.get("request")?)?.to_string(),
    };
    let field = |name| case.get(name).and_then(Value::as_str);
    let state_machine_type = match field("type").or(field("workflow_type")) {
        Some("EXPRESS") => StateMachineType::Express,
        _ => StateMachineType::Standard,
    };
    Some(Definition {
        text,
        options: Options::default().with_state_machine_type(state_machine_type),
    })
}

/// Returns a state of the TestState API as the only one of a machine.
fn of_request(request: &Value) -> Option<Value> {
    let definition = request.get("definition")?;
    if definition.get("States").is_some() {
        return Some(definition.clone());
    }
    let mut state = definition.as_object()?.clone();
    state.remove("Next");
    state.insert("End".to_owned(), true.into());
    Some(json!({"StartAt": "Tested", "States": {"Tested": state}}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_holds_a_definition_in_one_of_three_forms() {
        let text = |case: Value| of_case(&case).map(|definition| definition.text);
        assert_eq!(
            text(json!({"definition": {"a": 1}})).as_deref(),
            Some("{\"a\":1}")
        );
        assert_eq!(text(json!({"definition_text": "{"})).as_deref(), Some("{"));
        let tested =
            json!({"StartAt": "Tested", "States": {"Tested": {"Type": "Pass", "End": true}}});
        let request = json!({"request": {"definition": {"Type": "Pass", "Next": "B"}}});
        assert_eq!(text(request), Some(tested.to_string()));
        assert_eq!(text(json!({"expr": "$.a"})), None);
    }
}
