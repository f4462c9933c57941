//! Limits of expressions: time, nesting and memory.
use asl_jsonata::{Environment, EvaluationError, Expression, Limits};
use serde_json::{Value, json};

fn evaluate_with(source: &str, limits: Limits) -> Result<Option<Value>, EvaluationError> {
    let input = json!({"items": [1, 2, 3]});
    let expression = Expression::parse(source).unwrap();
    let mut environment = Environment::from_input(&input).with_limits(limits);
    expression.evaluate(&mut environment)
}

fn evaluate(source: &str) -> Result<Option<Value>, EvaluationError> {
    evaluate_with(source, Limits::default())
}

/// Returns the error code of an expression that fails early.
fn code_of(source: &str) -> &'static str {
    let limits = Limits::default()
        .with_max_steps(200_000)
        .with_max_memory(4 << 20);
    match evaluate_with(source, limits) {
        Ok(value) => panic!("{source} gives {value:?}"),
        Err(error) => error.code(),
    }
}

const TOO_LONG: &str = "D1012";
const TOO_DEEP: &str = "D1011";
const TOO_LARGE: &str = "D2015";

/// Measured on the service.
#[test]
fn one_value_has_a_greatest_size_in_a_state() {
    let outcome = |source: &str| {
        evaluate_with(source, Limits::states_language()).map_err(|error| error.code())
    };
    let doubled = |times: u32| {
        format!(
            "($f := function($s, $n) {{ $n = 0 ? $s : $f($s & $s, $n - 1) }}; $length($f('é', {times})))"
        )
    };
    for (source, count) in [
        ("$count([1..873782])", 873_782),
        (&*doubled(22), 4_194_304),
        ("$count($map([1..200000], function($n) { $n }))", 200_000),
    ] {
        assert_eq!(outcome(source), Ok(Some(json!(count))), "{source}");
    }
    for source in [
        "$count([1..873783])",
        "[1..873783] ~> $count()",
        "$count($append([1..500000], [1..400000]))",
        "$count([1..3].([1..300000]))",
        "$count([1, 2].$append([1..400000], [1..100000]))",
        &doubled(23),
        "$length($pad('a', 8388608))",
    ] {
        assert_eq!(outcome(source), Err(TOO_LARGE), "{source}");
    }
    assert_eq!(evaluate("$count([1..1000000])"), Ok(Some(json!(1_000_000))));
}

#[test]
fn recursion_that_does_not_end_is_too_deep() {
    for source in [
        "($f := function($n) { 1 + $f($n) }; $f(1))",
        "($f := function($n) { [$g($n)] }; $g := function($n) { {'n': $f($n)} }; $f(1))",
        "($f := function($n) { $map([$n], $f) }; $f(1))",
        "($y := function($f) { 1 + $f($f) }; $y($y))",
    ] {
        assert_eq!(code_of(source), TOO_DEEP, "{source}");
    }
}

#[test]
fn recursion_within_the_limit_ends() {
    let source = "($f := function($n) { $n = 0 ? 0 : 1 + $f($n - 1) }; $f(1000))";
    assert_eq!(evaluate(source), Ok(Some(json!(1000))));
}

#[test]
fn tail_recursion_does_not_nest() {
    let source =
        "($f := function($n, $sum) { $n = 0 ? $sum : $f($n - 1, $sum + $n) }; $f(100000, 0))";
    assert_eq!(evaluate(source), Ok(Some(json!(5_000_050_000_u64))));
}

#[test]
fn tail_recursion_that_does_not_end_takes_too_long() {
    for source in [
        "($f := function() { $f() }; $f())",
        "($even := function($n) { $odd($n + 1) }; $odd := function($n) { ($m := $n; $even($m)) }; $even(0))",
        "($f := function($n) { $n ? $f($n) : 0 }; $f(1))",
    ] {
        assert_eq!(code_of(source), TOO_LONG, "{source}");
    }
}

#[test]
fn work_is_counted_the_same_each_time() {
    let source = "$count([1..100].[1..100])";
    let steps = |steps| Limits::default().with_max_steps(steps);
    let (mut less, mut least) = (0, 100_000);
    while less + 1 < least {
        let middle = u64::midpoint(less, least);
        match evaluate_with(source, steps(middle)) {
            Ok(_) => least = middle,
            Err(_) => less = middle,
        }
    }
    assert!(least >= 10_000, "{least}");
    let error = evaluate_with(source, steps(least - 1)).unwrap_err();
    assert_eq!(
        error.message(),
        format!(
            "Expression evaluation takes too long: more than {} steps. Check for infinite loop",
            least - 1
        )
    );
}

#[test]
fn loops_in_loops_take_too_long() {
    for source in [
        "[1..3000].[1..3000].[1..3000][$ = 0]",
        "$map([1..10000], function($x) { $map([1..10000], function($y) { 1 }) })",
        "[1..10000][[1..10000] = 1]",
        "($a := [1..5000]; $a[$ in $map($a, function($x) { -$x })])",
    ] {
        let code = code_of(source);
        assert!([TOO_LONG, TOO_LARGE].contains(&code), "{source}: {code}");
    }
}

#[test]
fn text_that_doubles_is_too_large() {
    for source in [
        "$reduce([1..100], function($text, $i) { $text & $text }, 'x')",
        "($f := function($text) { $f($text & $text) }; $f('x'))",
        "$reduce([1..100], function($text, $i) { $join([$text, $text]) }, 'x')",
        "$pad('x', 1000000000)",
        "$pad('x', -1000000000)",
    ] {
        assert_eq!(code_of(source), TOO_LARGE, "{source}");
    }
}

#[test]
fn roman_numerals_of_large_numbers_are_too_large() {
    for source in ["$formatInteger(1e15, 'I')", "$formatInteger(1e308, 'I')"] {
        assert_eq!(code_of(source), TOO_LARGE, "{source}");
    }
}

#[test]
fn arrays_that_double_are_too_large() {
    for source in [
        "$reduce([1..100], function($items, $i) { [$items, $items] }, [1])",
        "$reduce([1..100], function($items, $i) { $append($items, $items) }, [1])",
    ] {
        assert_eq!(code_of(source), TOO_LARGE, "{source}");
    }
    assert_eq!(evaluate("[1..10000000]").unwrap_err().code(), TOO_LARGE);
}

#[test]
fn results_that_share_their_parts_count_each_of_them() {
    for source in [
        "$reduce([1..60], function($part, $i) { {'left': $part, 'right': $part} }, {})",
        "$string($reduce([1..60], function($part, $i) { {'left': $part, 'right': $part} }, {}))",
        "$reduce([1..60], function($part, $i) { [[$part], [$part]] }, 1) ~> |$|{}|",
        "($part := $reduce([1..60], function($part, $i) { {'left': $part, 'right': $part} }, {}); $count($part.**))",
        "($part := $reduce([1..60], function($part, $i) { {'left': $part, 'right': $part} }, {}); $part = $reduce([1..60], function($part, $i) { {'left': $part, 'right': $part} }, {}))",
    ] {
        let code = code_of(source);
        assert!([TOO_LONG, TOO_LARGE].contains(&code), "{source}: {code}");
    }
}

#[test]
fn a_range_has_its_own_limit() {
    let error = evaluate("[1..10000001]").unwrap_err();
    assert_eq!(error.code(), "D2014");
    assert_eq!(
        error.message(),
        "The size of the sequence allocated by the range operator (..) must not exceed 1e6.  Attempted to allocate 10000001."
    );
}

#[test]
fn values_that_nest_deep_are_let_go_without_nesting() {
    for source in [
        "$f := function($n, $value) { $n = 0 ? 1 : $f($n - 1, {'value': $value}) }",
        "$f := function($n, $value) { $n = 0 ? 1 : $f($n - 1, [[$value]]) }",
        "$f := function($n, $value) { $n = 0 ? 1 : $f($n - 1, function() { $value }) }",
        "$f := function($n, $value) { $n = 0 ? 1 : $f($n - 1, $f(?, $value)) }",
        "$f := function($n, $value) { $n = 0 ? 1 : $f($n - 1, $string(?, $value)) }",
        "$f := function($n, $value) { $n = 0 ? 1 : $f($n - 1, $n > 19998 ? $string : $value ~> $string) }",
        "$f := function($n, $value) { $n = 0 ? 1 : $f($n - 1, |$value|{}|) }",
    ] {
        let source = format!("({source}; $f(20000, 1))");
        assert_eq!(evaluate(&source), Ok(Some(json!(1))), "{source}");
    }
}

#[test]
fn values_that_nest_deep_are_no_result() {
    let nested = |levels: usize| {
        format!(
            "($f := function($n, $value) {{ $n = 0 ? $value : $f($n - 1, {{'value': $value}}) }}; $f({levels}, 1))"
        )
    };
    assert!(evaluate(&nested(1000)).is_ok());
    for levels in [1001, 4000, 20_000] {
        let error = evaluate(&nested(levels)).unwrap_err();
        assert_eq!(error.code(), TOO_DEEP, "{levels}");
    }
    for use_of in [
        "$string",
        "$f(0, ?) ~> $string",
        "|**|{'a': 1}|",
        "$boolean",
    ] {
        let source = nested(20_000).replace("1))", &format!("1) ~> {use_of})"));
        let code = evaluate(&source).map_or_else(|error| error.code(), |_| "none");
        assert!([TOO_DEEP, "none"].contains(&code), "{use_of}: {code}");
    }
}

#[test]
fn an_object_that_is_to_hold_itself_is_too_deep() {
    assert_eq!(code_of("$ ~> |$|{'self': $}|"), TOO_DEEP);
}

#[test]
fn limits_are_named_in_errors() {
    let limits = Limits::default()
        .with_max_steps(1000)
        .with_max_depth(10)
        .with_max_memory(1000);
    for (source, message) in [
        (
            "($f := function() { $f() }; $f())",
            "Expression evaluation takes too long: more than 1000 steps. Check for infinite loop",
        ),
        (
            "($f := function() { 1 + $f() }; $f())",
            "Expression evaluation nests too deep: more than 10 levels. Check for non-terminating recursive function.  Consider rewriting as tail-recursive",
        ),
        (
            "$pad('x', 10000)",
            "Expression evaluation makes too much data: more than 1000 bytes",
        ),
    ] {
        assert_eq!(
            evaluate_with(source, limits).unwrap_err().message(),
            message
        );
    }
}

/// The reference counts one level for each node, and none for tail calls.
#[test]
fn depth_is_counted_as_the_reference_counts_it() {
    for (source, depth) in [
        ("1", 1),
        ("1 + 1 + 1", 3),
        ("'a' & 'b' & 'c'", 3),
        ("(((1)))", 4),
        ("[[[1]]]", 4),
        ("1 ~> $string ~> $length", 3),
        (
            "($f := function($n) { $n = 0 ? 0 : 1 + $f($n - 1) }; $f(10))",
            35,
        ),
        (
            "($f := function($n) { $n = 0 ? 0 : $f($n - 1) }; $f(50))",
            5,
        ),
        (
            "($f := function($n) { $n = 0 ? [] : $append($f($n - 1), $n) }; $f(50))",
            55,
        ),
    ] {
        let limits = |depth| Limits::default().with_max_depth(depth);
        assert!(evaluate_with(source, limits(depth)).is_ok(), "{source}");
        let error = evaluate_with(source, limits(depth - 1)).unwrap_err();
        assert_eq!(error.code(), TOO_DEEP, "{source}");
    }
}

#[test]
fn data_may_nest_deeper_than_evaluation() {
    let mut input = json!(1);
    for _ in 0..500 {
        input = json!({ "n": input });
    }
    let expression = Expression::parse("$length($string($)) = 3001").unwrap();
    let mut environment = Environment::from_input(&input).with_limits(Limits::states_language());
    assert_eq!(expression.evaluate(&mut environment), Ok(Some(json!(true))));
    environment.limits.max_data_depth = 400;
    let error = expression.evaluate(&mut environment).unwrap_err();
    assert_eq!(error.code(), TOO_DEEP);
}

#[test]
fn names_that_are_looked_for_far_away_take_steps() {
    let source = "($wrapped := function($n, $f) { $n = 0 ? $f : $wrapped($n - 1, $f(?)) }; $far := 1; $map([1..1000], $wrapped(2000, function($x) { $far })))";
    let limits = |steps| Limits::default().with_max_steps(steps);
    assert!(evaluate_with(source, limits(20_000_000)).is_ok());
    let error = evaluate_with(source, limits(100_000)).unwrap_err();
    assert_eq!(error.code(), TOO_LONG);
}

#[test]
fn items_that_are_grouped_by_nothing_take_steps() {
    let source = "($items := [1..10000]; [1..1000].($items{}))";
    let limits = Limits::default().with_max_steps(1_000_000);
    assert_eq!(evaluate_with(source, limits).unwrap_err().code(), TOO_LONG);
}

/// A name is looked for among those of its block when it is bound: that counts.
#[test]
fn names_of_a_block_are_counted() {
    let binds = |count: usize| {
        let names = (0..count)
            .map(|n| format!("$v{n} := {n}; "))
            .collect::<String>();
        format!("({names} 1)")
    };
    let limits = Limits::default().with_max_steps(100_000);
    assert_eq!(evaluate_with(&binds(1_000), limits), Ok(Some(json!(1))));
    let error = evaluate_with(&binds(5_000), limits).unwrap_err();
    assert_eq!(error.code(), TOO_LONG);
}

/// Regular expressions of texts that `$eval` reads are compiled within one bound, however often it is called.
#[test]
fn regular_expressions_of_eval_are_bounded_together() {
    let source = "[0..2000].$eval('$match(\"\", /' & $ & '.{200}' & '/)')";
    let error = evaluate_with(source, Limits::default()).unwrap_err();
    assert!(
        error
            .message()
            .contains("regular expressions are too large"),
        "{error}"
    );
}
