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
    ran.exits_with(1, &[]);
    assert_eq!(ran.json()["error"], "States.ParameterPathFailure");
    let ran = eval(&["States.StringToJson('{')", "--report", "json"]);
    assert_eq!(ran.json()["error"], "States.IntrinsicFailure");
    let ran = eval(&["$.store[?(", "-i", "{}"]);
    ran.exits_with(
        1,
        &["--> expression:1:11", "1 | $.store[?(", "  |           ^"],
    );
    eval(&["a.b"]).exits_with(1, &["expected a path that starts with $"]);
}

fn eval(arguments: &[&str]) -> Ran {
    Folder::new().asl(&[&["eval"][..], arguments].concat())
}

#[test]
fn jsonata_reads_the_documents_and_the_variables() {
    for (arguments, expected) in [
        (&["{% 1 + 2 %}"][..], "3\n"),
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
            &["{% $states.result.n %}", "--result", r#"{"n": 1}"#],
            "1\n",
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
                "{% $sum($prices) * $tax %}",
                "--vars",
                r#"{"prices": [1, 2], "tax": 2}"#,
            ],
            "6\n",
        ),
        (
            &["{% $prices[$ > 1] %}", "--vars", r#"{"prices": [1, 2]}"#],
            "2\n",
        ),
        (
            &[
                "--jsonata",
                "a + $b",
                "-i",
                r#"{"a": 1}"#,
                "--vars",
                r#"{"b": 2}"#,
            ],
            "3\n",
        ),
        (&["--jsonata", "$", "-i", "[1]"], "[1]\n"),
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
fn paths_and_calls_read_variables() {
    let vars = ["--vars", r#"{"order": {"total": 7}}"#];
    let run = |expression: &str| eval(&[&[expression][..], &vars].concat()).stdout;
    assert_eq!(run("$order.total"), "7\n");
    assert_eq!(run("States.Format('{} EUR', $order.total)"), "\"7 EUR\"\n");
}

#[test]
fn jsonata_without_a_value_fails_as_in_a_state() {
    let arguments = ["{% $missing.a %}", "--vars", r#"{"other": 1}"#];
    eval(&arguments).exits_with(
        1,
        &[
            "States.QueryEvaluationError: The JSONata expression '$missing.a' returned nothing (undefined).\n",
            "hint: $missing has no value: give it with --vars '{\"missing\": …}'",
        ],
    );
    let ran = eval(&[&arguments[..], &["--report", "json"]].concat());
    ran.exits_with(1, &[]);
    assert_eq!(
        ran.json(),
        json!({"error": "States.QueryEvaluationError",
            "cause": "The JSONata expression '$missing.a' returned nothing (undefined)."})
    );
    let ran = eval(&["--report", "json", "{% 'a' + 1 %}"]);
    ran.exits_with(1, &[]);
    assert_eq!(
        ran.json(),
        json!({"error": "States.QueryEvaluationError",
            "cause": "The JSONata expression ''a' + 1' threw an error during evaluation. \
                T2001: The left side of the \"+\" operator must evaluate to a number"})
    );
}

#[test]
fn a_fault_in_jsonata_is_shown_at_its_place() {
    eval(&["{% 'a' + 1 %}"]).exits_with(
        1,
        &["--> expression:1:8", "1 | {% 'a' + 1 %}", "  |        ^"],
    );
    eval(&["{% 1 + %}"]).exits_with(
        1,
        &["INVALID_JSONATA_EXPRESSION: S0207", "--> expression:1:8"],
    );
    eval(&["--jsonata", "1 +\n  * )"])
        .exits_with(1, &["INVALID_JSONATA_EXPRESSION", "--> expression:2:"]);
}

#[test]
fn restrictions_of_the_states_language_are_shown_at_their_place() {
    for (expression, column, texts) in [
        (
            "{% $ %}",
            4,
            [
                "Reference to '$' at the top level is not supported.",
                "hint: -i is $states.input",
            ],
        ),
        (
            "{% 1 + total %}",
            8,
            [
                "Reference to 'total' at the top level",
                "hint: a field of -i is $states.input.total",
            ],
        ),
        (
            "{% $$.a %}",
            4,
            [
                "Reference to '$$' is not supported.",
                "with --jsonata it is $",
            ],
        ),
        (
            "{% $states.result %}",
            4,
            [
                "Field '$states.result' does not exist.",
                "give it with --result",
            ],
        ),
        (
            "{% $states.errorOutput %}",
            4,
            [
                "Field '$states.errorOutput' does not exist.",
                "give it with --error-output",
            ],
        ),
        (
            "{% $states.output %}",
            4,
            [
                "Field '$states.output' does not exist.",
                "the fields are input, context",
            ],
        ),
    ] {
        let place = format!("--> expression:1:{column}\n");
        eval(&[expression]).exits_with(
            1,
            &[
                "UNSUPPORTED_JSONATA_EXPRESSION: ",
                texts[0],
                texts[1],
                &place,
            ],
        );
    }
}

#[test]
fn delimiters_are_the_first_and_the_last_characters() {
    for (expression, column, text) in [
        ("{% $x", 6, "expected %} at the end"),
        ("$x %}", 1, "expected {% at the start"),
        (" {% 1 %}", 1, "expected {% at the start"),
    ] {
        let place = format!("--> expression:1:{column}\n");
        eval(&[expression]).exits_with(1, &["INVALID_JSONATA_EXPRESSION: ", text, &place]);
    }
}

#[test]
fn a_moment_and_a_seed_make_jsonata_repeatable() {
    let now = ["--now", "2024-01-31T12:00:00Z"];
    let run = |arguments: &[&str]| eval(&[arguments, &now].concat()).stdout;
    assert_eq!(run(&["{% $now() %}"]), "\"2024-01-31T12:00:00.000Z\"\n");
    assert_eq!(run(&["--jsonata", "$millis()"]), "1706702400000\n");
    let uuid = |seed| run(&["{% $uuid() & $random() %}", "--seed", seed]);
    assert_eq!(uuid("7"), uuid("7"));
    assert_ne!(uuid("7"), uuid("8"));
    let call = |seed| run(&["States.UUID()", "--seed", seed]);
    assert_eq!(call("7"), call("7"));
    assert_ne!(call("7"), call("8"));
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
            "--vars must not contain \"states\"",
        ),
        (
            &["$a", "--vars", r#"{"$a": 1}"#],
            "write names without $, as \"a\"",
        ),
        (&["$a", "--vars", "@none.json"], "cannot read none.json"),
        (
            &["1", "--jsonata", "--context", "{}"],
            "cannot be used with",
        ),
        (
            &["$", "--now", "today"],
            "--now \"today\" is not a timestamp",
        ),
        (
            &["$", "-i", "-", "--vars", "-"],
            "stdin cannot be both the input and the variables",
        ),
    ] {
        eval(arguments).exits_with(2, &[text]);
    }
}

#[test]
fn a_path_that_takes_too_long_fails() {
    let folder = Folder::new();
    let input = format!("{}{}", "[".repeat(900), "]".repeat(900));
    for expression in ["$..*..*..*", "States.ArrayLength($..*..*..*)"] {
        let ran = folder.asl(&["eval", expression, "-i", &input, "--report", "json"]);
        assert_eq!(ran.code, Some(1));
        assert!(ran.stdout.contains("States.Runtime"), "{}", ran.stdout);
        assert!(ran.stdout.contains("the evaluation "), "{}", ran.stdout);
    }
}

#[test]
fn a_string_is_printed_as_it_is_where_that_is_asked_for() {
    let input = r#"{"a": "x \"y\" ü", "b": ["x"]}"#;
    assert_eq!(eval(&["$.a", "-i", input, "-r"]).stdout, "x \"y\" ü\n");
    assert_eq!(eval(&["$.b", "-i", input, "-r"]).stdout, "[\"x\"]\n");
    assert_eq!(
        eval(&["$.a", "-i", input, "--raw-output"]).stdout,
        "x \"y\" ü\n"
    );
    eval(&["$", "-r", "--report", "json"]).exits_with(2, &["--raw-output"]);
}

#[test]
fn the_expression_may_be_in_a_file() {
    let folder = Folder::new();
    folder
        .write("sum.jsonata", "{% $sum(\n  $states.input\n) %}\n")
        .write("bad.jsonata", "{% 1 +\n  ) %}\n");
    assert_eq!(
        folder.asl(&["eval", "@sum.jsonata", "-i", "[1, 2]"]).stdout,
        "3\n"
    );
    folder
        .asl(&["eval", "@bad.jsonata"])
        .exits_with(1, &["--> bad.jsonata:2:3", "2 |   ) %}"]);
    folder.asl(&["eval", "@som.jsonata"]).exits_with(
        2,
        &["cannot read som.jsonata", "did you mean `sum.jsonata`?"],
    );
    folder
        .asl(&["eval", "@"])
        .exits_with(2, &["has no file name"]);
}

#[test]
fn what_is_piped_is_the_input() {
    let folder = Folder::new();
    folder.write("vars.json", r#"{"n": 2}"#);
    let piped = |arguments: &[&str], stdin: &str| {
        folder.asl_with_stdin(&[&["eval"][..], arguments].concat(), stdin)
    };
    assert_eq!(piped(&["$.a"], r#"{"a": 1}"#).stdout, "1\n");
    assert_eq!(piped(&["--jsonata", "a + 1"], r#"{"a": 1}"#).stdout, "2\n");
    // What is given counts more, and nothing is as good as no input.
    assert_eq!(piped(&["$.a", "-i", r#"{"a": 3}"#], "{").stdout, "3\n");
    assert_eq!(piped(&["$"], "").stdout, "{}\n");
    assert_eq!(piped(&["$n", "--vars", "-"], r#"{"n": 4}"#).stdout, "4\n");
    piped(&["$"], "{").exits_with(2, &["stdin is not JSON"]);
    piped(&[], "").exits_with(2, &["no expression: pass one"]);
}

#[test]
fn jsonata_without_its_delimiters_is_pointed_out() {
    eval(&["$states.input.a", "-i", r#"{"a": 1}"#]).exits_with(
        1,
        &[
            "hint:",
            "$states exists only in JSONata: {% $states.input.a %}",
        ],
    );
}
