//! The budget of all that an execution holds (`Limits::max_execution_bytes`): every way to hold much comes to an end.
use crate::case::{Case, Run, with_fields};
use asl_engine::{Limits, StorageResult};
use asl_model::Profile;
use serde_json::{Value, json};

const BUDGET: u64 = 100_000;

fn bounded(case: Case) -> Case {
    case.limits(|limits| limits.max_execution_bytes = Some(BUDGET))
}

/// It ended for want of memory, and the cause says how much there was.
#[track_caller]
fn runs_out(run: Run) {
    let failure = run.outcome.as_ref().and_then(|outcome| outcome.failure());
    let cause = failure
        .and_then(|failure| failure.cause)
        .unwrap_or_default();
    assert!(cause.contains("max_execution_bytes"), "{cause}");
    run.fails_with("States.Runtime");
}

fn pass(fields: Value) -> Value {
    with_fields(json!({"Type": "Pass", "End": true}), &fields)
}

fn machine(state: Value) -> Value {
    scope("State", state)
}

fn scope(name: &str, state: Value) -> Value {
    json!({"StartAt": name, "States": {name: state}})
}

fn text(bytes: usize) -> Value {
    "x".repeat(bytes).into()
}

#[test]
fn a_budget_is_there_by_default_and_in_every_profile() {
    assert_eq!(Limits::default().max_execution_bytes, Some(256 << 20));
    assert_eq!(Limits::unlimited().max_execution_bytes, Some(256 << 20));
}

#[test]
fn a_template_is_refused_while_it_is_filled_in() {
    let fields: Value = (0..1_000)
        .map(|n| (format!("f{n}.$"), Value::from("$")))
        .collect();
    let template = || Case::new(machine(pass(json!({"Parameters": fields})))).input(text(10_000));
    // Ten million bytes are over the service's limit too, whatever the budget is.
    bounded(template())
        .limits(|limits| limits.max_payload_bytes = Some(1_000))
        .run()
        .fails_with("States.DataLimitExceeded");
    runs_out(bounded(template()).profile(Profile::Spec).run());
}

#[test]
fn expressions_count_together() {
    let field = "{% $pad('', 40000) %}";
    let output = json!({"a": field, "b": field, "c": field});
    let state = json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": output, "End": true});
    runs_out(bounded(Case::new(machine(state))).run());
}

#[test]
fn a_loop_that_doubles_its_data_ends() {
    let double =
        json!({"Type": "Pass", "Parameters": {"x.$": "States.Array($.x, $.x)"}, "Next": "More"});
    let rule = json!({"Variable": "$.x[0]", "IsPresent": true, "Next": "Double"});
    let more = json!({"Type": "Choice", "Choices": [rule], "Default": "End"});
    let states = json!({"Double": double, "More": more, "End": {"Type": "Succeed"}});
    let case = Case::new(json!({"StartAt": "Double", "States": states}));
    runs_out(
        bounded(case.profile(Profile::Spec))
            .input(json!({"x": 1}))
            .run(),
    );
}

#[test]
fn outputs_of_iterations_that_are_kept_count() {
    let processor = scope("Inner", pass(json!({"Result": {"text": text(1_000)}})));
    let map = json!({"Type": "Map", "ItemProcessor": processor, "End": true});
    let case = || Case::new(machine(map.clone()));
    let items = |count: usize| Value::from(vec![0; count]);
    runs_out(bounded(case()).express().input(items(200)).run());
    let run = bounded(case()).express().input(items(20)).run();
    assert_eq!(run.output().as_array().map(Vec::len), Some(20));
}

#[test]
fn iterations_that_wait_count_with_their_items() {
    let inner = json!({"Type": "Map", "Items": "{% [1..200] %}",
        "ItemProcessor": scope("Wait", json!({"Type": "Wait", "Seconds": 1, "End": true})), "End": true});
    let outer = json!({"Type": "Map", "Items": "{% [1..20] %}", "ItemProcessor": scope("Inner", inner), "End": true});
    let mut definition = machine(outer);
    definition["QueryLanguage"] = "JSONata".into();
    runs_out(bounded(Case::new(definition)).run());
}

#[test]
fn branches_count_their_inputs_before_they_start() {
    let write = pass(json!({"Result": 1, "ResultPath": "$.x"}));
    let branch = |index: u32| scope(&format!("Write {index}"), write.clone());
    let parallel = |count: u32| {
        let branches: Value = (0..count).map(branch).collect();
        json!({"Type": "Parallel", "Branches": branches, "End": true})
    };
    let case = |count: u32| {
        bounded(Case::new(machine(parallel(count)))).input(json!({"text": text(5_000)}))
    };
    assert_eq!(case(5).run().output().as_array().map(Vec::len), Some(5));
    runs_out(case(30).run());
}

#[test]
fn what_is_let_go_makes_room_again() {
    let make = pass(
        json!({"Parameters": {"text.$": "States.Format('{}', $.text)", "n.$": "States.MathAdd($.n, 1)"}}),
    );
    let mut make = make;
    make["Next"] = "More".into();
    make.as_object_mut().map(|state| state.shift_remove("End"));
    let rule = json!({"Variable": "$.n", "NumericLessThan": 25, "Next": "State"});
    let more = json!({"Type": "Choice", "Choices": [rule], "Default": "End"});
    let states = json!({"State": make, "More": more, "End": {"Type": "Succeed"}});
    let input = json!({"text": text(10_000), "n": 0});
    let run = bounded(Case::new(json!({"StartAt": "State", "States": states}))).input(input);
    assert_eq!(run.run().output()["n"], 25);
}

#[test]
fn variables_count() {
    let append = json!({"Type": "Pass", "QueryLanguage": "JSONata",
        "Assign": {"all": "{% $append($all, $pad('', 4000)) %}", "n": "{% $n + 1 %}"}, "Next": "More"});
    let first = json!({"Type": "Pass", "Assign": {"all": [], "n": 0}, "Next": "Append"});
    let more = json!({"Type": "Choice", "QueryLanguage": "JSONata", "Default": "End",
        "Choices": [{"Condition": "{% $n < 60 %}", "Next": "Append"}]});
    let states =
        json!({"First": first, "Append": append, "More": more, "End": {"Type": "Succeed"}});
    runs_out(bounded(Case::new(json!({"StartAt": "First", "States": states}))).run());
}

fn distributed(reader_config: Value, batcher: Option<Value>) -> Case {
    let mut processor = scope("Child", pass(json!({})));
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS"});
    let mut map = json!({"Type": "Map", "ItemProcessor": processor, "End": true,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": reader_config,
            "Parameters": {"Bucket": "b", "Key": "k"}}});
    if let Some(batcher) = batcher {
        map["ItemBatcher"] = batcher;
    }
    bounded(Case::new(machine(map)))
}

#[test]
fn items_that_are_read_count_before_they_are_made() {
    let object = |text: String| StorageResult::Object(text.into_bytes());
    let header: Vec<String> = (0..300).map(|n| format!("c{n}")).collect();
    let csv = json!({"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": header});
    let run = distributed(csv, None)
        .stored(object("\n".repeat(1_000)))
        .run();
    run.fails_with("States.Runtime");
    for (input_type, text) in [
        ("JSON", format!("[{}0]", "0,".repeat(5_000))),
        ("JSONL", "0\n".repeat(5_000)),
    ] {
        let config = json!({"InputType": input_type});
        let run = distributed(config, None).stored(object(text)).run();
        run.fails_with("States.Runtime");
    }
}

#[test]
fn variables_of_small_values_are_charged_too() {
    let assign: serde_json::Map<String, Value> =
        (0..1_000).map(|n| (format!("v{n}"), json!(n))).collect();
    for (limit, succeeds) in [(50_000, false), (1_000_000, true)] {
        let run = Case::of_state(json!({"Type": "Pass", "Assign": assign}))
            .limits(|limits| limits.max_execution_bytes = Some(limit))
            .run();
        match succeeds {
            true => run.succeeds(json!({})),
            false => run.fails_with("States.Runtime"),
        };
    }
}
