use super::shape::Shape;
use asl_path::{ReferencePath, Step};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Returns true if a value is among those of a shape.
fn holds(shape: &Shape, value: &Value) -> bool {
    shape.join(&Shape::of_value(value)) == *shape
}

fn values() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![Just(json!(null)), Just(json!(1)), Just(json!("s"))];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[abc]", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => "[abc]".prop_map(Step::Field),
        1 => (0..2_i64).prop_map(Step::Index),
    ];
    prop::collection::vec(step, 0..4)
}

fn path(steps: &[Step]) -> ReferencePath {
    let steps = steps.iter().map(|step| match step {
        Step::Field(name) => format!(".{name}"),
        Step::Index(index) => format!("[{index}]"),
    });
    ReferencePath::parse(&format!("${}", steps.collect::<String>())).unwrap()
}

proptest! {
    #[test]
    fn a_join_has_the_values_of_both(one in values(), other in values()) {
        let joined = Shape::of_value(&one).join(&Shape::of_value(&other));
        prop_assert!(holds(&joined, &one) && holds(&joined, &other));
        let widened = Shape::of_value(&one).widened(&Shape::of_value(&other));
        prop_assert!(holds(&widened, &one) && holds(&widened, &other));
    }

    #[test]
    fn a_path_leads_to_what_it_leads_to_in_values(value in values(), other in values(), steps in steps()) {
        let shape = Shape::of_value(&value).join(&Shape::of_value(&other));
        let led = steps.iter().fold(shape, |shape, step| shape.step(step));
        for value in [&value, &other] {
            if let Some(found) = path(&steps).get(value) {
                prop_assert!(holds(&led, found), "{led:?} {found}");
            }
        }
    }

    #[test]
    fn writing_writes_in_all_values(value in values(), other in values(), steps in steps(), new in values()) {
        let shape = Shape::of_value(&value).join(&Shape::of_value(&other));
        let written = shape.written(&steps, &Shape::of_value(&new));
        for value in [&value, &other] {
            let mut value = value.clone();
            if path(&steps).write(&mut value, new.clone()).is_ok() {
                prop_assert!(holds(&written, &value), "{written:?} {value}");
            }
        }
    }

    #[test]
    fn widening_ends(values in prop::collection::vec(values(), 1..40)) {
        let mut shape = Shape::Nothing;
        let mut changes = 0;
        for value in &values {
            let wider = shape.widened(&Shape::of_value(value));
            changes += usize::from(wider != shape);
            shape = wider;
        }
        prop_assert!(changes <= 12, "{changes}");
    }
}

#[test]
fn a_large_value_is_anything_below_its_top() {
    let fields = |count: usize| -> Value {
        (0..count)
            .map(|n| (format!("f{n:03}"), json!({"a": 1})))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let known = Shape::of_value(&fields(20));
    let step = |name: &str| Step::Field(name.to_owned());
    assert!(known.step(&step("g")).is_nothing());
    assert!(known.step(&step("f001")).step(&step("b")).is_nothing());
    let many = Shape::of_value(&fields(100));
    assert_eq!(many.step(&step("g")), Shape::Anything);
}

#[test]
fn a_placeholder_may_become_anything() {
    let shape = Shape::of_value(&json!({"a": "${Config}"}));
    let step = |name: &str| Step::Field(name.to_owned());
    assert_eq!(shape.step(&step("a")), Shape::Anything);
    assert!(shape.step(&step("b")).is_nothing());
    let named = Shape::of_value(&json!({"${Name}": 1, "a": {"b": 2}}));
    assert_eq!(named.step(&step("b")), Shape::Anything);
    assert!(named.step(&step("a")).step(&step("c")).is_nothing());
}

#[test]
fn jsonata_looks_into_each_element() {
    let shape = Shape::of_value(&json!([{"a": 1}, {"b": 2}]));
    assert_eq!(shape.name("a"), Shape::Anything);
    assert!(shape.name("c").is_nothing());
}
