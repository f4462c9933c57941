//! Reports as JUnit XML, which CI systems read.
use crate::{CaseReport, SuiteReport};
use std::fmt::Write as _;

/// Returns a report as JUnit XML: a suite for each file. Files that could not be run are a suite with an error.
pub fn junit(report: &SuiteReport) -> String {
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (tests, failed) = (report.cases.len() + report.refused.len(), report.failed());
    let (errors, seconds) = (report.refused.len(), report.elapsed.as_secs_f64());
    // Writing to a string cannot fail.
    let _ = writeln!(
        xml,
        "<testsuites name=\"asl test\" tests=\"{tests}\" failures=\"{failed}\" errors=\"{errors}\" time=\"{seconds:.3}\">"
    );
    for error in &report.refused {
        let file = error.path.as_ref().map(|path| path.display().to_string());
        let file = escaped(&file.unwrap_or_default());
        let _ = writeln!(
            xml,
            "  <testsuite name=\"{file}\" tests=\"1\" failures=\"0\" errors=\"1\">"
        );
        let _ = writeln!(xml, "    <testcase name=\"{file}\" classname=\"{file}\">");
        let _ = writeln!(
            xml,
            "      <error message=\"invalid test file\">{}</error>",
            escaped(&error.to_string())
        );
        xml.push_str("    </testcase>\n  </testsuite>\n");
    }
    for cases in report.cases.chunk_by(|one, next| one.file == next.file) {
        suite(&mut xml, cases);
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn suite(xml: &mut String, cases: &[CaseReport]) {
    let file = cases.first().and_then(|case| case.file.as_ref());
    let file = escaped(
        &file
            .map(|file| file.display().to_string())
            .unwrap_or_default(),
    );
    let failed = cases.iter().filter(|case| !case.has_passed()).count();
    let seconds: f64 = cases.iter().map(|case| case.elapsed.as_secs_f64()).sum();
    let count = cases.len();
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{file}\" tests=\"{count}\" failures=\"{failed}\" errors=\"0\" time=\"{seconds:.3}\">"
    );
    for case in cases {
        let (name, seconds) = (escaped(&case.name), case.elapsed.as_secs_f64());
        let line = case
            .position
            .map(|it| format!(" line=\"{}\"", it.line))
            .unwrap_or_default();
        let _ = write!(
            xml,
            "    <testcase name=\"{name}\" classname=\"{file}\" file=\"{file}\"{line} time=\"{seconds:.3}\""
        );
        match case.differences.split_first() {
            None => xml.push_str("/>\n"),
            Some((first, _)) => {
                let all: Vec<String> = case.differences.iter().map(ToString::to_string).collect();
                let (message, text) = (escaped(&first.to_string()), escaped(&all.join("\n")));
                let _ = writeln!(
                    xml,
                    ">\n      <failure type=\"{}\" message=\"{message}\">{text}</failure>\n    </testcase>",
                    first.subject
                );
            }
        }
    }
    xml.push_str("  </testsuite>\n");
}

/// Returns a text as XML 1.0 has it: some characters it cannot have at all.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push('\t'),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            other if other.is_control() => escaped.push('\u{FFFD}'),
            other => escaped.push(other),
        }
    }
    escaped
}
