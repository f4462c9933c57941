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
    ran.told(
        2,
        &[
            "error[MISSING_TRANSITION_TARGET]: ",
            " --> wrong.json:6:15",
            "6 |       \"Next\": \"Nowhere\"",
            "in 2 files",
        ],
    );
    let marker = ran.stderr.lines().find(|line| line.contains('^')).unwrap();
    assert_eq!(
        marker.trim_start_matches([' ', '|']),
        "^".repeat("\"Nowhere\"".len())
    );
    assert_eq!(ran.stdout, "");
    folder
        .asl(&["validate", "pass.json"])
        .told(0, &["1 file checked, nothing to complain about"]);
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
    ran.told(
        2,
        &[
            "error[UNSUPPORTED_JSONATA_EXPRESSION]: Field '$states.result' does not exist.",
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
        ["severity", "code", "message", "location", "line", "column"]
    );
    assert_eq!(diagnostic["severity"], "ERROR");
    assert_eq!(
        (&diagnostic["line"], &diagnostic["column"]),
        (&json!(6), &json!(15))
    );
}

const BRANCHES: &str = r#"{"StartAt": "Is \"it\" <there>?", "States": {
    "Is \"it\" <there>?": {"Type": "Choice", "Default": "Both", "Choices": [
        {"Variable": "$.n", "NumericGreaterThan": 5, "Next": "Give up"},
        {"Not": {"Variable": "$.s", "IsPresent": true}, "Next": "Again"}]},
    "Again": {"Type": "Wait", "Seconds": 90, "Next": "Is \"it\" <there>?"},
    "Both": {"Type": "Parallel", "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Give up"}], "Next": "Each", "Branches": [
        {"StartAt": "Left", "States": {"Left": {"Type": "Pass", "End": true}}},
        {"StartAt": "Right", "States": {"Right": {"Type": "Pass", "End": true}}}]},
    "Each": {"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "One", "States": {"One": {"Type": "Pass", "End": true}}}},
    "Give up": {"Type": "Fail", "Error": "Tired"}}}"#;

#[test]
fn graph_writes_mermaid() {
    let folder = Folder::new();
    folder.write("branches.json", BRANCHES);
    let ran = folder.asl(&["graph", "branches.json"]);
    ran.told(0, &[]);
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim).collect();
    assert_eq!(lines[0], "flowchart TD");
    for line in [
        r#"s0{"Is #34;it#34; #60;there#62;?"}:::choice"#,
        r##"s0 -->|"#36;.n #62; 5"| s7"##,
        r##"s0 -->|"#36;.s is not present"| s1"##,
        r##"s0 -->|"default"| s2"##,
        r#"s2 -.->|"States.ALL"| s7"#,
        "s1 --> s0",
        "start --> s0",
        "s5 --> done",
    ] {
        assert!(lines.contains(&line), "no {line} in\n{}", ran.stdout);
    }
    let opened = lines
        .iter()
        .filter(|line| line.starts_with("subgraph"))
        .count();
    let closed = lines.iter().filter(|line| **line == "end").count();
    assert_eq!((opened, closed), (4, 4), "{}", ran.stdout);
}

#[test]
fn graph_writes_dot() {
    let folder = Folder::new();
    folder.write("branches.json", BRANCHES);
    let ran = folder.asl(&["graph", "branches.json", "--format", "dot"]);
    ran.told(0, &[]);
    assert!(ran.stdout.starts_with("digraph {\n") && ran.stdout.ends_with("}\n"));
    assert_eq!(
        ran.stdout.matches('{').count(),
        ran.stdout.matches('}').count()
    );
    for part in [
        "label=\"Is \\\"it\\\" <there>?\"",
        "subgraph cluster_s2 {",
        "ltail=cluster_s2",
        "style=dashed",
    ] {
        assert!(ran.stdout.contains(part), "no {part} in\n{}", ran.stdout);
    }
}

#[test]
fn graph_draws_svg_that_is_well_formed() {
    let folder = Folder::new();
    folder.write("branches.json", BRANCHES);
    let ran = folder.asl(&["graph", "branches.json", "--format", "svg"]);
    ran.told(0, &[]);
    let svg = ran.stdout.trim_end();
    assert!(
        svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.ends_with("</svg>")
    );
    assert_tags_match(svg);
    assert_eq!(svg.matches("<g class=\"state ").count(), 8);
    assert!(svg.contains("Is &quot;it&quot; &lt;there&gt;?"));
    for part in [
        "$.s is not present",
        "1 min 30 s",
        "2 branches",
        "class=\"way catch\"",
        "prefers-color-scheme: dark",
    ] {
        assert!(svg.contains(part), "no {part}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

/// Every tag that opens is closed, in order.
fn assert_tags_match(xml: &str) {
    let mut open = Vec::new();
    for tag in xml.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
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
    folder.asl(&run).told(1, &["Tired"]);
    let graph = |format: &str| {
        let ran = folder.asl(&[
            "graph",
            "branches.json",
            "--history",
            "history.json",
            "--format",
            format,
        ]);
        ran.told(0, &[]);
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
        .told(2, &["other.json is not an execution history"]);
}

#[test]
fn completions_are_for_shells() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.asl(&["completions", shell]);
        ran.told(0, &[]);
        for part in ["validate", "error-output", "jsonata"] {
            assert!(ran.stdout.contains(part), "{shell}: {part}");
        }
    }
    folder
        .asl(&["completions", "tcsh"])
        .told(2, &["possible values: bash"]);
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
