//! Coverage of all cases of a run, by definition.
use super::repository::path_in_repository;
use super::{Point, PointKind, ReachedPoints, Tally};
use crate::{CaseReport, Definition};
use asl_template::Places;
use asl_trace::Account;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Coverage of the cases of a run, or of recorded executions.
///
/// ```
/// use asl_test::{Case, Definition, coverage::Coverage};
///
/// let definition = Definition::parse(r#"{"StartAt": "Big?", "States": {
///     "Big?": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 9, "Next": "Yes"}], "Default": "No"},
///     "Yes": {"Type": "Succeed"}, "No": {"Type": "Fail"}}}"#)?;
/// let case = Case::new("ten", &definition).input(serde_json::json!({"n": 10})).with_coverage();
/// let coverage = Coverage::from_reports(&[case.run()]);
/// // Two of three states, one of two ways.
/// assert_eq!(coverage.tally().to_string(), "3/5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Coverage {
    /// Covered definitions, in the order of their names.
    pub files: Vec<CoveredFile>,
}

/// Coverage of one definition.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CoveredFile {
    /// The file's path from the root of its repository; without a file the state machine's name.
    pub name: String,
    /// The definition; where cases read it with other substitutions, that of the first of them.
    pub definition: Definition,
    /// All points, in the order of the text.
    pub points: Vec<CoveredPoint>,
    /// The way of each case, or recorded execution, that ran the definition.
    pub ways: Vec<Way>,
}

/// A point, with the number of times that it was reached.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoveredPoint {
    /// The point.
    pub point: Point,
    /// Number of times it was reached.
    pub count: u64,
    /// Lines in the definition's text, from 1.
    pub lines: Option<RangeInclusive<usize>>,
}

/// The way of one case, or of one recorded execution, through a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Way {
    /// Name of the case or of the execution.
    pub case: String,
    /// Test file of the case, named like definitions.
    pub file: Option<String>,
    /// True if the case passed, or the execution succeeded.
    pub has_passed: bool,
    /// Counts by index of the point.
    pub counts: Vec<(usize, u64)>,
    /// The machine's own states in the order in which it entered them, where the definition is the case's own.
    pub path: Vec<Arc<str>>,
}

impl Way {
    /// Returns the way of a recorded execution, without counts.
    fn from_account(name: &str, account: &Account) -> Self {
        Self {
            case: name.to_owned(),
            file: None,
            has_passed: account.status.as_deref() == Some("SUCCEEDED"),
            counts: Vec::new(),
            path: account
                .steps
                .iter()
                .map(|step| step.state.as_str().into())
                .collect(),
        }
    }
}

impl Coverage {
    /// Creates the coverage of cases that [count it](crate::Case::with_coverage).
    pub fn from_reports(reports: &[CaseReport]) -> Self {
        let mut merge = Merge::default();
        for report in reports {
            for (number, covered) in report.covered.iter().enumerate() {
                merge.add_case(report, covered, number == 0);
            }
        }
        merge.into_coverage()
    }

    /// Creates the coverage of recorded executions of a definition, each with its name. [`Definition::explain`] reads their
    /// accounts from histories.
    ///
    /// ```
    /// use asl_test::{Definition, coverage::Coverage};
    /// use asl_trace::History;
    /// use serde_json::json;
    ///
    /// let definition = Definition::parse(r#"{"StartAt": "Big?", "States": {
    ///     "Big?": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericGreaterThan": 9, "Next": "Yes"}], "Default": "No"},
    ///     "Yes": {"Type": "Succeed"}, "No": {"Type": "Fail"}}}"#)?;
    /// let (at, input) = (1706702400.5, "{\"n\": 10}");
    /// let events = json!({"events": [
    ///     {"id": 1, "timestamp": at, "type": "ExecutionStarted", "executionStartedEventDetails": {"input": input}},
    ///     {"id": 2, "timestamp": at, "type": "ChoiceStateEntered", "stateEnteredEventDetails": {"name": "Big?", "input": input}},
    ///     {"id": 3, "previousEventId": 2, "timestamp": at, "type": "ChoiceStateExited",
    ///         "stateExitedEventDetails": {"name": "Big?", "output": input}},
    ///     {"id": 4, "previousEventId": 3, "timestamp": at, "type": "ExecutionAborted"}]});
    /// let account = definition.explain(&History { events, ..History::default() })?;
    /// let coverage = Coverage::from_accounts(&definition, [("ten", &account)]);
    /// // One of three states, one of two ways.
    /// assert_eq!(coverage.tally().to_string(), "2/5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_accounts<'a>(
        definition: &Definition,
        accounts: impl IntoIterator<Item = (&'a str, &'a Account)>,
    ) -> Self {
        let mut merge = Merge::default();
        for (name, account) in accounts {
            let reached = ReachedPoints::from_account(definition, account);
            merge.add(&reached, Some(Way::from_account(name, account)));
        }
        merge.into_coverage()
    }

    /// Returns the coverage of all points.
    pub fn tally(&self) -> Tally {
        sum(self.files.iter().map(CoveredFile::tally))
    }

    /// Returns the coverage of one kind of points.
    pub fn tally_of(&self, kind: PointKind) -> Tally {
        sum(self.files.iter().map(|file| file.tally_of(kind)))
    }
}

impl CoveredFile {
    /// Returns the coverage of all points.
    pub fn tally(&self) -> Tally {
        sum(PointKind::ALL.map(|kind| self.tally_of(kind)))
    }

    /// Returns the coverage of one kind of points.
    pub fn tally_of(&self, kind: PointKind) -> Tally {
        let points = self.points.iter().filter(|it| it.point.kind == kind);
        sum(points.map(|it| Tally {
            reached: u64::from(it.count > 0),
            all: 1,
        }))
    }

    /// Returns the points that were not reached, by line.
    pub fn not_reached(&self) -> Vec<&CoveredPoint> {
        let missing = self.points.iter().filter(|it| it.count == 0);
        let mut missing: Vec<&CoveredPoint> = missing.collect();
        missing.sort_by_key(|it| it.line());
        missing
    }
}

impl CoveredPoint {
    /// Returns the first of its lines.
    pub fn line(&self) -> Option<usize> {
        self.lines.as_ref().map(|lines| *lines.start())
    }
}

fn sum(tallies: impl IntoIterator<Item = Tally>) -> Tally {
    let mut sum = Tally::default();
    for tally in tallies {
        sum += tally;
    }
    sum
}

/// Indexes of points, by kind and pointer.
type PointPlaces = HashMap<(PointKind, String), usize>;

/// Returns the index of a point. With other substitutions, a definition may have other states, which are added.
fn place_of(point: &Point, points: &mut Vec<CoveredPoint>, known: &mut PointPlaces) -> usize {
    let key = (point.kind, point.pointer.clone());
    *known.entry(key).or_insert_with(|| {
        points.push(CoveredPoint {
            point: point.clone(),
            count: 0,
            lines: None,
        });
        points.len() - 1
    })
}

/// Files as they are put together.
#[derive(Default)]
struct Merge {
    files: Vec<CoveredFile>,
    by_name: HashMap<String, usize>,
    /// Of each file, where its points are.
    points: Vec<PointPlaces>,
    /// Names of paths; a run has few of them.
    names: HashMap<std::path::PathBuf, String>,
}

impl Merge {
    fn add_case(&mut self, report: &CaseReport, reached: &ReachedPoints, is_own: bool) {
        let is_called = is_own || reached.points().any(|(_, count)| count > 0);
        let test_file = report.file.as_deref().map(|path| self.name(path));
        let visits = report
            .run
            .iter()
            .filter(|_| is_own)
            .flat_map(|run| &run.visits);
        let path = visits.filter(|visit| visit.depth == 0);
        let way = Way {
            case: report.name.clone(),
            file: test_file,
            has_passed: report.has_passed(),
            counts: Vec::new(),
            path: path.map(|visit| Arc::clone(&visit.state)).collect(),
        };
        // What stands for a task that was never called has no way.
        self.add(reached, is_called.then_some(way));
    }

    fn add(&mut self, reached: &ReachedPoints, way: Option<Way>) {
        let index = self.file(reached.definition());
        let (Some(file), Some(known)) = (self.files.get_mut(index), self.points.get_mut(index))
        else {
            return;
        };
        // What was added first is where it was.
        let is_first = file.definition.is(reached.definition()) && !file.points.is_empty();
        let mut counts = Vec::new();
        for (index, (point, count)) in reached.points().enumerate() {
            let at = match is_first {
                true => index,
                false => place_of(point, &mut file.points, known),
            };
            if let Some(known) = file.points.get_mut(at).filter(|_| count > 0) {
                known.count += count;
                counts.push((at, count));
            }
        }
        file.ways.extend(way.map(|way| Way { counts, ..way }));
    }

    fn file(&mut self, definition: &Definition) -> usize {
        let name = match definition.path() {
            Some(path) => {
                let name = self.name(path);
                match definition.name_in_template() {
                    Some(machine) => format!("{name}#{machine}"),
                    None => name,
                }
            }
            None => definition.name().to_owned(),
        };
        let next = self.files.len();
        let index = *self.by_name.entry(name.clone()).or_insert(next);
        if index == next {
            self.points.push(HashMap::new());
            self.files.push(CoveredFile {
                name,
                definition: definition.clone(),
                points: Vec::new(),
                ways: Vec::new(),
            });
        }
        index
    }

    fn name(&mut self, path: &std::path::Path) -> String {
        if let Some(name) = self.names.get(path) {
            return name.clone();
        }
        let name = path_in_repository(path);
        self.names.insert(path.to_owned(), name.clone());
        name
    }

    fn into_coverage(self) -> Coverage {
        let mut files = self.files;
        files.sort_by(|one, other| one.name.cmp(&other.name));
        for file in &mut files {
            let map = Places::new(file.definition.source());
            let path = file.definition.path().unwrap_or(std::path::Path::new(""));
            for point in &mut file.points {
                let pointer = &point.point.pointer;
                // What an alias of YAML repeats is where the alias is.
                let alone = || {
                    let place = map.locate_name(pointer)?;
                    let line = place.position().line;
                    Some((place.file, line..=line))
                };
                let found = map.lines_of(pointer).or_else(alone);
                // Parts that stand in other files have no lines in this one.
                let here = found.filter(|(file, _)| file.path() == path);
                point.lines = here.map(|(_, lines)| lines);
            }
        }
        Coverage { files }
    }
}
