//! `asl test`.
mod common;

use common::{Folder, task};
use serde_json::Value;

/// Returns a folder with tests of one task: a case that passes and one that does not.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("work.asl.json", task("")).write(
        "work.test.yaml",
        "version: 1\nmocks: {Work: {return: {n: 1}}}\ncases:\n  good:\n    expect: {output: {n: 1}}\n  bad:\n    expect:\n      output: {n: 2}\n",
    );
    folder
}

const GOOD: &str = "version: 1\nmocks: {Work: {return: 1}}\ncases: {good: {expect: {output: 1}}}\n";

#[test]
fn what_is_not_as_expected_is_shown_with_its_place() {
    let ran = folder().asl(&["test"]);
    ran.reported(
        1,
        &[
            "FAIL work.test.yaml (2 cases)",
            "✗ bad",
            "output: at /n expected 2, found 1 (in state `Work`)",
            "      - 2\n      + 1\n",
            "work.test.yaml:8:7",
            "1 failed, 1 passed in ",
        ],
    );
    assert!(!ran.stdout.contains("✗ good"), "{ran:?}");
    assert_eq!(ran.stderr, "");
}

#[test]
fn all_that_passes_ends_with_success() {
    let folder = folder();
    folder.write("work.test.yaml", GOOD);
    folder
        .asl(&["test", "--jobs", "2"])
        .reported(0, &["PASS work.test.yaml (1 case)", "1 passed in "]);
}

#[test]
fn cases_are_chosen_and_stop_at_a_failure() {
    let folder = folder();
    folder
        .asl(&["test", "--filter", "good"])
        .reported(0, &["1 passed in "]);
    folder
        .asl(&["test", "--filter", "work.test"])
        .reported(1, &["1 failed, 1 passed in "]);
    folder
        .asl(&["test", "--filter", "none"])
        .reported(2, &["--filter matches none of 2 cases"]);
    let text = folder
        .read("work.test.yaml")
        .replace("good", "zero")
        .replace("{n: 1}}\n  bad", "{n: 3}}\n  bad");
    folder.write("work.test.yaml", text);
    folder
        .asl(&["test", "--fail-fast", "--jobs", "1"])
        .reported(1, &["1 failed, 0 passed, 1 not run in "]);
}

#[test]
fn no_test_is_an_error_with_a_hint() {
    Folder::new().asl(&["test"]).exits_with(
        2,
        &[
            "no test found in .",
            "hint: ",
            "order.test.yaml",
            "version: 1",
        ],
    );
    Folder::new()
        .asl(&["test", "none"])
        .exits_with(2, &["cannot search for tests in none: "]);
}

#[test]
fn a_file_that_is_none_is_refused_and_the_others_run() {
    let folder = folder();
    folder
        .write("work.test.yaml", GOOD)
        .write("work.asl.test.json", "{}")
        .write(
            "other.test.yaml",
            "version: 1\ndefinition: work.asl.json\ncases: {a: {mocks: {Wrok: {return: 1}}}}\n",
        );
    folder.asl(&["test", "."]).reported(
        2,
        &[
            "error: other.test.yaml: `Wrok` is neither a Task State of work nor the resource of one; did you mean `Work`?",
            "other.test.yaml:3:21",
            "1 passed, 2 files that cannot be run in ",
        ],
    );
}

#[test]
fn programs_are_told_on_stdout() {
    let folder = folder();
    let ran = folder.asl(&["test", "--format", "json"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        (&ran.json()["failed"], ran.stderr.as_str()),
        (&1.into(), "")
    );
    let xml = folder.asl(&["test", "--format", "junit"]).stdout;
    assert!(
        xml.starts_with("<?xml ") && xml.ends_with("</testsuites>\n"),
        "{xml}"
    );
    let tap = folder.asl(&["test", "--format", "tap"]).stdout;
    assert!(
        tap.contains("ok 1 - work.test.yaml: good\nnot ok 2 - work.test.yaml: bad\n"),
        "{tap}"
    );
    let schema = folder.asl(&["test", "--schema"]).json();
    assert_eq!(schema["properties"]["version"]["const"], Value::from(1));
}

#[test]
fn outputs_are_recorded_where_that_is_asked_for() {
    let folder = folder();
    folder.write(
        "work.test.yaml",
        GOOD.replace("output: 1", "outputFile: good.json"),
    );
    folder.asl(&["test"]).reported(
        1,
        &["good.json does not exist: asl test --update writes the output to it"],
    );
    folder
        .asl(&["test", "--update"])
        .reported(0, &["recorded good.json", "1 passed"]);
    assert_eq!(folder.read("good.json"), "1\n");
    folder.asl(&["test"]).reported(0, &["1 passed"]);
}

#[test]
fn annotations_are_on_stdout_and_what_people_read_is_on_stderr() {
    let ran = folder().asl(&["test", "--format", "github"]);
    ran.exits_with(
        1,
        &["FAIL work.test.yaml (2 cases)", "1 failed, 1 passed in "],
    );
    assert_eq!(
        ran.stdout,
        "::error file=work.test.yaml,line=8,col=7,title=bad::output: at /n expected 2, found 1 (in state `Work`)\n"
    );
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    folder().asl(&["test", "nothing"]).exits_with(
        2,
        &["error: cannot search for tests in nothing: no such file or folder"],
    );
}
