//! `${Name}` in definitions: replaced, refused, or pointed out; and what arguments name in vain.
mod common;

use common::Folder;

const DEFINITION: &str = r#"{"StartAt": "W", "States": {
  "W": {"Type": "Wait", "Seconds": ${Delay}, "Next": "T"},
  "T": {"Type": "Task", "Resource": "${Function}", "Parameters": {"stage": "${Stage}"}, "End": true}
}}"#;

const FUNCTION: &str = "arn:aws:lambda:us-east-1:123456789012:function:f";

/// A folder in which the definition is with quotes around the seconds, and without.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("plain.json", DEFINITION).write(
        "quoted.json",
        DEFINITION.replace("${Delay}", "\"${Delay}\""),
    );
    folder
}

#[test]
fn placeholders_are_replaced_in_the_text_of_a_definition() {
    let folder = folder();
    folder
        .write(
            "values.json",
            format!(r#"{{"Delay": 0, "Function": "{FUNCTION}", "Stage": "x"}}"#),
        )
        .write(
            "values.yaml",
            format!("Delay: 0\nFunction: {FUNCTION}\nStage: x\n"),
        )
        .write(
            "values.env",
            format!("# why\nexport Delay=0\nFunction=\"{FUNCTION}\"\nStage=x\n"),
        );
    for file in ["values.json", "values.yaml", "values.env"] {
        for (name, echoed) in [("f", "{\"stage\":\"x\"}\n"), ("g", "{\"stage\":\"y\"}\n")] {
            let mut arguments = vec!["run", "plain.json", "--substitutions", file];
            let task = format!("{name}=exec:cat");
            let (stage, function) = (
                "Stage=y",
                format!("Function={}g", &FUNCTION[..FUNCTION.len() - 1]),
            );
            if name == "g" {
                arguments.extend(["--substitute", stage, "--substitute", &function]);
            }
            arguments.extend(["--task", &task]);
            let ran = folder.asl(&arguments);
            assert_eq!(
                (ran.stdout.as_str(), ran.stderr.as_str()),
                (echoed, ""),
                "{file}"
            );
        }
    }
    let substituted = ["--substitutions", "values.json"];
    folder
        .asl(&[&["validate", "plain.json"][..], &substituted].concat())
        .exits_with(0, &[]);
    let graph = folder.asl(&[&["graph", "plain.json"][..], &substituted].concat());
    assert!(graph.stdout.contains("<small>0 s</small>"), "{graph:?}");
}

#[test]
fn a_placeholder_without_quotes_is_taken_where_it_is_replaced_later() {
    let folder = folder();
    let text = "warning[unreplaced-placeholder]: the placeholder '${Delay}' stands where it cannot be checked";
    folder
        .asl(&["validate", "plain.json"])
        .reported(0, &[text, "plain.json:2:36"]);
    folder.asl(&["graph", "plain.json"]).reported(0, &[]);
    folder
        .asl(&["run", "plain.json"])
        .reported(2, &["hint: replace the placeholder ${Delay}"]);
}

#[test]
fn a_placeholder_that_decides_something_is_not_run() {
    let folder = folder();
    folder.asl(&["run", "quoted.json"]).exits_with(
        2,
        &[
            "'${Delay}' was not replaced",
            "quoted.json:2:36",
            "quoted.json is not a valid definition; --substitute NAME=VALUE",
        ],
    );
    let run = ["run", "plain.json", "--substitute", "Delay=0"];
    folder.asl(&run).exits_with(
        2,
        &[
            "the placeholder '${Function}' in the Resource of state 'T'",
            "--substitute Function=VALUE",
        ],
    );
    let ran = folder.asl(&[&run[..], &["--task", "${Function}=exec:cat"]].concat());
    ran.exits_with(
        0,
        &["warning[unreplaced-placeholder]: the placeholder '${Stage}' was not replaced"],
    );
    assert_eq!(ran.stdout, "{\"stage\":\"${Stage}\"}\n");
}

#[test]
fn substitutions_that_cannot_be_read_are_refused() {
    let folder = folder();
    folder
        .write("list.json", "[1]")
        .write("broken.json", "{\"a\": }");
    for (arguments, text) in [
        (
            ["--substitute", "Delay"],
            "--substitute 'Delay' is not NAME=VALUE",
        ),
        (["--substitute", "=1"], "is not NAME=VALUE"),
        (["--substitutions", "none.json"], "cannot read none.json"),
        (
            ["--substitutions", "list.json"],
            "list.json must be an object with a field for each placeholder, not an array",
        ),
        (
            ["--substitutions", "broken.json"],
            "broken.json is neither JSON nor YAML: expected a value",
        ),
    ] {
        folder
            .asl(&[&["run", "plain.json"][..], &arguments].concat())
            .exits_with(2, &[text]);
    }
    folder
        .asl(&["run", "-", "--substitutions", "-"])
        .exits_with(
            2,
            &["stdin cannot be both the definition and the substitutions"],
        );
}

#[test]
fn what_arguments_name_in_vain_is_told_at_the_start() {
    let folder = folder();
    folder.write(
        "mocks.json",
        r#"{"StateMachines": {"M": {"TestCases": {"C": {"T": "Gone", "t": "R"}}}},
            "MockedResponses": {"R": {"0": {"Return": 1}}}}"#,
    );
    let run = [
        "run",
        "plain.json",
        "--substitute",
        "Delay=0",
        "--substitute",
        "Dealy=1",
    ];
    let ran = folder.asl(&[&run[..], &["--mocks", "mocks.json", "--task", "g=exec:cat"]].concat());
    ran.exits_with(
        1,
        &[
            "warning: --substitute Dealy: the definition has no ${Dealy}",
            "warning: the mocks name the state 't', which is not a Task state of the definition; did you mean `T`?",
            "warning: the mocks of state 'T' name the response 'Gone', which is not among the MockedResponses",
            "warning: --task 'g' matches no task",
        ],
    );
}

#[test]
fn warnings_of_a_definition_are_told_before_it_runs() {
    let folder = Folder::new();
    let state = r#"{"Type": "Pass", "Assign": {"x": 1}, "End": true}"#;
    folder.write(
        "unused.json",
        format!(r#"{{"StartAt": "A", "States": {{"A": {state}}}}}"#),
    );
    let ran = folder.asl(&["run", "unused.json"]);
    ran.exits_with(
        0,
        &["warning[unused-variable]: the variable 'x' is never used"],
    );
    assert_eq!(ran.stderr.matches("warning").count(), 1, "{ran:?}");
}
