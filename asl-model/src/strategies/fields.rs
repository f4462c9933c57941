//! The fields of states, by what they are about.
use super::values::{json, path, reference_path, template};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Fields of one state.
pub(super) type Fields = Map<String, Value>;

fn maybe(
    name: &'static str,
    value: impl Strategy<Value = Value> + 'static,
) -> BoxedStrategy<Fields> {
    prop::option::of(value)
        .prop_map(move |value| {
            value
                .map(|value| (name.to_owned(), value))
                .into_iter()
                .collect()
        })
        .boxed()
}

fn text<T: Into<Value> + std::fmt::Debug + 'static>(
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Value> {
    value.prop_map(Into::into).boxed()
}

/// A number or a path to it, or neither.
fn pair(
    name: &'static str,
    path_name: &'static str,
    number: std::ops::Range<u64>,
) -> BoxedStrategy<Fields> {
    prop_oneof![
        maybe(name, text(number)),
        maybe(path_name, text(reference_path())),
        maybe(path_name, text(Just("$$.Execution.Input.n"))),
    ]
    .boxed()
}

fn all(parts: Vec<BoxedStrategy<Fields>>) -> BoxedStrategy<Fields> {
    parts
        .prop_map(|parts| parts.into_iter().flatten().collect())
        .boxed()
}

fn data_path(name: &'static str) -> BoxedStrategy<Fields> {
    maybe(name, prop_oneof![text(path()), Just(Value::Null)])
}

fn result_path() -> BoxedStrategy<Fields> {
    maybe(
        "ResultPath",
        prop_oneof![text(reference_path()), Just(Value::Null)],
    )
}

fn paths() -> BoxedStrategy<Fields> {
    let comment = maybe("Comment", text("[a-zé ]{0,8}"));
    all(vec![
        comment,
        data_path("InputPath"),
        data_path("OutputPath"),
    ])
}

pub(super) fn pass() -> BoxedStrategy<Fields> {
    all(vec![
        paths(),
        maybe("Parameters", template()),
        maybe("Result", json()),
        result_path(),
    ])
}

pub(super) fn succeed() -> BoxedStrategy<Fields> {
    paths()
}

pub(super) fn fail() -> BoxedStrategy<Fields> {
    let texts = |name, path_name| {
        prop_oneof![
            maybe(name, text("[A-Z][a-z]{0,5}")),
            maybe(
                path_name,
                prop_oneof![
                    text(reference_path()),
                    text(Just("States.Format('{}', $.a)"))
                ]
            ),
        ]
        .boxed()
    };
    all(vec![
        texts("Error", "ErrorPath"),
        texts("Cause", "CausePath"),
    ])
}

pub(super) fn wait() -> BoxedStrategy<Fields> {
    let one = |name: &'static str, value: BoxedStrategy<Value>| {
        value.prop_map(move |value| Fields::from_iter([(name.to_owned(), value)]))
    };
    let moments = vec![
        "2016-03-14T01:59:00Z",
        "1999-12-31T23:59:59.999999999-11:30",
    ];
    let duration = prop_oneof![
        one("Seconds", text(0..100_u64)),
        one("SecondsPath", text(reference_path())),
        one("Timestamp", text(select(moments))),
        one("TimestampPath", text(reference_path())),
    ];
    all(vec![paths(), duration.boxed()])
}

fn results() -> BoxedStrategy<Fields> {
    all(vec![
        paths(),
        maybe("ResultSelector", template()),
        result_path(),
        maybe("Retry", retry()),
    ])
}

pub(super) fn task() -> BoxedStrategy<Fields> {
    let resources = vec![
        "arn:aws:states:::lambda:invoke",
        "arn:aws:lambda:us-east-1:123456789012:function:F:$LATEST",
        "arn:aws:states:us-east-1:123456789012:activity:A",
    ];
    let resource = select(resources)
        .prop_map(|resource| Fields::from_iter([("Resource".to_owned(), resource.into())]));
    let role = json!({"RoleArn.$": "$.role"});
    all(vec![
        resource.boxed(),
        results(),
        maybe("Parameters", template()),
        maybe("Credentials", Just(role)),
        pair("TimeoutSeconds", "TimeoutSecondsPath", 10..100),
        pair("HeartbeatSeconds", "HeartbeatSecondsPath", 1..10),
    ])
}

pub(super) fn parallel() -> BoxedStrategy<Fields> {
    all(vec![results(), maybe("Parameters", template())])
}

/// Whether the Map is distributed, the names of its processor and selector, and the fields besides.
pub(super) fn map() -> BoxedStrategy<(bool, bool, Fields)> {
    let common = || {
        all(vec![
            results(),
            maybe("ItemsPath", text(reference_path())),
            pair("MaxConcurrency", "MaxConcurrencyPath", 0..9),
            pair("ToleratedFailureCount", "ToleratedFailureCountPath", 0..9),
            pair(
                "ToleratedFailurePercentage",
                "ToleratedFailurePercentagePath",
                0..101,
            ),
        ])
    };
    let selector = |old: bool| maybe(if old { "Parameters" } else { "ItemSelector" }, template());
    let inline = any::<bool>().prop_flat_map(move |old| {
        all(vec![common(), selector(old)]).prop_map(move |fields| (false, old, fields))
    });
    let distributed = all(vec![
        common(),
        selector(false),
        maybe("ItemReader", item_reader()),
        maybe("ItemBatcher", item_batcher()),
        maybe("ResultWriter", result_writer()),
    ]);
    prop_oneof![inline, distributed.prop_map(|fields| (true, false, fields))].boxed()
}

fn item_reader() -> BoxedStrategy<Value> {
    let config = prop_oneof![
        Just(json!({"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "MaxItems": 9})),
        Just(
            json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"], "CSVDelimiter": "PIPE"})
        ),
        Just(json!({"InputType": "JSON", "ItemsPointer": "/a", "MaxItemsPath": "$.max"})),
        Just(json!({"InputType": "MANIFEST", "ManifestType": "S3_INVENTORY"})),
    ];
    (config, template())
        .prop_map(|(config, parameters)| {
            let resource = "arn:aws:states:::s3:getObject";
            json!({"Resource": resource, "ReaderConfig": config, "Parameters": parameters})
        })
        .boxed()
}

fn item_batcher() -> BoxedStrategy<Value> {
    (1..9_u64, template())
        .prop_map(|(items, input)| json!({"MaxItemsPerBatch": items, "BatchInput": input}))
        .boxed()
}

fn result_writer() -> BoxedStrategy<Value> {
    let config = json!({"Transformation": "COMPACT", "OutputType": "JSONL"});
    template()
        .prop_map(move |parameters| {
            let resource = "arn:aws:states:::s3:putObject";
            json!({"Resource": resource, "Parameters": parameters, "WriterConfig": config})
        })
        .boxed()
}

fn retry() -> BoxedStrategy<Value> {
    let retrier = (
        error_equals(),
        1..9_u64,
        0..4_u64,
        1.0..3.0_f64,
        1..99_u64,
        any::<bool>(),
    );
    let retrier = retrier.prop_map(|(errors, interval, attempts, rate, delay, full)| {
        json!({
            "ErrorEquals": errors,
            "IntervalSeconds": interval,
            "MaxAttempts": attempts,
            "BackoffRate": rate,
            "MaxDelaySeconds": delay,
            "JitterStrategy": if full { "FULL" } else { "NONE" },
        })
    });
    (prop::collection::vec(retrier, 0..3), any::<bool>())
        .prop_map(|(mut retry, wildcard)| {
            if wildcard {
                retry.push(json!({"ErrorEquals": ["States.ALL"]}));
            }
            retry.into()
        })
        .boxed()
}

/// "ErrorEquals" without the wildcard.
pub(super) fn error_equals() -> BoxedStrategy<Value> {
    let name = select(vec![
        "States.Timeout",
        "States.TaskFailed",
        "Boom",
        "Lambda.Unknown",
    ]);
    prop::collection::vec(name, 1..3)
        .prop_map(|names| json!(names))
        .boxed()
}

/// A rule of a Choice State without its "Next".
pub(super) fn rule() -> BoxedStrategy<Value> {
    let moment = "2016-03-14T01:59:00Z";
    let comparison = prop_oneof![
        text("[a-z]{0,3}").prop_map(|value| ("StringEquals", value)),
        text("[a-z*]{0,4}").prop_map(|value| ("StringMatches", value)),
        text(-9..9_i64).prop_map(|value| ("NumericLessThanEquals", value)),
        text(-9.0..9.0_f64).prop_map(|value| ("NumericGreaterThan", value)),
        text(any::<bool>()).prop_map(|value| ("BooleanEquals", value)),
        text(Just(moment)).prop_map(|value| ("TimestampGreaterThanEquals", value)),
        text(reference_path()).prop_map(|value| ("StringLessThanPath", value)),
        text(reference_path()).prop_map(|value| ("NumericEqualsPath", value)),
        text(reference_path()).prop_map(|value| ("TimestampLessThanPath", value)),
        text(reference_path()).prop_map(|value| ("BooleanEqualsPath", value)),
        text(any::<bool>()).prop_map(|value| ("IsPresent", value)),
        text(any::<bool>()).prop_map(|value| ("IsTimestamp", value)),
    ];
    let comment = prop::option::of("[a-zé ]{0,8}");
    let test =
        (reference_path(), comparison, comment).prop_map(|(variable, (name, value), comment)| {
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
