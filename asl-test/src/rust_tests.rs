//! One Rust test for each case of test files, written when a crate is built.
use crate::{Suite, TestFile, find_test_files};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// The source of Rust tests, one for each case of test files, so that `cargo test` lists, filters and runs every case.
///
/// A build script writes the source, and a file of tests includes it. Both need asl-test among their dependencies: as
/// `[build-dependencies]` and `[dev-dependencies]`.
///
/// ```
/// let tests = asl_test::RustTests::find(&["tests/order.test.yaml".into()])?;
/// assert!(tests.source().contains("fn order_a_card_that_is_busy_at_first()"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustTests {
    source: String,
    files: Vec<PathBuf>,
}

impl RustTests {
    /// Finds the test files among these paths, as [`find_test_files`] does, and writes a test for each of their cases. A file
    /// that cannot be run becomes a test that fails with the reason.
    ///
    /// # Errors
    /// A path that cannot be read.
    pub fn find(paths: &[PathBuf]) -> io::Result<Self> {
        Ok(Self::from_files(&find_test_files(paths)?, paths))
    }

    fn from_files(files: &[PathBuf], roots: &[PathBuf]) -> Self {
        let suite = Suite::read(files);
        let mut names = TestNames::default();
        let mut source = "// One test for each case of the test files.\n".to_owned();
        for case in suite.cases() {
            let file = case.file().unwrap_or(Path::new(""));
            let name = names.take(&identifier(file, case.name()));
            let call = format!(
                "asl_test::run_case({:?}, {:?})",
                file.to_string_lossy(),
                case.name()
            );
            write_test(&mut source, &name, &call);
        }
        for refused in suite.refused() {
            let file = refused.path.as_deref().unwrap_or(Path::new(""));
            let name = names.take(&identifier(file, "can be read"));
            let call = format!("asl_test::read_cases({:?})", file.to_string_lossy());
            write_test(&mut source, &name, &call);
        }
        let roots = roots.iter().filter(|root| root.exists()).cloned();
        let files: BTreeSet<PathBuf> = suite.files().map(Path::to_owned).chain(roots).collect();
        Self {
            source,
            files: files.into_iter().collect(),
        }
    }

    /// Returns the source, for `include!`.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the files and folders whose change may change the source.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

fn write_test(source: &mut String, name: &str, call: &str) {
    // Writing to a string cannot fail.
    let _ = write!(
        source,
        "\n#[test]\nfn {name}() -> Result<(), Box<dyn std::error::Error>> {{\n    {call}\n}}\n"
    );
}

/// Returns the name of a test: that of the file up to its first dot, and that of the case.
fn identifier(file: &Path, case: &str) -> String {
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    let stem = file.split('.').next().unwrap_or_default();
    let mut name = String::new();
    for word in stem.split(is_separator).chain(case.split(is_separator)) {
        if !word.is_empty() {
            name.push('_');
            name.push_str(&word.to_lowercase());
        }
    }
    match name.strip_prefix('_') {
        Some(name) if name.starts_with(|first: char| first.is_ascii_lowercase()) => name.to_owned(),
        _ => format!("case{name}"),
    }
}

/// Names are ASCII: other letters may have no lower case, or not be valid in an identifier.
fn is_separator(character: char) -> bool {
    !character.is_ascii_alphanumeric()
}

/// Names that are taken, and how many tests wanted each.
#[derive(Default)]
struct TestNames {
    taken: BTreeSet<String>,
    wanted: BTreeMap<String, u64>,
}

impl TestNames {
    /// Returns a free name: the wanted one, or one with a number after it.
    fn take(&mut self, wanted: &str) -> String {
        let count = self.wanted.entry(wanted.to_owned()).or_default();
        loop {
            *count += 1;
            let name = match *count {
                // A name of one word may be a keyword.
                1 if wanted.contains('_') => wanted.to_owned(),
                number => format!("{wanted}_{number}"),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Runs a case of a test file: the body of the tests that [`RustTests`] writes.
///
/// ```
/// asl_test::run_case("tests/order.test.yaml", "a card that is busy at first")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The failed expectations; a file that is no test file, or has no such case.
pub fn run_case(file: &str, case: &str) -> Result<(), Box<dyn Error>> {
    let cases = TestFile::read(file)?.into_cases();
    let found = cases.into_iter().find(|it| it.name() == case);
    let missing = || format!("{file} has no case `{case}`: build the tests again");
    found.ok_or_else(missing)?.run().into_result()?;
    Ok(())
}

/// Reads a test file, to show its faults: the body of a test that [`RustTests`] writes.
///
/// # Errors
/// The faults of the file.
pub fn read_cases(file: &str) -> Result<(), Box<dyn Error>> {
    TestFile::read(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_after_file_and_case() {
        let name = |file: &str, case| identifier(Path::new(file), case);
        let busy = name("flows/order.test.yaml", "A card: busy, at first!");
        assert_eq!(busy, "order_a_card_busy_at_first");
        assert_eq!(name("7.test.yaml", "größe"), "case_7_gr_e");
        assert_eq!(name("日本.test.yaml", "日本"), "case");
    }

    #[test]
    fn names_are_unique_and_no_keywords() {
        let mut names = TestNames::default();
        let mut unique = |name| names.take(name);
        assert_eq!(unique("a_b"), "a_b");
        assert_eq!(unique("a_b"), "a_b_2");
        assert_eq!(unique("match"), "match_1");
        assert_eq!(unique("match"), "match_2");
    }

    #[test]
    fn a_case_that_is_gone_says_so() {
        let error = run_case("tests/order.test.yaml", "gone").expect_err("no such case");
        let expected = "tests/order.test.yaml has no case `gone`: build the tests again";
        assert_eq!(error.to_string(), expected);
    }
}
