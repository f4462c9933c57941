//! Coverage for people.
use crate::coverage::{Coverage, PointKind, Tally};
use std::fmt::Write as _;

/// Returns a table with a line for each definition, and below it everything that was not reached, with its place.
pub fn text(coverage: &Coverage) -> String {
    let mut rows = vec![header()];
    for file in &coverage.files {
        let kinds = PointKind::ALL.map(|kind| file.tally_of(kind));
        rows.push(row(&file.name, file.tally(), &kinds));
    }
    if coverage.files.len() > 1 {
        let kinds = PointKind::ALL.map(|kind| coverage.tally_of(kind));
        rows.push(row("all", coverage.tally(), &kinds));
    }
    let mut text = aligned(&rows);
    let missing = not_reached(coverage);
    if !missing.is_empty() {
        let _ = write!(text, "\nnot reached:\n{missing}");
    }
    text
}

/// Lists the points that were not reached, one per line: `  order.asl.json:12: Charge, Catch[0]: Busy → Ask`.
fn not_reached(coverage: &Coverage) -> String {
    let mut text = String::new();
    for file in &coverage.files {
        for point in file.not_reached() {
            let line = point.line().map(|line| format!(":{line}"));
            let line = line.unwrap_or_default();
            let _ = writeln!(text, "  {}{line}: {}", file.name, point.point);
        }
    }
    text
}

fn header() -> Vec<String> {
    let kinds = PointKind::ALL.map(|kind| kind.plural().to_owned());
    [String::new(), "reached".to_owned(), String::new()]
        .into_iter()
        .chain(kinds)
        .collect()
}

fn row(name: &str, whole: Tally, kinds: &[Tally]) -> Vec<String> {
    let kinds = kinds.iter().map(|tally| match tally.all {
        0 => "-".to_owned(),
        _ => tally.to_string(),
    });
    let first = [
        name.to_owned(),
        whole.to_string(),
        format!("{} %", whole.percent()),
    ];
    first.into_iter().chain(kinds).collect()
}

/// Returns the first column to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (number, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match number {
                0 => write!(text, "{cell:<width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        text.push('\n');
    }
    text
}
