//! Reports in the Test Anything Protocol, version 14.
use crate::SuiteReport;
use std::fmt::Write as _;

/// Returns a report as TAP: a line for each case, followed by its failed expectations. Files that could not be run are lines
/// too.
pub fn tap(report: &SuiteReport) -> String {
    let count = report.cases.len() + report.refused.len();
    let mut text = format!("TAP version 14\n1..{count}\n");
    let mut number = 0;
    for error in &report.refused {
        number += 1;
        let file = error.path.as_ref().map(|path| path.display().to_string());
        let _ = writeln!(
            text,
            "not ok {number} - {}",
            line(&file.unwrap_or_default())
        );
        let faults = error.faults.iter().map(ToString::to_string);
        diagnostics(&mut text, faults);
    }
    for case in &report.cases {
        number += 1;
        let file = case
            .file
            .as_ref()
            .map(|file| format!("{}: ", file.display()));
        let name = line(&format!("{}{}", file.unwrap_or_default(), case.name));
        match case.has_passed() {
            true => {
                let _ = writeln!(text, "ok {number} - {name}");
            }
            false => {
                let _ = writeln!(text, "not ok {number} - {name}");
                diagnostics(&mut text, case.differences.iter().map(ToString::to_string));
            }
        }
    }
    text
}

/// A block of YAML, whose strings are those of JSON.
fn diagnostics(text: &mut String, messages: impl Iterator<Item = String>) {
    text.push_str("  ---\n  differences:\n");
    for message in messages {
        let _ = writeln!(text, "    - {}", serde_json::Value::from(message));
    }
    text.push_str("  ...\n");
}

/// Returns a description: on one line, with `#` and backslashes escaped, which would begin a directive.
fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '#' | '\\' => line.extend(['\\', character]),
            other if other.is_control() => line.push(' '),
            other => line.push(other),
        }
    }
    line
}
