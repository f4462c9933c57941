//! Rust tests that are written for the cases of test files.
use asl_test::{RustTests, Suite};

/// The tests as they are written, which run here.
mod generated {
    include!("generated/order.rs");
}

#[test]
fn a_test_is_written_for_each_case() {
    let tests = RustTests::find(&["tests/order.test.yaml".into()]).unwrap();
    let written = include_str!("generated/order.rs");
    assert_eq!(tests.source(), written);
    let files: Vec<String> = tests
        .files()
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    assert!(files.contains(&"tests/order.test.yaml".to_owned()));
    assert!(
        files.contains(&"tests/order.asl.json".to_owned()),
        "{files:?}"
    );
}

#[test]
fn a_file_that_cannot_be_run_becomes_a_test_that_fails() {
    let folder = std::env::temp_dir().join(format!("asl-rust-tests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("broken.test.yaml");
    std::fs::write(&file, "version: 2\n").unwrap();
    let tests = RustTests::find(std::slice::from_ref(&folder)).unwrap();
    assert!(
        tests.source().contains("fn broken_can_be_read()"),
        "{}",
        tests.source()
    );
    let error = asl_test::read_cases(&file.to_string_lossy()).unwrap_err();
    assert!(error.to_string().contains("cannot be run as a test file"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_suite_fails_with_all_its_failures() {
    let files = [
        "tests/order.test.yaml".into(),
        "tests/missing.test.yaml".into(),
    ];
    let suite = Suite::read(&files);
    let report = suite.run(std::num::NonZeroUsize::MIN, false, |_| ());
    let failure = report.into_result().unwrap_err();
    assert_eq!((failure.cases.len(), failure.refused.len()), (0, 1));
    let text = failure.to_string();
    assert!(
        text.starts_with("0 cases failed, and 1 files could not be run\n"),
        "{text}"
    );
    let passing = Suite::read(&files[..1]);
    let report = passing.run(std::num::NonZeroUsize::MIN, false, |_| ());
    assert!(report.into_result().is_ok());
}
