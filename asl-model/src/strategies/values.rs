//! JSON, paths, intrinsic functions and templates.
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value};

/// Any JSON, a few levels deep.
pub fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e6..1e6_f64).prop_map(Value::from),
        "[a-zé ${}\\\\*.\"]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z]{0,3}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A Path.
pub fn path() -> impl Strategy<Value = String> {
    let paths = vec![
        "$",
        "$.a",
        "$.a.b[0]",
        "$['x y'].z",
        "$..a",
        "$.a[*]",
        "$.a[1:2]",
        "$.l[?(@.n > 1)]",
        "$$.Execution.Id",
        "$$",
        "$v0",
        "$größe1['x y'][0]",
        "$v2..a",
    ];
    select(paths).prop_map(str::to_owned)
}

/// A Reference Path of the input.
pub fn reference_path() -> impl Strategy<Value = String> {
    select(vec!["$", "$.a", "$.a.b[0].c", "$['x y']"]).prop_map(str::to_owned)
}

/// A Reference Path that is only read: of the input, the Context Object or a variable.
pub fn single_path() -> impl Strategy<Value = String> {
    let others = select(vec!["$$.Execution.Input.n", "$v0", "$größe1.a[0]"]);
    prop_oneof![2 => reference_path(), 1 => others.prop_map(str::to_owned)]
}

/// A JSONata string that can stand in every field that takes one.
pub fn expression() -> impl Strategy<Value = String> {
    let expressions = vec![
        "{% $states.input %}",
        "{%$v0%}",
        "{% $sum($states.input.l[n > 1].price) %}",
        "{% $states.context.Execution.Id & '-' & $string($größe1) %}",
        "{% ($f := function($x) { $x * 2 }; $map([1..3], $f)) %}",
    ];
    select(expressions).prop_map(str::to_owned)
}

/// A template of a JSONata state, with expressions that can stand everywhere.
pub fn jsonata_template() -> impl Strategy<Value = Value> {
    jsonata_template_of(expression().boxed())
}

/// A field of a JSONata state that is evaluated before its work is done.
pub(super) fn arguments() -> impl Strategy<Value = Value> {
    jsonata_template()
}

/// A field of a JSONata state that may use its result.
pub(super) fn output() -> impl Strategy<Value = Value> {
    let results = select(vec![
        "{% $states.result %}",
        "{% $states.result.a[0] + $v0 %}",
    ]);
    jsonata_template_of(prop_oneof![expression(), results.prop_map(str::to_owned)].boxed())
}

fn jsonata_template_of(expression: BoxedStrategy<String>) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z$.]{0,4}".prop_map(Value::from),
        expression.prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[a-c.$]{1,2}", inner), 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A call of an intrinsic function.
pub fn intrinsic() -> impl Strategy<Value = String> {
    let calls = vec![
        "States.UUID()",
        "States.Format('{} of {}', $.a, 2)",
        "States.MathAdd($.n, 1)",
        "States.Array($v0.a, $größe1)",
        "States.ArrayLength(States.Array(1, 'x', $$.Execution.Id))",
    ];
    select(calls).prop_map(str::to_owned)
}

/// A Payload Template.
pub fn template() -> impl Strategy<Value = Value> {
    let literal = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z]{0,4}".prop_map(Value::from),
    ];
    let dynamic = prop_oneof![path(), intrinsic()].prop_map(Value::from);
    let leaf = object(literal, dynamic.clone());
    leaf.prop_recursive(2, 12, 3, move |inner| {
        let list = prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from);
        object(prop_oneof![inner, list], dynamic.clone())
    })
}

/// Fields that are taken as they stand, and fields that are replaced.
fn object(
    plain: impl Strategy<Value = Value> + 'static,
    dynamic: impl Strategy<Value = Value> + 'static,
) -> BoxedStrategy<Value> {
    let plain = prop::collection::vec(("[a-c]{1,2}", plain), 0..3);
    let dynamic = prop::collection::vec(("[x-z]{1,2}", dynamic), 0..3);
    let joined = (plain, dynamic).prop_map(|(plain, dynamic)| {
        let mut fields = Map::new();
        fields.extend(plain);
        fields.extend(
            dynamic
                .into_iter()
                .map(|(name, value)| (format!("{name}.$"), value)),
        );
        Value::Object(fields)
    });
    joined.boxed()
}

/// Replaces, or removes, some part of a document.
pub(super) fn change(document: &mut Value, index: Index, replacement: Option<Value>) {
    let parts = count(document);
    let mut left = index.index(parts);
    change_nth(document, &mut left, &mut Some(replacement));
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(elements) => elements.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

fn change_nth(value: &mut Value, left: &mut usize, change: &mut Option<Option<Value>>) {
    if *left == 0 {
        if let Some(replacement) = change.take() {
            *value = replacement.unwrap_or_default();
        }
        return;
    }
    *left -= 1;
    match value {
        Value::Array(elements) => {
            for element in elements {
                change_nth(element, left, change);
            }
        }
        Value::Object(fields) => {
            if *left < fields.len() && change == &Some(None) {
                let name = fields.keys().nth(*left).cloned();
                fields.remove(&name.unwrap_or_default());
                change.take();
                return;
            }
            for value in fields.values_mut() {
                change_nth(value, left, change);
            }
        }
        _ => {}
    }
}
