//! Cases beyond the recordings of the reference: functions of the service, randomness, limits, and arguments at which the
//! reference itself fails.
use asl_intrinsics::random::SplitMix64;
use asl_jsonata::{Dialect, Environment, EvaluationError, Expression, Limits, Options};
use proptest::prelude::*;
use serde_json::{Value, json};

fn evaluate_in(
    dialect: Dialect,
    source: &str,
    input: &Value,
    limits: Limits,
) -> Result<Option<Value>, EvaluationError> {
    let options = Options::default().with_dialect(dialect);
    let expression = Expression::parse_with(source, &options).unwrap();
    let mut random = SplitMix64::new(0);
    let mut environment = Environment::from_input(input)
        .with_random(&mut random)
        .with_limits(limits);
    expression.evaluate(&mut environment)
}

fn outcome(dialect: Dialect, source: &str) -> String {
    match evaluate_in(dialect, source, &Value::Null, Limits::default()) {
        Ok(Some(value)) => value.to_string(),
        Ok(None) => "undefined".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn assert_outcomes(dialect: Dialect, cases: &[(&str, &str)]) {
    for (source, expected) in cases {
        assert_eq!(outcome(dialect, source), *expected, "{source}");
    }
}

#[test]
fn partition_cuts_an_array_into_chunks() {
    assert_outcomes(
        Dialect::StatesLanguage,
        &[
            ("$partition([1, 2, 3, 4, 5], 2)", "[[1,2],[3,4],[5]]"),
            ("$partition([1, 2], 5)", "[[1,2]]"),
            ("$partition([0], 1)", "[[0]]"),
            ("$partition([], 2)", "undefined"),
            ("$partition([])", "undefined"),
            ("$partition([1, 2, 3])", "[[1,2,3]]"),
            (
                "$partition(7, 2)",
                "T0412: Argument 1 of function \"partition\" must be an array of undefined",
            ),
            ("$partition([1, 2, 3], 2.9)", "[[1,2],[3]]"),
            ("$partition(missing, 2)", "undefined"),
            (
                "$partition([1], -1.5)",
                "D3137: Second argument must be zero or greater",
            ),
            ("$partition([1], 0)", "undefined"),
            ("$partition([1], -0.9)", "undefined"),
            (
                "$partition([1], 'a')",
                "T0410: Argument 2 of function \"partition\" does not match function signature",
            ),
        ],
    );
}

#[test]
fn range_goes_from_the_first_number_by_steps_as_far_as_the_last() {
    assert_outcomes(
        Dialect::StatesLanguage,
        &[
            ("$range(0, 10, 3)", "[0,3,6,9]"),
            ("$range(1, 9, 2)", "[1,3,5,7,9]"),
            ("$range(3, 1, -1)", "[3,2,1]"),
            ("$range(-3, 3, 3)", "[-3,0,3]"),
            // Recorded: the range is a sequence, so one item is that item.
            ("$range(1, 9, 9)", "1"),
            ("$range(3, 1, 1)", "undefined"),
            ("$range(1.9, 3.9, 1.5)", "[1,2,3]"),
            ("$count($range(1, 5000, 1))", "5000"),
            ("$range(1, missing, 1)", "undefined"),
            ("$range(1, 2, 0)", "undefined"),
            ("$range(1, 2, 0.9)", "undefined"),
            ("$range(1, 2)", "undefined"),
            ("$range(5, 1, -1.5)", "[5,4,3,2,1]"),
            ("$range(-1.9, 1.9, 1)", "[-1,0,1]"),
            (
                "$range(1, 1e300, 1)",
                "D3137: Argument 2 of function range must be an integer of at most 2^53",
            ),
        ],
    );
    let error = evaluate_in(
        Dialect::StatesLanguage,
        "$range(0, 9007199254740992, 1)",
        &Value::Null,
        Limits::default(),
    );
    assert_eq!(error.unwrap_err().code(), "D2015");
}

#[test]
fn hash_knows_five_algorithms() {
    assert_outcomes(
        Dialect::StatesLanguage,
        &[
            (
                "$hash('hello', 'MD5')",
                "\"5d41402abc4b2a76b9719d911017c592\"",
            ),
            (
                "$hash('hello', 'SHA-1')",
                "\"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d\"",
            ),
            (
                "$hash('hello', 'SHA-256')",
                "\"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"",
            ),
            ("$length($hash('hello', 'SHA-384'))", "96"),
            ("$length($hash('hello', 'SHA-512'))", "128"),
            (
                "$hash('hello', 'sha-1')",
                "D3137: Hash algorithm 'sha-1' must be one of SHA-1, SHA-384, SHA-256, SHA-512, MD5",
            ),
            (
                "$hash(5, 'MD5')",
                "T0410: Argument 1 of function \"hash\" does not match function signature",
            ),
        ],
    );
}

#[test]
fn a_seed_always_gives_the_same_number() {
    assert_outcomes(
        Dialect::StatesLanguage,
        &[
            // As `new Random(42).nextDouble()` in Java.
            ("$random(42)", "0.7275636800328681"),
            ("$random(42) = $random(42.5)", "true"),
            ("$random(1) = $random(2)", "false"),
            ("$random() = $random()", "false"),
            ("$random() >= 0 and $random() < 1", "true"),
        ],
    );
    assert_outcomes(
        Dialect::Jsonata,
        &[(
            "$random(42)",
            "T0410: Argument 1 of function \"random\" does not match function signature",
        )],
    );
}

#[test]
fn a_uuid_has_its_version_and_variant() {
    let form = "/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/";
    assert_outcomes(
        Dialect::StatesLanguage,
        &[
            (&format!("$contains($uuid(), {form})"), "true"),
            ("$uuid() = $uuid()", "false"),
            (
                "$uuid(1)",
                "T0410: Argument 1 of function \"uuid\" does not match function signature",
            ),
        ],
    );
}

#[test]
fn parse_reads_json() {
    let deep = format!("$parse('{}')", "[".repeat(2_000));
    assert_outcomes(
        Dialect::StatesLanguage,
        &[
            (r#"$parse('{"a": [1, "b", null, true]}').a[1]"#, "\"b\""),
            ("$parse('-0')", "0"),
            ("$parse('[1]')", "[1]"),
            ("$parse('1.5e3')", "1500"),
            ("$parse(missing)", "undefined"),
            (r#"('"x"').$parse()"#, "\"x\""),
            ("$parse('9223372036854775807')", "9223372036854775807"),
            ("$parse('9223372036854775807') + 0", "9.223372036854776e+18"),
            ("$parse('123456789012345678901')", "1.2345678901234568e+20"),
            (
                r#"$parse('{"a": {"b": 1, "b": 1}}')"#,
                "D3137: Invalid JSON",
            ),
            ("$parse('{} {}')", "D3137: Invalid JSON"),
            ("$parse('1e400')", "D3137: Invalid JSON"),
            ("$parse('[1')", "D3137: Invalid JSON"),
            (&deep, "D3137: Invalid JSON"),
        ],
    );
}

/// Recorded from the service.
#[test]
fn a_range_has_a_bound() {
    let limits = Limits::states_language();
    let range = |items: usize| {
        let source = format!("$count($range(1, {items}, 1))");
        evaluate_in(Dialect::StatesLanguage, &source, &json!(null), limits)
    };
    assert!(range(360_145).is_ok());
    assert_eq!(range(360_146).unwrap_err().code(), "D2015");
}

/// Recorded from the service, which writes whole numbers with all their digits.
#[test]
fn whole_numbers_keep_their_digits_in_text() {
    let both = [
        (
            "$string(999999999999999868928)",
            "\"999999999999999900000\"",
            "\"1e+21\"",
        ),
        (
            "$string([123456789012345678])",
            "\"[123456789012345680]\"",
            "\"[123456789012346000]\"",
        ),
        ("$string(0.1 + 0.2)", "\"0.3\"", "\"0.3\""),
        ("$string(1e22)", "\"1e+22\"", "\"1e+22\""),
        (
            "'' & -1.5e20",
            "\"-150000000000000000000\"",
            "\"-150000000000000000000\"",
        ),
    ];
    for (source, service, reference) in both {
        assert_outcomes(Dialect::StatesLanguage, &[(source, service)]);
        assert_outcomes(Dialect::Jsonata, &[(source, reference)]);
    }
    assert_outcomes(
        Dialect::StatesLanguage,
        &[(
            r#"$string($parse('{"n": 9223372036854775807}'))"#,
            r#""{\"n\":9223372036854775807}""#,
        )],
    );
}

#[test]
fn each_dialect_has_its_own_functions() {
    assert_outcomes(
        Dialect::Jsonata,
        &[
            ("$exists($parse)", "false"),
            ("$eval('1 + 1')", "2"),
            ("$parse('1')", "T1006: Attempted to invoke a non-function"),
        ],
    );
    assert_outcomes(
        Dialect::StatesLanguage,
        &[
            ("$exists($eval)", "false"),
            ("$eval('1')", "T1006: Attempted to invoke a non-function"),
        ],
    );
}

#[test]
fn a_shuffle_keeps_the_items() {
    assert_outcomes(
        Dialect::Jsonata,
        &[
            ("$sort($shuffle([1..9]))", "[1,2,3,4,5,6,7,8,9]"),
            ("$shuffle([1..9]) = [1..9]", "false"),
        ],
    );
    let without = Expression::parse("$shuffle([1, 2])").unwrap();
    let error = without.evaluate(&mut Environment::from_input(&Value::Null));
    assert_eq!(error.unwrap_err().code(), "D3000");
}

/// The reference stops with an error of JavaScript, or does not stop.
#[test]
fn arguments_that_the_reference_cannot_use_are_named() {
    let unusable = |function: &str, number: usize| {
        format!(
            "T0410: Argument {number} of function \"{function}\" does not match function signature"
        )
    };
    for (source, function, number) in [
        ("$contains('a', missing)", "contains", 2),
        ("$split('a', missing)", "split", 2),
        ("$replace('a', missing, 'b')", "replace", 2),
        ("$replace('a', /a/, missing)", "replace", 3),
        ("$formatInteger(5, missing)", "formatInteger", 2),
        ("$parseInteger('5', missing)", "parseInteger", 2),
        ("$parseInteger('5', '٠')", "parseInteger", 1),
        ("$formatNumber(5, missing)", "formatNumber", 2),
        ("$formatNumber(5, '0', {'digit': 5})", "formatNumber", 3),
        (
            "$formatNumber(5, '0', {'zero-digit': ''})",
            "formatNumber",
            3,
        ),
        ("$sift({'a': 1})", "sift", 2),
        ("$fromMillis(1e20, '[MN]')", "fromMillis", 1),
        ("$fromMillis(0, '[fN]')", "fromMillis", 2),
    ] {
        assert_eq!(
            outcome(Dialect::Jsonata, source),
            unusable(function, number),
            "{source}"
        );
    }
    assert_outcomes(
        Dialect::Jsonata,
        &[
            ("$pad('a', 3.9)", "\"a  \""),
            ("$pad('a', -3.9)", "\"  a\""),
            ("$formatNumber(0, '0.0e0')", "\"0.0e0\""),
            ("$formatNumber(-12.5, '0.00e0')", "\"-1.25e1\""),
            (
                "$formatInteger(1/0, 'A')",
                "D1001: Number out of range: null",
            ),
            (
                "$formatInteger(0/0, 'w')",
                "D1001: Number out of range: null",
            ),
        ],
    );
    // Recorded from the service: of its two faults the last one.
    assert!(outcome(Dialect::Jsonata, "$formatNumber(5, 'abc')").starts_with("D3086"));
}

/// Characters are never halved, as JavaScript halves those beyond U+FFFF.
#[test]
fn characters_are_whole() {
    assert_outcomes(
        Dialect::Jsonata,
        &[
            ("$split('a😀b', '')", r#"["a","😀","b"]"#),
            ("$replace('😀', /./, 'x')", "\"x\""),
            ("$match('😀a😀', /[^a]/).index", "[0,3]"),
            ("$match('ab', /(?:(a)|(b))+/).groups", r#"["a","b"]"#),
        ],
    );
}

#[test]
fn a_function_without_a_name_is_called_by_the_name_of_its_caller() {
    assert_outcomes(
        Dialect::Jsonata,
        &[
            (
                "$map([1], function($x)<s>{$x})",
                "T0410: Argument 1 of function \"map\" does not match function signature",
            ),
            (
                "$map([1], $uppercase)",
                "T0410: Argument 1 of function \"uppercase\" does not match function signature",
            ),
        ],
    );
}

/// Functions reject excessive work before they start it.
#[test]
fn functions_pay_before_they_work() {
    let long = "x".repeat(60_000);
    let input = json!({"long": long, "as": "a".repeat(60_000)});
    for source in [
        "$pad('', 1e12)",
        "$pad('', -1e300, 'ab')",
        "($f := function($s, $n){$n = 0 ? $s : $f($join([$s, $s]), $n - 1)}; $f(long, 20))",
        "($f := function($s, $n){$n = 0 ? $s : $f($replace($s, 'x', 'xxxx'), $n - 1)}; $f(long, 9))",
        "($f := function($s, $n){$n = 0 ? $s : $f($replace($s, /x/, 'xxxx'), $n - 1)}; $f(long, 9))",
        "($f := function($a, $n){$n = 0 ? $string($a) : $f([$a, $a], $n - 1)}; $f([1], 40))",
        "($f := function($a, $n){$n = 0 ? $count($distinct([$a, 1])) : $f([$a, $a], $n - 1)}; $f([1], 40))",
        "($f := function($a, $n){$n = 0 ? $count($clone([$a])) : $f([$a, $a], $n - 1)}; $f([1], 40))",
        "($f := function($a, $n){$n = 0 ? $count($keys([$a])) : $f([$a, $a], $n - 1)}; $f([{'a': 1}], 40))",
        "($f := function($a, $n){$n = 0 ? $count($spread([$a])) : $f([$a, $a], $n - 1)}; $f([{'a': 1}], 40))",
        "$formatInteger(1e15, 'I')",
        "$fromMillis(0, '[Y,1000000000]')",
        "$fromMillis(0, $join($map([1..2000], function($i){'[Y,100000]'})))",
        "$formatNumber(5, long)",
        "$formatNumber(5, $replace(long, 'x', '0,'))",
        "$toMillis(long, $replace(long, 'x', '[MNn]'))",
        "$match(as, /a.*b|a/)",
        "$match(as, /(?:a?){500}a{500}b/)",
        "$count($split($join([1..1000].($$.long)), ''))",
        "$sort($map([1..100000], $string))",
    ] {
        let limits = Limits::default()
            .with_max_steps(1_000_000)
            .with_max_memory(16 << 20);
        let found = evaluate_in(Dialect::Jsonata, source, &input, limits);
        let code = found.as_ref().map_err(|error| error.code());
        assert!(
            matches!(code, Err("D1012" | "D2015" | "T0410")),
            "{source}: {code:?}"
        );
    }
}

/// Calls of every function with arguments of all kinds.
fn calls() -> impl Strategy<Value = (String, Value)> {
    const NAMES: &str = "abs append assert average base64decode base64encode boolean ceil clone contains count decodeUrl decodeUrlComponent distinct each \
        encodeUrl encodeUrlComponent error exists filter floor formatBase formatInteger formatNumber fromMillis hash join keys length lookup lowercase map \
        match max merge millis min not now number pad parse parseInteger partition power random range reduce replace reverse round shuffle sift single sort \
        split spread sqrt string substring substringAfter substringBefore sum toMillis trim type uppercase uuid zip";
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let argument = prop_oneof![
        6 => "\\$\\.[abcd]",
        1 => Just("function($x, $y){$x}".to_owned()),
        1 => Just("$string".to_owned()),
        1 => Just("/(a)|[^b]+|é*/".to_owned()),
        1 => Just("missing".to_owned()),
    ];
    let text = prop_oneof![
        ".{0,12}",
        "[-#0,.;%e'$ 9A٠]{0,10}",
        "(\\[[YMDdFWwXxHhPmsfZzq][0-9NnoIwWA:t]{0,4}(,[*0-9]?(-[*0-9]?)?)?\\]|[-:T\\[\\] ]){0,6}",
        "[0-9]{4}(-[01][0-9]){0,2}(T[0-9:.]{0,9})?[Z+-]?([0-9:]{0,5})",
        "[a-z%0-9+-]{0,9}",
    ];
    let scalar = prop_oneof![
        text.prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-3_i32..2_000).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    let value = prop_oneof![
        3 => scalar.clone(),
        1 => prop::collection::vec(scalar.clone(), 0..4).prop_map(Value::from),
        1 => prop::collection::btree_map("[a-c]", scalar, 0..3).prop_map(|fields| json!(fields)),
    ];
    let input = (value.clone(), value.clone(), value.clone(), value);
    let call = (
        prop::sample::select(names),
        prop::collection::vec(argument, 0..4),
    );
    (call, input).prop_map(|((name, arguments), (a, b, c, d))| {
        let source = format!("${name}({})", arguments.join(", "));
        (source, json!({"a": a, "b": b, "c": c, "d": d}))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn every_call_ends_with_a_value_or_an_error((source, input) in calls()) {
        let limits = Limits::default().with_max_steps(100_000).with_max_memory(4 << 20);
        if let Err(error) = evaluate_in(Dialect::StatesLanguage, &source, &input, limits) {
            prop_assert!(!error.message().is_empty(), "{}", source);
        }
    }
}

proptest! {
    #[test]
    fn laws_hold(text in "[ab,é😀]{0,12}", numbers in prop::collection::vec(-50_i32..50, 0..20)) {
        let input = json!({"text": text, "numbers": numbers});
        for law in [
            "$join($split(text, ',')) = $replace(text, ',', '')",
            "$join($split(text, ','), ',') = text",
            "$join($split(text, '')) = text",
            "$replace(text, /a/, 'b') = $replace(text, 'a', 'b')",
            "$split(text, /,/) = $split(text, ',')",
            "$contains(text, /ab/) = $contains(text, 'ab')",
            "$length(text) = $count($split(text, ''))",
            "$substring(text, 0, 3) & $substring(text, 3) = text",
            "$substringBefore(text, ',') & ($contains(text, ',') ? ',' : '') & ($contains(text, ',') ? $substringAfter(text, ',') : '') = text",
            "$decodeUrlComponent($encodeUrlComponent(text)) = text",
            "$length($pad(text, 20, 'é😀')) = 20",
            "$count(numbers) = 0 or $sum(numbers) = $reduce(numbers, function($a, $b){$a + $b})",
            "$count(numbers) < 2 or $reverse($reverse(numbers)) = numbers",
            "$count($distinct(numbers)) = $count($keys($merge(numbers.{$string($): 1})))",
            "$count(numbers) < 2 or $sort(numbers) = $reverse($sort(numbers, function($a, $b){$a < $b}))",
            "$count(numbers) = 0 or $max(numbers) = $sort(numbers)[-1]",
            "$filter(numbers, function($n){$n > 0}) = numbers[$ > 0] or $count(numbers[$ > 0]) = 0",
        ] {
            let found = evaluate_in(Dialect::Jsonata, law, &input, Limits::default());
            prop_assert_eq!(found, Ok(Some(json!(true))), "{}", law);
        }
    }
}
