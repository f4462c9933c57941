//! The law of memory, measured at the allocator: no execution takes more than `FACTOR` times its budgets and a constant,
//! whatever its definition and its input are. One test alone, as the allocator is the process's.
use asl_engine::{
    Limits, Program, Start, StorageOperation, StorageRequest, StorageResult, SynchronousHost,
    TaskError, TaskInvocation, drive_with,
};
use asl_model::{Options, Timestamp};
use peak_alloc::PeakAlloc;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Of an execution, and of one evaluation.
const BUDGET: usize = 4 << 20;

/// What is held, what is being made of it, and what causes and events show of both.
const FACTOR: usize = 2;
const CONSTANT: usize = 4 << 20;

/// Answers with what it was asked; of an object store every object is `object`.
struct Host(Vec<u8>);

impl SynchronousHost for Host {
    fn invoke_task(&mut self, invocation: &TaskInvocation) -> Result<Value, TaskError> {
        Ok(Value::clone(&invocation.payload))
    }

    fn perform_storage(&mut self, request: &StorageRequest) -> Result<StorageResult, String> {
        match request.operation {
            StorageOperation::GetObject { .. } => Ok(StorageResult::Object(self.0.clone())),
            StorageOperation::ListObjects { .. } => Ok(StorageResult::Listing(Vec::new())),
            StorageOperation::PutObject { .. } => Ok(StorageResult::Written),
        }
    }
}

fn limits() -> Limits {
    Limits {
        max_execution_bytes: Some(BUDGET as u64),
        max_expression_memory: BUDGET,
        max_expression_steps: 200_000,
        max_transitions: Some(2_000),
        ..Limits::unlimited()
    }
}

fn program(definition: &Value) -> Program {
    let parsed = asl_model::parse_value(definition, Options::default());
    let (machine, _) = parsed.expect("a valid definition");
    Program::compile(&machine).expect("a program")
}

/// Few steps for what is generated, of which some goes on for as long as it may.
fn few_steps() -> Limits {
    Limits {
        max_expression_steps: 10_000,
        max_transitions: Some(100),
        ..limits()
    }
}

fn start(input: &Value, limits: Limits) -> Start {
    Start {
        limits,
        ..Start::new("e", input.clone(), Timestamp::default())
    }
}

/// Bytes that running takes beyond what there was before it.
fn peak(definition: &Value, input: &Value, object: &[u8], limits: Limits) -> usize {
    let (program, start) = (program(definition), start(input, limits));
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    drop(drive_with(program, start, Host(object.to_vec())));
    ALLOCATOR.peak_usage().saturating_sub(before)
}

/// The same by the runtime, which runs children side by side.
#[cfg(feature = "runtime")]
fn peak_by_runtime(definition: &Value) -> usize {
    use asl_engine::runtime::{Clock, Runtime};
    let (program, start) = (
        std::sync::Arc::new(program(definition)),
        start(&json!({}), limits()),
    );
    let tokio = tokio::runtime::Builder::new_current_thread().build();
    tokio.expect("a runtime").block_on(async {
        let clock = Clock::virtual_from(Timestamp::default());
        let runtime = Runtime::builder().clock(clock).build();
        let before = ALLOCATOR.current_usage();
        ALLOCATOR.reset_peak_usage();
        drop(
            runtime
                .start_execution(program, start)
                .await
                .outcome()
                .await,
        );
        ALLOCATOR.peak_usage().saturating_sub(before)
    })
}

#[track_caller]
fn is_bounded(what: &str, peak: usize) {
    let most = FACTOR * BUDGET + CONSTANT;
    assert!(peak <= most, "{what}: {peak} bytes, more than {most}");
}

/// Its state has a name of its own, as states within it must.
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

/// What small definitions and inputs would make much of.
struct Amplifier {
    what: &'static str,
    definition: Value,
    input: Value,
    /// All that an object store has.
    object: String,
}

impl Amplifier {
    fn new(what: &'static str, definition: Value, input: &Value) -> Self {
        Self {
            what,
            definition,
            input: input.clone(),
            object: String::new(),
        }
    }

    fn with_object(self, object: String) -> Self {
        Self { object, ..self }
    }
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
    let mut child = large.clone();
    child["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"});
    let of = |items, processor| jsonata(machine(map(items, processor)));
    vec![
        Amplifier::new("a loop that doubles", doubling, &json!({"x": "ab"})),
        Amplifier::new("outputs", of("{% [1..10000] %}", large), &none),
        Amplifier::new("a Map in a Map", of("{% [1..10000] %}", inner), &none),
        Amplifier::new(CHILDREN, of("{% [1..1000] %}", child), &none),
    ]
}

const CHILDREN: &str = "outputs of children";

fn in_files() -> Vec<Amplifier> {
    let (text, none) = (json!({"x": "x".repeat(100_000)}), json!({}));
    let header: Vec<String> = (0..3_000).map(|n| format!("c{n}")).collect();
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

#[test]
fn no_execution_takes_more_than_its_budget_and_a_constant() {
    let amplifiers = [in_templates(), in_calls(), in_flows(), in_files()];
    for amplifier in amplifiers.into_iter().flatten() {
        let Amplifier {
            what,
            definition,
            input,
            object,
        } = amplifier;
        is_bounded(what, peak(&definition, &input, object.as_bytes(), limits()));
        #[cfg(feature = "runtime")]
        if what == CHILDREN {
            is_bounded("children of the runtime", peak_by_runtime(&definition));
        }
    }
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(64)
    };
    // The same ones each time: some of what can be generated keeps the law for minutes.
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let input = json!({"a": [1, {"b": "x".repeat(1_000)}], "n": 3, "text": "y"});
    let generated = runner.run(&asl_model::strategies::definition(), |definition| {
        // Each child is an execution with budgets of its own, and may have children in turn.
        prop_assume!(!definition.to_string().contains("DISTRIBUTED"));
        let peak = peak(&definition, &input, b"[1, 2, 3]", few_steps());
        prop_assert!(
            peak <= FACTOR * BUDGET + CONSTANT,
            "{peak} bytes: {definition}"
        );
        Ok(())
    });
    generated.expect("every generated definition keeps the law");
}
