//! Hostile texts and documents: clean errors, on the stack of a worker thread, without optimisation.
use asl_path::{EvaluationLimits, JsonPath, ParseLimits, ReferencePath, json as asl_json};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};

fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

fn deep(open: &str, close: &str, levels: usize) -> Value {
    let text = open.repeat(levels) + "1" + &close.repeat(levels);
    asl_json::parse(&text, asl_json::DEFAULT_MAX_DEPTH).unwrap()
}

#[test]
fn a_hundred_thousand_levels_of_anything_are_an_error() {
    on_small_stack(|| {
        let levels = 100_000;
        for (before, open) in [
            ("$[?(", "("),
            ("$[?(", "!"),
            ("$[?(", "!("),
            ("$", "[?(@"),
            ("$", "[?($"),
            ("$[?(@ == ", "["),
            ("$[?(@ == ", "{a:"),
            ("$", ".a($"),
            ("$.a(", "["),
            ("$.a(", "{\"a\":"),
            ("$", "["),
            ("$", ".["),
        ] {
            let open_only = before.to_owned() + &open.repeat(levels);
            let error = JsonPath::parse(&open_only).unwrap_err();
            assert!(
                error.position() <= open_only.len(),
                "{before}{open}…: {error}"
            );
        }
        let nested = format!("$[?({}@{})]", "(".repeat(levels), ")".repeat(levels));
        let error = JsonPath::parse(&nested).unwrap_err();
        assert_eq!(
            error.to_string(),
            "nested deeper than the limit of 64 at offset 68"
        );
    });
}

#[test]
fn the_limit_is_exact_and_a_parameter() {
    let nested = |levels: usize| format!("$[?{}@{}]", "(".repeat(levels), ")".repeat(levels));
    for max_nesting in [1, 64, 100] {
        let limits = ParseLimits::default().with_max_nesting(max_nesting);
        assert!(JsonPath::parse_with(&nested(max_nesting), limits).is_ok());
        assert!(JsonPath::parse_with(&nested(max_nesting + 1), limits).is_err());
    }
}

#[test]
fn the_deepest_path_allowed_is_evaluated() {
    on_small_stack(|| {
        let document = deep("[", "]", 100);
        for (open, close) in [
            ("[?(@", ")]"),
            ("[?(!(@", "))]"),
            ("[?(@.a == 1 || @", ")]"),
        ] {
            let levels = if open.contains("!(") { 21 } else { 63 };
            let path =
                JsonPath::parse(&format!("${}{}", open.repeat(levels), close.repeat(levels)))
                    .unwrap();
            path.evaluate(&document).unwrap();
        }
        let calls = JsonPath::parse(&format!("${}", ".append(1)".repeat(60))).unwrap();
        assert_eq!(
            calls
                .evaluate(&serde_json::json!([]))
                .unwrap()
                .as_array()
                .unwrap()
                .len(),
            60
        );
        assert!(JsonPath::parse(&format!("${}", ".append(1)".repeat(100_000))).is_err());
    });
}

#[test]
fn deep_documents_are_searched() {
    on_small_stack(|| {
        let levels = asl_json::DEFAULT_MAX_DEPTH;
        for (open, close, step) in [("[", "]", "[0]"), ("{\"a\":", "}", ".a")] {
            let document = deep(open, close, levels);
            let end = JsonPath::parse(&format!("${}", step.repeat(levels))).unwrap();
            assert_eq!(*end.evaluate(&document).unwrap(), 1);
            let all = JsonPath::parse("$..*").unwrap();
            assert_eq!(all.query(&document).unwrap().len(), levels);
            let children = JsonPath::parse(&format!("${}", ".*".repeat(levels))).unwrap();
            assert_eq!(
                *children.evaluate(&document).unwrap(),
                serde_json::json!([1])
            );
            let filtered = JsonPath::parse("$..[?(@..a || @[0] == 1)]").unwrap();
            assert!(filtered.query(&document).is_ok());
        }
    });
}

#[test]
fn a_deep_result_is_copied() {
    on_small_stack(|| {
        let document = deep("{\"a\":", "}", asl_json::DEFAULT_MAX_DEPTH);
        let path = JsonPath::parse("$[*]").unwrap();
        let value = path.evaluate(&document).unwrap().into_owned();
        assert_eq!(
            asl_json::depth_within(&value, asl_json::DEFAULT_MAX_DEPTH),
            Some(asl_json::DEFAULT_MAX_DEPTH)
        );
    });
}

#[test]
fn long_paths_are_no_deep_paths() {
    on_small_stack(|| {
        let fields = 100_000;
        let path = ReferencePath::parse(&format!("${}", ".a".repeat(fields))).unwrap();
        assert_eq!(path.steps().len(), fields);
        assert_eq!(path.get(&serde_json::json!({"a": {}})), None);
        let filters = JsonPath::parse(&format!("$.a{}", "[?(@.b)]".repeat(10_000))).unwrap();
        let document = serde_json::json!({"a": {"b": 1}});
        assert_eq!(
            *filters.evaluate(&document).unwrap(),
            serde_json::json!([{"b": 1}])
        );
        let terms = JsonPath::parse(&format!("$.a[?(@.b{})]", " && @.b".repeat(10_000))).unwrap();
        assert_eq!(
            *terms.evaluate(&document).unwrap(),
            serde_json::json!([{"b": 1}])
        );
    });
}

/// The evaluation ends for the reason given, whatever the limits, and long before it would take what it requests.
fn ends_at_a_limit(path: &str, document: &Value, reason: &str) {
    let limits = EvaluationLimits::default()
        .with_max_steps(200_000)
        .with_max_memory(4 << 20);
    let began = Instant::now();
    let error = JsonPath::parse(path)
        .unwrap()
        .evaluate_with(document, limits)
        .unwrap_err();
    assert!(error.is_limit(), "{path}: {error}");
    assert!(error.to_string().contains(reason), "{path}: {error}");
    assert!(began.elapsed() < Duration::from_secs(5), "{path}");
}

#[test]
fn what_multiplies_nodes_ends_at_a_limit() {
    let nested = deep("[", "]", 900);
    let wide = deep("{\"a\":", "}", 900);
    for (path, document) in [
        ("$..*..*", &nested),
        ("$..[*]..[*]..[*]", &nested),
        ("$..*", &wide),
        ("$..[0]..[0]", &nested),
        ("$.length($..*..*)", &nested),
        ("$.append($..*..*)", &nested),
        ("$[?(@ in $..*..*)]", &nested),
    ] {
        ends_at_a_limit(path, document, "the evaluation ");
    }
    for pieces in ["[0,0]", "[0,0,0,0]"] {
        let path = format!("${}", pieces.repeat(30));
        ends_at_a_limit(&path, &deep("[", "]", 40), "the evaluation ");
    }
}

#[test]
fn filters_within_filters_end_at_a_limit() {
    let nested = deep("[", "]", 900);
    for path in [
        "$..[?(@..[?(@..zz)])]",
        "$..[?(@..[?(@..[?(@..[?(@..zz)])])])]",
        "$..[?(!(@..[?(@..zz)]))]",
        "$..[?(@..* == $..*)]",
        "$..[?(@..* anyof $..*)]",
    ] {
        ends_at_a_limit(path, &nested, "the evaluation ");
    }
}

/// Long texts, values that are compared deeply, and faults that show what they are about.
#[test]
fn what_is_read_again_and_again_ends_at_a_limit() {
    let text = "x".repeat(250_000);
    let again = |filter: &str| format!("$[{}][?({filter})]", vec!["0"; 2_000].join(","));
    for (filter, item) in [
        ("@ == $[1]", json!(text)),
        ("@ =~ /x*y/", json!(text)),
        ("@ contains 'y'", json!(text)),
        ("@ size 1", json!(text)),
        ("@ == $[1]", json!(vec![1; 10_000])),
        ("2 in @", json!(vec![1; 10_000])),
        ("@ subsetof [2]", json!(vec![vec![1; 10_000]])),
        ("@.sum() == 1", json!(vec![1; 10_000])),
        ("@[0,1] == 1", json!({"a": text})),
    ] {
        ends_at_a_limit(&again(filter), &json!([[item], item]), "the evaluation ");
    }
    let names = vec!["'a'"; 20].join(",");
    let path = format!("$[{}][{names}]", vec!["0"; 2_000].join(","));
    ends_at_a_limit(&path, &json!([{"a": text}]), "too much data");
}

#[test]
fn limits_on_evaluations_hold_for_finding_too() {
    let nested = deep("[", "]", 900);
    let limits = EvaluationLimits::default().with_max_steps(200_000);
    let path = JsonPath::parse("$..*..*").unwrap();
    assert!(
        path.finds(&nested, limits, &Cell::new(0))
            .unwrap_err()
            .is_limit()
    );
    assert!(path.query(&nested).is_ok(), "within the usual limits");
    let plain = JsonPath::parse("$[0][0]").unwrap();
    let none = EvaluationLimits::default()
        .with_max_steps(0)
        .with_max_memory(0);
    assert_eq!(plain.finds(&nested, none, &Cell::new(0)), Ok(true));
    assert!(
        plain.evaluate_with(&nested, none).is_ok(),
        "it makes nothing"
    );
}

/// Matching pays for the size of the pattern as for that of the text.
#[test]
fn a_large_pattern_costs_more_steps_than_a_small_one() {
    let document = json!(["a".repeat(10_000)]);
    let limits = EvaluationLimits::default().with_max_steps(10_000);
    let evaluate = |pattern: &str| {
        let path = JsonPath::parse(&format!("$[?(@ =~ /{pattern}/)]")).unwrap();
        path.evaluate_with(&document, limits)
            .map(|found| found.into_owned())
    };
    assert_eq!(evaluate("a*").as_ref(), Ok(&document));
    assert!(evaluate("(a|b){100}a*c{500}").unwrap_err().is_limit());
}
