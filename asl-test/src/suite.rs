//! Many cases of many files.
use crate::{Case, CaseFailure, CaseReport, TestFile, TestFileError};
use asl_engine::model::ResourceNames;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fmt, fs, io};

/// Folders without tests of the user.
const SKIPPED: [&str; 3] = ["node_modules", "target", "cdk.out"];

/// Returns the test files among these paths: files as they are given, those that a pattern as `flows/**/*.test.yaml` names,
/// and of folders everything below them that is called `*.test.yaml`, `*.test.yml` or `*.test.json`; hidden folders,
/// `target`, `node_modules` and `cdk.out` aside. In the order of their names.
///
/// # Errors
/// A path that cannot be read.
pub fn find_test_files(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let text = path.to_string_lossy();
        if asl_template::is_pattern(&text) && !path.exists() {
            let files = asl_template::files_of_pattern(&text)?;
            let is_test = |path: &PathBuf| {
                let name = path.file_name().unwrap_or_default();
                is_test_file(&name.to_string_lossy())
            };
            found.extend(files.into_iter().filter(is_test));
            continue;
        }
        match fs::metadata(path).map_err(named)?.is_dir() {
            true => find_below(path, is_test_file, &mut found).map_err(named)?,
            false => found.push(path.clone()),
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Lists the definitions in a folder: `*.asl.json`, `*.asl.yaml` and `*.asl.yml`, in the order of their names. It skips the
/// same folders as [`find_test_files`].
///
/// # Errors
/// A folder that cannot be read.
pub fn find_definitions(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    find_below(folder, is_definition, &mut found)?;
    found.sort();
    Ok(found)
}

fn find_below(
    folder: &Path,
    is_wanted: fn(&str) -> bool,
    found: &mut Vec<PathBuf>,
) -> io::Result<()> {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = entry.file_type()?;
            if kind.is_dir() && !name.starts_with('.') && !SKIPPED.contains(&&*name) {
                open.push(entry.path());
            } else if kind.is_file() && is_wanted(&name) {
                // `./` before a path helps nobody.
                let path = entry.path();
                found.push(path.strip_prefix(".").map_or(path.clone(), Path::to_owned));
            }
        }
    }
    Ok(())
}

/// Returns true if it is surely one: other JSON and YAML is only if a test names it.
fn is_definition(name: &str) -> bool {
    crate::DEFINITION_ENDINGS
        .iter()
        .filter(|ending| ending.starts_with(".asl."))
        .any(|ending| name.ends_with(ending))
}

fn is_test_file(name: &str) -> bool {
    [".test.yaml", ".test.yml", ".test.json"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// The cases of many files, ready to run.
///
/// ```
/// use asl_test::Suite;
/// use std::num::NonZeroUsize;
///
/// let suite = Suite::read(&asl_test::find_test_files(&["tests".into()]).unwrap_or_default());
/// let report = suite.run(NonZeroUsize::MIN, false, |report| println!("{}", report.name));
/// assert!(report.has_passed());
/// ```
#[derive(Debug, Default)]
pub struct Suite {
    cases: Vec<Case>,
    refused: Vec<TestFileError>,
    files: BTreeSet<PathBuf>,
}

/// The results of many cases.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct SuiteReport {
    /// Reports of the cases, in the order of the files.
    pub cases: Vec<CaseReport>,
    /// The files that could not be run.
    pub refused: Vec<TestFileError>,
    /// Number of cases that did not run because an earlier one failed.
    pub left_out: usize,
    /// Total duration on the system clock.
    pub elapsed: Duration,
}

impl SuiteReport {
    /// Returns true if every file could be run, and every case passed.
    pub fn has_passed(&self) -> bool {
        self.refused.is_empty() && self.failed() == 0
    }

    /// Returns the report if every file could be run, and every case passed.
    ///
    /// # Errors
    /// All failed cases, and all files that could not be run.
    pub fn into_result(self) -> Result<Self, SuiteFailure> {
        if self.has_passed() {
            return Ok(self);
        }
        let failed = self.cases.into_iter().map(CaseReport::into_result);
        Err(SuiteFailure {
            cases: failed.filter_map(Result::err).collect(),
            refused: self.refused,
        })
    }

    /// Returns the number of failed cases.
    pub fn failed(&self) -> usize {
        self.cases.iter().filter(|case| !case.has_passed()).count()
    }
}

/// The reasons why a suite did not pass. `{:?}` prints the same text as `{}`, so that an error that leaves a test through
/// `?` is readable.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub struct SuiteFailure {
    /// The failed cases, in the order of the files.
    pub cases: Vec<CaseFailure>,
    /// The files that could not be run.
    pub refused: Vec<TestFileError>,
}

impl fmt::Display for SuiteFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cases, refused) = (self.cases.len(), self.refused.len());
        write!(
            f,
            "{cases} cases failed, and {refused} files could not be run"
        )?;
        for case in &self.cases {
            write!(f, "\n{case}")?;
        }
        for refused in &self.refused {
            write!(f, "\n{refused}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for SuiteFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Suite {
    /// Reads test files; those that are none are remembered.
    pub fn read(files: &[PathBuf]) -> Self {
        Self::read_with(files.iter().map(|file| (file, ResourceNames::default())))
    }

    /// Reads test files, each with the resources that its definitions may have, unless the file has a setting of its own.
    pub fn read_with(files: impl IntoIterator<Item = (impl AsRef<Path>, ResourceNames)>) -> Self {
        let mut suite = Self::default();
        for (file, resources) in files {
            match TestFile::read_with(file, resources) {
                Ok(file) => {
                    suite.files.extend(file.files().iter().cloned());
                    suite.cases.extend(file.into_cases());
                }
                Err(refused) => {
                    suite.files.extend(refused.files().iter().cloned());
                    suite.refused.push(refused);
                }
            }
        }
        suite
    }

    /// Keeps the cases that are wanted.
    pub fn retain(&mut self, is_wanted: impl FnMut(&Case) -> bool) {
        self.cases.retain(is_wanted);
    }

    /// Makes every case [count its coverage](Case::with_coverage).
    #[must_use]
    pub fn with_coverage(mut self) -> Self {
        for case in &mut self.cases {
            case.covers = true;
        }
        self
    }

    /// Returns its cases, in the order of the files.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// Returns all files whose change may change what comes of the cases, and those that may come to be.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Returns the files that cannot be run.
    pub fn refused(&self) -> &[TestFileError] {
        &self.refused
    }

    /// Runs so many cases at a time, and reports each as it is done, in the order of the files. How many run at a time
    /// changes nothing but the time that it takes; with `fail_fast` no case is begun after one that failed.
    pub fn run(
        &self,
        jobs: NonZeroUsize,
        fail_fast: bool,
        mut tell: impl FnMut(&CaseReport),
    ) -> SuiteReport {
        let begun = Instant::now();
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut done: Vec<Option<CaseReport>> = self.cases.iter().map(|_| None).collect();
        std::thread::scope(|scope| {
            let (sender, reports) = mpsc::channel();
            for _ in 0..jobs.get().min(self.cases.len()) {
                let sender = sender.clone();
                let (cases, next, failed) = (&self.cases, &next, &failed);
                scope.spawn(move || {
                    while let Some((index, case)) =
                        take(cases, next, fail_fast && failed.load(Ordering::Relaxed))
                    {
                        let report = case.run();
                        if !report.has_passed() {
                            failed.store(true, Ordering::Relaxed);
                        }
                        // Whoever listens outlives this thread.
                        let _ = sender.send((index, report));
                    }
                });
            }
            drop(sender);
            let mut told = 0;
            for (index, report) in reports {
                if let Some(place) = done.get_mut(index) {
                    *place = Some(report);
                }
                while let Some(Some(report)) = done.get(told) {
                    tell(report);
                    told += 1;
                }
            }
        });
        let count = self.cases.len();
        let cases: Vec<CaseReport> = done.into_iter().flatten().collect();
        SuiteReport {
            left_out: count - cases.len(),
            cases,
            refused: self.refused.clone(),
            elapsed: begun.elapsed(),
        }
    }
}

/// Returns the next case, if there is one and it is to be run.
fn take<'c>(cases: &'c [Case], next: &AtomicUsize, stops: bool) -> Option<(usize, &'c Case)> {
    if stops {
        return None;
    }
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, cases.get(index)?))
}
