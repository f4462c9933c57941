//! `asl eval`.
mod common;

use common::{Folder, Ran};
use serde_json::json;

#[test]
fn eval_prints_values() {
    let folder = Folder::new();
    let eval = |arguments: &[&str]| folder.asl(&[&["eval"][..], arguments].concat());
    assert_eq!(eval(&["$.a[0]", "-i", r#"{"a": [1, 2]}"#]).stdout, "1\n");
    assert_eq!(
        eval(&["$.a[*]", "-i", r#"{"a": [1, 2]}"#]).stdout,
        "[1,2]\n"
    );
    assert_eq!(
        eval(&["$$.User", "--context", r#"{"User": "Ada"}"#]).stdout,
        "\"Ada\"\n"
    );
    let call = "States.Format('Hello, {}', $.name)";
    assert_eq!(
        eval(&[call, "-i", r#"{"name": "Ada"}"#]).stdout,
        "\"Hello, Ada\"\n"
    );
    assert_eq!(
        eval(&["--report", "json", "$", "-i", "7"]).stdout,
        "{\"value\":7}\n"
    );
    assert_eq!(eval(&["--", "$"]).stdout, "{}\n");
    assert_eq!(
        folder
            .asl_with_stdin(&["eval", "$", "-i", "-"], "[1]")
            .stdout,
        "[1]\n"
    );
}

#[test]
fn eval_tells_what_is_wrong() {
    let folder = Folder::new();
    let eval = |arguments: &[&str]| folder.asl(&[&["eval"][..], arguments].concat());
    let ran = eval(&["$.a", "--report", "json"]);
    ran.told(1, &[]);
    assert_eq!(ran.json()["error"], "States.ParameterPathFailure");
    let ran = eval(&["States.StringToJson('{')", "--report", "json"]);
    assert_eq!(ran.json()["error"], "States.IntrinsicFailure");
    let ran = eval(&["$.store[?(", "-i", "{}"]);
    ran.told(
        1,
        &["--> expression:1:11", "1 | $.store[?(", "  |           ^"],
    );
    eval(&["a.b"]).told(1, &["expected a path, which begins with $"]);
}

fn eval(arguments: &[&str]) -> Ran {
    Folder::new().asl(&[&["eval"][..], arguments].concat())
}

#[test]
fn jsonata_reads_the_documents_and_the_variables() {
    for (arguments, expected) in [
        (&["{% 'a' & 'b' %}"][..], "\"ab\"\n"),
        (
            &["{% $states.input.a & '!' %}", "-i", r#"{"a": "x"}"#],
            "\"x!\"\n",
        ),
        (
            &[
                "{% $states.context.User %}",
                "--context",
                r#"{"User": "Ada"}"#,
            ],
            "\"Ada\"\n",
        ),
        (
            &["{% $states.result.n %}", "--result", r#"{"n": "1"}"#],
            "\"1\"\n",
        ),
        (
            &[
                "{% $states.errorOutput.Error %}",
                "--error-output",
                r#"{"Error": "E"}"#,
            ],
            "\"E\"\n",
        ),
        (
            &[
                "{% $count($prices) > $tax %}",
                "--vars",
                r#"{"prices": [1, 2], "tax": 2}"#,
            ],
            "false\n",
        ),
        (
            &[
                "{% $names[$ > 'a'] %}",
                "--vars",
                r#"{"names": ["a", "b"]}"#,
            ],
            "\"b\"\n",
        ),
        (
            &[
                "--jsonata",
                "a & $b",
                "-i",
                r#"{"a": "1"}"#,
                "--vars",
                r#"{"b": "2"}"#,
            ],
            "\"12\"\n",
        ),
        (&["--jsonata", "$", "-i", "[true]"], "[true]\n"),
    ] {
        let ran = eval(arguments);
        assert_eq!(
            (ran.stdout.as_str(), ran.code),
            (expected, Some(0)),
            "{arguments:?} {ran:?}"
        );
    }
}

#[test]
fn jsonata_without_a_value_fails_as_in_a_state() {
    let arguments = ["{% $missing.a %}", "--vars", r#"{"other": 1}"#];
    eval(&arguments).told(
        1,
        &[
            "States.QueryEvaluationError: The JSONata expression '$missing.a' returned nothing (undefined).\n",
            "hint: $missing has no value: give it with --vars '{\"missing\": …}'",
        ],
    );
    let ran = eval(&[&arguments[..], &["--report", "json"]].concat());
    ran.told(1, &[]);
    assert_eq!(
        ran.json(),
        json!({"error": "States.QueryEvaluationError",
            "cause": "The JSONata expression '$missing.a' returned nothing (undefined)."})
    );
}

#[test]
fn wrong_arguments_of_eval_are_refused() {
    for (arguments, text) in [
        (
            &["$a", "--vars", "[1]"][..],
            "--vars must be a JSON object, not an array",
        ),
        (
            &["$a", "--vars", r#"{"states": 1}"#],
            "--vars must not hold \"states\"",
        ),
        (
            &["$a", "--vars", r#"{"$a": 1}"#],
            "names are written without $, as \"a\"",
        ),
        (&["$a", "--vars", "@none.json"], "cannot read none.json"),
        (
            &["1", "--jsonata", "--context", "{}"],
            "cannot be used with",
        ),
        (&["$", "--now", "today"], "--now \"today\" is not a moment"),
        (
            &["$", "-i", "-", "--vars", "-"],
            "stdin cannot be both the input and the variables",
        ),
    ] {
        eval(arguments).told(2, &[text]);
    }
}
