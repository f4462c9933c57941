//! `asl test --coverage` and `asl coverage`.
mod common;

use common::{Folder, task};

/// Returns one task with a Catcher that no case needs.
fn folder() -> Folder {
    let folder = Folder::new();
    let machine = task(r#", "Catch": [{"ErrorEquals": ["Busy"], "Next": "Later"}]"#).replace(
        r#""End": true}"#,
        r#""End": true}, "Later": {"Type": "Succeed"}"#,
    );
    // A repository of its own, so that paths begin here.
    std::fs::create_dir(folder.path(".git")).unwrap();
    folder
        .write("work.asl.json", machine.replace("{\"Type", "{\n\"Type"))
        .write(
            "work.test.yaml",
            "version: 1\nmocks: {Work: {return: 1}}\ncases: {good: {expect: {output: 1}}}\n",
        );
    folder
}

#[test]
fn what_was_reached_is_told_to_people() {
    folder().asl(&["test", "--coverage", "text"]).reported(
        0,
        &[
            "               reached        states  transitions  choices  retriers  catchers  branches\n",
            "work.asl.json      2/4  50 %     1/2          1/1        -         -       0/1         -\n",
            "not reached:\n  work.asl.json:3: Work, Catch[0]: Busy → Later\n  work.asl.json:3: Later\n",
        ],
    );
}

#[test]
fn programs_are_told_on_stdout_or_in_a_file() {
    let folder = folder();
    let json = folder.asl(&["test", "--coverage", "json"]).json();
    assert_eq!(json["files"][0]["path"], "work.asl.json");
    let ran = folder.asl(&[
        "test",
        "--coverage",
        "text,lcov",
        "--coverage-output",
        "lcov.info",
    ]);
    ran.reported(0, &["coverage: lcov.info", "not reached:"]);
    assert!(
        folder
            .read("lcov.info")
            .starts_with("TN:\nSF:work.asl.json\n")
    );
    let ran = folder.asl(&["test", "--coverage", "html"]);
    ran.reported(0, &["coverage: coverage.html"]);
    assert!(folder.read("coverage.html").starts_with("<!DOCTYPE html>"));
    let ran = folder.asl(&["test", "--coverage", "text", "--coverage-output", "-"]);
    assert!(
        ran.stdout.contains("not reached:") && !ran.stderr.contains("not reached:"),
        "{ran:?}"
    );
}

#[test]
fn two_reports_do_not_go_to_one_place() {
    let two = "two reports would be written to stdout: use --coverage-output FILE";
    folder()
        .asl(&["test", "--coverage", "json", "--format", "tap"])
        .exits_with(2, &[two]);
    folder()
        .asl(&["test", "--coverage", "json,lcov"])
        .exits_with(2, &[two]);
    folder()
        .asl(&["test", "--coverage", "json,html", "--coverage-output", "a"])
        .exits_with(2, &["two reports would be written to a: "]);
    let ran = folder().asl(&["test", "--coverage", "text", "--format", "tap"]);
    ran.exits_with(0, &["not reached:"]);
    assert!(ran.stdout.starts_with("TAP version 14"), "{ran:?}");
}

#[test]
fn too_little_coverage_fails_the_run_and_says_what_is_missing() {
    let folder = folder();
    let asl = |threshold: &str| folder.asl(&["test", "--coverage-threshold", threshold]);
    asl("50").reported(0, &["1 passed"]);
    let ran = asl("states=51");
    ran.reported(
        1,
        &["error: expected a coverage of 51 % of states, found 50 % (1/2)\n  work.asl.json:3: Later\n"],
    );
    assert!(!ran.stderr.contains("Catch[0]"), "{ran:?}");
    asl("51").reported(
        1,
        &["found 50 % (2/4)\n  work.asl.json:3: Work, Catch[0]: Busy → Later\n"],
    );
    asl("lines=5").reported(2, &["expected one of states, transitions, choices"]);
}

#[test]
fn the_graph_shows_what_tests_reached() {
    let folder = folder();
    folder.asl(&[
        "test",
        "--coverage",
        "json",
        "--coverage-output",
        "coverage.json",
    ]);
    let ran = folder.asl(&["graph", "work.asl.json", "--coverage", "coverage.json"]);
    assert!(
        ran.stdout.contains("Work (1×)") && ran.stdout.contains(":::partly"),
        "{ran:?}"
    );
    folder
        .write("other.asl.json", task(""))
        .asl(&["graph", "other.asl.json", "--coverage", "coverage.json"])
        .exits_with(
            2,
            &["coverage.json: the report covers work.asl.json, not other.asl.json"],
        );
}

/// A state of each kind that has something to reach; the second attempt of a task succeeds, and a branch fails.
const EVERYTHING: &str = r#"{"StartAt": "Big?", "States": {
  "Big?": {"Type": "Choice", "Default": "Done", "Choices": [
    {"Variable": "$.n", "NumericGreaterThan": 100, "Next": "Work"}, {"Variable": "$.n", "NumericGreaterThan": 9, "Next": "Work"}]},
  "Work": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:Work", "ResultPath": "$.work", "Next": "Both",
    "Retry": [{"ErrorEquals": ["Other"]}, {"ErrorEquals": ["States.TaskFailed"], "IntervalSeconds": 1}]},
  "Both": {"Type": "Parallel", "Next": "Done", "Catch": [{"ErrorEquals": ["Broken"], "Next": "Each"}], "Branches": [
    {"StartAt": "Break", "States": {"Break": {"Type": "Fail", "Error": "Broken"}}},
    {"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 5, "End": true}}}]},
  "Each": {"Type": "Map", "ItemsPath": "$.items", "Next": "Done", "ItemProcessor": {"StartAt": "Item", "States": {
    "Item": {"Type": "Pass", "End": true}}}},
  "Done": {"Type": "Succeed"}}}"#;

#[test]
fn a_recorded_execution_reaches_what_a_test_of_it_reaches() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path(".git")).unwrap();
    folder
        .write("all.asl.json", EVERYTHING.replace("\"$.items\"", "\"$$.Execution.Input.items\""))
        .write(
            "all.test.yaml",
            "version: 1\nmocks: {Work: [{throw: Sometimes}, {return: 1}]}\ncases: {all: {input: {n: 10, items: [1, 2]}, expect: {status: SUCCEEDED}}}\n",
        )
        .write("work", "#!/bin/sh\nif mkdir tried 2> /dev/null; then echo Sometimes >&2; exit 1; fi; echo 1\n");
    let of_test = folder.asl(&["test", "--coverage", "json"]).json();
    let ran = folder.asl(&[
        "run",
        "all.asl.json",
        "-i",
        r#"{"n": 10, "items": [1, 2]}"#,
        "--task",
        "Work=exec:sh work",
        "--history",
        "h.json",
        "--clock",
        "virtual",
    ]);
    ran.exits_with(0, &[]);
    let recorded = folder
        .asl(&["coverage", "all.asl.json", "h.json", "--format", "json"])
        .json();
    let points = |report: &serde_json::Value| report["files"][0]["points"].clone();
    assert!(
        points(&of_test)
            .as_array()
            .is_some_and(|points| points.len() > 20),
        "{of_test}"
    );
    assert_eq!(points(&recorded), points(&of_test));
}

#[test]
fn coverage_of_histories_is_reported_and_compared() {
    let folder = folder();
    folder.asl(&[
        "run",
        "work.asl.json",
        "--task",
        "work=exec:echo 1",
        "--history",
        "h.json",
    ]);
    folder.asl(&["coverage", "work.asl.json", "h.json"]).reported(0, &[
        "work.asl.json      2/4  50 %     1/2          1/1        -         -       0/1         -\n",
        "not reached:\n  work.asl.json:3: Work, Catch[0]: Busy → Later\n",
    ]);
    folder
        .asl(&[
            "coverage",
            "work.asl.json",
            "h.json",
            "h.json",
            "--threshold",
            "states=100",
        ])
        .reported(
            1,
            &["expected a coverage of 100 % of states, found 50 % (1/2)"],
        );
    folder
        .asl(&["coverage", "work.asl.json", "work.asl.json"])
        .reported(
            2,
            &["cannot read work.asl.json: expected an execution history"],
        );
    folder
        .asl(&[
            "coverage",
            "work.asl.json",
            "h.json",
            "--format",
            "text,json",
        ])
        .reported(
            2,
            &["two reports would be written to stdout: use --output FILE"],
        );
}
