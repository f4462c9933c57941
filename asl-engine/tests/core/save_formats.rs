//! Saves through serde formats, and what is in them.
use crate::case::start_time;
use crate::host::Host;
use crate::samples::{Sample, options, sample, samples};
use asl_engine::{Execution, Program, SavedExecution, Start};
use serde_json::{Value, json};

/// Returns each format that saves are read by, with a name.
fn formats(save: &SavedExecution) -> [(&'static str, SavedExecution); 5] {
    let json = serde_json::to_string(save).expect("JSON");
    let value = serde_json::to_value(save).expect("a JSON value");
    let named = rmp_serde::to_vec_named(save).expect("MessagePack");
    let compact = rmp_serde::to_vec(save).expect("MessagePack without names");
    let mut cbor = Vec::new();
    ciborium::into_writer(save, &mut cbor).expect("CBOR");
    [
        ("JSON", serde_json::from_str(&json).expect("JSON")),
        (
            "JSON value",
            serde_json::from_value(value).expect("JSON value"),
        ),
        ("named", rmp_serde::from_slice(&named).expect("MessagePack")),
        (
            "compact",
            rmp_serde::from_slice(&compact).expect("MessagePack"),
        ),
        (
            "CBOR",
            ciborium::from_reader(cbor.as_slice()).expect("CBOR"),
        ),
    ]
}

fn finished(execution: Execution) -> String {
    format!("{:?}", Host::take_up(execution).finish())
}

/// A sample whose own end has come is finished as it is.
fn can_be_finished(sample: &Sample) -> bool {
    !matches!(sample.name, "failed" | "ended")
}

#[test]
fn every_format_keeps_every_part() {
    for sample in samples() {
        let save = sample.save();
        for (format, read) in formats(&save) {
            assert_eq!(read, save, "{} in {format}", sample.name);
            let restored = sample.restored(read);
            assert_eq!(restored.save(), save, "{} in {format}", sample.name);
        }
    }
}

#[test]
fn every_sample_goes_on_to_the_same_end() {
    for sample in samples().into_iter().filter(can_be_finished) {
        let mut host = sample.host();
        let whole = match sample.unpolled {
            true => finished(sample.restored(host.execution.save())),
            false => format!("{:?}", host.finish()),
        };
        for (format, read) in formats(&sample.save()) {
            let restored = finished(sample.restored(read));
            assert_eq!(restored, whole, "{} in {format}", sample.name);
        }
    }
}

#[test]
fn data_is_text_and_bodies_are_bytes() {
    let save = sample("writing").save();
    let text = serde_json::to_string(&save).expect("JSON");
    // {"DestinationBucket": …, whose bytes in base64 begin so.
    assert!(text.contains("\"eyJEZXN0aW5hdGlvbkJ1Y2tldCI6"), "{text}");
    let packed = rmp_serde::to_vec(&save).expect("MessagePack");
    let body = br#"{"DestinationBucket":"#;
    assert!(packed.windows(body.len()).any(|part| part == body));
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| Value::Array(vec![inner]))
}

fn program(definition: &Value) -> Program {
    let (machine, _) = asl_model::parse_value(definition, options()).expect("valid");
    Program::compile(&machine).expect("it compiles")
}

/// On the stack of a test thread, which is that of a worker of an async runtime.
#[test]
fn a_thousand_levels_of_data_are_read_by_plain_serde() {
    let branch = json!({"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}});
    let program = program(&json!({"StartAt": "All", "States": {
        "All": {"Type": "Parallel", "Branches": [branch], "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Last"}], "Next": "Last"},
        "Last": {"Type": "Wait", "Seconds": 1, "End": true}}}));
    for budget in 1..6 {
        let mut start = Start::new("deep", nested(1_000), start_time());
        start.limits.turn_cost = 1;
        let mut execution = Execution::start(&program, start);
        for _ in 0..budget {
            let _step = execution.step(start_time(), None);
            for (format, read) in formats(&execution.save()) {
                let restored = read.restore(&program).expect(format);
                assert_eq!(restored.save(), execution.save(), "{format}");
            }
        }
    }
}

#[test]
fn a_waiting_execution_is_small() {
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:us-east-1:111111111111:activity:A", "End": true});
    let program = program(&json!({"StartAt": "Ask", "States": {"Ask": task}}));
    let mut execution = Execution::start(&program, Start::new("e", json!({"n": 1}), start_time()));
    let _step = execution.step(start_time(), None);
    let save = execution.save();
    let text = serde_json::to_string(&save).expect("JSON");
    assert!(text.len() < 1_550, "{} bytes: {text}", text.len());
    let packed = rmp_serde::to_vec(&save).expect("MessagePack");
    assert!(packed.len() < 300, "{} bytes", packed.len());
}

#[test]
fn a_map_of_a_thousand_items_writes_their_input_once() {
    const ITEMS: usize = 1_000;
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:us-east-1:111111111111:activity:A", "End": true});
    let inner = json!({"Type": "Map", "ItemsPath": "$.items", "End": true,
        "ItemProcessor": {"StartAt": "Ask", "States": {"Ask": task}}});
    let both = json!({"Type": "Parallel", "End": true, "Branches": [
        {"StartAt": "Map", "States": {"Map": inner}},
        {"StartAt": "Rest", "States": {"Rest": {"Type": "Wait", "Seconds": 60, "End": true}}}]});
    let program = program(&json!({"StartAt": "Both", "States": {"Both": both}}));
    let large = "x".repeat(300_000);
    let items: Vec<usize> = (0..ITEMS).collect();
    let mut start = Start::new("e", json!({"items": items, "large": large}), start_time());
    start.limits.max_payload_bytes = None;
    start.limits.max_inline_iterations = None;
    let mut execution = Execution::start(&program, start);
    while execution.step(start_time(), None).yielded {}
    assert_eq!(execution.pending().count(), ITEMS);
    let text = serde_json::to_string(&execution.save()).expect("JSON");
    assert_eq!(text.matches(&large[..1_000]).count(), large.len() / 1_000);
    let rest = text.len() - large.len();
    assert!(rest < 500 * ITEMS, "{} bytes for each item", rest / ITEMS);

    // It is shared after reading, too.
    let saved: SavedExecution = serde_json::from_str(&text).expect("a save");
    let restored = saved.restore(&program).expect("it is taken up");
    assert_eq!(serde_json::to_string(&restored.save()).expect("JSON"), text);
}
