//! `asl run`: outputs, reports, histories, mocks, clocks.
mod common;

use common::{Folder, PASS, task};
use serde_json::{Value, json};
use std::process::Stdio;

const MOCKS: &str = r#"{
    "StateMachines": {"Machine": {"TestCases": {"Good": {"Work": "Worked"}, "Bad": {"Work": "Broken"}}}},
    "MockedResponses": {
        "Worked": {"0": {"Return": {"done": true}}},
        "Broken": {"0-9": {"Throw": {"Error": "Broken", "Cause": "as planned"}}}
    }
}"#;

/// A task that fails.
const BAD: [&str; 6] = [
    "run",
    "task.json",
    "--mocks",
    "mocks.json",
    "--test-case",
    "Bad",
];

#[test]
fn the_output_is_printed() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let ran = folder.asl(&["run", "pass.json", "-i", r#"{"b": 1, "a": [true, null]}"#]);
    ran.exits_with(0, &[]);
    assert_eq!(ran.stdout, "{\"b\":1,\"a\":[true,null]}\n");
    assert_eq!(ran.stderr, "");
    assert_eq!(folder.asl(&["run", "pass.json"]).stdout, "{}\n");
}

#[test]
fn definitions_and_inputs_come_from_files_and_stdin() {
    let folder = Folder::new();
    folder
        .write(
            "pass.yaml",
            "StartAt: A\nStates:\n  A:\n    Type: Pass\n    End: true\n",
        )
        .write("input.json", "\u{FEFF}[1]");
    assert_eq!(
        folder
            .asl(&["run", "pass.yaml", "-i", "@input.json"])
            .stdout,
        "[1]\n"
    );
    assert_eq!(
        folder.asl_with_stdin(&["run", "-", "-i", "7"], PASS).stdout,
        "7\n"
    );
    assert_eq!(
        folder
            .asl_with_stdin(&["run", "pass.yaml", "-i", "-"], "\"x\"")
            .stdout,
        "\"x\"\n"
    );
}

#[test]
fn a_report_has_its_fields_and_no_others() {
    let folder = Folder::new();
    folder
        .write("pass.json", PASS)
        .write("task.json", task(""))
        .write("mocks.json", MOCKS);
    let now = [
        "--now",
        "2024-01-31T12:00:00Z",
        "--clock",
        "virtual",
        "--report",
        "json",
    ];
    let ran = folder.asl(
        &[
            &["run", "pass.json", "-i", "[1]", "--name", "mine"][..],
            &now,
        ]
        .concat(),
    );
    assert_eq!(
        ran.stdout.trim_end(),
        r#"{"status":"SUCCEEDED","output":[1],"name":"mine","startDate":"2024-01-31T12:00:00.000Z","stopDate":"2024-01-31T12:00:00.000Z","transitions":1,"path":[{"state":"A"}]}"#
    );
    let ran = folder.asl(&[&BAD[..], &["--name", "m"], &now].concat());
    ran.exits_with(1, &[]);
    assert_eq!(
        ran.json(),
        json!({"status": "FAILED", "error": "Broken", "cause": "as planned", "name": "m",
            "startDate": "2024-01-31T12:00:00.000Z", "stopDate": "2024-01-31T12:00:00.000Z", "transitions": 1,
            "location": {"state": "Work", "line": 1, "column": 32}, "path": [{"state": "Work"}]})
    );
}

#[test]
fn a_failure_is_told_on_stderr() {
    let folder = Folder::new();
    folder
        .write("task.json", task(""))
        .write("mocks.json", MOCKS);
    let ran = folder.asl(&BAD);
    ran.exits_with(1, &["FAILED Broken: as planned"]);
    assert_eq!(ran.stdout, "");
}

#[test]
fn a_history_is_what_get_execution_history_returns() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    folder
        .asl(&["run", "pass.json", "-i", "[1]", "--history", "history.json"])
        .exits_with(0, &[]);
    let history: Value = serde_json::from_str(&folder.read("history.json")).unwrap();
    let events = history["events"].as_array().unwrap();
    let types: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        [
            "ExecutionStarted",
            "PassStateEntered",
            "PassStateExited",
            "ExecutionSucceeded"
        ]
    );
    assert_eq!(events[1]["id"], 2);
    assert_eq!(events[1]["previousEventId"], 0);
    assert_eq!(events[1]["stateEnteredEventDetails"]["input"], "[1]");
}

#[test]
fn with_seed_and_now_a_run_repeats_to_the_byte() {
    let folder = Folder::new();
    let random = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true, "Parameters":
        {"id.$": "States.UUID()", "n.$": "States.MathRandom(0, 1000000)", "at.$": "$$.State.EnteredTime", "x.$": "$$.Execution.Id"}}}}"#;
    folder.write("random.json", random);
    let run = |seed: &str, history: &str| {
        let arguments = [
            "run",
            "random.json",
            "--seed",
            seed,
            "--now",
            "2024-01-31T12:00:00Z",
            "--clock",
            "virtual",
            "--report",
            "json",
            "--history",
            history,
        ];
        folder.asl(&arguments).exits_with(0, &[]).stdout.clone()
    };
    let first = run("7", "1.json");
    assert_eq!(first, run("7", "2.json"));
    assert_eq!(folder.read("1.json"), folder.read("2.json"));
    assert_ne!(first, run("8", "3.json"));
}

#[test]
fn a_test_case_may_be_left_out_where_there_is_one() {
    let folder = Folder::new();
    let one = MOCKS.replace(r#", "Bad": {"Work": "Broken"}"#, "");
    folder
        .write("task.json", task(""))
        .write("one.json", one)
        .write("two.json", MOCKS);
    let ran = folder.asl(&["run", "task.json", "--mocks", "one.json"]);
    assert_eq!(ran.stdout, "{\"done\":true}\n", "{ran:?}");
    folder
        .asl(&["run", "task.json", "--mocks", "two.json"])
        .exits_with(2, &["several test cases: choose one", "Good, Bad"]);
}

#[test]
fn with_mocks_the_clock_is_virtual() {
    let folder = Folder::new();
    let definition = task("").replace(
        r#""States": {"#,
        r#""States": {"Year": {"Type": "Wait", "Seconds": 31449600, "Next": "Work"}, "#,
    );
    let definition = definition.replace(r#""StartAt": "Work""#, r#""StartAt": "Year""#);
    folder
        .write("wait.json", definition)
        .write("mocks.json", MOCKS);
    let arguments = [
        "run",
        "wait.json",
        "--mocks",
        "mocks.json",
        "--test-case",
        "Good",
        "--now",
        "2024-01-01T00:00:00Z",
        "--report",
        "json",
    ];
    let report = folder.asl(&arguments).json();
    assert_eq!(report["stopDate"], "2024-12-30T00:00:00.000Z");
}

#[test]
fn the_context_object_can_be_given() {
    let folder = Folder::new();
    let definition = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true, "Parameters":
        {"user.$": "$$.User", "machine.$": "$$.StateMachine.Name", "name.$": "$$.Execution.Name"}}}}"#;
    folder.write("my-machine.asl.json", definition);
    let ran = folder.asl(&[
        "run",
        "my-machine.asl.json",
        "--name",
        "n",
        "--context",
        r#"{"User": "Ada"}"#,
    ]);
    assert_eq!(
        ran.json(),
        json!({"user": "Ada", "machine": "my-machine", "name": "n"})
    );
    folder
        .asl(&["run", "my-machine.asl.json", "--context", "[]"])
        .exits_with(2, &["--context must be a JSON object, not an array"]);
}

#[test]
fn a_loop_ends_after_max_transitions() {
    let folder = Folder::new();
    let endless = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "B"}, "B": {"Type": "Choice",
        "Choices": [{"Variable": "$", "IsNull": true, "Next": "C"}], "Default": "A"}, "C": {"Type": "Succeed"}}}"#;
    folder.write("endless.json", endless);
    let ran = folder.asl(&["run", "endless.json", "--max-transitions", "1000"]);
    ran.exits_with(1, &["FAILED States.Runtime"]);
}

#[test]
fn limits_are_given_by_name_and_replace_those_of_the_profile() {
    let folder = Folder::new();
    folder.write("pass.json", PASS);
    let run = |limits: &str| {
        let long = format!("\"{}\"", "x".repeat(100));
        folder.asl(&[
            "run",
            "pass.json",
            "--profile",
            "spec",
            "-i",
            &long,
            "--limits",
            limits,
        ])
    };
    run("{}").exits_with(0, &[]);
    run(r#"{"max_payload_bytes": 99}"#).exits_with(1, &["FAILED States.DataLimitExceeded"]);
    run(r#"{"max_execution_bytes": 50}"#).exits_with(1, &["FAILED States.Runtime"]);
    run(r#"{"max_payload_bytes": -1}"#)
        .exits_with(2, &["--limits: max_payload_bytes: invalid value"]);
    run(r#"{"turn_cost": 1}"#).exits_with(2, &["--limits: unknown limit"]);
    run(r#"{"max_payload": 1}"#).exits_with(
        2,
        &[
            "--limits: unknown limit \"max_payload\"",
            "max_payload_bytes",
        ],
    );
    run("[]").exits_with(2, &["--limits must be a JSON object, not an array"]);
}

#[test]
fn a_trace_shows_each_state_on_stderr_without_colours() {
    let folder = Folder::new();
    let definition = r#"{"StartAt": "Nap", "States": {"Nap": {"Type": "Wait", "Seconds": 3600, "Next": "Both"},
        "Both": {"Type": "Parallel", "Next": "Each", "Branches": [
            {"StartAt": "Left", "States": {"Left": {"Type": "Pass", "Result": 1, "End": true}}},
            {"StartAt": "Right", "States": {"Right": {"Type": "Pass", "Result": 2, "End": true}}}]},
        "Each": {"Type": "Map", "End": true, "ItemProcessor": {"StartAt": "One", "States": {"One": {"Type": "Pass", "End": true}}}}}}"#;
    folder.write("trace.json", definition);
    let ran = folder.asl(&[
        "run",
        "trace.json",
        "--clock",
        "virtual",
        "--trace",
        "--name",
        "n",
    ]);
    ran.exits_with(0, &[]);
    assert_eq!(ran.stdout, "[1,2]\n");
    assert!(!ran.stderr.contains('\u{1b}'), "{ran:?}");
    let expected = "\
▶ n virtual clock  {}
  Nap         Wait      1 h skipped
  Both        Parallel
│   1 Left      Pass      {} → 1
│   2 Right     Pass      {} → 2
└ Both                  → [1,2]
  Each        Map
│   #0 One       Pass      1  unchanged
│   #1 One       Pass      2  unchanged
└ Each                  unchanged
■ SUCCEEDED 7 transitions, 1 h of virtual time
";
    assert_eq!(ran.stderr, expected, "{}", ran.stderr);
}

#[test]
fn a_trace_shows_what_changed() {
    let folder = Folder::new();
    let definition = r#"{"StartAt": "Note", "States": {
        "Note": {"Type": "Pass", "Result": "ready", "ResultPath": "$.status", "Next": "Both"},
        "Both": {"Type": "Parallel", "Parameters": {"n": 1}, "ResultPath": "$.both", "Next": "Each", "Branches": [
            {"StartAt": "Left", "States": {"Left": {"Type": "Pass", "Result": 2, "ResultPath": "$.n", "End": true}}}]},
        "Each": {"Type": "Map", "ItemsPath": "$.items", "ResultPath": "$.items", "Next": "Narrow", "MaxConcurrency": 1,
            "ItemProcessor": {"StartAt": "Known", "States": {
                "Known": {"Type": "Choice", "Choices": [{"Variable": "$.id", "IsPresent": true, "Next": "Price"}]},
                "Price": {"Type": "Pass", "Result": 9, "ResultPath": "$.price", "End": true}}}},
        "Narrow": {"Type": "Pass", "Parameters": {"status.$": "$.status"}, "Next": "End?"},
        "End?": {"Type": "Choice", "Choices": [{"Variable": "$.status", "NumericEquals": 1, "Next": "End"}]},
        "End": {"Type": "Succeed"}}}"#;
    folder.write("trace.json", definition);
    let input = r#"{"status": "new", "items": [{"id": 1}]}"#;
    let ran = folder.asl(&["run", "trace.json", "-i", input, "--trace", "--name", "n"]);
    ran.exits_with(1, &[]);
    let expected = r#"▶ n real clock  {"status":"new","items":[{"id":1}]}
  Note        Pass      ~ status: "new" → "ready"  …
  Both        Parallel
│   1 Left      Pass      {"n":1}  ~ n: 1 → 2
└ Both                  + both: [{"n":2}]  …
  Each        Map
│   #0 Known     Choice    {"id":1}  → Price
│   #0 Price     Pass      + price: 9  …
└ Each                  ~ items: [{"id":1}] → [{"id":1,"price":9}]  …
  Narrow      Pass      - items  - both  …
  End?        Choice    {"status":"ready"}
"#;
    let shown: String = ran.stderr.split_inclusive('\n').take(11).collect();
    assert_eq!(shown, expected, "{}", ran.stderr);
}

#[test]
fn a_trace_tells_of_retries_and_catches() {
    let folder = Folder::new();
    let fields = r#", "Retry": [{"ErrorEquals": ["Broken"], "IntervalSeconds": 5, "MaxAttempts": 1}],
        "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Rescue"}]"#;
    let rescue = r#""States": {"Rescue": {"Type": "Succeed"}, "#;
    folder
        .write("task.json", task(fields).replace(r#""States": {"#, rescue))
        .write("mocks.json", MOCKS);
    let ran = folder.asl(&[&BAD[..], &["--trace"]].concat());
    ran.exits_with(
        0,
        &[
            "Work  ✗ Broken: as planned",
            "Work  ↻ retry 1, 5 s skipped",
            "caught  5 s",
            "Rescue",
        ],
    );
}

#[test]
fn objects_are_read_from_a_folder() {
    let folder = Folder::new();
    let definition = r#"{"StartAt": "Each", "States": {"Each": {"Type": "Map", "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "bucket", "Key": "items.json"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"},
            "StartAt": "One", "States": {"One": {"Type": "Pass", "End": true}}}}}}"#;
    folder.write("each.json", definition);
    std::fs::create_dir(folder.path("bucket")).unwrap();
    folder.write("bucket/items.json", "[1, 2]");
    let ran = folder.asl(&["run", "each.json", "--s3-root", "."]);
    assert_eq!(ran.stdout, "[1,2]\n", "{ran:?}");
    folder
        .asl(&["run", "each.json", "--s3-root", "none"])
        .exits_with(2, &["--s3-root none is not a directory"]);
}

/// A reader that has seen enough does not make a run that succeeded one that failed.
#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_changes_nothing_of_how_the_run_ends() {
    let folder = Folder::new();
    let large = format!(r#"["{}"]"#, "x".repeat(200_000));
    folder.write("pass.json", PASS).write("large.json", large);
    let run = |arguments: &[&str]| {
        let mut child = folder
            .command(&[&["run", "pass.json", "-i", "@large.json"], arguments].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        common::ran(child.wait_with_output().unwrap())
    };
    run(&[]).exits_with(0, &[]);
    run(&["--report", "json"]).exits_with(0, &[]);
}

#[test]
fn a_history_does_not_overwrite_what_the_run_reads() {
    let folder = Folder::new();
    folder
        .write("pass.json", PASS)
        .write("input.json", "{}")
        .write("context.json", "{}");
    for (file, what) in [
        ("pass.json", "the definition"),
        ("./input.json", "the input"),
        ("context.json", "the context"),
    ] {
        let ran = folder.asl(&[
            "run",
            "pass.json",
            "-i",
            "@input.json",
            "--context",
            "@context.json",
            "--history",
            file,
        ]);
        ran.exits_with(2, &["would overwrite", what]);
    }
    assert_eq!(folder.read("pass.json"), PASS);
    let ran = folder.asl(&[
        "run",
        "pass.json",
        "-i",
        "@input.json",
        "--history",
        "new.json",
    ]);
    ran.exits_with(0, &[]);
    folder
        .asl(&["run", "pass.json", "--history", "new.json"])
        .exits_with(0, &[]);
}

/// Data holds what a terminal takes for commands: none reaches it, on stderr or stdout.
#[cfg(target_os = "linux")]
#[test]
fn no_command_of_the_data_reaches_a_terminal() {
    use common::terminal::Terminal;
    let hostile = "a\u{1b}]0;title\u{7}b\u{1b}[2Jc\u{9b}31md\u{202e}e\u{2066}f\u{1b}[31mg";
    let state = |state: Value| json!({"StartAt": "A", "States": {"A": state}}).to_string();
    let folder = Folder::new();
    folder
        .write(
            "fail.json",
            state(json!({"Type": "Fail", "Error": hostile, "Cause": hostile})),
        )
        .write(
            "pass.json",
            state(json!({"Type": "Pass", "Result": {hostile: hostile}, "End": true})),
        )
        .write(
            "target.json",
            state(json!({"Type": "Pass", "Next": hostile})),
        )
        .write(
            "task.json",
            state(
                json!({"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke",
            "Parameters": {"FunctionName": hostile}, "End": true}),
            ),
        );
    for arguments in [
        &["run", "fail.json"][..],
        &["run", "fail.json", "--trace"],
        &["run", "pass.json"],
        &["run", "pass.json", "--report", "json"],
        &["run", "target.json"],
        &["validate", "target.json"],
        &["run", "task.json"],
        &["graph", "pass.json"],
        &["eval", "--jsonata", &format!("$error('{hostile}')")],
    ] {
        let (_, shown) = Terminal::start(&folder, arguments, 120).end();
        for command in [
            "\u{1b}]",
            "\u{1b}[2J",
            "\u{1b}[31m",
            "\u{7}",
            "\u{9b}",
            "\u{202e}",
            "\u{2066}",
        ] {
            assert!(
                !shown.contains(command),
                "{command:?} of {arguments:?} in {shown:?}"
            );
        }
        assert!(shown.trim().len() > 10, "{arguments:?}: {shown:?}");
    }
}

#[test]
fn a_failure_of_another_name_in_the_specification_is_pointed_out() {
    let folder = Folder::new();
    let rule = r#"{"Variable": "$.a", "IsPresent": true, "Next": "S"}"#;
    folder.write(
        "choice.json",
        format!(
            r#"{{"StartAt": "C", "States": {{"C": {{"Type": "Choice", "Choices": [{rule}]}}, "S": {{"Type": "Succeed"}}}}}}"#
        ),
    );
    let hint = "hint: the specification calls this States.NoChoiceMatched; --profile spec";
    let ran = folder.asl(&["run", "choice.json"]);
    ran.exits_with(1, &["States.Runtime", hint]);
    let ran = folder.asl(&["run", "choice.json", "--profile", "spec"]);
    ran.exits_with(1, &["States.NoChoiceMatched"]);
    assert!(!ran.stderr.contains("hint"), "{ran:?}");
}

#[test]
fn another_end_by_the_specification_is_pointed_out() {
    let folder = Folder::new();
    let pad = r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $pad('', 300000) %}", "End": true}"#;
    let sum = r#"{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $count([1..900000]) %}", "End": true}"#;
    let items = r#"{"Type": "Map", "ItemsPath": "$.a.b", "End": true,
        "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}"#;
    let wait = r#"{"Type": "Wait", "Seconds": 400, "End": true}"#;
    let limit = "hint: the specification has no such limit; --profile spec";
    let time = "hint: the specification does not limit how long an execution takes; --profile spec";
    for (state, texts) in [
        (pad, ["States.DataLimitExceeded", limit]),
        (sum, ["States.QueryEvaluationError", limit]),
        (wait, ["TIMED_OUT", time]),
        (
            items,
            [
                "Unable to apply step \"b\" to input {\"a\":1}",
                "hint: the specification calls this States.Runtime; --profile spec",
            ],
        ),
        (
            r#"{"Type": "Task", "Resource": "arn:aws:states:::card:charge", "End": true}"#,
            [
                "arn:aws:states:::card:charge is not recognized",
                "hint: the specification takes this definition; --profile spec",
            ],
        ),
    ] {
        folder.write(
            "machine.json",
            format!(r#"{{"StartAt": "A", "States": {{"A": {state}}}}}"#),
        );
        let run = ["run", "machine.json", "-i", "{\"a\": 1}"];
        let express = ["--type", "express", "--clock", "virtual"];
        let ran = folder.asl(&[&run[..], &express].concat());
        let exit = if state.contains("card:charge") { 2 } else { 1 };
        ran.exits_with(exit, &texts);
        let ran = folder.asl(&[&run[..], &express, &["--profile", "spec"]].concat());
        assert!(!ran.stderr.contains("--profile spec"), "{ran:?}");
    }
    let timeout = format!(r#"{{"StartAt": "A", "TimeoutSeconds": 5, "States": {{"A": {wait}}}}}"#);
    folder.write("machine.json", timeout);
    let ran = folder.asl(&["run", "machine.json", "--clock", "virtual"]);
    ran.exits_with(1, &["TIMED_OUT"]);
    assert!(!ran.stderr.contains("hint"), "{ran:?}");
}

/// Rules of the specification are off by default: most definitions run on the service.
#[test]
fn nobody_is_told_that_the_specification_refuses_what_the_service_takes() {
    let folder = Folder::new();
    folder.write(
        "machine.json",
        r#"{"StartAt": "F", "States": {"F": {"Type": "Fail"}}}"#,
    );
    let ran = folder.asl(&["run", "machine.json"]);
    assert!(!ran.stderr.contains("specification"), "{ran:?}");
    let ran = folder.asl(&["run", "machine.json", "--profile", "spec"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_success_that_is_none_by_the_specification_is_pointed_out() {
    let folder = Folder::new();
    let inner = r#""ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "I", "States": {"I": {"Type": "Succeed"}}}"#;
    let task = r#""Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:F", "End": true"#;
    let catch = r#""Catch": [{"ErrorEquals": ["States.ALL"], "Next": "S"}]"#;
    let error = r#"{"Error": "States.DataLimitExceeded", "Cause": "c"}"#;
    folder.write("fail.sh", format!("echo '{error}' >&2; exit 1"));
    for (state, task, texts) in [
        (
            r#"{"Type": "Pass", "Parameters": {"b.$": "$.list[3]"}, "End": true}"#.to_owned(),
            "",
            "a path past the end of an array gave null",
        ),
        (
            format!(r#"{{"Type": "Map", "ItemsPath": "$.fields", {inner}, "End": true}}"#),
            "",
            "the specification wants an array as the items of a Map",
        ),
        (
            format!("{{{task}, {catch}}}"),
            "F=exec:sh fail.sh",
            "the specification has States.DataLimitExceeded caught by its name alone",
        ),
    ] {
        let caught = match task {
            "" => "",
            _ => r#", "S": {"Type": "Succeed"}"#,
        };
        folder.write(
            "machine.json",
            format!(r#"{{"StartAt": "A", "States": {{"A": {state}{caught}}}}}"#),
        );
        let mut run = vec![
            "run",
            "machine.json",
            "-i",
            r#"{"list": [1], "fields": {"a": 1}}"#,
        ];
        if !task.is_empty() {
            run.extend(["--task", task]);
        }
        let ran = folder.asl(&run);
        ran.exits_with(0, &[texts, "--profile spec"]);
    }
}

#[test]
fn causes_show_an_input_of_several_lines_as_it_was_sent() {
    let folder = Folder::new();
    let state = r#"{"Type": "Pass", "Parameters": {"a.$": "$.a"}, "End": true}"#;
    folder
        .write(
            "pass.json",
            format!(r#"{{"StartAt": "A", "States": {{"A": {state}}}}}"#),
        )
        .write("input.json", "{\n  \"b\": 1\n}\n");
    let ran = folder.asl(&["run", "pass.json", "-i", "@input.json", "--report", "json"]);
    let cause = ran.json()["cause"].as_str().map(str::to_owned);
    assert!(cause.is_some_and(|cause| cause.ends_with("in the input '{\n  \"b\": 1\n}'")));
}
