//! Fields of states that read data, each at any size.
use super::families::{Family, choice, distributed, family, input, machine};
use serde_json::{Value, json};

pub(super) fn fields() -> Vec<Family> {
    let mut families = json_path();
    families.extend(jsonata());
    families.extend(comparisons());
    families.extend(errors());
    families.extend(maps());
    families
}

/// Returns a family of one state; its fields read the data of [`input`].
fn of_state(name: &'static str, state: Value) -> Family {
    family(name, 300, move |size| (machine(state.clone()), input(size)))
}

const TASK: &str = "arn:aws:states:::lambda:invoke";

fn json_path() -> Vec<Family> {
    let paths = json!({"Type": "Task", "Resource": TASK, "InputPath": "$", "Parameters": {"FunctionName": "f", "Payload.$": "$.items"},
        "ResultSelector": {"first.$": "$.Payload[0]"}, "ResultPath": "$.r", "OutputPath": "$.r", "TimeoutSecondsPath": "$.count",
        "HeartbeatSecondsPath": "$.numbers[1]", "Credentials": {"RoleArn.$": "$.text"}});
    vec![
        of_state("fields of a Task", paths),
        of_state(
            "SecondsPath",
            json!({"Type": "Wait", "SecondsPath": "$.count"}),
        ),
        of_state(
            "TimestampPath",
            json!({"Type": "Wait", "TimestampPath": "$.moment", "Comment": "a moment"}),
        ),
        of_state(
            "Result",
            json!({"Type": "Pass", "Result": {"x": 1}, "ResultPath": "$.r"}),
        ),
        caught(
            "ErrorPath",
            json!({"Type": "Fail", "ErrorPath": "$.text", "CausePath": "States.JsonToString($.items)"}),
        ),
    ]
}

fn jsonata() -> Vec<Family> {
    let task = json!({"Type": "Task", "QueryLanguage": "JSONata", "Resource": TASK,
        "Arguments": {"FunctionName": "f", "Payload": "{% $states.input.items %}"}, "TimeoutSeconds": "{% $states.input.count %}",
        "HeartbeatSeconds": "{% 1 %}", "Credentials": {"RoleArn": "{% $states.input.text %}"},
        "Assign": {"a": "{% $states.result %}"}, "Output": "{% $states.result.Payload %}"});
    vec![
        of_state("fields of a Task, JSONata", task),
        of_state(
            "Seconds",
            json!({"Type": "Wait", "QueryLanguage": "JSONata", "Seconds": "{% $sum($states.input.numbers) %}"}),
        ),
        of_state(
            "Timestamp",
            json!({"Type": "Wait", "QueryLanguage": "JSONata", "Timestamp": "{% $fromMillis($states.input.count) %}"}),
        ),
        caught(
            "Error and Cause",
            json!({"Type": "Fail", "QueryLanguage": "JSONata", "Error": "{% $states.input.text %}",
                "Cause": "{% $string($states.input.items) %}"}),
        ),
        family("Condition", 300, |size| {
            let rule = json!({"Condition": "{% $count($states.input.numbers[$ = -1]) = 0 %}", "Next": "End"});
            let (mut definition, _) = choice(rule, json!({}));
            definition["States"]["C"]["QueryLanguage"] = "JSONata".into();
            (definition, input(size))
        }),
    ]
}

/// A state that fails within a Parallel State that catches it.
fn caught(name: &'static str, state: Value) -> Family {
    family(name, 300, move |size| {
        let branch = json!({"StartAt": "F", "States": {"F": state}});
        let state = json!({"Type": "Parallel", "Branches": [branch], "End": true,
            "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.e", "Next": "Z"}]});
        let definition = json!({"StartAt": "P", "States": {"P": state, "Z": {"Type": "Succeed"}}});
        (definition, input(size))
    })
}

/// Returns each comparison as often as its text is long.
fn comparisons() -> Vec<Family> {
    let of = |name: &str| {
        let name = name.to_owned();
        family(name.clone(), 50, move |size| {
            let is_path = name.ends_with("Path");
            let variable = match &name {
                name if name.starts_with("String") => "$.t",
                name if name.starts_with("Numeric") => "$.n",
                name if name.starts_with("Timestamp") => "$.m",
                name if name.starts_with("Boolean") => "$.b",
                _ => "$.t",
            };
            let other = match (&name, is_path) {
                (_, true) => variable.replace("$.", "$.o.").into(),
                (name, _) if name.starts_with("Is") => json!(true),
                (name, _) if name.starts_with("Numeric") => json!(1),
                (name, _) if name.starts_with("Timestamp") => json!("2020-01-01T00:00:00Z"),
                (name, _) if name.starts_with("Boolean") => json!(true),
                (name, _) if name == "StringMatches" => json!("*b*"),
                _ => json!("a"),
            };
            let mut rule = json!({"Variable": variable});
            rule[&name] = other;
            // True or not, all of them are evaluated.
            let rules: Vec<Value> = (0..size)
                .map(|_| json!({"Or": [rule, {"Variable": "$.t", "IsPresent": true}]}))
                .collect();
            let data = || json!({"t": "a".repeat(size * 100), "n": 1, "m": "2020-01-01T00:00:00Z", "b": true});
            let mut input = data();
            input["o"] = data();
            choice(json!({"And": rules, "Next": "End"}), input)
        })
    };
    let names = asl_model::vocabulary::comparisons().iter().copied();
    names.map(of).collect()
}

/// Returns a retrier that matches, after many that do not.
fn errors() -> Vec<Family> {
    let names = |size: usize| -> Vec<String> { (0..size).map(|n| format!("E{n}")).collect() };
    vec![
        family("Retry", 100, move |size| {
            let mut retry: Vec<Value> = names(size)
                .iter()
                .map(|name| json!({"ErrorEquals": [name], "MaxAttempts": 1}))
                .collect();
            retry.push(json!({"ErrorEquals": ["States.Timeout"], "IntervalSeconds": 1, "MaxDelaySeconds": 5, "BackoffRate": 2,
                "JitterStrategy": "FULL", "MaxAttempts": 2}));
            let branch = json!({"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "States.Timeout"}}});
            let state = json!({"Type": "Parallel", "Branches": [branch], "Retry": retry, "End": true,
                "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Z"}]});
            let definition =
                json!({"StartAt": "P", "States": {"P": state, "Z": {"Type": "Succeed"}}});
            (definition, input(size))
        }),
        family("Catch", 100, move |size| {
            let mut catch: Vec<Value> = names(size)
                .iter()
                .map(|name| json!({"ErrorEquals": [name], "Next": "Z"}))
                .collect();
            catch.push(json!({"ErrorEquals": ["States.ALL"], "Next": "Z", "Assign": {"e": "{% $states.errorOutput %}"},
                "Output": "{% $states.input.items %}"}));
            let branch = json!({"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "X"}}});
            let state = json!({"Type": "Parallel", "QueryLanguage": "JSONata", "Branches": [branch], "Catch": catch, "End": true});
            let definition =
                json!({"StartAt": "P", "States": {"P": state, "Z": {"Type": "Succeed"}}});
            (definition, input(size))
        }),
    ]
}

fn maps() -> Vec<Family> {
    let processor =
        || distributed(json!({"StartAt": "I", "States": {"I": {"Type": "Pass", "End": true}}}));
    let json_path = json!({"Type": "Map", "ItemsPath": "$.items", "ItemProcessor": processor(), "Label": "L",
        "MaxConcurrencyPath": "$.count", "ToleratedFailureCountPath": "$.count", "ToleratedFailurePercentagePath": "$.hundred",
        "ItemSelector": {"v.$": "$$.Map.Item.Value"},
        "ItemBatcher": {"BatchInput": {"x.$": "$.text"}, "MaxItemsPerBatchPath": "$.ten", "MaxInputBytesPerBatchPath": "$.bytes"},
        "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "b", "Prefix.$": "$.ten_text"},
            "WriterConfig": {"Transformation": "COMPACT", "OutputType": "JSON"}}});
    let jsonata = json!({"Type": "Map", "QueryLanguage": "JSONata", "Items": "{% $states.input.items %}", "ItemProcessor": processor(),
        "MaxConcurrency": "{% $states.input.count %}", "ToleratedFailureCount": "{% 1 %}",
        "ToleratedFailurePercentage": "{% 100 %}", "ItemSelector": "{% $states.context.Map.Item.Value %}",
        "ItemBatcher": {"BatchInput": {"x": "{% 1 %}"}, "MaxItemsPerBatch": "{% 10 %}", "MaxInputBytesPerBatch": "{% 262144 %}"},
        "Output": "{% $count($states.result) %}"});
    let reader = json!({"Type": "Map", "ItemProcessor": processor(),
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "Parameters": {"Bucket": "b", "Key.$": "$.text"},
            "ReaderConfig": {"InputType": "JSON", "MaxItemsPath": "$.ten", "ItemsPointer": "/a"}},
        "ItemBatcher": {"MaxItemsPerBatch": 5}});
    let of = |name: &'static str, state: Value| Family {
        name: name.to_owned(),
        smallest: 50,
        case: Box::new(move |size| {
            let mut data = input(size);
            for (field, value) in [
                ("hundred", json!(100)),
                ("ten", json!(10)),
                ("ten_text", json!("p")),
                ("bytes", json!(262_144)),
            ] {
                data[field] = value;
            }
            super::families::Case {
                definition: machine(state.clone()),
                input: data,
                object: json!({"a": vec![json!({"x": 1}); size]}).to_string(),
            }
        }),
    };
    vec![
        of("fields of a Map", json_path),
        of("fields of a Map, JSONata", jsonata),
        of("fields of an ItemReader", reader),
    ]
}

#[cfg(test)]
mod tests {
    use asl_model::{FieldOwner, QueryLanguage};
    use std::collections::BTreeSet;

    /// Fields that hold no data: read once, when the definition is compiled.
    const STATIC: [&str; 27] = [
        "Comment",
        "QueryLanguage",
        "Version",
        "StartAt",
        "States",
        "Type",
        "Next",
        "End",
        "Default",
        "Branches",
        "Choices",
        "ErrorEquals",
        "Mode",
        "ExecutionType",
        "Label",
        "Iterator",
        "ItemProcessor",
        "ProcessorConfig",
        "Resource",
        "InputType",
        "CSVHeaderLocation",
        "CSVHeaders",
        "CSVDelimiter",
        "Transformation",
        "OutputType",
        "ManifestType",
        "Not",
    ];

    /// Numbers in a definition; the same field with `Path`, or as an expression, holds data.
    const NUMBERS: [&str; 4] = [
        "MaxItems",
        "BackoffRate",
        "JitterStrategy",
        "MaxDelaySeconds",
    ];

    #[test]
    fn every_field_that_holds_data_has_a_family() {
        let texts: String = super::super::all()
            .map(|family| (family.case)(family.smallest).definition.to_string())
            .collect();
        let languages = [QueryLanguage::JSONPath, QueryLanguage::JSONata];
        let fields: BTreeSet<&str> = (FieldOwner::ALL.iter())
            .flat_map(|owner| languages.map(|language| owner.fields(language)))
            .flatten()
            .collect();
        let is_missing = |field: &&str| {
            !STATIC.contains(field)
                && !NUMBERS.contains(field)
                && !texts.contains(&format!("\"{field}\":"))
        };
        let missing: Vec<&str> = fields.into_iter().filter(is_missing).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}
