//! `asl validate` and the language server report the same problems of the same files.
#![cfg(feature = "lsp")]
mod common;

use common::language_client::LanguageClient;
use common::{Folder, copy_folder};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Severity, rule, message with hint, file and line of a problem.
type Problem = (String, String, String, PathBuf, u64);

/// Returns the problems that `asl validate` reports for a folder, and the files that it checks by themselves.
fn validated(folder: &Folder) -> (Vec<Problem>, BTreeSet<PathBuf>) {
    let root = folder.path("");
    let report = folder
        .asl(&["validate", "--format", "json", root.to_str().unwrap()])
        .json();
    let mut problems = Vec::new();
    let mut files = BTreeSet::new();
    for entry in report.as_array().unwrap() {
        let name = entry["file"].as_str().unwrap();
        let file = name.split_once('#').map_or(name, |(file, _)| file);
        files.insert(PathBuf::from(file));
        for one in entry["diagnostics"].as_array().unwrap() {
            let hint = one["hint"].as_str();
            let hint = hint.map_or_else(String::new, |hint| format!("\nhint: {hint}"));
            problems.push((
                text(&one["severity"]).to_lowercase(),
                text(&one["rule"]),
                text(&one["message"]) + &hint,
                one["file"].as_str().unwrap_or(file).into(),
                one["line"].as_u64().unwrap_or(1),
            ));
        }
    }
    problems.sort();
    (problems, files)
}

/// Returns the problems that the language server publishes when these files are opened one after another.
fn published(files: &BTreeSet<PathBuf>) -> Vec<Problem> {
    let (mut client, _) = LanguageClient::start(json!({}));
    let mut problems = Vec::new();
    for file in files {
        let uri = uri_of(file);
        let document = json!({
            "uri": uri, "languageId": "", "version": 1, "text": fs::read_to_string(file).unwrap(),
        });
        client.notify("textDocument/didOpen", json!({"textDocument": document}));
        read_until(&mut client, &uri, &mut problems);
        // Problems of other files follow those of the document, and are cleared when it is closed.
        client.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
        read_until(&mut client, &uri, &mut problems);
    }
    client.end();
    problems.sort();
    problems
}

/// Adds published problems, up to those of a document.
fn read_until(client: &mut LanguageClient, uri: &str, problems: &mut Vec<Problem>) {
    loop {
        let told = client.notification("textDocument/publishDiagnostics");
        let published = told["diagnostics"].as_array().unwrap();
        problems.extend(published.iter().map(|one| problem(&told["uri"], one)));
        if told["uri"] == json!(uri) {
            return;
        }
    }
}

fn problem(uri: &Value, one: &Value) -> Problem {
    let severity = match one["severity"].as_u64() {
        Some(1) => "error",
        _ => "warning",
    };
    let path = uri.as_str().unwrap().strip_prefix("file://").unwrap();
    let line = one["range"]["start"]["line"].as_u64().unwrap() + 1;
    let (rule, message) = (text(&one["code"]), text(&one["message"]));
    (severity.to_owned(), rule, message, path.into(), line)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn uri_of(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// Asserts that both agree on a folder; returns the number of problems.
fn assert_agreement(folder: &Folder) -> usize {
    let (validated, files) = validated(folder);
    let published = published(&files);
    let missing: Vec<&Problem> = validated
        .iter()
        .filter(|it| !published.contains(it))
        .collect();
    let extra: Vec<&Problem> = published
        .iter()
        .filter(|it| !validated.contains(it))
        .collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "only validate: {missing:#?}\nonly the server: {extra:#?}"
    );
    assert_eq!(validated, published);
    validated.len()
}

/// Settings that change the severity of rules of each kind: of the service, of lints, of templates.
const SETTINGS: &str = "[rules]\n\
    choice-without-default = 'ignore'\n\
    unreplaced-placeholder = 'ignore'\n\
    unknown-field = 'error'\n\
    unused-variable = 'error'\n\
    definition-elsewhere = 'error'\n";

fn repositories() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repositories");
    let all = fs::read_dir(root).unwrap();
    all.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn repositories_have_the_same_problems() {
    for repository in repositories() {
        for settings in ["", SETTINGS] {
            let folder = Folder::new();
            copy_folder(&repository, &folder.path(""));
            folder.write("asl.toml", settings);
            assert_agreement(&folder);
        }
    }
}

#[test]
fn plain_resource_names_have_the_same_problems() {
    let definition = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "charge-card", "End": true}}}"#;
    for (settings, problems) in [("", 1), ("resources = 'any'\n", 0)] {
        let folder = Folder::new();
        folder.write("order.asl.json", definition);
        folder.write("asl.toml", settings);
        assert_eq!(assert_agreement(&folder), problems, "{settings}");
    }
}

/// Replaces a text in every file of a copied repository.
fn replace_in_all(folder: &Path, from: &str, to: &str) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            replace_in_all(&path, from, to);
        } else if let Ok(text) = fs::read_to_string(&path) {
            fs::write(&path, text.replace(from, to)).unwrap();
        }
    }
}

#[test]
fn damaged_repositories_have_the_same_problems() {
    let mut problems = 0;
    for repository in repositories() {
        for (from, to) in [
            ("Next", "Nxt"),
            ("States", "Stats"),
            ("Type", "Typ"),
            ("Succeed", "Success"),
            ("$.", "$.."),
            ("Arn", "Arm"),
        ] {
            let folder = Folder::new();
            copy_folder(&repository, &folder.path(""));
            folder.write("asl.toml", SETTINGS);
            replace_in_all(&folder.path(""), from, to);
            problems += assert_agreement(&folder);
        }
    }
    assert!(problems > 50, "{problems} problems only");
}

#[test]
fn definitions_of_the_fixtures_have_the_same_problems() {
    let folder = Folder::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/validate");
    for entry in fs::read_dir(fixtures).unwrap() {
        let path = entry.unwrap().path();
        let cases: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        for (number, case) in cases.as_array().unwrap().iter().enumerate() {
            let text = serde_json::to_string_pretty(&case["definition"]).unwrap();
            folder.write(&format!("{name}-{number}.asl.json"), text);
        }
    }
    folder.write("asl.toml", SETTINGS);
    let problems = assert_agreement(&folder);
    assert!(problems > 500, "{problems} problems only");
}
