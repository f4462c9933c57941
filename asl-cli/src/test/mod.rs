//! `asl test`.

mod coverage;
mod github;
mod json_diff;
mod pretty;
mod watch;

use crate::arguments::{TestArguments, TestFormat};
use crate::exit::{Exit, Failure, Stream, print};
use crate::settings::settings_of;
use crate::terminal::{self, HINT, WARNING, count_noun};
use asl_lint::SettingsOfFolders;
use asl_test::coverage::Coverage;
use asl_test::{Case, Suite, SuiteReport, find_test_files, format};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// Runs the cases of all test files, and reports what is not as expected.
pub(crate) fn test(arguments: &TestArguments) -> Result<Exit, Failure> {
    if arguments.schema {
        print(asl_test::SCHEMA.trim_end())?;
        return Ok(Exit::Success);
    }
    arguments.coverage.check(arguments.format)?;
    match arguments.watch {
        true => watch::watch(arguments),
        false => run(&read(arguments)?, arguments),
    }
}

/// The cases that are wanted.
fn read(arguments: &TestArguments) -> Result<Suite, Failure> {
    let files = find(arguments)?;
    if files.is_empty() {
        return Err(nothing_found(arguments));
    }
    let mut suite = read_files(&files)?;
    if arguments.coverage.is_wanted() {
        suite = suite.with_coverage();
    }
    let all = suite.cases().len();
    suite.retain(|case| is_wanted(case, &arguments.filter));
    if suite.cases().is_empty() && suite.refused().is_empty() {
        return Err(match all {
            0 => Failure::new(format!(
                "no case in {}",
                count_noun(files.len(), "test file")
            )),
            _ => Failure::new(format!(
                "--filter matches none of {}",
                count_noun(all, "case")
            )),
        });
    }
    Ok(suite)
}

/// Reads test files; the nearest `asl.toml` of each says which resources its definitions may have.
fn read_files(files: &[PathBuf]) -> Result<Suite, Failure> {
    let mut settings = SettingsOfFolders::default();
    let mut pairs = Vec::with_capacity(files.len());
    for file in files {
        let nearest = settings_of(file, &mut settings)?;
        pairs.push((file, nearest.resources().unwrap_or_default()));
    }
    Ok(Suite::read_with(pairs))
}

fn find(arguments: &TestArguments) -> Result<Vec<PathBuf>, Failure> {
    let mut missing = arguments.paths.iter();
    let is_missing =
        |path: &&PathBuf| !path.exists() && !asl_template::is_pattern(&path.to_string_lossy());
    if let Some(path) = missing.find(is_missing) {
        return Err(Failure::new(format!(
            "cannot search for tests in {}: no such file or folder{}",
            path.display(),
            asl_template::nearest_file(path)
        )));
    }
    find_test_files(&arguments.paths)
        .map_err(|error| Failure::new(format!("cannot search for tests: {error}")))
}

/// Runs the cases, and reports what came of them.
fn run(suite: &Suite, arguments: &TestArguments) -> Result<Exit, Failure> {
    arguments.coverage.check_inputs(suite.files())?;
    let jobs = arguments
        .jobs
        .or(available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    let is_pretty = arguments.format == TestFormat::Pretty;
    let stream = match is_pretty && !arguments.coverage.takes_stdout() {
        true => Stream::Stdout,
        false => Stream::Stderr,
    };
    let progress = pretty::Progress::new(suite.cases().len());
    let mut report = suite.run(jobs, arguments.fail_fast, |case| {
        if is_pretty {
            progress.print_case(case);
        }
    });
    progress.end();
    if arguments.update {
        update(suite.cases(), &mut report)?;
    }
    match arguments.format {
        TestFormat::Pretty => pretty::print(&report, stream)?,
        TestFormat::Json => print(format::json(&report))?,
        TestFormat::Junit => print(format::junit(&report).trim_end())?,
        TestFormat::Tap => print(format::tap(&report).trim_end())?,
        TestFormat::Github => {
            pretty::print(&report, stream)?;
            let lines = github::lines(&report);
            if !lines.is_empty() {
                print(lines.join("\n"))?;
            }
        }
    }
    if !matches!(arguments.format, TestFormat::Pretty | TestFormat::Github) {
        pretty::print_refused(&report);
    }
    let covered = match arguments.coverage.is_wanted() {
        true => {
            let coverage = Coverage::from_reports(&report.cases);
            arguments.coverage.report(&coverage, stream)?
        }
        false => Exit::Success,
    };
    Ok(match (report.refused.is_empty(), report.failed()) {
        (false, _) => Exit::Refused,
        (true, 0) => covered,
        (true, _) => Exit::Failed,
    })
}

fn nothing_found(arguments: &TestArguments) -> Failure {
    let paths: Vec<String> = arguments
        .paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    Failure::new(format!(
        "no test found in {}\n{HINT}hint:{HINT:#} tests of order.asl.json are expected in order.test.yaml, in the same folder:\n\
         \n    version: 1\n    cases:\n      it works:\n        input: {{}}\n        expect: {{output: {{}}}}\n",
        paths.join(", ")
    ))
}

fn is_wanted(case: &Case, filters: &[String]) -> bool {
    let file = case.file().map(Path::to_string_lossy).unwrap_or_default();
    let has = |filter: &String| case.name().contains(filter) || file.contains(filter.as_str());
    filters.is_empty() || filters.iter().any(has)
}

/// Records outputs; a difference from what was recorded before is none any more.
fn update(cases: &[Case], report: &mut SuiteReport) -> Result<(), Failure> {
    let by_name: BTreeMap<_, _> = cases
        .iter()
        .map(|case| ((case.file(), case.name()), case))
        .collect();
    for done in &mut report.cases {
        let case = by_name.get(&(done.file.as_deref(), &*done.name));
        let (Some(case), Some(run)) = (case, &done.run) else {
            continue;
        };
        let written = case.record_output(run).map_err(|error| {
            Failure::new(format!(
                "cannot record the output of '{}': {error}",
                done.name
            ))
        })?;
        if let Some(path) = written {
            let path = path.display();
            terminal::error_line(&format!("{WARNING}recorded{WARNING:#} {path}"));
            let recorded = ["output", "outputFile"];
            done.differences
                .retain(|it| !recorded.contains(&it.subject));
        }
    }
    Ok(())
}
