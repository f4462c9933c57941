//! Figures by area, and the first difference of each failure.
use super::case::Kind;
use super::verdict::Verdict;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One case with its verdict.
#[derive(Debug)]
pub(crate) struct JudgedCase {
    pub(crate) kind: Kind,
    pub(crate) area: String,
    pub(crate) id: String,
    /// True if the case is one of the project's own.
    pub(crate) own: bool,
    pub(crate) verdict: Verdict,
}

/// For people: a table for each kind, and below it up to `show` failures.
pub(crate) fn text(judged: &[JudgedCase], show: usize) -> String {
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
            .push(case.verdict.level);
    }
    let all: Vec<usize> = cases.iter().map(|case| case.verdict.level).collect();
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
        .filter_map(|case| Some((case, case.verdict.reason.as_ref()?)));
    for (case, reason) in failures.take(show) {
        let _ = writeln!(text, "  - {}: {reason}", case.id);
    }
    text.push('\n');
}

/// For programs: every case's level and reason, as `{"cases": …, "holding": …, "kinds": …, "failures": …}`.
pub(crate) fn json(judged: &[JudgedCase]) -> Value {
    let mut kinds = Map::new();
    for kind in Kind::ALL {
        let reached: Vec<usize> = judged
            .iter()
            .filter(|case| case.kind == kind)
            .map(|case| case.verdict.level)
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
                "level": case.verdict.level, "reason": case.verdict.reason})
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
            own: true,
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
