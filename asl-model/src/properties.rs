//! Laws of reading and printing whole definitions.
use crate::strategies::{broken_definition, definition};
use crate::text::read_as_yaml;
use crate::{Options, Placeholders, Severity, SourceMap, parse, parse_value, validate};
use proptest::prelude::*;
use serde_json::Value;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn generated_definitions_are_accepted(definition in definition()) {
        let found = parse_value(&definition, Options::default());
        prop_assert!(found.is_ok(), "{} in {definition}", found.unwrap_err());
    }

    #[test]
    fn printing_then_reading_is_identity(definition in definition()) {
        let (machine, _) = parse_value(&definition, Options::default()).unwrap();
        let printed = machine.to_json();
        let (again, _) = parse_value(&printed, Options::default()).unwrap();
        prop_assert_eq!(&again, &machine);
        prop_assert_eq!(again.to_json().to_string(), printed.to_string());
    }

    #[test]
    fn text_reads_as_its_value(definition in definition(), pretty in any::<bool>()) {
        let text = if pretty { format!("{definition:#}") } else { definition.to_string() };
        let from_text = parse(&text, Options::default()).unwrap();
        prop_assert_eq!(from_text, parse_value(&definition, Options::default()).unwrap());
    }

    #[test]
    fn json_is_yaml(definition in definition()) {
        let text = format!("{definition:#}");
        prop_assert_eq!(read_as_yaml(&text), Some(definition));
    }

    #[test]
    fn a_refusal_has_a_reason_with_a_place(definition in broken_definition()) {
        let text = format!("{definition:#}");
        let map = SourceMap::new(&text);
        let (accepted, diagnostics) = match parse_value(&definition, Options::default()) {
            Ok((_, diagnostics)) => (true, diagnostics),
            Err(diagnostics) => (false, diagnostics),
        };
        prop_assert_eq!(accepted, !diagnostics.iter().any(|d| d.severity == Severity::Error));
        let mut last = (1, 1);
        for diagnostic in diagnostics.iter() {
            let position = map.place_of(diagnostic).unwrap();
            let here = (position.line, position.column);
            prop_assert!(last <= here, "{diagnostic} is out of order");
            last = here;
        }
    }

    #[test]
    fn no_value_panics(value in broken_definition()) {
        let _ = parse_value(&value, Options::default());
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,60}", brace in any::<bool>()) {
        let text = if brace { format!("{{{text}") } else { text };
        validate(&text, Options::default());
        SourceMap::new(&text);
    }

    #[test]
    fn no_damaged_text_panics(
        definition in definition(),
        place in any::<prop::sample::Index>(),
        with in "[\\[\\]{}\",:\\\\&*!%0-9a-z\n-]{0,3}",
        yaml in any::<bool>(),
    ) {
        let mut text = format!("{}{definition:#}", if yaml { "# YAML\n" } else { "" });
        let boundaries: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
        text.insert_str(boundaries[place.index(boundaries.len())], &with);
        let found = validate(&text, Options::default());
        let (map, whole) = (SourceMap::of_diagnostics(&text, &found), SourceMap::new(&text));
        for diagnostic in found.iter() {
            prop_assert_eq!(map.place_of(diagnostic), whole.place_of(diagnostic), "{}", diagnostic);
        }
    }
}

/// Runs on a stack of 2 MiB, as threads have by default.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run);
    thread.unwrap().join().unwrap();
}

#[test]
fn nesting_beyond_the_limit_is_a_fault_of_the_text() {
    on_a_small_stack(|| {
        for (open, close) in [("{\"a\":", "}"), ("{\"a\":[", "]}")] {
            let text = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
            let found = validate(&text, Options::default());
            assert_eq!(found.len(), 1);
            let message = found.to_string();
            assert!(
                message.contains("nested deeper than the limit of 1000 levels at line 1"),
                "{message}"
            );
        }
        for text in [
            "- ".repeat(20_000),
            "[".repeat(100_000),
            "[{a: ".repeat(100_000),
        ] {
            let found = validate(&text, Options::default()).to_string();
            assert!(found.starts_with("INVALID_JSON_DESCRIPTION: "), "{found}");
        }
    });
}

#[test]
fn a_value_beyond_the_limit_is_a_fault() {
    let mut value = Value::Null;
    for _ in 0..1_001 {
        value = Value::Array(vec![value]);
    }
    let found = parse_value(&value, Options::default()).unwrap_err();
    assert_eq!(
        found.to_string(),
        "INVALID_JSON_DESCRIPTION: nested deeper than the limit of 1000 levels at /"
    );
}

#[test]
fn nesting_within_the_limits_fits_the_stack() {
    on_a_small_stack(|| {
        let nested = |open: &str, inner: &str, close: &str, times: usize| {
            format!("{}{inner}{}", open.repeat(times), close.repeat(times))
        };
        let machine = |state: &str| {
            format!(
                "{{\"StartAt\": \"A\", \"States\": {{\"A\": {state}, \"B\": {{\"Type\": \"Succeed\"}}}}}}"
            )
        };
        let rule = nested(
            "{\"Not\":",
            "{\"Variable\":\"$.a\",\"IsNull\":true}",
            "}",
            990,
        );
        let rule = format!("{{\"And\": [{rule}], \"Next\": \"B\"}}");
        let choice = machine(&format!("{{\"Type\": \"Choice\", \"Choices\": [{rule}]}}"));
        let template = nested("{\"a\":", "{\"b.$\": \"$.b\"}", "}", 990);
        let template = machine(&format!(
            "{{\"Type\": \"Pass\", \"Parameters\": {template}, \"Next\": \"B\"}}"
        ));
        let output = nested("{\"a\":", "[\"{% $states.input %}\"]", "}", 990);
        let jsonata = machine(&format!(
            "{{\"Type\": \"Pass\", \"QueryLanguage\": \"JSONata\", \"Output\": {output}, \"Assign\": {{\"x\": {output}}}, \"Next\": \"B\"}}"
        ));
        let mut scope =
            "{\"StartAt\": \"S\", \"States\": {\"S\": {\"Type\": \"Succeed\"}}}".to_owned();
        for level in 1..100 {
            scope = format!(
                "{{\"StartAt\": \"S{level}\", \"States\": {{\"S{level}\": {{\"Type\": \"Parallel\", \"Branches\": [{scope}], \"End\": true}}}}}}"
            );
        }
        for text in [choice, template, jsonata, scope] {
            let (machine, _) = parse(&text, Options::default()).unwrap();
            let copy = machine.clone();
            assert_eq!(machine, copy);
            let printed = machine.to_json();
            assert_eq!(parse_value(&printed, Options::default()).unwrap().0, copy);
            machine.variable_references();
            let to_be_run = Options::default().with_placeholders(Placeholders::Left);
            assert!(parse(&text, to_be_run).is_ok());
        }
    });
}

#[test]
fn long_ways_to_many_faults_are_cut_short() {
    let faults = vec!["{\"a.$\": 1}"; 10_000].join(",");
    let text = format!(
        "{{\"StartAt\": \"A\", \"States\": {{\"A\": {{\"Type\": \"Pass\", \"Parameters\": {{\"{}\": [{faults}]}}, \"End\": true}}}}}}",
        "x".repeat(100_000)
    );
    let found = validate(&text, Options::default());
    assert!(found.has_errors());
    assert!(found.len() < 1_000, "{}", found.len());
    let first = found.iter().next().unwrap();
    assert_eq!(first.message, "too many problems to list");
}

#[test]
fn long_ways_to_many_variables_are_cut_short() {
    let references = vec!["\"{% $y %}\""; 10_000].join(",");
    let name = "x".repeat(100_000);
    let text = format!(
        "{{\"QueryLanguage\": \"JSONata\", \"StartAt\": \"A\", \"States\": {{\"A\": {{\"Type\": \"Pass\", \"Output\": {{\"{name}\": [{references}]}}, \"End\": true}}}}}}"
    );
    let started = std::time::Instant::now();
    let found = validate(&text, Options::default());
    assert_eq!(found.len(), 1);
    assert!(!found.has_errors());
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn what_is_said_of_one_string_is_in_the_order_of_the_string() {
    let text = r#"{"QueryLanguage": "JSONata", "StartAt": "A", "States": {
        "A": {"Type": "Pass", "Output": "{% $nowhere + $later %}", "Next": "B"},
        "B": {"Type": "Pass", "Assign": {"later": 1}, "Next": "A"}}}"#;
    let found = validate(text, Options::default());
    let messages = found.iter().map(|found| found.message.as_str());
    let messages: Vec<&str> = messages
        .filter(|text| text.starts_with("Variable"))
        .collect();
    let undefined = |name: &str| format!("Variable '{name}' is possibly not defined.");
    assert_eq!(messages, ["nowhere", "later"].map(undefined));
}

/// Each state assigns a variable of its own and reads the one before.
#[test]
fn time_grows_with_the_variables() {
    let states: Vec<String> = (1..=10_000)
        .map(|n| {
            format!(
                "\"S{n}\":{{\"Type\":\"Pass\",\"InputPath\":\"$v{}\",\"Assign\":{{\"v{n}\":1}},\"Next\":\"S{}\"}}",
                n - 1,
                n % 10_000 + 1
            )
        })
        .collect();
    let text = format!("{{\"StartAt\":\"S1\",\"States\":{{{}}}}}", states.join(","));
    let started = std::time::Instant::now();
    let found = validate(&text, Options::default());
    let warnings: Vec<String> = found
        .iter()
        .filter(|found| found.severity == Severity::Warning)
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        warnings,
        [
            "POSSIBLY_UNDEFINED_VARIABLE: Variable 'v0' is possibly not defined. at /States/S1/InputPath",
            "UNUSED_VARIABLE: the variable 'v10000' is never used at /States/S10000/Assign/v10000",
        ]
    );
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn time_grows_with_the_text() {
    // Ten thousand faults in one line, and as many states: quadratic work would take minutes.
    let states: Vec<String> = (0..10_000)
        .map(|n| {
            format!(
                "\"S{n}\":{{\"Type\":\"Pass\",\"Foo\":1,\"Next\":\"S{}\"}}",
                n + 2
            )
        })
        .collect();
    let text = format!("{{\"StartAt\":\"S0\",\"States\":{{{}}}}}", states.join(","));
    let started = std::time::Instant::now();
    let found = validate(&text, Options::default());
    let map = SourceMap::new(&text);
    let located = found
        .iter()
        .filter_map(|d| map.locate(d.location.pointer()))
        .count();
    assert!(located > 10_000);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
