//! The core: any definition, any input, any order of what a host reports it.
//!
//! An input is a *tape* from which every decision is read, or a JSON object with `definition` and `input`. Laws: nothing
//! panics, one call does a bounded amount of work, the end is the end, and the same inputs give the same outputs, also
//! where the execution is saved and restored between any two calls.

mod damage;
mod host;
mod replay;
pub(super) mod save;
mod stored;

use super::targets::feature;
use asl_engine::{Limits, Program, Start};
use asl_model::generate::{Languages, Tape, definition, input};
use asl_model::{Options, Profile, StateMachineType, Timestamp};
use serde_json::{Value, json};
use std::sync::Arc;

/// Transitions of one call: few, so that executions are interrupted often.
const BUDGET: u32 = 40;

pub(super) const WORDS: &[&str] = &["\0", "\u{1}", "\u{7f}", "{\"definition\":", "\"input\":"];

/// Runs one input; the states of a tape use JSONPath.
pub(super) fn run(bytes: &[u8]) -> u64 {
    run_generated(bytes, in_json_path)
}

/// Runs one input; the states of a tape use JSONata, or JSONPath with variables.
pub(super) fn run_jsonata(bytes: &[u8]) -> u64 {
    run_generated(bytes, with_jsonata)
}

fn in_json_path(tape: &mut Tape<'_>) -> Value {
    definition(tape, Languages::JsonPath)
}

fn with_jsonata(tape: &mut Tape<'_>) -> Value {
    let languages = match tape.one_in(3) {
        true => Languages::Jsonata,
        false => Languages::Both,
    };
    definition(tape, languages)
}

fn run_generated(bytes: &[u8], generate: fn(&mut Tape<'_>) -> Value) -> u64 {
    let mut tape = Tape::endless(bytes);
    let given: Option<Value> = if bytes.starts_with(b"{") {
        serde_json::from_slice(bytes).ok()
    } else {
        None
    };
    let (definition, input) = match given {
        Some(mut given) => (given["definition"].take(), given["input"].take()),
        None => (generate(&mut tape), input(&mut tape)),
    };
    let profile = if tape.one_in(4) {
        Profile::Spec
    } else {
        Profile::Aws
    };
    let state_machine_type = if tape.one_in(8) {
        StateMachineType::Express
    } else {
        StateMachineType::Standard
    };
    let options = Options::default()
        .with_profile(profile)
        .with_state_machine_type(state_machine_type);
    let Ok((machine, _warnings)) = asl_model::parse_value(&definition, options) else {
        return 0;
    };
    let program = Program::compile(&machine).expect("an accepted definition compiles");
    let start = start(input, options, &mut tape);
    let program = Arc::new(program);
    let journal = host::run(&program, start.clone(), &mut tape);
    replay::check(&program, start, &journal);
    feature(journal.shape())
}

fn start(input: Value, options: Options, tape: &mut Tape) -> Start {
    let max_held_items_bytes = if tape.one_in(3) { 0 } else { 32 << 20 };
    let max_data_depth = if tape.surprises() { 20 } else { 1_000 };
    Start::new(
        "execution",
        input,
        Timestamp::from_milliseconds(1_700_000_000_000),
    )
    .with_seed(Some(tape.byte().into()))
    .with_limits(
        limits()
            .with_max_payload_bytes(if tape.surprises() { 500 } else { 10_000 })
            .with_max_history_events(tape.surprises().then_some(60))
            .with_max_data_depth(max_data_depth)
            .with_max_held_items_bytes(max_held_items_bytes),
    )
    .with_state_machine_type(options.state_machine_type)
    .with_record_history(tape.one_in(2))
}

/// Of most executions.
fn limits() -> Limits {
    Limits::default()
        .with_max_payload_bytes(10_000)
        .with_max_history_events(None)
        // Executions evaluate many expressions: how far one may go is the business of the target jsonata.
        .with_max_expression_steps(10_000)
        .with_max_expression_memory(1 << 20)
        .with_turn_cost(BUDGET)
}

/// Data nested beyond every limit, and loops that wrap data into itself once a round.
pub(super) fn deep() -> Vec<Vec<u8>> {
    const LEVELS: usize = 5_000;
    let deep = format!("{}{}", "[".repeat(LEVELS), "]".repeat(LEVELS));
    let seed = |definition: Value, input: &str| {
        format!(r#"{{"definition":{definition},"input":{input}}}"#).into_bytes()
    };
    let looping = |state: Value| {
        let mut state = state;
        state["Next"] = "W".into();
        json!({"StartAt": "W", "States": {"W": {"Type": "Pass", "Next": "L"}, "L": state}})
    };
    let pass = json!({"Type": "Pass", "End": true});
    let scope = json!({"StartAt": "P", "States": {"P": pass}});
    let task = json!({"Type": "Task", "Resource": "arn:aws:lambda:us-east-1:123456789012:function:echo", "Parameters": {"a.$": "$"}});
    vec![
        seed(json!({"StartAt": "P", "States": {"P": pass}}), &deep),
        seed(
            looping(json!({"Type": "Pass", "Parameters": {"a.$": "$"}})),
            "{}",
        ),
        seed(
            looping(json!({"Type": "Pass", "Parameters": {"a.$": "States.Array($)"}})),
            "{}",
        ),
        seed(looping(json!({"Type": "Pass", "ResultPath": "$.a"})), "{}"),
        seed(
            looping(json!({"Type": "Pass", "Parameters": {"a.$": "$", "b.$": "$"}})),
            "{}",
        ),
        seed(
            looping(
                json!({"Type": "Pass", "Parameters": {"s.$": "States.Format('{}{}', $.s, $.s)"}}),
            ),
            r#"{"s":"ab"}"#,
        ),
        seed(
            looping(json!({"Type": "Pass", "Parameters": {"s.$": "States.JsonToString($)"}})),
            "{}",
        ),
        seed(
            looping(json!({"Type": "Parallel", "Branches": [scope]})),
            "{}",
        ),
        seed(
            looping(
                json!({"Type": "Map", "ItemsPath": "$", "ItemSelector": {"a.$": "$$.Map.Item.Value"}, "ItemProcessor": scope}),
            ),
            "[1]",
        ),
        seed(looping(task), "{}"),
        seed(looping(json!({"Type": "Pass"})), "{}"),
    ]
}

/// Loops that grow their data and variables in JSONata, expressions that would never end, and a deep template.
pub(super) fn deep_jsonata() -> Vec<Vec<u8>> {
    const LEVELS: usize = 5_000;
    let looping = |field: &str, value: &str| {
        let state = format!(r#"{{"Type":"Pass","{field}":{value},"Next":"L"}}"#);
        let states =
            format!(r#"{{"QueryLanguage":"JSONata","StartAt":"L","States":{{"L":{state}}}}}"#);
        format!(r#"{{"definition":{states},"input":{{"a":1}}}}"#).into_bytes()
    };
    let expressions = [
        "$states.input & $states.input",
        "[$states.input, $states.input]",
        "{'a': $states.input}",
        "$string($states.input)",
        "$states.context",
        "$reduce([1..100000], function($a) {{'a': $a}}, 1)",
        "$pad('x', 1e9)",
        "[1..1e7]",
        "($f := function($n) {$f($n + 1)}; $f(1))",
        "($f := function($n) {1 + $f($n + 1)}; $f(1))",
        "$match($pad('', 1e5, 'a'), /(a+)+$/)",
    ];
    let seeds = expressions.into_iter().flat_map(|text| {
        let variables = format!(r#"{{"x":"{{% $exists($x) ? $append($x, {text}) : [1] %}}"}}"#);
        [
            looping("Output", &format!("\"{{% {text} %}}\"")),
            looping("Assign", &variables),
        ]
    });
    let deep = format!("{}\"{{% 1 %}}\"{}", "[".repeat(LEVELS), "]".repeat(LEVELS));
    seeds.chain([looping("Output", &deep)]).collect()
}
