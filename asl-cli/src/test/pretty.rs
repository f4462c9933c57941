//! Test reports for people.
use super::json_diff;
use crate::exit::{Failure, Stream};
use crate::snippet::Snippet;
use crate::terminal::{self, ERROR, FAINT, STRONG, SUCCESS, WARNING, count_noun};
use asl_test::{CaseReport, Difference, SuiteReport};
use std::cell::Cell;
use std::io::Write as _;
use std::path::Path;

/// A line that counts, where stderr is a terminal.
pub(crate) struct Progress {
    all: usize,
    done: Cell<usize>,
    failed: Cell<usize>,
    shows: bool,
}

/// To the beginning of the line, and clear it.
const CLEAR: &str = "\r\u{1b}[2K";

impl Progress {
    /// Of so many cases.
    pub(crate) fn new(all: usize) -> Self {
        Self {
            all,
            done: Cell::new(0),
            failed: Cell::new(0),
            shows: terminal::is_interactive(),
        }
    }

    /// One is done.
    pub(crate) fn print_case(&self, report: &CaseReport) {
        self.done.set(self.done.get() + 1);
        self.failed
            .set(self.failed.get() + usize::from(!report.has_passed()));
        if self.shows {
            let (done, all, failed) = (self.done.get(), self.all, self.failed.get());
            // Nobody is left to tell where stderr is closed.
            let _ = write!(std::io::stderr(), "{CLEAR}{done}/{all}, {failed} failed");
        }
    }

    /// All are done.
    pub(crate) fn end(&self) {
        if self.shows && self.done.get() > 0 {
            let _ = write!(std::io::stderr(), "{CLEAR}");
        }
    }
}

/// Reports all of it: what failed, and a summary; on stderr, which files could not be run.
pub(crate) fn print(report: &SuiteReport, stream: Stream) -> Result<(), Failure> {
    for cases in report.cases.chunk_by(|one, next| one.file == next.file) {
        print_file(cases, stream)?;
    }
    print_refused(report);
    summarize(report, stream)
}

fn print_file(cases: &[CaseReport], stream: Stream) -> Result<(), Failure> {
    let Some(first) = cases.first() else {
        return Ok(());
    };
    let file = first.file.as_deref();
    let failed = cases.iter().filter(|case| !case.has_passed()).count();
    let (style, word) = if failed == 0 {
        (SUCCESS, "PASS")
    } else {
        (ERROR, "FAIL")
    };
    let name = file
        .map(|file| file.display().to_string())
        .unwrap_or_default();
    let count = count_noun(cases.len(), "case");
    stream.print(&format!(
        "{style}{word}{style:#} {STRONG}{name}{STRONG:#} {FAINT}({count}){FAINT:#}"
    ))?;
    let text = file
        .filter(|_| failed > 0)
        .and_then(|file| std::fs::read_to_string(file).ok());
    for case in cases.iter().filter(|case| !case.has_passed()) {
        stream.print(&format!(
            "\n  {ERROR}✗{ERROR:#} {STRONG}{}{STRONG:#}",
            case.name
        ))?;
        for (index, difference) in case.differences.iter().enumerate() {
            print_difference(difference, index == 0, file.zip(text.as_deref()), stream)?;
        }
        stream.print("")?;
    }
    Ok(())
}

/// Prints the first difference with its values and its place, and the others in one line.
fn print_difference(
    difference: &Difference,
    is_first: bool,
    source: Option<(&Path, &str)>,
    stream: Stream,
) -> Result<(), Failure> {
    let line = format!("    {difference}");
    stream.print(&terminal::truncate(&line, 4 * terminal::output_width()))?;
    if !is_first {
        return Ok(());
    }
    if let Some(values) = &difference.values {
        for line in json_diff::lines(values) {
            stream.print(&format!("      {line}"))?;
        }
    }
    if let (Some((file, text)), Some(position)) = (source, difference.position) {
        let name = file.display().to_string();
        let snippet = Snippet::new(&name, text, position.line, position.column);
        for line in snippet.to_string().lines() {
            stream.print(&format!("    {line}"))?;
        }
    }
    Ok(())
}

/// The files that could not be run.
pub(crate) fn print_refused(report: &SuiteReport) {
    for error in &report.refused {
        let name = error.path.as_ref().map(|path| path.display().to_string());
        let name = name.unwrap_or_default();
        let text = error
            .path
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok());
        for fault in &error.faults {
            terminal::error_line(&format!("{ERROR}error:{ERROR:#} {name}: {}", fault.message));
            if let (Some(text), Some(position)) = (&text, fault.position) {
                let snippet = Snippet::new(&name, text, position.line, position.column);
                terminal::error_line(&snippet.to_string());
            }
        }
    }
}

fn summarize(report: &SuiteReport, stream: Stream) -> Result<(), Failure> {
    let (failed, passed) = (report.failed(), report.cases.len() - report.failed());
    let mut parts = Vec::new();
    if failed > 0 {
        parts.push(format!("{ERROR}{failed} failed{ERROR:#}"));
    }
    parts.push(format!("{SUCCESS}{passed} passed{SUCCESS:#}"));
    if report.left_out > 0 {
        parts.push(format!("{WARNING}{} not run{WARNING:#}", report.left_out));
    }
    if !report.refused.is_empty() {
        let refused = count_noun(report.refused.len(), "file");
        parts.push(format!("{ERROR}{refused} that cannot be run{ERROR:#}"));
    }
    let seconds = report.elapsed.as_secs_f64();
    stream.print(&format!(
        "{} {FAINT}in {seconds:.2} s{FAINT:#}",
        parts.join(", ")
    ))
}
