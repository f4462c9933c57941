//! Hostile texts and documents: clean errors, on the stack of a worker thread, without optimisation.
use asl_path::{JsonPath, ParseLimits, ReferencePath, json};
use serde_json::Value;

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
    json::parse(&text, json::DEFAULT_MAX_DEPTH).unwrap()
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
        let limits = ParseLimits { max_nesting };
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
        let levels = json::DEFAULT_MAX_DEPTH;
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
        let document = deep("{\"a\":", "}", json::DEFAULT_MAX_DEPTH);
        let path = JsonPath::parse("$[*]").unwrap();
        let value = path.evaluate(&document).unwrap().into_owned();
        assert_eq!(
            json::depth_within(&value, json::DEFAULT_MAX_DEPTH),
            Some(json::DEFAULT_MAX_DEPTH)
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
