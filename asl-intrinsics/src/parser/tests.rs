use super::*;
use crate::Template;
use crate::ast::LoneBrace;
use serde_json::json;

fn parse(source: &str, limits: ParseLimits) -> Result<(Call, Vec<Misuse>), ParseError> {
    super::parse(source, limits, &PatternBudget::default())
}

fn parsed(source: &str) -> Call {
    let parsed = parse(source, ParseLimits::default());
    parsed.unwrap_or_else(|error| panic!("{source}: {error}")).0
}

/// Returns the misuses of a call with their offsets.
fn misuses(source: &str) -> Vec<(usize, String)> {
    let parsed = parse(source, ParseLimits::default());
    let (_, misuses) = parsed.unwrap_or_else(|error| panic!("{source}: {error}"));
    misuses
        .iter()
        .map(|misuse| (misuse.position(), misuse.message().to_owned()))
        .collect()
}

fn fault(source: &str) -> (usize, String) {
    let error = parse(source, ParseLimits::default()).expect_err(source);
    (error.position(), error.message().to_owned())
}

fn literal(text: &str) -> Value {
    match parsed(&format!("States.Array({text})")).arguments() {
        [Argument::Literal(value)] => value.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

/// Each text with the offset of its fault and the message.
fn check_faults(cases: &[(&str, usize, &str)]) {
    for (source, position, message) in cases {
        assert_eq!(
            fault(source),
            (*position, (*message).to_owned()),
            "{source}"
        );
    }
}

#[test]
fn names_must_be_known() {
    check_faults(&[
        ("", 0, "expected a function name, found the end"),
        (
            " States.UUID()",
            0,
            "expected a function name, found white space; remove the white space",
        ),
        ("$.a", 0, "expected a function name, found '$'"),
        ("States.", 0, "unknown function 'States.'"),
        (
            "States.Multiply(1)",
            0,
            "unknown function 'States.Multiply'",
        ),
        (
            "States.format('')",
            0,
            "unknown function 'States.format'; did you mean 'States.Format'?",
        ),
        (
            "JsonToString($)",
            0,
            "unknown function 'JsonToString'; did you mean 'States.JsonToString'?",
        ),
        (
            "My.Function()",
            0,
            "unknown function 'My.Function'; the functions known here begin with 'States.'",
        ),
        (
            "States.UUID",
            11,
            "expected '(' right after States.UUID, found the end",
        ),
        (
            "States.UUID ()",
            11,
            "expected '(' right after States.UUID, found ' '",
        ),
        (
            "States.Array(yes)",
            13,
            "unknown function 'yes'; the functions known here begin with 'States.'",
        ),
        (
            "States.Array(True)",
            13,
            "unknown function 'True'; the functions known here begin with 'States.'",
        ),
    ]);
}

#[test]
fn arguments_must_be_separated_and_closed() {
    check_faults(&[
        ("States.UUID(", 12, "expected an argument, found the end"),
        ("States.UUID()x", 13, "expected the end, found 'x'"),
        ("States.UUID())", 13, "expected the end, found ')'"),
        ("States.Array(,)", 13, "expected an argument, found ','"),
        ("States.Array(1,)", 15, "expected an argument, found ')'"),
        ("States.Array(1 2)", 15, "expected ',' or ')', found '2'"),
        (
            "States.Array(1 '2')",
            15,
            "expected ',' or ')', found an apostrophe",
        ),
        (
            "States.Array($.a $.b)",
            17,
            "expected ',' or ')', found '$'",
        ),
        ("States.Array(1", 14, "expected ',' or ')', found the end"),
        ("States.Array([1])", 13, "expected an argument, found '['"),
        (
            "States.Array(\"a\")",
            13,
            "expected an argument, found '\"'; strings stand in apostrophes",
        ),
        ("States.Array(é)", 13, "expected an argument, found 'é'"),
        (
            "States.Array(\u{1})",
            13,
            "expected an argument, found '\\u{1}'",
        ),
        ("States.Array(1.)", 14, "expected ',' or ')', found '.'"),
    ]);
}

#[test]
fn literals_and_paths_must_be_complete() {
    check_faults(&[
        (
            "States.Array(007)",
            13,
            "expected a number as JSON writes it",
        ),
        ("States.Array(-)", 13, "expected a number as JSON writes it"),
        (
            "States.Array('a)",
            13,
            "the string that begins here has no closing apostrophe",
        ),
        (
            "States.Array('a\\')",
            13,
            "the string that begins here has no closing apostrophe",
        ),
        (
            "States.Array('a\\n')",
            15,
            "expected one of ' { } \\ after a backslash, found 'n'; write \\\\ for a backslash",
        ),
        (
            "States.Array('\\\"')",
            14,
            "expected one of ' { } \\ after a backslash, found '\"'; write \\\\ for a backslash",
        ),
        (
            "States.Array($.a[?(@.b == 1)",
            16,
            "the path has no closing bracket for '['",
        ),
        (
            "States.Array($['a)",
            15,
            "the quoted text that begins here is not closed",
        ),
    ]);
}

#[test]
fn arguments_that_do_not_suit_the_function_are_told() {
    let cases = [
        (
            "States.UUID(1)",
            13,
            "States.UUID() takes no arguments, found 1",
        ),
        (
            "States.MathAdd(1)",
            16,
            "States.MathAdd(number, number) takes 2 arguments, found 1",
        ),
        (
            "States.MathAdd(1, 2, 3)",
            22,
            "States.MathAdd(number, number) takes 2 arguments, found 3",
        ),
        (
            "States.MathRandom(1)",
            19,
            "States.MathRandom(number, number, number?) takes 2 or 3 arguments, found 1",
        ),
        (
            "States.Format()",
            14,
            "States.Format(string, value…) takes at least 1 argument, found 0",
        ),
        (
            "States.MathAdd(1, '2')",
            18,
            "argument 2 of States.MathAdd(number, number) must be a number, found a string",
        ),
        (
            "States.JsonMerge($.a, null, false)",
            22,
            "argument 2 of States.JsonMerge(object, object, value) must be an object, found null",
        ),
        (
            "States.Array(States.Format('a {'))",
            27,
            "Invalid template in States.Format: matching '}' not found for '{'.",
        ),
    ];
    for (source, position, message) in cases {
        assert_eq!(
            misuses(source),
            [(position, message.to_owned())],
            "{source}"
        );
    }
    assert_eq!(misuses("States.MathAdd('1')").len(), 2);
    for source in [
        "States.Hash(1, 'MD5')",
        "States.JsonMerge($.a, $.b, 'false')",
        "States.Format($.a)",
    ] {
        assert_eq!(misuses(source), [], "{source}");
    }
}

#[test]
fn white_space_stands_around_arguments_and_at_the_end() {
    let call = parsed("States.Array(  1 ,\n'a',\t$.b , States.UUID( ) )\n ");
    assert_eq!(call.to_string(), "States.Array(1, 'a', $.b, States.UUID())");
    assert!(parsed("States.Array( )").arguments().is_empty());
}

#[test]
fn literals_have_the_value_written() {
    assert_eq!(literal("12"), json!(12));
    assert_eq!(literal("-0"), json!(0));
    assert_eq!(literal("-1.50"), json!(-1.5));
    assert_eq!(literal("2E3"), json!(2000.0));
    assert_eq!(literal("18446744073709551615"), json!(u64::MAX));
    assert_eq!(
        literal("18446744073709551616"),
        json!(18_446_744_073_709_551_616.0)
    );
    assert_eq!(literal("1e309"), json!(f64::MAX));
    assert_eq!(literal("true"), json!(true));
    assert_eq!(literal("false"), json!(false));
    assert_eq!(literal("null"), json!(null));
    assert_eq!(literal("''"), json!(""));
    assert_eq!(literal("'a, (b) \"c\" é\n'"), json!("a, (b) \"c\" é\n"));
    assert_eq!(literal(r"'\'\{\}\\'"), json!(r"'{}\"));
    assert_eq!(literal(r#"'{"a": {}}'"#), json!(r#"{"a": {}}"#));
}

#[test]
fn templates_know_their_places() {
    let template = |text: &str| match parsed(&format!("States.Format({text})")).arguments() {
        [Argument::Template(template)] => template.clone(),
        other => panic!("{text}: {other:?}"),
    };
    let parts = |head: &str, tails: &[&str]| Template {
        head: head.to_owned(),
        tails: tails.iter().map(|&tail| tail.to_owned()).collect(),
        fault: None,
    };
    assert_eq!(template("'plain'"), parts("plain", &[]));
    assert_eq!(template("'{}'"), parts("", &[""]));
    assert_eq!(template("'a{}b{}'"), parts("a", &["b", ""]));
    assert_eq!(template(r"'\{\}{}\\'"), parts("{}", &["\\"]));
    for (text, fault) in [
        ("'{'", LoneBrace::Opening),
        ("'{{}}'", LoneBrace::Opening),
        ("'{} }'", LoneBrace::Closing),
    ] {
        assert_eq!(template(text).fault, Some(fault), "{text}");
    }
}

#[test]
fn paths_are_told_from_what_follows() {
    let call = parsed("States.Array($,$.a , $['b, (c)'],$$)");
    assert_eq!(call.to_string(), "States.Array($, $.a, $['b, (c)'], $$)");
    assert!(
        call.arguments()
            .iter()
            .all(|argument| matches!(argument, Argument::Path(_)))
    );
    let (position, message) = fault("States.Array(1, $.a[x])");
    assert_eq!(position, 20);
    assert!(message.starts_with("not a path: "), "{message}");
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| format!("{}{}", "States.Array(".repeat(depth), ")".repeat(depth));
    assert_eq!(parsed(&nested(10)).depth(), 10);
    assert_eq!(
        fault(&nested(11)),
        (130, "calls are nested more than 10 deep".to_owned())
    );
    let limits = ParseLimits::default().with_max_nesting(2);
    assert!(parse(&nested(2), limits).is_ok());
    assert!(parse(&nested(3), limits).is_err());
    let greatest = ParseLimits::default().with_max_nesting(usize::MAX);
    assert!(parse(&nested(128), greatest).is_ok());
    assert!(parse(&nested(100_000), greatest).is_err());
}

#[test]
fn calls_are_measured() {
    let call = parsed("States.Array(States.Array($.a, States.UUID()), 1, States.Array($$.b), $.c)");
    assert_eq!(call.depth(), 3);
    assert_eq!(call.call_count(), 4);
    assert_eq!(
        call.paths().map(asl_path::Path::source).collect::<Vec<_>>(),
        ["$.a", "$$.b", "$.c"]
    );
}
