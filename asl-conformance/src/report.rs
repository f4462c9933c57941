//! Figures by area, and the first difference of each failure.
use crate::{Kind, Verdict};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// One case with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgedCase {
    /// The kind of the case.
    pub kind: Kind,
    /// The heading under which it is counted.
    pub area: String,
    /// Path of the case: folder, file, name.
    pub id: String,
    /// The folder that was given, with all kinds of cases.
    pub folder: PathBuf,
    /// The verdict.
    pub verdict: Verdict,
}

/// The verdicts on all selected cases, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report(Vec<JudgedCase>);

impl Report {
    pub(crate) fn new(judged: Vec<JudgedCase>) -> Self {
        Self(judged)
    }

    /// Returns the cases, by folder and kind.
    pub fn cases(&self) -> &[JudgedCase] {
        &self.0
    }

    /// Returns true if every case holds at every level.
    pub fn holds(&self) -> bool {
        self.0.iter().all(|case| case.verdict.holds())
    }

    /// Formats the report for people: for each kind a table by area and level, and up to `show` failures.
    pub fn to_text(&self, show: usize) -> String {
        text(&self.0, show)
    }

    /// Formats the report for programs, with the level and the reason of each failure.
    ///
    /// ```json
    /// {"cases": 2, "holding": 1, "kinds": {"eval": {"cases": 2, "value": 1}},
    ///  "failures": [{"kind": "eval", "id": "eval/paths/1", "area": "paths", "level": 0, "reason": "…"}]}
    /// ```
    pub fn to_value(&self) -> Value {
        json(&self.0)
    }
}

/// For people: a table for each kind, and below it up to `show` failures.
fn text(judged: &[JudgedCase], show: usize) -> String {
    let mut text = String::new();
    for kind in Kind::ALL {
        let cases: Vec<&JudgedCase> = judged.iter().filter(|case| case.kind == kind).collect();
        if !cases.is_empty() {
            write_kind(&mut text, kind, &cases, show);
        }
    }
    text
}

fn write_kind(text: &mut String, kind: Kind, cases: &[&JudgedCase], show: usize) {
    let levels = kind.levels();
    let heading = format!("{}: {} cases", kind.name(), cases.len());
    let _ = write!(text, "{heading:<46}");
    for level in levels {
        let _ = write!(text, "{level:>11}");
    }
    let mut areas: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for case in cases {
        areas
            .entry(&case.area)
            .or_default()
            .push(case.verdict.level());
    }
    let all: Vec<usize> = cases.iter().map(|case| case.verdict.level()).collect();
    for (area, reached) in areas.into_iter().chain([("all", all)]) {
        let _ = write!(text, "\n  {area:<44}");
        for level in 1..=levels.len() {
            let holding = reached.iter().filter(|reached| **reached >= level).count();
            let _ = write!(text, "{:>11}", format!("{holding}/{}", reached.len()));
        }
    }
    text.push('\n');
    let failures = cases
        .iter()
        .filter_map(|case| Some((case, case.verdict.reason()?)));
    for (case, reason) in failures.take(show) {
        let _ = writeln!(text, "  - {}: {reason}", case.id);
    }
    text.push('\n');
}

/// For programs: every case's level and reason, as `{"cases": …, "holding": …, "kinds": …, "failures": …}`.
fn json(judged: &[JudgedCase]) -> Value {
    let mut kinds = Map::new();
    for kind in Kind::ALL {
        let reached: Vec<usize> = judged
            .iter()
            .filter(|case| case.kind == kind)
            .map(|case| case.verdict.level())
            .collect();
        let mut figures = Map::from_iter([("cases".to_owned(), json!(reached.len()))]);
        for (index, name) in kind.levels().iter().enumerate() {
            let holding = reached.iter().filter(|reached| **reached > index).count();
            figures.insert((*name).to_owned(), json!(holding));
        }
        kinds.insert(kind.name().to_owned(), Value::Object(figures));
    }
    let failures: Vec<Value> = judged
        .iter()
        .filter(|case| !case.verdict.holds())
        .map(|case| {
            json!({"kind": case.kind.name(), "id": case.id, "area": case.area,
                "level": case.verdict.level(), "reason": case.verdict.reason()})
        })
        .collect();
    json!({"cases": judged.len(), "holding": judged.len() - failures.len(), "kinds": kinds, "failures": failures})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged() -> Vec<JudgedCase> {
        let case = |id: &str, area: &str, verdict| JudgedCase {
            kind: Kind::Validate,
            area: area.to_owned(),
            id: id.to_owned(),
            folder: PathBuf::new(),
            verdict,
        };
        vec![
            case("one", "a", Verdict::passed()),
            case("two", "b", Verdict::failed(1, "expected x, got y")),
            case("three", "b", Verdict::failed(0, "expected refused")),
        ]
    }

    #[test]
    fn each_level_counts_the_cases_that_reach_it() {
        let text = text(&judged(), 1);
        let row = |name: &str| {
            let line = text
                .lines()
                .find(|line| line.trim_start().starts_with(name));
            line.expect("a row")
                .split_whitespace()
                .skip(1)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(row("a "), "1/1 1/1 1/1");
        assert_eq!(row("b "), "1/2 0/2 0/2");
        assert_eq!(row("all "), "2/3 1/3 1/3");
        assert!(text.contains("- two: expected x, got y"));
        assert!(!text.contains("- three"), "only one failure is shown");
    }

    #[test]
    fn the_report_for_programs_names_every_failure() {
        let report = json(&judged());
        assert_eq!(report["holding"], 1);
        assert_eq!(
            report["kinds"]["validate"],
            json!({"cases": 3, "verdict": 2, "code": 1, "message": 1})
        );
        assert_eq!(report["failures"][1]["id"], "three");
    }
}
