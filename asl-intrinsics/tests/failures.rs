//! Errors of failed calls.
mod common;

use asl_intrinsics::random::SplitMix64;
use asl_intrinsics::{EvaluationLimits, Function, Intrinsic, ParseLimits};
use common::{Documents, call, called, evaluate, evaluate_with};
use serde_json::{Value, json};

fn detail(source: &str, input: Value) -> String {
    evaluate(source, input)
        .expect_err(source)
        .detail()
        .to_owned()
}

#[test]
fn unsuitable_arguments_are_named() {
    let cases = [
        (
            "States.ArrayLength($.a)",
            "States.ArrayLength: argument 1 must be an array, found a number",
        ),
        (
            "States.ArrayGetItem($.l, 3)",
            "States.ArrayGetItem: the index 3 is outside the array, which has 3 items",
        ),
        (
            "States.ArrayGetItem($.l, -1)",
            "States.ArrayGetItem: the index -1 is outside the array, which has 3 items",
        ),
        (
            "States.ArrayGetItem($.l, $.s)",
            "States.ArrayGetItem: argument 2 must be a number, found a string",
        ),
        (
            "States.ArrayPartition($.l, 0)",
            "States.ArrayPartition: the chunk size must be at least 1, found 0",
        ),
        (
            "States.ArrayPartition($.l, 0.4)",
            "States.ArrayPartition: the chunk size must be at least 1, found 0",
        ),
        (
            "States.ArrayRange(1, 2, 0)",
            "States.ArrayRange: the step must not be 0",
        ),
        (
            "States.ArrayRange(1, 1001, 1)",
            "States.ArrayRange: the range must have at most 1000 items, found 1001",
        ),
        (
            "States.MathAdd(1)",
            "States.MathAdd: their number does not suit",
        ),
        (
            "States.MathAdd(2147483647, 1)",
            "States.MathAdd: the sum must be between -2147483648 and 2147483647, found 2147483648",
        ),
        (
            "States.ArrayPartition($.l, 0.9)",
            "States.ArrayPartition: the chunk size must be at least 1, found 0",
        ),
        (
            "States.ArrayRange(1, 1e30, 1)",
            "States.ArrayRange: argument 2 must fit 64 bits, found 1e+30",
        ),
        (
            "States.Format('{} {}', 1)",
            "States.Format: the template has 2 {}, but 1 value follows it",
        ),
        (
            "States.Format($.l)",
            "States.Format: argument 1 must be a string, found an array",
        ),
        (
            "States.Hash('', 'md5')",
            "States.Hash: the algorithm must be MD5, SHA-1, SHA-256, SHA-384 or SHA-512, found 'md5'",
        ),
        (
            "States.JsonMerge($.l, $, false)",
            "States.JsonMerge: argument 1 must be an object, found an array",
        ),
        (
            "States.JsonMerge($, $, true)",
            "States.JsonMerge: argument 3 must be false, since deep merging is not supported",
        ),
        (
            "States.MathAdd($.a, 2147483648)",
            "States.MathAdd: argument 2 must be between -2147483648 and 2147483647",
        ),
        (
            "States.Hash($.n, 'MD5')",
            "States.Hash: argument 1 must not be null",
        ),
        (
            "States.MathRandom(2, 2)",
            "States.MathRandom: the start must be below the end, found 2 and 2",
        ),
        (
            "States.StringSplit($.n, ',')",
            "States.StringSplit: argument 1 must be a string, found null",
        ),
    ];
    for (source, expected) in cases {
        let found = detail(
            source,
            json!({"a": 1, "l": [1, 2, 3], "s": "text", "n": null}),
        );
        assert_eq!(
            found,
            format!("Invalid arguments in {expected}"),
            "{source}"
        );
    }
}

/// Recorded from the service.
#[test]
fn text_that_is_no_json_is_told_in_words_of_jackson() {
    assert_eq!(
        detail("States.StringToJson('{a}')", json!({})),
        "Cannot convert String to Json in States.StringToJson, caused by: Unexpected character ('a' (code 97)): was \
         expecting double-quote to start field name\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` \
         disabled); line: 1, column: 2]"
    );
    // What Jackson takes for one value.
    assert_eq!(
        detail("States.StringToJson('[] []')", json!({})),
        "Invalid arguments in States.StringToJson: the string is not JSON: expected the end of the text, found '[' at line \
         1 column 4"
    );
}

/// Recorded from the service.
#[test]
fn the_service_says_which_call_and_which_function() {
    let said = |source: &str| {
        evaluate(source, json!({"a": 1}))
            .expect_err(source)
            .service_text()
    };
    let began = "There was an error while evaluating the intrinsic function:";
    assert_eq!(
        said("States.Format('{}',States.ArrayLength($.a))"),
        format!(
            "{began} States.Format('{{}}',States.ArrayLength($.a)). Invalid arguments in States.ArrayLength"
        )
    );
    assert_eq!(
        said("States.Format('{')"),
        format!(
            "{began} States.Format('{{'). Invalid template in States.Format: matching '}}' not found for '{{'."
        )
    );
    let missing =
        "The JsonPath argument for the field '$.b' could not be found in the input '{\"a\":1}'";
    assert_eq!(
        said("States.Hash($.b, 1)"),
        format!("The function 'States.Hash($.b, 1)' had the following error: {missing}")
    );
    // All arguments are worked out before the function looks at the first.
    assert_eq!(
        said("States.MathAdd('a', $.b)"),
        format!("The function 'States.MathAdd('a', $.b)' had the following error: {missing}")
    );
    assert_eq!(
        said("States.Array($$.b)"),
        format!("The function 'States.Array($$.b)' had the following error: {missing}")
    );
    assert_eq!(
        said("States.Array($.a[0])"),
        "The function 'States.Array($.a[0])' had the following error: Filter: [0] can only be applied to arrays. Current \
         context is: 1"
    );
}
#[test]
fn errors_name_the_call_and_the_function_that_failed() {
    let source = "States.Format('{}', States.ArrayLength($.a))";
    let error = evaluate(source, json!({"a": 1})).expect_err("no array");
    assert_eq!(error.function(), Function::ArrayLength);
    assert!(!error.is_path_failure());
    assert_eq!(
        error.to_string(),
        format!(
            "The function '{source}' had the following error: Invalid arguments in States.ArrayLength: argument 1 must \
             be an array, found a number"
        )
    );
}

#[test]
fn a_path_without_value_is_told_apart() {
    let error = evaluate("States.Array(1, $.b)", json!({"a": 1})).expect_err("no b");
    assert!(error.is_path_failure());
    assert!(error.query_error().is_some());
    assert_eq!(error.function(), Function::Array);
    assert_eq!(
        error.to_string(),
        "The function 'States.Array(1, $.b)' had the following error: The JsonPath argument for the field '$.b' could \
         not be found in the input '{\"a\":1}'"
    );
}

#[test]
fn paths_reach_input_and_context() {
    let call = Intrinsic::parse("States.Array($.a, $$.b, $)").expect("a call");
    let documents = Documents {
        input: json!({"a": 1}),
        context: json!({"b": 2}),
    };
    assert_eq!(
        call.evaluate(&documents, &mut SplitMix64::new(0)),
        Ok(json!([1, 2, {"a": 1}]))
    );
}

#[test]
fn lengths_are_limited_in_characters() {
    for function in ["Base64Encode", "Base64Decode"] {
        assert!(call(function, &[json!("YWFh".repeat(2_500))]).is_ok());
        assert!(call(function, &[json!("YWFh".repeat(2_501))]).is_err());
    }
    assert!(call("Base64Encode", &[json!("é".repeat(10_000))]).is_ok());
    assert!(call("Base64Encode", &[json!("é".repeat(10_001))]).is_err());
    // Two UTF-16 code units each.
    assert!(call("Hash", &[json!("😀".repeat(5_000)), json!("MD5")]).is_ok());
    assert!(call("Hash", &[json!("😀".repeat(5_001)), json!("MD5")]).is_err());
    assert_eq!(
        called(
            "ArrayLength",
            &[called("ArrayRange", &[json!(1), json!(1000), json!(1)])]
        ),
        json!(1000)
    );
}

#[test]
fn limits_are_parameters() {
    let limits = EvaluationLimits::default()
        .with_max_characters(3)
        .with_max_range_items(2)
        .with_max_depth(2);
    let within = |source: &str, input: Value| evaluate_with(source, input, limits).is_ok();
    assert!(within("States.Hash('abc', 'MD5')", json!({})));
    assert!(!within("States.Hash('abcd', 'MD5')", json!({})));
    assert!(within("States.ArrayRange(1, 2, 1)", json!({})));
    assert!(!within("States.ArrayRange(1, 3, 1)", json!({})));
    for source in ["States.Format('{}', $)", "States.JsonToString($)"] {
        assert!(within(source, json!([[1]])), "{source}");
        assert!(!within(source, json!([[[1]]])), "{source}");
    }
    assert!(within("States.StringToJson('[[1]]')", json!({})));
    assert!(!within("States.StringToJson('[[[1]]]')", json!({})));
}

/// Unoptimised code needs more stack for a thousand levels than a test has.
#[test]
fn deep_values_are_refused_by_default() -> std::io::Result<()> {
    const STACK: usize = 16 << 20;
    let test = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(call("StringToJson", &[json!(deep(1_001))]).is_err());
        assert!(call("StringToJson", &[json!("[".repeat(1_000_000))]).is_err());
        let deepest = called("StringToJson", &[json!(deep(1_000))]);
        assert_eq!(
            called("JsonToString", std::slice::from_ref(&deepest)),
            json!(deep(1_000))
        );
        assert_eq!(
            called("Format", &[json!("{}"), deepest.clone()]),
            json!(deep(1_000))
        );
        assert!(call("JsonToString", &[json!([deepest])]).is_err());
        assert!(call("Format", &[json!("{}"), json!([deepest])]).is_err());
    })?;
    assert!(test.join().is_ok());
    Ok(())
}

#[test]
fn the_deepest_call_is_evaluated() {
    let depth = ParseLimits::GREATEST_NESTING - 1;
    let source = format!(
        "States.ArrayLength({}{})",
        "States.Array(".repeat(depth),
        ")".repeat(depth)
    );
    let limits = ParseLimits::default().with_max_nesting(usize::MAX);
    let call = Intrinsic::parse_with(&source, limits).expect("a call");
    let documents = Documents {
        input: json!(null),
        context: json!(null),
    };
    assert_eq!(call.depth(), ParseLimits::GREATEST_NESTING);
    assert_eq!(
        call.evaluate(&documents, &mut SplitMix64::new(0)),
        Ok(json!(1))
    );
}

#[test]
fn seeds_repeat_and_differ() {
    let drawn = |seed: i64| called("MathRandom", &[json!(0), json!(1_000_000), json!(seed)]);
    assert_eq!(drawn(7), drawn(7));
    assert_ne!(drawn(7), drawn(8));
    assert_eq!(
        called("MathRandom", &[json!(0), json!(10), json!(42.4)]),
        json!(0)
    );
}

/// A call counts its result before it creates it: the first copy over the limit ends the call.
#[test]
fn what_a_call_makes_is_bounded() {
    let input = json!({"text": "x".repeat(10_000), "items": [[1, 2], {"a": null}], "json": "[[],[],[],[]]"});
    let evaluate = |text: &str, max_memory| {
        let limits = EvaluationLimits::default().with_max_memory(max_memory);
        evaluate_with(text, input.clone(), limits)
    };
    let many = |name: &str| format!("States.{name}({})", vec!["$.text"; 100].join(", "));
    let format = format!(
        "States.Format('{}', {})",
        "{}".repeat(100),
        vec!["$.text"; 100].join(", ")
    );
    for text in [many("Array"), format] {
        assert!(evaluate(&text, 2_000_000).is_ok());
        assert!(evaluate(&text, 100_000).unwrap_err().is_limit());
    }
    for (text, needed) in [
        ("States.Array($.items)", 700),
        ("States.ArrayPartition($.items, 1)", 850),
        ("States.ArrayUnique($.items)", 600),
        ("States.ArrayRange(1, 100, 1)", 8_200),
        ("States.StringToJson($.json)", 850),
        ("States.StringSplit($.json, ',')", 500),
        ("States.JsonToString($.items)", 180),
        ("States.JsonMerge($.items[1], $.items[1], false)", 500),
        ("States.Base64Encode($.text)", 20_200),
        ("States.Array($..*)", 16_000),
    ] {
        assert!(
            evaluate(text, needed).is_ok(),
            "{text}: {:?}",
            evaluate(text, needed)
        );
        let error = evaluate(text, needed / 2).expect_err(text);
        assert!(error.is_limit(), "{text}: {error}");
        let said = format!("it makes too much data: more than {} bytes", needed / 2);
        assert!(
            error.is_path_failure() || error.detail() == said,
            "{text}: {error}"
        );
    }
}
