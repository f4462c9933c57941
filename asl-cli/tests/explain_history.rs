//! `asl explain`, of our own histories and of the service's.
mod common;

use common::{Folder, Ran, task};
use serde_json::json;

/// A task that is retried and caught, a choice, branches, and a Map.
const ORDER: &str = r#"{"StartAt": "Price", "States": {
  "Price": {"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:price", "Parameters": {"id.$": "$.id"},
    "ResultSelector": {"cents.$": "$.price"}, "ResultPath": "$.price", "Next": "Dear",
    "Retry": [{"ErrorEquals": ["Slow"]}, {"ErrorEquals": ["Busy"], "IntervalSeconds": 2}]},
  "Dear": {"Type": "Choice", "Default": "Both", "Choices": [
    {"Variable": "$.price.cents", "NumericGreaterThan": 1000, "Next": "Refuse"},
    {"Not": {"Variable": "$.price.cents", "NumericGreaterThan": 100}, "Next": "Both"}]},
  "Both": {"Type": "Parallel", "Next": "Each", "Branches": [
    {"StartAt": "Left", "States": {"Left": {"Type": "Pass", "Result": {"a": 1}, "End": true}}},
    {"StartAt": "Right", "States": {"Right": {"Type": "Wait", "Seconds": 90, "End": true}}}]},
  "Each": {"Type": "Map", "Next": "Done", "ItemProcessor": {"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "Assign": {"v.$": "$"}, "End": true}}}},
  "Done": {"Type": "Succeed"}, "Refuse": {"Type": "Fail", "Error": "Refused", "Cause": "too dear"}}}"#;

fn order(folder: &Folder, price: u64) {
    let mocks = json!({"StateMachines": {"M": {"TestCases": {"T": {"Price": "Busy"}}}}, "MockedResponses": {
        "Busy": {"0": {"Throw": {"Error": "Busy", "Cause": "try again"}}, "1": {"Return": {"price": price}}}}});
    folder
        .write("order.json", ORDER)
        .write("mocks.json", mocks.to_string());
    let run = [
        "run",
        "order.json",
        "--mocks",
        "mocks.json",
        "-i",
        r#"{"id": 7}"#,
        "--history",
        "h.json",
        "--now",
        "2024-01-31T12:00:00Z",
    ];
    folder.asl(&run);
}

fn explain(folder: &Folder, arguments: &[&str]) -> Ran {
    folder.asl(&[&["explain", "h.json"][..], arguments].concat())
}

#[track_caller]
fn shows(ran: &Ran, texts: &[&str]) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut rest = ran.stdout.as_str();
    for text in texts {
        let at = rest.find(text);
        let at = at.unwrap_or_else(|| panic!("no {text:?} in\n{rest}\n{}", ran.stderr));
        rest = &rest[at + text.len()..];
    }
}

#[test]
fn a_history_is_told_as_far_as_it_goes() {
    let folder = Folder::new();
    order(&folder, 50);
    shows(
        &explain(&folder, &[]),
        &[
            "▶ started 2024-01-31T12:00:00.000Z\n  input          {\"id\":7}\n",
            "● Price  Task  2 s\n  input          {\"id\":7}\n  Request        {\"id\":7}\n  ✗              Busy: try again\n",
            "  ↻ Retry        again in 2 s\n  ↻ retry 1\n  Request        {\"id\":7}\n  Result         {\"price\":50}\n",
            "  output         {\"id\":7,\"price\":{\"cents\":50}}\n                 → Dear\n",
            "● Dear  Choice\n",
            "→ Both\n",
            "● Both  Parallel  1 min 30 s\n",
            "│ branch #0\n│ ● Left  Pass\n",
            "│ branch #1\n│ ● Right  Wait  1 min 30 s\n",
            "● Each  Map\n",
            "2 iterations\n│ iteration #0\n│ ● Inner  Pass\n│   input          {\"a\":1}\n│   $v :=          {\"a\":1}\n",
            "│ iteration #1\n",
            "● Done  Succeed\n",
            "■ SUCCEEDED after 1 min 32 s\n",
        ],
    );
}

#[test]
fn with_the_definition_it_is_known_why() {
    let folder = Folder::new();
    order(&folder, 50);
    let ran = explain(&folder, &["--definition", "order.json"]);
    shows(
        &ran,
        &[
            "  Parameters     {\"id\":7}\n  ✗              Busy: try again\n    Retry[0]     matches Slow, not this error\n  ↻ Retry[1]     matches Busy: again in 2 s, 3 times at most\n",
            "  Result         {\"price\":50}\n  ResultSelector {\"cents\":50}\n  ResultPath     {\"id\":7,\"price\":{\"cents\":50}}\n                 → Dear\n",
            "  ✗ Choices[0]   $.price.cents > 1000\n                 $.price.cents is 50\n  ✓ Choices[1]   not $.price.cents > 100\n                 $.price.cents > 100 does not hold: 50\n",
            "                 → Both\n",
            "│ branch #1\n",
            "  Result         [{\"a\":1},{\"id\":7,\"price\":{\"cents\":50}}]\n",
        ],
    );
    assert!(!ran.stdout.contains('!'), "{}", ran.stdout);
    order(&folder, 5_000);
    shows(
        &explain(&folder, &["--definition", "order.json"]),
        &[
            "✓ Choices[0]   $.price.cents > 1000\n",
            "● Refuse  Fail\n",
            "✗              Refused: too dear\n■ FAILED after 2 s\n  ✗              Refused: too dear\n",
        ],
    );
    let account = explain(&folder, &["--definition", "order.json", "--format", "json"]).json();
    assert_eq!(account["error"], "Refused");
    assert_eq!(account["steps"][1]["findings"][0]["matched"], true);
    assert_eq!(account["steps"][2]["type"], "Fail");
}

#[test]
fn another_definition_than_the_one_that_ran_is_pointed_out() {
    let folder = Folder::new();
    order(&folder, 50);
    folder.write(
        "order.json",
        ORDER
            .replace("$.price\", \"Next", "$.cost\", \"Next")
            .replace("1000", "10"),
    );
    shows(
        &explain(&folder, &["--definition", "order.json"]),
        &[
            "  !              by this definition the output would be {\"id\":7,\"cost\":{\"cents\":50}}\n",
            "  !              by this definition Refuse would follow\n",
        ],
    );
}

#[test]
fn a_history_of_the_service_is_told() {
    let folder = Folder::new();
    let event = |id: u64, previous: u64, kind: &str, details: serde_json::Value| {
        let mut event = json!({"id": id, "previousEventId": previous, "type": kind, "timestamp": format!("2024-01-31T13:00:0{id}.250000+01:00")});
        if let Some((name, details)) = details.as_object().and_then(|it| it.iter().next()) {
            event[name] = details.clone();
        }
        event
    };
    let events = [
        event(
            1,
            0,
            "ExecutionStarted",
            json!({"executionStartedEventDetails": {"input": "{}", "inputDetails": {"truncated": false}}}),
        ),
        event(
            2,
            0,
            "TaskStateEntered",
            json!({"stateEnteredEventDetails": {"name": "Work", "input": "{}"}}),
        ),
        event(
            3,
            2,
            "LambdaFunctionScheduled",
            json!({"lambdaFunctionScheduledEventDetails": {"resource": "arn", "input": "{}"}}),
        ),
        event(4, 3, "LambdaFunctionStarted", json!({})),
        event(
            5,
            4,
            "LambdaFunctionTimedOut",
            json!({"lambdaFunctionTimedOutEventDetails": {"error": "States.Timeout"}}),
        ),
        event(
            6,
            5,
            "ExecutionFailed",
            json!({"executionFailedEventDetails": {"error": "States.Timeout"}}),
        ),
    ];
    folder
        .write(
            "h.json",
            json!({"events": events.into_iter().rev().collect::<Vec<_>>()}).to_string(),
        )
        .write(
            "work.json",
            task(r#", "Retry": [{"ErrorEquals": ["Busy"]}]"#),
        );
    let ran = explain(&folder, &["--definition", "work.json"]);
    shows(
        &ran,
        &[
            "▶ started 2024-01-31T12:00:01.250Z\n",
            "● Work  Task\n",
            "✗              States.Timeout\n    Retry[0]     matches Busy, not this error\n■ FAILED after 5 s\n",
        ],
    );
    let stdin = folder.read("h.json");
    assert_eq!(
        folder
            .asl_with_stdin(&["explain", "-", "--definition", "work.json"], &stdin)
            .stdout,
        ran.stdout
    );
}

#[test]
fn children_of_distributed_maps_have_histories_of_their_own() {
    let folder = Folder::new();
    folder.write("each.json", r#"{"StartAt": "A/B", "States": {"A/B": {"Type": "Map", "Next": "Last", "ToleratedFailurePercentage": 100, "ItemProcessor": {
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Odd", "States": {
          "Odd": {"Type": "Choice", "Default": "Bad", "Choices": [{"Variable": "$", "NumericEquals": 2, "Next": "Good"}]},
          "Good": {"Type": "Succeed"}, "Bad": {"Type": "Fail"}}}}, "Last": {"Type": "Succeed"}}}"#);
    let run = [
        "run",
        "each.json",
        "-i",
        "[1, 2]",
        "--history",
        "h.json",
        "--child-histories",
        "children",
        "--clock",
        "virtual",
    ];
    folder.asl(&run).exits_with(0, &[]);
    assert!(folder.path("children/A%2FB/0/1.json").is_file());
    let with_children = ["--child-histories", "children", "--definition", "each.json"];
    shows(
        &explain(&folder, &with_children),
        &[
            "● A/B  Map\n",
            "│ child #0 FAILED\n│ ● Odd  Choice\n",
            "│   ✗ Choices[0]   $ = 2\n",
            "│ ● Bad  Fail\n",
            "│ child #1 SUCCEEDED\n",
            "│   ✓ Choices[0]   $ = 2\n",
            "│ ● Good  Succeed\n",
        ],
    );
    let graph = |arguments: &[&str]| {
        folder
            .asl(
                &[
                    &["graph", "each.json", "--history", "h.json"][..],
                    arguments,
                ]
                .concat(),
            )
            .stdout
    };
    let (alone, with_children) = (graph(&[]), graph(&with_children[..2]));
    assert!(
        alone.contains("\"Odd\"}:::passed") && alone.contains("\"Bad\"))):::unknown"),
        "{alone}"
    );
    assert!(
        with_children.contains("\"Good\"))):::passed")
            && with_children.contains("\"Bad\"))):::failed"),
        "{with_children}"
    );
    explain(&folder, &["--child-histories", "none"]).exits_with(2, &["cannot read none"]);
}

#[test]
fn child_histories_are_written_as_they_happen_and_bounded() {
    let folder = Folder::new();
    folder.write("each.json", r#"{"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true, "ItemProcessor": {
        "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Count", "States": {
          "Count": {"Type": "Pass", "Parameters": {"n.$": "States.MathAdd($.n, 1)"}, "Next": "More"},
          "More": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericLessThan": 200, "Next": "Count"}], "Default": "Done"},
          "Done": {"Type": "Succeed"}}}}}}"#);
    let run = |most: &str| {
        let run = "run each.json -i [{\"n\":0},{\"n\":199}] --clock virtual --child-histories children --max-history-bytes";
        let run: Vec<&str> = run.split(' ').chain([most]).collect();
        folder.asl(&run)
    };
    run("1000000").exits_with(0, &[]);
    let events = |index: u64| {
        let text = folder.read(&format!("children/Each/0/{index}.json"));
        let history: serde_json::Value = serde_json::from_str(&text).unwrap();
        history["events"].as_array().unwrap().len()
    };
    // ExecutionStarted, four events a round, the end's three.
    assert_eq!([events(0), events(1)], [1 + 200 * 4 + 3, 1 + 4 + 3]);
    run("20000").exits_with(
        2,
        &["cannot write children/Each/0/0.json: all histories together would be longer than --max-history-bytes allows"],
    );
    assert!(folder.read("children/Each/0/0.json").len() < 20_000);
}

#[test]
fn what_is_no_history_is_refused() {
    let folder = Folder::new();
    folder
        .write("h.json", "[]")
        .write("e.json", r#"{"events": [{"id": 1}]}"#);
    explain(&folder, &[]).exits_with(2, &["cannot explain h.json: expected an execution history, an object with an array \"events\""]);
    folder.asl(&["explain", "e.json"]).exits_with(
        2,
        &["event 0 of the history is invalid: expected the member \"type\""],
    );
}
