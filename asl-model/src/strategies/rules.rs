//! The rules of Choice States.
use super::fields::{self, all, maybe, text};
use super::setting::{Language, Setting};
use super::values::{arguments, expression, single_path, template};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A rule of a Choice State without its "Next".
pub(super) fn rule(setting: Setting) -> BoxedStrategy<Value> {
    let (rule, own) = match setting.language {
        Language::JsonPath => (
            json_path_rule(),
            fields::assign(setting, || template().boxed()),
        ),
        Language::Jsonata => (
            condition(),
            all(vec![
                maybe("Output", arguments()),
                fields::assign(setting, || arguments().boxed()),
            ]),
        ),
    };
    (rule, own)
        .prop_map(|(mut rule, own)| {
            if let Some(rule) = rule.as_object_mut() {
                rule.extend(own);
            }
            rule
        })
        .boxed()
}

fn condition() -> BoxedStrategy<Value> {
    let condition = prop_oneof![
        any::<bool>().prop_map(Value::from),
        expression().prop_map(Value::from)
    ];
    condition
        .prop_map(|condition| json!({"Condition": condition}))
        .boxed()
}

fn json_path_rule() -> BoxedStrategy<Value> {
    let moment = "2016-03-14T01:59:00Z";
    let comparison = prop_oneof![
        text("[a-z]{0,3}").prop_map(|value| ("StringEquals", value)),
        text("[a-z*]{0,4}").prop_map(|value| ("StringMatches", value)),
        text(-9..9_i64).prop_map(|value| ("NumericLessThanEquals", value)),
        text(-9.0..9.0_f64).prop_map(|value| ("NumericGreaterThan", value)),
        text(any::<bool>()).prop_map(|value| ("BooleanEquals", value)),
        text(Just(moment)).prop_map(|value| ("TimestampGreaterThanEquals", value)),
        text(single_path()).prop_map(|value| ("StringLessThanPath", value)),
        text(single_path()).prop_map(|value| ("NumericEqualsPath", value)),
        text(single_path()).prop_map(|value| ("TimestampLessThanPath", value)),
        text(single_path()).prop_map(|value| ("BooleanEqualsPath", value)),
        text(any::<bool>()).prop_map(|value| ("IsPresent", value)),
        text(any::<bool>()).prop_map(|value| ("IsTimestamp", value)),
    ];
    let comment = prop::option::of("[a-zé ]{0,8}");
    let test =
        (single_path(), comparison, comment).prop_map(|(variable, (name, value), comment)| {
            match comment {
                Some(comment) => json!({"Variable": variable, name: value, "Comment": comment}),
                None => json!({"Variable": variable, name: value}),
            }
        });
    test.prop_recursive(3, 9, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            list.clone().prop_map(|rules| json!({"And": rules})),
            list.prop_map(|rules| json!({"Or": rules})),
            inner.prop_map(|rule| json!({"Not": rule})),
        ]
    })
    .boxed()
}
