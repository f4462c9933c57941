//! `asl run --explain`, `--trace=full`, and what reports say of the way and of the place of an error.
mod common;

use common::{Folder, Ran};
use serde_json::json;

/// A distributed Map over a Choice, with a branch in one of its children.
const EACH: &str = r#"{"StartAt": "Each", "States": {"Each": {"Type": "Map", "ItemsPath": "$.items", "End": true,
  "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Größe", "States": {
    "Größe": {"Type": "Choice", "Default": "Done", "Choices": [
      {"And": [{"Variable": "$.n", "NumericGreaterThan": 2}, {"Variable": "$.n", "NumericLessThan": 9}], "Next": "Fork"},
      {"Variable": "$.n", "NumericEqualsPath": "$.m", "Next": "Bad"}]},
    "Fork": {"Type": "Parallel", "End": true, "Branches": [{"StartAt": "L", "States": {"L": {"Type": "Wait", "Seconds": 3, "End": true}}}]},
    "Bad": {"Type": "Pass", "Parameters": {"x.$": "$.nothing"}, "End": true},
    "Done": {"Type": "Succeed"}}}}}}"#;

fn each(input: &str, arguments: &[&str]) -> Ran {
    let folder = Folder::new();
    folder.write("each.json", EACH);
    let run = ["run", "each.json", "--clock", "virtual", "-i", input];
    folder.asl(&[&run[..], arguments].concat())
}

#[test]
fn a_report_has_the_path_of_states() {
    let ran = each(
        r#"{"items": [{"n": 1, "m": 2}, {"n": 3, "m": 0}]}"#,
        &["--report", "json"],
    );
    assert_eq!(
        ran.json()["path"],
        json!([{"state": "Each", "children": [
            [{"state": "Größe"}, {"state": "Done"}],
            [{"state": "Größe"}, {"state": "Fork", "branches": [[{"state": "L"}]]}]]}])
    );
    let folder = Folder::new();
    folder.write(
        "map.json",
        r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "Next": "S", "ItemProcessor": {"StartAt": "I", "States": {
            "I": {"Type": "Pass", "End": true}}}}, "S": {"Type": "Succeed"}}}"#,
    );
    let ran = folder.asl(&["run", "map.json", "-i", "[1, 2]", "--report", "json"]);
    let inner = json!([{"state": "I"}]);
    let path = json!([{"state": "M", "iterations": [inner, inner]}, {"state": "S"}]);
    assert_eq!(ran.json()["path"], path);
    assert!(ran.json().get("account").is_none());
}

#[test]
fn an_explanation_says_what_decided_and_why() {
    let ran = each(
        r#"{"items": [{"n": 1, "m": 2}, {"n": 3, "m": 3}, {"n": 2, "m": 2}]}"#,
        &["--explain"],
    );
    ran.exits_with(
        1,
        &[
            "● Each  Map\n",
            "3 child executions\n",
            "│ child #0 SUCCEEDED\n│ ● Größe  Choice\n│   input          {\"n\":1,\"m\":2}\n",
            "│   ✗ Choices[0]   $.n > 2 and $.n < 9\n│                  $.n > 2 does not hold: 1\n",
            "│   ✗ Choices[1]   $.n = $.m\n│                  $.n is 1\n│                  $.m is 2\n",
            "│   ✓ Default      no rule matched\n",
            "│   ✓ Choices[0]   $.n > 2 and $.n < 9\n│                  $.n > 2 holds: 3\n│                  $.n < 9 holds: 3\n",
            "│ child #1 ABORTED\n",
            "│ │ branch #0\n│ │ ● L  Wait\n",
            "│ child #2 FAILED\n",
            "│   ✗              States.Runtime: An error occurred while executing the state 'Bad'",
            "│                  in /Parameters/x\n",
            "✗              States.ExceedToleratedFailureThreshold",
            "■ FAILED\nFAILED States.ExceedToleratedFailureThreshold",
        ],
    );
    let folder = Folder::new();
    folder
        .write("retried.json", common::task(r#", "Retry": [{"ErrorEquals": ["Busy"]}, {"ErrorEquals": ["Slow"], "MaxAttempts": 1, "IntervalSeconds": 9}],
            "Catch": [{"ErrorEquals": ["Busy"], "Next": "Other"}, {"ErrorEquals": ["States.ALL"], "Next": "Other"}]"#)
            .replace(r#""States": {"#, r#""States": {"Other": {"Type": "Succeed"}, "#))
        .write("mocks.json", json!({"StateMachines": {"M": {"TestCases": {"T": {"Work": "Slow"}}}},
            "MockedResponses": {"Slow": {"0-9": {"Throw": {"Error": "Slow", "Cause": "too slow"}}}}}).to_string());
    let run = ["run", "retried.json", "--mocks", "mocks.json"];
    let ran = folder.asl(&[&run[..], &["--explain"]].concat());
    ran.exits_with(
        0,
        &["  ✗              Slow: too slow\n    Retry[0]     matches Busy, not this error\n  ↻ Retry[1]     matches Slow: again in 9 s, 1 times at most\n  \
             ↻ retry 1\n  ✗              Slow: too slow\n    Retry[0]     matches Busy, not this error\n  \
             ✗ Retry[1]     matches Slow, but has no attempts left\n    Catch[0]     matches Busy, not this error\n  ✓ Catch[1]     matches States.ALL\n"],
    );
    let ran = folder.asl(&[&run[..], &["--explain", "--report", "json"]].concat());
    let account = &ran.json()["account"];
    assert_eq!(account["status"], "SUCCEEDED");
    assert_eq!(
        account["steps"][0]["findings"][1],
        json!({
        "at": account["steps"][0]["entered"], "kind": "passedBy", "field": "Retry", "index": 0, "errorEquals": ["Busy"]})
    );
    folder
        .asl(&["run", "retried.json", "--full"])
        .exits_with(2, &["--explain"]);
}

#[test]
fn of_many_iterations_the_first_are_told() {
    let folder = Folder::new();
    folder.write(
        "many.json",
        r#"{"StartAt": "M", "States": {"M": {"Type": "Map", "ItemSelector": {"n.$": "$$.Map.Item.Value"}, "End": true,
            "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}}}}"#,
    );
    let run = ["run", "many.json", "-i", "[1, 2, 3, 4, 5]", "--explain"];
    let short = folder.asl(&run);
    short.exits_with(
        0,
        &[
            "… 2 more of ItemSelector (--full)\n",
            "│ … 2 more that did not fail (--full)\n",
        ],
    );
    assert_eq!(short.stderr.matches("● I  Pass").count(), 3, "{short:?}");
    let full = folder.asl(&[&run[..], &["--full"]].concat());
    assert_eq!(full.stderr.matches("● I  Pass").count(), 5, "{full:?}");
    assert!(!full.stderr.contains("more"), "{full:?}");
}

#[test]
fn a_full_trace_has_a_line_for_what_each_field_made() {
    let folder = Folder::new();
    folder.write(
        "pass.json",
        r#"{"StartAt": "P", "States": {"P": {"Type": "Pass", "InputPath": "$.a", "Parameters": {"b.$": "$.b", "ünï": "日本語 日本語"},
            "ResultPath": "$.made", "Assign": {"v.$": "$.b"}, "OutputPath": "$.made", "End": true}}}"#,
    );
    let run = |columns: &str, level: &str| {
        let arguments = [
            "run",
            "pass.json",
            "-i",
            r#"{"a": {"b": 1}}"#,
            level,
            "--clock",
            "virtual",
            "--name",
            "n",
        ];
        let mut command = folder.command(&arguments);
        let ran = common::ran(command.env("COLUMNS", columns).output().unwrap());
        ran.stderr.replace(" virtual clock ", "")
    };
    let (wide, narrow) = (run("90", "--trace=full"), run("50", "--trace=full"));
    for line in [
        "● P  Pass\n",
        "  input          {\"a\":{\"b\":1}}\n",
        "  InputPath      {\"b\":1}\n",
        "  Parameters     {\"b\":1,\"ünï\":\"日本語 日本語\"}\n",
        "  $v :=          1\n",
        "  ResultPath     {\"a\":{\"b\":1},\"made\":{\"b\":1,\"ünï\":\"日本語 日本語\"}}\n",
        "  OutputPath     {\"b\":1,\"ünï\":\"日本語 日本語\"}\n",
        "■ SUCCEEDED 1 transition\n",
    ] {
        assert!(wide.contains(line), "no {line:?} in\n{wide}");
    }
    let broken = "  ResultPath     {\n                   \"a\": {\"b\":1},\n                   \"made\": {\n                     \"b\": 1,\n";
    assert!(narrow.contains(broken), "{narrow}");
    // Rows obey the width, too.
    let rows = run("60", "--trace");
    assert!(
        rows.lines().all(|line| line.chars().count() <= 60),
        "{rows}"
    );
    assert!(run("200", "--trace").contains("日本語 日本語"), "{rows}");
    folder
        .asl(&["run", "pass.json", "--trace=all"])
        .exits_with(2, &["possible values: changes, full"]);
}

#[test]
fn a_full_trace_says_in_which_child_it_is() {
    let ran = each(r#"{"items": [{"n": 3, "m": 0}]}"#, &["--trace=full"]);
    ran.exits_with(
        0,
        &[
            "● Each #0 › Größe  Choice\n",
            "● Each #0 › Fork #0 › L  Wait  3 s\n",
            "● Each #0 › Fork  Parallel  3 s\n",
            "● Each  Map  3 s\n",
        ],
    );
}

#[test]
fn a_failure_is_shown_at_its_place_in_the_definition() {
    let folder = Folder::new();
    folder
        .write("charge.yaml", "StartAt: Charge\nQueryLanguage: JSONata\nStates:\n  Charge:\n    Type: Pass\n    Output:\n      to: '{% $x %}'\n    End: true\n")
        .write("path.json", "{\"StartAt\": \"P\", \"States\": {\"P\": {\"Type\": \"Pass\",\n  \"Parameters\": {\"a\": [{\"b.$\": \"$.no\"}]}, \"End\": true}}}")
        .write("fail.json", "{\"StartAt\": \"F\", \"States\": {\n  \"F\": {\"Type\": \"Fail\", \"Error\": \"E\"}}}");
    let run = |name: &str| folder.asl(&["run", name, "-i", "{}"]);
    run("charge.yaml").exits_with(1, &["'Output/to' returned nothing (undefined).\n --> charge.yaml:7:11\n  |\n7 |       to: '{% $x %}'\n"]);
    run("path.json").exits_with(
        1,
        &["could not be found in the input '{}'\n --> path.json:2:32\n"],
    );
    run("fail.json").exits_with(1, &["FAILED E\n --> fail.json:2:3\n  |\n2 |   \"F\": {\"Type\": \"Fail\", \"Error\": \"E\"}}}\n  |   ^^^\n"]);
    let ran = folder.asl(&["run", "path.json", "--report", "json"]);
    assert_eq!(
        ran.json()["location"],
        json!({"state": "P", "field": "/Parameters/a/0/b", "line": 2, "column": 32})
    );
    assert!(
        folder.asl(&["run", "fail.json", "--report", "json"]).json()["location"]
            .get("field")
            .is_none()
    );
}
