//! Definitions, each at any size.
use serde_json::{Value, json};

/// One thing that is done at several sizes.
pub(super) struct Family {
    pub(super) name: String,
    pub(super) smallest: usize,
    pub(super) case: Box<dyn Fn(usize) -> Case>,
}

/// A definition with its input.
pub(super) struct Case {
    pub(super) definition: Value,
    pub(super) input: Value,
    pub(super) object: String,
}

pub(super) fn family(
    name: impl Into<String>,
    smallest: usize,
    case: impl Fn(usize) -> (Value, Value) + 'static,
) -> Family {
    Family {
        name: name.into(),
        smallest,
        case: Box::new(move |size| {
            let (definition, input) = case(size);
            Case {
                definition,
                input,
                object: String::new(),
            }
        }),
    }
}

/// Families of one state each, made of a text, with so many items at first.
pub(super) fn table<const N: usize>(
    rows: [(&'static str, usize, &'static str); N],
    state: fn(&str) -> Value,
) -> Vec<Family> {
    let of = |(name, smallest, text): (&'static str, usize, &'static str)| {
        family(name, smallest, move |size| {
            (machine(state(text)), input(size))
        })
    };
    rows.into_iter().map(of).collect()
}

pub(super) fn machine(mut state: Value) -> Value {
    state["End"] = true.into();
    json!({"StartAt": "S", "States": {"S": state}})
}

/// Items that differ, fields that nest, texts that repeat.
pub(super) fn input(size: usize) -> Value {
    let items: Vec<Value> = (0..size)
        .map(|n| json!({"id": (n * 7919) % size, "name": format!("n{n}"), "tags": [n % 7, "t"]}))
        .collect();
    let numbers: Vec<usize> = (0..size).map(|n| (n * 7919) % size).collect();
    let names: Vec<String> = numbers.iter().map(|n| format!("k{n}")).collect();
    let fields: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!(1))).collect();
    json!({"count": size, "items": items, "numbers": numbers, "names": names, "fields": fields,
        "moment": "1970-01-01T00:00:01Z", "text": "ab,c ".repeat(size), "letters": "a".repeat(size), "json": json!(numbers).to_string()})
}

const PATHS: [(&str, usize, &str); 11] = [
    ("path: all", 500, "$..*"),
    ("path: all of all", 20, "$.items..*..*"),
    ("path: a name anywhere", 500, "$..id"),
    ("path: a wildcard", 500, "$.items[*].id"),
    ("path: a filter", 500, "$.items[?(@.id > 3)]"),
    ("path: a filter anywhere", 200, "$..[?(@.id > 3)]"),
    (
        "path: a filter in a filter",
        20,
        "$.items[?(@.tags[?(@ > 2)])]",
    ),
    (
        "path: a filter that searches",
        20,
        "$.items[?(@.id == $.items[-1].id)]",
    ),
    (
        "path: a filter by a regex",
        200,
        "$.items[?(@.name =~ /n.*7/)]",
    ),
    ("path: a slice", 500, "$.items[1:-1:2]"),
    ("path: in", 20, "$.items[?(@.id in $.numbers)]"),
];

pub(super) fn paths() -> Vec<Family> {
    let state = |path: &str| json!({"Type": "Pass", "InputPath": path, "ResultPath": "$.r", "OutputPath": "$.text"});
    table(PATHS, state)
}

const INTRINSICS: [(&str, usize, &str); 16] = [
    ("States.Array", 300, "States.Array($.items, $.numbers)"),
    ("States.ArrayUnique", 300, "States.ArrayUnique($.numbers)"),
    (
        "States.ArrayUnique of objects",
        100,
        "States.ArrayUnique($.items)",
    ),
    (
        "States.ArrayContains",
        500,
        "States.ArrayContains($.numbers, -1)",
    ),
    (
        "States.ArrayContains of objects",
        300,
        "States.ArrayContains($.items, $.items)",
    ),
    (
        "States.ArrayGetItem",
        500,
        "States.ArrayGetItem($.items, 3)",
    ),
    ("States.ArrayLength", 500, "States.ArrayLength($.items)"),
    (
        "States.ArrayPartition",
        500,
        "States.ArrayPartition($.numbers, 3)",
    ),
    ("States.ArrayRange", 100, "States.ArrayRange(1, $.count, 1)"),
    (
        "States.JsonMerge",
        300,
        "States.JsonMerge($.fields, $.fields, false)",
    ),
    ("States.JsonToString", 300, "States.JsonToString($.items)"),
    ("States.StringToJson", 300, "States.StringToJson($.json)"),
    (
        "States.StringSplit",
        500,
        "States.StringSplit($.text, ', ')",
    ),
    ("States.Base64Encode", 500, "States.Base64Encode($.letters)"),
    ("States.Hash", 200, "States.Hash($.text, 'SHA-512')"),
    (
        "States.Format",
        300,
        "States.Format('{} {}', $.text, $.items)",
    ),
];

pub(super) fn intrinsics() -> Vec<Family> {
    let state = |call: &str| json!({"Type": "Pass", "Parameters": {"x.$": call}, "OutputPath": "$.y", "ResultPath": "$.y"});
    table(INTRINSICS, state)
}

fn fields(size: usize, value: &str, suffix: &str) -> Value {
    let fields = (0..size).map(|n| (format!("f{n}{suffix}"), Value::from(value)));
    Value::Object(fields.collect())
}

pub(super) fn states() -> Vec<Family> {
    let processor = || json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}});
    vec![
        family("a template", 300, |size| {
            let state = json!({"Type": "Pass", "Parameters": fields(size, "$.x", ".$")});
            (machine(state), json!({"x": 1}))
        }),
        family("a template of expressions", 300, |size| {
            let output = fields(size, "{% $states.input.x %}", "");
            let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": output});
            (machine(state), json!({"x": 1}))
        }),
        family("Assign", 200, |size| {
            let state = json!({"Type": "Pass", "Assign": fields(size, "$.x", ".$")});
            (machine(state), json!({"x": 1}))
        }),
        family("variables that are read", 100, |size| {
            let read: serde_json::Map<String, Value> = (0..size)
                .map(|n| (format!("g{n}.$"), format!("$f{n}").into()))
                .collect();
            let definition = json!({"StartAt": "A", "States": {
                "A": {"Type": "Pass", "Assign": fields(size, "$.x", ".$"), "Next": "B"},
                "B": {"Type": "Pass", "Parameters": read, "End": true}}});
            (definition, json!({"x": 1}))
        }),
        family("ResultPath", 300, |size| {
            let state = json!({"Type": "Pass", "Result": 1, "ResultPath": "$.a.b"});
            (machine(state), input(size))
        }),
        family("a Map", 100, move |size| {
            let state =
                json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor()});
            (machine(state), input(size))
        }),
        family("a Map with a selector", 100, move |size| {
            let state = json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor(),
                "ItemSelector": {"v.$": "$$.Map.Item.Value", "i.$": "$$.Map.Item.Index"}});
            (machine(state), input(size))
        }),
        family("a Map by an expression", 100, move |size| {
            let state = json!({"Type": "Map", "QueryLanguage": "JSONata", "ItemProcessor": processor(),
                "Items": "{% $states.input.items %}"});
            (machine(state), input(size))
        }),
        family("a distributed Map", 50, move |size| {
            let processor = distributed(processor());
            let state = json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor});
            (machine(state), input(size))
        }),
        family("a Parallel", 50, move |size| {
            let branches: Vec<Value> = (0..size)
                .map(|n| json!({"StartAt": format!("B{n}"), "States": {format!("B{n}"): {"Type": "Pass", "End": true}}}))
                .collect();
            (
                machine(json!({"Type": "Parallel", "Branches": branches})),
                json!({"x": 1}),
            )
        }),
        family("a long And", 300, |size| {
            let rules = vec![json!({"Variable": "$.x", "NumericEquals": 1}); size];
            choice(json!({"And": rules, "Next": "End"}), json!({"x": 1}))
        }),
        family("StringMatches", 1_000, |size| {
            let rule = json!({"Variable": "$.x", "StringMatches": "*a*b*a*", "Next": "End"});
            choice(rule, json!({"x": format!("{}ba", "a".repeat(size))}))
        }),
        family("StringMatches with many stars", 50, |size| {
            let pattern = "*a".repeat(size);
            let rule = json!({"Variable": "$.x", "StringMatches": pattern, "Next": "End"});
            choice(rule, json!({"x": "a".repeat(size * 10)}))
        }),
        family("a caught cause that shows its input", 300, |size| {
            let definition = json!({"StartAt": "M", "States": {
                "M": {"Type": "Map", "ItemsPath": "$.missing", "End": true,
                    "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}},
                    "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.e", "Next": "Z"}]},
                "Z": {"Type": "Succeed"}}});
            (definition, input(size))
        }),
    ]
}

/// A processor whose iterations are executions of their own.
pub(super) fn distributed(mut processor: Value) -> Value {
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"});
    processor
}

pub(super) fn choice(rule: Value, input: Value) -> (Value, Value) {
    let definition = json!({"StartAt": "C", "States": {
        "C": {"Type": "Choice", "Choices": [rule], "Default": "No"},
        "No": {"Type": "Fail"}, "End": {"Type": "Succeed"}}});
    (definition, input)
}

pub(super) fn files() -> Vec<Family> {
    let of = |name: &str, smallest, input_type: &'static str, object: fn(usize) -> String| Family {
        name: name.to_owned(),
        smallest,
        case: Box::new(move |size| {
            let processor = json!({"StartAt": "I", "States": {"I": {"Type": "Succeed"}}});
            let processor = distributed(processor);
            let mut config = json!({"InputType": input_type});
            if input_type == "CSV" {
                config["CSVHeaderLocation"] = "FIRST_ROW".into();
            }
            let state = json!({"Type": "Map", "ItemProcessor": processor,
                "ItemBatcher": {"MaxItemsPerBatch": 1_000_000},
                "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": config,
                    "Parameters": {"Bucket": "b", "Key": "k"}}});
            Case {
                definition: machine(state),
                input: json!({}),
                object: object(size),
            }
        }),
    };
    vec![
        of("CSV", 200, "CSV", |size| {
            format!("a,b\n{}", "1,\"x\"\n".repeat(size))
        }),
        of("CSV of many columns", 100, "CSV", |size| {
            let names: Vec<String> = (0..size.min(1_500)).map(|n| format!("c{n}")).collect();
            format!("{}\n{}", names.join(","), "1\n".repeat(10))
        }),
        of("lines of JSON", 200, "JSONL", |size| {
            "{\"a\": [1]}\n".repeat(size)
        }),
        of("an array of JSON", 200, "JSON", |size| {
            json!(vec![json!({"a": [1]}); size]).to_string()
        }),
    ]
}
