//! Coverage of the normative statements of the specifications by the project's own cases.
mod documents;
mod statement;

use crate::case::read_cases;
use crate::{CasesError, Kind};
use documents::Gaps;
use serde_json::{Value, json};
use statement::Statement;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Normative statements of the specifications, and the cases that show them.
#[derive(Debug, Default)]
pub struct Coverage {
    /// Per document: statements, and of them shown, superseded and not observable.
    documents: BTreeMap<String, [usize; 4]>,
    /// Statements without a case that nothing excuses: level, id, text.
    uncovered: Vec<(String, String, String)>,
    /// Names that name nothing: where, and what.
    dangling: Vec<(String, String)>,
    /// Differences between the index and the documents, if given.
    gaps: Gaps,
}

fn compare(statements: &[Statement], clauses_of_cases: &BTreeMap<String, Vec<String>>) -> Coverage {
    let mut coverage = Coverage::default();
    let ids: BTreeSet<&str> = statements
        .iter()
        .map(|statement| statement.id.as_str())
        .collect();
    for statement in statements {
        let (known, unknown): (Vec<_>, Vec<_>) = statement
            .cases
            .iter()
            .partition(|case| clauses_of_cases.contains_key(*case));
        let dangling = unknown
            .into_iter()
            .map(|case| (statement.id.clone(), case.clone()));
        coverage.dangling.extend(dangling);
        let counts = coverage
            .documents
            .entry(statement.document.clone())
            .or_default();
        counts[0] += 1;
        if statement.superseded_by.is_some() {
            counts[2] += 1;
        } else if !known.is_empty() {
            counts[1] += 1;
        } else if statement.not_observable.is_some() {
            counts[3] += 1;
        } else {
            let Statement {
                level, id, text, ..
            } = statement.clone();
            coverage.uncovered.push((level, id, text));
        }
    }
    for (case, clauses) in clauses_of_cases {
        let unknown = clauses
            .iter()
            .filter(|clause| !ids.contains(clause.as_str()));
        coverage
            .dangling
            .extend(unknown.map(|clause| (case.clone(), clause.clone())));
    }
    coverage
}

impl Coverage {
    /// Reads `index.json` and the cases of `folder`, and the documents that the index quotes.
    ///
    /// # Errors
    /// A file cannot be read, or does not have its format.
    pub fn read(folder: &Path, documents: Option<&Path>) -> Result<Self, CasesError> {
        let path = folder.join("index.json");
        let fault = |error: &dyn std::fmt::Display| CasesError::unreadable(&path, error);
        let text = fs::read_to_string(&path).map_err(|error| fault(&error))?;
        let statements: Vec<Statement> =
            serde_json::from_str(&text).map_err(|error| fault(&error))?;
        let mut clauses_of_cases = BTreeMap::new();
        for kind in Kind::ALL {
            for case in read_cases(folder, kind)? {
                clauses_of_cases.insert(case.id, case.clauses);
            }
        }
        let mut coverage = compare(&statements, &clauses_of_cases);
        if let Some(documents) = documents {
            coverage.gaps = documents::compare(documents, &statements)?;
        }
        Ok(coverage)
    }

    /// Returns true if every statement has a case or an excuse, every name names something, and no sentence is forgotten.
    pub fn is_complete(&self) -> bool {
        self.uncovered.is_empty() && self.dangling.is_empty() && self.gaps == Gaps::default()
    }

    /// Formats the report: figures by document, then the gaps.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{:<46}{:>11}{:>11}{:>11}{:>16}{:>12}\n",
            "coverage: statements", "all", "shown", "superseded", "not observable", "uncovered"
        );
        for (document, [all, shown, superseded, unobservable]) in &self.documents {
            let uncovered = all - shown - superseded - unobservable;
            let _ = writeln!(
                text,
                "  {document:<44}{all:>11}{shown:>11}{superseded:>11}{unobservable:>16}{uncovered:>12}"
            );
        }
        for (level, id, statement) in &self.uncovered {
            let _ = writeln!(text, "  - {id} ({level}): {statement}");
        }
        for (place, name) in &self.dangling {
            let _ = writeln!(text, "  - {place} names {name}, which is not there");
        }
        for place in &self.gaps.uncovered {
            let _ = writeln!(text, "  - no statement holds {place}");
        }
        for place in &self.gaps.misquoted {
            let _ = writeln!(text, "  - not as the document has it: {place}");
        }
        text
    }

    /// Formats the report for programs.
    pub fn to_value(&self) -> Value {
        let all: usize = self.documents.values().map(|counts| counts[0]).sum();
        let ids: Vec<&String> = self.uncovered.iter().map(|(_, id, _)| id).collect();
        json!({"statements": all, "uncovered": ids, "dangling": self.dangling,
            "outside": self.gaps.uncovered, "misquoted": self.gaps.misquoted})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(value: Value) -> Vec<Statement> {
        serde_json::from_value(value).expect("statements")
    }

    fn cases(ids: &[(&str, &str)]) -> BTreeMap<String, Vec<String>> {
        let case = |(id, clause): &(&str, &str)| ((*id).to_owned(), vec![(*clause).to_owned()]);
        ids.iter().map(case).collect()
    }

    #[test]
    fn a_statement_needs_a_case_or_an_excuse() {
        let index = statements(json!([
            {"id": "d/1", "document": "d", "level": "MUST", "text": "a", "cases": ["exec/a"]},
            {"id": "d/2", "document": "d", "level": "MAY", "text": "b", "superseded_by": "d/1"},
            {"id": "d/3", "document": "d", "level": "MAY", "text": "c", "not_observable": "advice"},
            {"id": "d/4", "document": "d", "level": "MUST", "text": "e", "cases": []}]));
        let coverage = compare(&index, &cases(&[("exec/a", "d/1")]));
        assert_eq!(coverage.documents["d"], [4, 1, 1, 1]);
        assert_eq!(coverage.to_value()["uncovered"], json!(["d/4"]));
        assert!(!coverage.is_complete());
        assert!(coverage.to_text().contains("- d/4 (MUST): e"));
        assert!(compare(&index[..3], &cases(&[("exec/a", "d/1")])).is_complete());
    }

    #[test]
    fn names_of_nothing_are_reported_in_both_directions() {
        let index = statements(json!([
            {"id": "d/1", "document": "d", "level": "MUST", "text": "a", "cases": ["exec/a", "exec/gone"]}]));
        let coverage = compare(&index, &cases(&[("exec/a", "d/9")]));
        let names: Vec<&str> = coverage
            .dangling
            .iter()
            .map(|(_, name)| name.as_str())
            .collect();
        assert_eq!(names, ["exec/gone", "d/9"]);
        assert!(!coverage.is_complete());
    }
}
