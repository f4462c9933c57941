//! Coverage of the cases: output, and comparison with thresholds.
use crate::arguments::{CoverageArguments, CoverageFormat, TestFormat};
use crate::exit::{Exit, Failure, Stream, print};
use crate::run::history::is_same_file;
use crate::terminal::{self, FAINT, count_noun};
use asl_test::coverage::{Coverage, format};
use std::path::Path;

/// Default file of a coverage page.
const PAGE: &str = "coverage.html";

/// Of what was not reached, so much is told where a threshold is missed.
const MOST: usize = 20;

impl CoverageArguments {
    /// Returns true if any of it is requested.
    pub(super) fn is_wanted(&self) -> bool {
        !self.coverage.is_empty() || !self.coverage_threshold.is_empty()
    }

    /// Refuses two reports in one place, before tests run.
    pub(super) fn check(&self, report: TestFormat) -> Result<(), Failure> {
        let is_for_people = report == TestFormat::Pretty;
        let of_tests = (!is_for_people).then(|| "-".to_owned());
        let twice = self.place_of_two(of_tests);
        twice.map_or(Ok(()), |place| {
            Err(Failure::new(format!(
                "two reports would be written to {place}: use --coverage-output FILE, with one --coverage format besides text"
            )))
        })
    }

    /// Returns the place to which two reports would be written.
    pub(crate) fn place_of_two(&self, other: Option<String>) -> Option<String> {
        let paths = self.coverage.iter().filter_map(|it| self.path_of(*it));
        let mut paths: Vec<String> = paths.chain(other).collect();
        paths.sort();
        let twice = paths.windows(2).find(|two| two[0] == two[1]);
        let path = twice.and_then(|two| two.first())?;
        Some(match path.as_str() {
            "-" => "stdout".to_owned(),
            path => path.to_owned(),
        })
    }

    /// Refuses to write a report over a file that is read.
    pub(crate) fn check_inputs<'f>(
        &self,
        mut files: impl Iterator<Item = &'f Path>,
    ) -> Result<(), Failure> {
        let paths = self.coverage.iter().filter_map(|it| self.path_of(*it));
        let paths: Vec<String> = paths.filter(|path| path != "-").collect();
        let read = files.find_map(|file| {
            let mut paths = paths.iter();
            paths.find(|path| is_same_file(path.as_ref(), file))
        });
        match read {
            None => Ok(()),
            Some(path) => Err(Failure::new(format!(
                "the coverage report would overwrite {path}, which is read: choose another file"
            ))),
        }
    }

    /// Returns true if a report for programs goes to stdout.
    pub(super) fn takes_stdout(&self) -> bool {
        let mut paths = self.coverage.iter().filter_map(|it| self.path_of(*it));
        paths.any(|path| path == "-")
    }

    /// Returns the output path of a format, or none for the terminal.
    fn path_of(&self, format: CoverageFormat) -> Option<String> {
        let is_only = self.coverage.len() == 1;
        match (&self.coverage_output, format) {
            (Some(path), CoverageFormat::Text) if is_only => Some(path.clone()),
            (_, CoverageFormat::Text) => None,
            (Some(path), _) => Some(path.clone()),
            (None, CoverageFormat::Html) => Some(PAGE.to_owned()),
            (None, _) => Some("-".to_owned()),
        }
    }

    /// Writes what is requested, and reports what is missing.
    pub(crate) fn report(&self, coverage: &Coverage, stream: Stream) -> Result<Exit, Failure> {
        for format in &self.coverage {
            let text = match format {
                CoverageFormat::Text => format::text(coverage),
                CoverageFormat::Json => format::json(coverage).to_string(),
                CoverageFormat::Lcov => format::lcov(coverage),
                CoverageFormat::Html => format::html(coverage),
            };
            match self.path_of(*format).as_deref() {
                None => stream.print(text.trim_end())?,
                Some("-") => print(text.trim_end())?,
                Some(path) => write(path, &text)?,
            }
        }
        Ok(self.judge(coverage))
    }

    fn judge(&self, coverage: &Coverage) -> Exit {
        let missed = coverage.missed(&self.coverage_threshold);
        if missed.is_empty() {
            return Exit::Success;
        }
        for missed in &missed {
            Failure::new(missed.to_string()).report();
        }
        if !self.coverage.contains(&CoverageFormat::Text) {
            print_missing(coverage, |kind| {
                missed
                    .iter()
                    .any(|it| it.threshold.kind.is_none_or(|it| it == kind))
            });
        }
        Exit::Failed
    }
}

/// Prints the first points that were not reached.
fn print_missing(coverage: &Coverage, is_wanted: impl Fn(asl_test::coverage::PointKind) -> bool) {
    let mut missing = coverage.files.iter().flat_map(|file| {
        let points = file
            .not_reached()
            .into_iter()
            .filter(|it| is_wanted(it.point.kind));
        points.map(|point| (&file.name, point))
    });
    for (name, covered) in missing.by_ref().take(MOST) {
        let line = covered.line().map(|line| format!(":{line}"));
        let line = line.unwrap_or_default();
        terminal::error_line(&format!(
            "  {FAINT}{name}{line}:{FAINT:#} {}",
            covered.point
        ));
    }
    let more = missing.count();
    if more > 0 {
        let more = count_noun(more, "other place");
        terminal::error_line(&format!(
            "  {FAINT}and {more}: --coverage text lists all{FAINT:#}"
        ));
    }
}

fn write(path: &str, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::new(format!("cannot write {path}: {error}")))?;
    terminal::error_line(&format!("{FAINT}coverage:{FAINT:#} {path}"));
    Ok(())
}
