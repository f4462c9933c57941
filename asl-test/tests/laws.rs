//! Laws of tests: a case passes if and only if its expectations hold, and runs are repeatable.
use asl_engine::model::{Timestamp, escaped_segment};
use asl_model::generate::{self, Tape};
use asl_model::strategies::generated;
use asl_test::{Answer, Case, CaseReport, Definition, Expectations, ExpectedCalls};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A state machine that returns what its task returns.
fn charging() -> Definition {
    let text = r#"{"StartAt": "Charge", "States": {"Charge": {"Type": "Task", "Resource": "charge", "End": true}}}"#;
    Definition::parse(text).expect("it is valid")
}

fn expecting(output: &Value, expectations: Expectations) -> CaseReport {
    let answers = [Answer::returns(output.clone())];
    let case = Case::new("law", &charging()).mock("Charge", answers);
    case.expect(expectations).run()
}

/// JSON with few names and numbers, so that two values often share parts.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (0_i64..3).prop_map(Value::from),
        "[a-c/~]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::btree_map("[a-b/~]{1,2}", inner, 0..3)
                .prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

/// All pointers into a value.
fn pointers(value: &Value, outer: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                pointers(value, format!("{outer}/{}", escaped_segment(name)), found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, format!("{outer}/{index}"), found);
            }
        }
        _ => {}
    }
    found.push(outer);
}

/// Leaves out some fields of objects.
fn part(value: &Value, keeps: &mut impl FnMut() -> bool) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|_| keeps()).collect::<Vec<_>>();
            let kept = kept.into_iter();
            kept.map(|(name, value)| (name.clone(), part(value, keeps)))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => items.iter().map(|item| part(item, keeps)).collect(),
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// An expected output holds if and only if it is the output; the difference is where both differ.
    #[test]
    fn an_expected_output_is_the_output(output in json_value(), expected in json_value()) {
        let report = expecting(&output, Expectations::default().with_output(expected.clone()));
        prop_assert_eq!(report.has_passed(), output == expected);
        prop_assert!(expecting(&output, Expectations::default().with_output(output.clone())).has_passed());
        if let Some(difference) = report.differences.first() {
            let at = difference.to_string();
            let mut places = Vec::new();
            pointers(&expected, String::new(), &mut places);
            pointers(&output, String::new(), &mut places);
            let is_place = places.iter().any(|place| {
                let differs = output.pointer(place) != expected.pointer(place);
                differs && at.starts_with(&match place.as_str() {
                    "" => "output: expected".to_owned(),
                    place => format!("output: at {place} "),
                })
            });
            prop_assert!(is_place, "{at} for {expected} and {output}");
        }
    }

    /// A part of the output is contained in it; an output with other fields is not.
    #[test]
    fn a_part_of_the_output_is_contained(output in json_value(), keeps in prop::collection::vec(any::<bool>(), 1..12)) {
        let mut keeps = keeps.iter().cycle();
        let part = part(&output, &mut || keeps.next().copied().unwrap_or_default());
        let expectations = |part: &Value| Expectations::default().with_output_contains(part.clone());
        prop_assert!(expecting(&output, expectations(&part)).has_passed(), "{part} of {output}");
        let mut more = part;
        if let Some(fields) = more.as_object_mut() {
            fields.insert("a name of no output".to_owned(), json!(1));
            prop_assert!(!expecting(&output, expectations(&more)).has_passed(), "{more} of {output}");
        }
    }

    /// Each attempt of a task is one counted call, also if it fails.
    #[test]
    fn calls_are_counted(failures in 0_u64..5, expected in 0_u64..7) {
        let text = r#"{"StartAt": "Charge", "States": {"Charge": {"Type": "Task", "Resource": "charge", "End": true,
            "Retry": [{"ErrorEquals": ["Busy"], "MaxAttempts": 10}]}}}"#;
        let definition = Definition::parse(text).expect("it is valid");
        let mut answers: Vec<Answer> = (0..failures).map(|_| Answer::throws("Busy", "later")).collect();
        answers.push(Answer::returns(1));
        let calls = ExpectedCalls::new("Charge").with_times(asl_test::Bounds::from(expected));
        let case = Case::new("law", &definition).mock("Charge", answers);
        let report = case.expect(Expectations::default().with_calls(vec![calls])).run();
        prop_assert_eq!(report.has_passed(), expected == failures + 1);
    }

    /// A generated definition, with mocks for all its tasks, has one run: again, it is the same.
    #[test]
    fn runs_are_repeatable((definition, input) in generated(|tape: &mut Tape<'_>| {
        (generate::any_definition(tape), generate::input(tape))
    }), seed in any::<u64>()) {
        let definition = Definition::parse(&definition.to_string()).expect("generated definitions are valid");
        let run = || {
            let handlers = asl_engine::runtime::value_fn(|payload| async move { Ok(json!({"items": [payload]})) });
            let case = Case::new("law", &definition)
                .input(input.clone())
                .seed(seed)
                .start_time(Timestamp::from_milliseconds(1_700_000_000_000))
                .max_transitions(300)
                .handlers(handlers);
            case.run().run.map(|run| (run.outcome.clone(), run.visits.len(), run.stop_date, run.transitions))
        };
        let first = run();
        prop_assert!(first.is_some(), "the case did not run");
        prop_assert_eq!(run(), first);
    }
}
