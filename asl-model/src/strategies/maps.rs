//! The fields of Map States.
use super::fields::{Fields, all, maybe, pair, results, text};
use super::setting::{Language, Setting};
use super::values::{arguments, expression, jsonata_template, single_path, template};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Whether the Map is distributed, the names of its processor and selector, and the fields besides.
pub(super) fn map(setting: Setting) -> BoxedStrategy<(bool, bool, Fields)> {
    let common = move || {
        all(vec![
            results(setting),
            items(setting),
            pair(setting, "MaxConcurrency", "MaxConcurrencyPath", 0..9),
            pair(
                setting,
                "ToleratedFailureCount",
                "ToleratedFailureCountPath",
                0..9,
            ),
            pair(
                setting,
                "ToleratedFailurePercentage",
                "ToleratedFailurePercentagePath",
                0..101,
            ),
        ])
    };
    let selector = move |old: bool| match setting.language {
        Language::JsonPath => maybe(if old { "Parameters" } else { "ItemSelector" }, template()),
        Language::Jsonata => maybe("ItemSelector", arguments()),
    };
    let inline = any::<bool>().prop_flat_map(move |old| {
        all(vec![common(), selector(old)]).prop_map(move |fields| (false, old, fields))
    });
    let distributed = all(vec![
        common(),
        selector(false),
        maybe("ItemReader", item_reader(setting)),
        maybe("ItemBatcher", item_batcher(setting)),
        maybe("ResultWriter", result_writer(setting)),
    ]);
    prop_oneof![inline, distributed.prop_map(|fields| (true, false, fields))].boxed()
}

fn items(setting: Setting) -> BoxedStrategy<Fields> {
    match setting.language {
        Language::JsonPath => maybe("ItemsPath", text(single_path())),
        Language::Jsonata => {
            let list = prop::collection::vec(jsonata_template(), 0..3).prop_map(Value::from);
            maybe("Items", prop_oneof![text(expression()), list])
        }
    }
}

/// "Parameters" or "Arguments" of what reads and writes.
fn resource_arguments(setting: Setting) -> BoxedStrategy<Fields> {
    match setting.language {
        Language::JsonPath => maybe("Parameters", template()),
        Language::Jsonata => maybe(
            "Arguments",
            prop_oneof![
                text(expression()),
                Just(json!({"Bucket": "b", "Key": "{% $states.input.key %}"})),
            ],
        ),
    }
}

fn with(arguments: Fields, mut object: Value) -> Value {
    if let Some(object) = object.as_object_mut() {
        object.extend(arguments);
    }
    object
}

fn item_reader(setting: Setting) -> BoxedStrategy<Value> {
    let limited = match setting.language {
        Language::JsonPath => {
            json!({"InputType": "JSON", "ItemsPointer": "/a", "MaxItemsPath": "$v0.max"})
        }
        Language::Jsonata => json!({"InputType": "JSONL", "MaxItems": "{% $v0.max %}"}),
    };
    let config = prop_oneof![
        Just(json!({"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "MaxItems": 9})),
        Just(
            json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"], "CSVDelimiter": "PIPE"})
        ),
        Just(limited),
        Just(json!({"InputType": "MANIFEST", "ManifestType": "S3_INVENTORY"})),
    ];
    (config, resource_arguments(setting))
        .prop_map(|(config, arguments)| {
            let resource = "arn:aws:states:::s3:getObject";
            with(
                arguments,
                json!({"Resource": resource, "ReaderConfig": config}),
            )
        })
        .boxed()
}

fn item_batcher(setting: Setting) -> BoxedStrategy<Value> {
    let limit = pair(
        setting,
        "MaxInputBytesPerBatch",
        "MaxInputBytesPerBatchPath",
        1..9,
    );
    let input = match setting.language {
        Language::JsonPath => maybe("BatchInput", template()),
        Language::Jsonata => maybe("BatchInput", arguments()),
    };
    (1..9_u64, all(vec![limit, input]))
        .prop_map(|(items, fields)| with(fields, json!({"MaxItemsPerBatch": items})))
        .boxed()
}

fn result_writer(setting: Setting) -> BoxedStrategy<Value> {
    let config = json!({"Transformation": "COMPACT", "OutputType": "JSONL"});
    resource_arguments(setting)
        .prop_map(move |arguments| {
            let resource = "arn:aws:states:::s3:putObject";
            with(
                arguments,
                json!({"Resource": resource, "WriterConfig": config}),
            )
        })
        .boxed()
}
