//! Shared code of the tests.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use asl_model::Options;
use asl_template::{
    Contents, File, Files, ReadOptions, StateMachineSource, Substitutions, read_file,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Files that are in memory alone.
#[derive(Default)]
pub(crate) struct InMemory(pub(crate) BTreeMap<String, String>);

impl Files for InMemory {
    fn read(&self, path: &Path) -> Result<String, String> {
        let text = self.0.get(&path.display().to_string());
        text.cloned().ok_or_else(|| "no such file".to_owned())
    }
}

/// Reads a file, with other files next to it and with substitutions.
pub(crate) fn contents(
    (name, text): (&str, &str),
    beside: &[(&str, &str)],
    values: &[(&str, &str)],
) -> Contents {
    let files = beside.iter();
    let files = InMemory(
        files
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect(),
    );
    let given: Substitutions = values.iter().copied().collect();
    read_file(File::new(name, text), &ReadOptions::new(&files, &given))
}

/// Reads a single file.
pub(crate) fn of(name: &str, text: &str) -> Contents {
    contents((name, text), &[], &[])
}

/// Returns the definition of a state machine as data.
pub(crate) fn value(found: &StateMachineSource) -> Value {
    let text = found
        .definition()
        .unwrap_or_else(|| panic!("{:?}", found.findings()));
    asl_model::value_from_text(text.as_str(), found.options(Options::default()))
        .unwrap_or_else(|error| panic!("{error:?} {}", text.as_str()))
}

/// Returns the line and column of the last place where a text has these words: `3:7`.
pub(crate) fn place(text: &str, words: &str) -> String {
    let (before, _) = text
        .rsplit_once(words)
        .unwrap_or_else(|| panic!("no {words}"));
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    format!("{}:{column}", before.matches('\n').count() + 1)
}

/// Returns the findings of a state machine, one line each.
pub(crate) fn told(found: &StateMachineSource) -> Vec<String> {
    found.findings().iter().map(|it| it.to_string()).collect()
}
