//! Small definitions and inputs that would create much data.
use serde_json::{Value, json};

/// Returns a machine of this state, which has a name of its own, as states within it must.
fn machine(state: Value) -> Value {
    let name = format!("S{}", state.to_string().len());
    json!({"StartAt": name, "States": {&*name: state}})
}

fn pass(field: &str, value: Value) -> Value {
    machine(json!({"Type": "Pass", field: value, "End": true}))
}

fn jsonata(mut definition: Value) -> Value {
    definition["QueryLanguage"] = "JSONata".into();
    definition
}

fn fields(count: usize, name: &str, text: &str) -> Value {
    let fields = (0..count).map(|n| (format!("f{n}{name}"), Value::from(text)));
    Value::Object(fields.collect())
}

fn call(function: &str, arguments: &[&str]) -> Value {
    json!({"x.$": format!("States.{function}({})", arguments.join(", "))})
}

/// A Map whose items are made by one expression.
fn map(items: &str, processor: Value) -> Value {
    let mut processor = processor;
    if let Some(fields) = processor.as_object_mut() {
        fields.shift_remove("QueryLanguage");
    }
    json!({"Type": "Map", "Items": items, "ItemProcessor": processor, "End": true})
}

fn reading(config: Value, batcher: Value) -> Value {
    let mut processor = pass("Result", json!(1));
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"});
    machine(
        json!({"Type": "Map", "ItemProcessor": processor, "End": true, "ItemBatcher": batcher,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": config,
            "Parameters": {"Bucket": "b", "Key": "k"}}}),
    )
}

/// A definition, and what it is given.
pub(crate) struct Amplifier {
    pub(crate) what: &'static str,
    pub(crate) definition: Value,
    pub(crate) input: Value,
    /// All that an object store has.
    pub(crate) object: String,
    pub(crate) max_transitions: u64,
}

impl Amplifier {
    fn new(what: &'static str, definition: Value, input: &Value) -> Self {
        Self {
            what,
            definition,
            input: input.clone(),
            object: String::new(),
            max_transitions: 2_000,
        }
    }

    fn with_transitions(self, max_transitions: u64) -> Self {
        Self {
            max_transitions,
            ..self
        }
    }

    fn with_object(self, object: String) -> Self {
        Self { object, ..self }
    }
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Amplifier> {
    [
        in_templates(),
        in_calls(),
        in_flows(),
        in_children(),
        in_files(),
    ]
    .into_iter()
    .flatten()
}

fn in_templates() -> Vec<Amplifier> {
    let (text, none) = (json!({"x": "x".repeat(100_000)}), json!({}));
    let pads = fields(100, "", "{% $pad('', 1000000) %}");
    let nested = (0..300).fold(json!(1), |inner, _| json!([inner, 1]));
    let scan = call("ArrayLength", &["$..*..*"]);
    let parameters = |value| pass("Parameters", value);
    vec![
        Amplifier::new("expressions", jsonata(pass("Output", pads)), &none),
        Amplifier::new("paths", parameters(fields(3_000, ".$", "$")), &text),
        Amplifier::new("found", parameters(fields(3_000, ".$", "$..*")), &text),
        Amplifier::new("a scan", pass("InputPath", json!("$..*..*")), &nested),
        Amplifier::new("a scan in a call", parameters(scan), &nested),
    ]
}

fn in_calls() -> Vec<Amplifier> {
    let text = json!({"x": "x".repeat(100_000)});
    let many = vec!["$.x"; 3_000];
    let format = format!("'{}'", "{}".repeat(3_000));
    let formatted = std::iter::once(format.as_str()).chain(many.clone());
    let format = call("Format", &formatted.collect::<Vec<_>>());
    let split = json!({"x": "a,".repeat(50_000)});
    let pieces = call("StringSplit", &["$.x", "','"]);
    let read = json!({"x": format!("[{}1]", "[],".repeat(50_000))});
    let parameters = |value| pass("Parameters", value);
    vec![
        Amplifier::new("an array", parameters(call("Array", &many)), &text),
        Amplifier::new("a text", parameters(format), &text),
        Amplifier::new("pieces", parameters(pieces), &split),
        Amplifier::new("JSON", parameters(call("StringToJson", &["$.x"])), &read),
    ]
}

fn in_flows() -> Vec<Amplifier> {
    let none = json!({});
    let doubling = json!({"StartAt": "A", "States": {
        "A": {"Type": "Pass", "Parameters": {"x.$": "States.Array($.x, $.x)"}, "Next": "C"},
        "C": {"Type": "Choice", "Choices": [{"Variable": "$.stop", "IsPresent": true, "Next": "Z"}], "Default": "A"},
        "Z": {"Type": "Succeed"}}});
    let large = jsonata(pass("Output", json!("{% $pad('', 250000) %}")));
    let wait = machine(json!({"Type": "Wait", "Seconds": 1, "End": true}));
    let inner = machine(map("{% [1..10000] %}", wait));
    let of = |items, processor| jsonata(machine(map(items, processor)));
    vec![
        Amplifier::new("a loop that doubles", doubling, &json!({"x": "ab"})),
        Amplifier::new(
            "causes that show causes",
            showing_causes(),
            &json!({"x": "ab"}),
        )
        .with_transitions(60),
        Amplifier::new(
            "data within itself",
            nesting_itself(),
            &json!({"x": "x".repeat(100_000)}),
        )
        .with_transitions(200),
        Amplifier::new("outputs", of("{% [1..10000] %}", large), &none),
        Amplifier::new("a Map in a Map", of("{% [1..10000] %}", inner), &none),
    ]
}

/// A caught error becomes part of the input that the next cause shows, with twice as many backslashes.
fn showing_causes() -> Value {
    let processor = pass("Result", json!(1));
    json!({"StartAt": "Map", "States": {
        "Map": {"Type": "Map", "ItemsPath": "$.missing", "ItemProcessor": processor, "End": true,
            "Catch": [{"ErrorEquals": ["States.ALL"], "ResultPath": "$.caught", "Next": "Map"}]}}})
}

fn nesting_itself() -> Value {
    json!({"StartAt": "Pass", "States": {
        "Pass": {"Type": "Pass", "ResultPath": "$.within", "Next": "Again"},
        "Again": {"Type": "Pass", "ResultPath": "$.beside", "Next": "More"},
        "More": {"Type": "Choice", "Default": "Pass",
            "Choices": [{"Variable": "$.stop", "IsPresent": true, "Next": "End"}]},
        "End": {"Type": "Succeed"}}})
}

fn distributed(mut processor: Value) -> Value {
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"});
    processor
}

/// Returns amplifiers in child executions: each child has a budget of its own, and may have children in turn.
fn in_children() -> Vec<Amplifier> {
    let none = json!({});
    let large = pass("Output", json!("{% $pad('', 250000) %}"));
    let of = |items, processor| jsonata(machine(map(items, distributed(processor))));
    let waits = machine(json!({"Type": "Wait", "Seconds": 60, "Output": 1, "End": true}));
    let grows = json!({"StartAt": "Grow", "States": {
        "Grow": {"Type": "Pass", "Output": "{% $pad('', 100000) %}", "Next": "Stay"},
        "Stay": {"Type": "Wait", "Seconds": 60, "Output": 1, "End": true}}});
    let mut nested = waits.clone();
    for _ in 0..4 {
        nested = of("{% [1..1000] %}", nested);
        if let Some(fields) = nested.as_object_mut() {
            fields.shift_remove("QueryLanguage");
        }
    }
    vec![
        Amplifier::new("outputs of children", of("{% [1..1000] %}", large), &none)
            .with_transitions(20_000),
        Amplifier::new("children that grow", of("{% [1..1000] %}", grows), &none)
            .with_transitions(20_000),
        Amplifier::new("children of children", jsonata(nested), &none).with_transitions(20_000),
    ]
}

fn in_files() -> Vec<Amplifier> {
    let (text, none) = (json!({"x": "x".repeat(100_000)}), json!({}));
    let header: Vec<String> = (0..1_500).map(|n| format!("c{n}")).collect();
    let csv = json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": header});
    let lines = json!({"InputType": "JSONL"});
    let ten = json!({"MaxItemsPerBatch": 10});
    let batch = json!({"MaxItemsPerBatch": 1, "BatchInput": {"x.$": "$.x"}});
    let csv = Amplifier::new("CSV", reading(csv, ten.clone()), &none);
    let items = Amplifier::new("items", reading(lines.clone(), ten), &none);
    let batches = Amplifier::new("batches", reading(lines, batch), &text);
    vec![
        csv.with_object("\n".repeat(10_000)),
        items.with_object("0\n".repeat(500_000)),
        batches.with_object("0\n".repeat(10_000)),
    ]
}
