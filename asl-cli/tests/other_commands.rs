//! `asl validate`, `graph` and `completions`.
mod common;

use common::{Folder, PASS};
use serde_json::json;

const WRONG: &str = r#"{
  "StartAt": "A",
  "States": {
    "A": {
      "Type": "Pass",
      "Next": "Nowhere"
    },
    "B": {"Type": "Succeed"}
  }
}
"#;

#[test]
fn validate_points_to_what_is_wrong() {
    let folder = Folder::new();
    folder.write("wrong.json", WRONG).write("pass.json", PASS);
    let ran = folder.asl(&["validate", "pass.json", "wrong.json"]);
    ran.reported(
        2,
        &[
            "error[unknown-target]: ",
            " --> wrong.json:6:15",
            "6 |       \"Next\": \"Nowhere\"",
            "in 2 files",
        ],
    );
    let marker = ran.stdout.lines().find(|line| line.contains('^')).unwrap();
    assert_eq!(
        marker.trim_start_matches([' ', '|']),
        "^".repeat("\"Nowhere\"".len())
    );
    assert_eq!(ran.stderr, "");
    folder
        .asl(&["validate", "pass.json"])
        .reported(0, &["1 file checked, no problems found"]);
}

#[test]
fn validate_points_into_jsonata() {
    let folder = Folder::new();
    let pass = |output: &str| {
        format!(
            "{{\"QueryLanguage\": \"JSONata\", \"StartAt\": \"A\", \"States\": {{\"A\": {{\"Type\": \"Pass\",\n  \"Output\": \"{output}\", \"End\": true}}}}}}"
        )
    };
    folder
        .write("json.json", pass("{% '\\u00e9' & $states.result %}"))
        .write(
            "yaml.yaml",
            "QueryLanguage: JSONata\nStartAt: A\nStates:\n  A:\n    Type: Pass\n    Output: |-\n      {%\n        1 + $states.result\n      %}\n    End: true\n",
        );
    let ran = folder.asl(&["validate", "json.json", "yaml.yaml"]);
    ran.reported(
        2,
        &[
            "error[unsupported-jsonata]: Field '$states.result' does not exist.",
            "json.json:2:28\n  |\n2 |   \"Output\": \"{% '\\u00e9' & $states.result %}\"",
            "\n  |                            ^^^^^^^^^^^^^^\n",
            "yaml.yaml:8:13\n  |\n8 |         1 + $states.result\n  |             ^^^^^^^^^^^^^^\n",
        ],
    );
}

#[test]
fn validate_reports_to_programs() {
    let folder = Folder::new();
    folder.write("wrong.json", WRONG).write("pass.json", PASS);
    let ran = folder.asl(&["validate", "--format", "json", "pass.json", "wrong.json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), ""));
    let reports = ran.json();
    assert_eq!(
        reports[0],
        json!({"file": "pass.json", "result": "OK", "diagnostics": []})
    );
    assert_eq!(reports[1]["result"], "FAIL");
    let diagnostic = reports[1]["diagnostics"][0].as_object().unwrap();
    let fields: Vec<&String> = diagnostic.keys().collect();
    assert_eq!(
        fields,
        [
            "severity", "code", "rule", "message", "location", "line", "column", "hint"
        ]
    );
    assert_eq!(diagnostic["severity"], "ERROR");
    assert_eq!(
        (&diagnostic["line"], &diagnostic["column"]),
        (&json!(6), &json!(15))
    );
}

/// A definition that the tests of asl-graph use too.
const BRANCHES: &str = include_str!("../../asl-graph/tests/branches.asl.json");

#[test]
fn graph_draws_in_three_languages() {
    let folder = Folder::new();
    folder.write("branches.json", BRANCHES);
    for (arguments, begins) in [
        (&["graph", "branches.json"][..], "flowchart TD\n"),
        (
            &["graph", "branches.json", "--format", "dot"],
            "digraph {\n",
        ),
        (
            &["graph", "branches.json", "--format", "svg"],
            "<svg xmlns=",
        ),
    ] {
        let ran = folder.asl(arguments);
        ran.exits_with(0, &[]);
        assert!(ran.stdout.starts_with(begins), "{}", ran.stdout);
    }
}

#[test]
fn graph_marks_the_way_of_an_execution() {
    let folder = Folder::new();
    folder.write("branches.json", BRANCHES);
    let run = [
        "run",
        "branches.json",
        "-i",
        r#"{"n": 7}"#,
        "--history",
        "history.json",
    ];
    folder.asl(&run).exits_with(1, &["Tired"]);
    let graph = |format: &str| {
        let ran = folder.asl(&[
            "graph",
            "branches.json",
            "--history",
            "history.json",
            "--format",
            format,
        ]);
        ran.exits_with(0, &[]);
        ran.stdout
    };
    let svg = graph("svg");
    assert!(svg.contains("class=\"state choice passed\""));
    assert!(svg.contains("class=\"state fail failed\""));
    assert!(svg.contains("class=\"state map unseen\""));
    assert_eq!(svg.matches("class=\"way taken\"").count(), 2);
    assert!(graph("mermaid").contains(":::failed"));
    assert!(graph("dot").contains("penwidth"));
    folder.write("other.json", "[]");
    folder
        .asl(&["graph", "branches.json", "--history", "other.json"])
        .exits_with(2, &["other.json is not an execution history"]);
}

#[test]
fn completions_are_for_shells() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.asl(&["completions", shell]);
        ran.exits_with(0, &[]);
        for part in ["validate", "error-output", "jsonata"] {
            assert!(ran.stdout.contains(part), "{shell}: {part}");
        }
    }
    folder
        .asl(&["completions", "tcsh"])
        .exits_with(2, &["possible values: bash"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let shell = format!(
        "'{}' graph pass.json --format svg | head -c 1",
        env!("CARGO_BIN_EXE_asl")
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &shell])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn help_has_help() {
    let folder = Folder::new();
    let help = folder.asl(&["--help"]);
    assert_eq!(folder.asl(&["help", "--help"]).stdout, help.stdout);
    assert_eq!(
        folder.asl(&["help", "-h"]).stdout,
        folder.asl(&["-h"]).stdout
    );
}
