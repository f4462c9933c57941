//! Two values that differ, line by line.
use crate::terminal::{ERROR, FAINT, SUCCESS};
use asl_test::JsonDifference;
use serde_json::Value;

/// Lines that are shown at most on each side.
const MOST: usize = 12;

/// Returns the lines of a difference: expected ones with `-`, actual ones with `+`.
pub(super) fn lines(values: &JsonDifference) -> Vec<String> {
    let mut lines = Vec::new();
    for (sign, style, value) in [
        ("-", ERROR, &values.expected),
        ("+", SUCCESS, &values.found),
    ] {
        let Some(value) = value else {
            lines.push(format!("{style}{sign}{style:#} {FAINT}nothing{FAINT:#}"));
            continue;
        };
        let text = show(value);
        let count = text.lines().count();
        for line in text.lines().take(MOST) {
            lines.push(format!("{style}{sign} {line}{style:#}"));
        }
        if count > MOST {
            lines.push(format!("{FAINT}  … {} more lines{FAINT:#}", count - MOST));
        }
    }
    lines
}

fn show(value: &Value) -> String {
    let short = value.to_string();
    match short.chars().count() {
        ..=60 => short,
        _ => format!("{value:#}"),
    }
}
