//! JSONata states: what their fields are evaluated over, and what becomes of their values (2024 specification, JSONata
//! Concepts and the JSONata parts of State Types).
use crate::case::{Case, fail, ok};
use asl_engine::{Input, StorageResult};
use serde_json::{Value, json};

const TASK: &str = "arn:aws:states:::sns:publish";

/// Returns one state of a JSONata machine.
pub(crate) fn state(mut state: Value) -> Case {
    state["QueryLanguage"] = json!("JSONata");
    Case::of_state(state)
}

pub(crate) fn task(fields: Value) -> Case {
    state(with(json!({"Type": "Task", "Resource": TASK}), fields))
}

pub(crate) fn with(mut object: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().expect("fields") {
        object[name] = value.clone();
    }
    object
}

/// Returns a processor or a branch of one state that passes its input on.
pub(crate) fn passing() -> Value {
    named("Item")
}

/// As [`passing`], with another name for the state.
pub(crate) fn named(name: &str) -> Value {
    json!({"StartAt": name, "States": {name: {"Type": "Pass", "End": true}}})
}

#[test]
fn output_is_a_template_in_which_any_string_may_be_an_expression() {
    let output = json!({
        "sum": "{% $states.input.a + 1 %}",
        "nested": {"list": [1, "{% $states.input.a %}", ["{% 'x' %}"]]},
        "text": " {% $states.input %} ",
        "path.$": "$.a",
        "null": null,
    });
    let expected = json!({
        "sum": 3,
        "nested": {"list": [1, 2, ["x"]]},
        "text": " {% $states.input %} ",
        "path.$": "$.a",
        "null": null,
    });
    state(json!({"Type": "Pass", "Output": output}))
        .input(json!({"a": 2}))
        .run()
        .succeeds(expected);
}

#[test]
fn without_output_a_state_without_result_passes_its_input_on() {
    for kind in ["Pass", "Succeed"] {
        state(json!({"Type": kind}))
            .input(json!([1]))
            .run()
            .succeeds(json!([1]));
    }
    state(json!({"Type": "Wait", "Seconds": 1}))
        .input(json!([1]))
        .run()
        .succeeds(json!([1]));
}

#[test]
fn succeed_and_wait_have_an_output() {
    state(json!({"Type": "Succeed", "Output": "{% $states.input.a %}"}))
        .input(json!({"a": 1}))
        .run()
        .succeeds(json!(1));
    let run = state(json!({"Type": "Wait", "Seconds": 5, "Output": "{% $states.input.a %}"}))
        .input(json!({"a": 1}))
        .run()
        .succeeds(json!(1));
    assert_eq!(run.seconds, 5.0);
}

#[test]
fn arguments_are_what_a_task_is_given() {
    let payload = |arguments: Value| {
        let case = match arguments {
            Value::Null => task(json!({})),
            arguments => task(json!({"Arguments": arguments})),
        };
        let run = case
            .input(json!({"a": [1]}))
            .task("State", ok(json!(2)))
            .run();
        run.payloads("State")[0].clone()
    };
    assert_eq!(
        payload(json!({"b": "{% $states.input.a[0] %}"})),
        json!({"b": 1})
    );
    assert_eq!(payload(json!("{% $states.input.a %}")), json!([1]));
    assert_eq!(payload(json!("{% $states.input %}")), json!({"a": [1]}));
    assert_eq!(payload(json!({"fixed": true})), json!({"fixed": true}));
    assert_eq!(payload(Value::Null), json!({"a": [1]}));
}

#[test]
fn output_sees_the_input_and_the_result() {
    let run = |fields: Value| {
        task(fields)
            .input(json!({"a": 1}))
            .task("State", ok(json!({"r": 2})))
            .run()
    };
    run(json!({})).succeeds(json!({"r": 2}));
    run(json!({"Output": "{% $states.result %}"})).succeeds(json!({"r": 2}));
    run(json!({"Output": "{% $states.input %}"})).succeeds(json!({"a": 1}));
    run(json!({"Output": "{% $states.input.a + $states.result.r %}"})).succeeds(json!(3));
    run(json!({"Arguments": {"x": 1}, "Output": ["{% $states.input %}", "{% $states.result %}"]}))
        .succeeds(json!([{"a": 1}, {"r": 2}]));
    run(json!({"Output": "{% $keys($states) %}"})).succeeds(json!(["input", "result", "context"]));
}

#[test]
fn a_retried_state_still_sees_its_input() {
    task(
        json!({"Arguments": "{% $states.input.a %}", "Output": "{% $states.input %}",
        "Retry": [{"ErrorEquals": ["E"]}]}),
    )
    .input(json!({"a": 1}))
    .task("State", fail("E", ""))
    .task("State", ok(json!(2)))
    .run()
    .succeeds(json!({"a": 1}));
}

#[test]
fn the_context_object_is_in_states() {
    let fields = json!({"Type": "Pass", "Output": "{% $states.context.State.Name %}"});
    state(fields).run().succeeds(json!("State"));
    let resource = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";
    let run = state(json!({"Type": "Task", "Resource": resource,
        "Arguments": {"token": "{% $states.context.Task.Token %}"}}))
    .task("State", ok(json!(1)))
    .run();
    let (_, invocation) = &run.invocations[0];
    assert_eq!(
        invocation.payload["token"].as_str(),
        invocation.task_token.as_deref()
    );
}

#[test]
fn a_number_may_be_an_expression() {
    let run = task(json!({"TimeoutSeconds": "{% $states.input.t %}", "HeartbeatSeconds": "{% $states.input.t - 1 %}"}))
        .input(json!({"t": 5}))
        .task("State", ok(json!(1)))
        .run();
    let (_, invocation) = &run.invocations[0];
    assert_eq!(invocation.timeout_seconds, Some(5));
    assert_eq!(invocation.heartbeat_seconds, Some(4));
}

#[test]
fn credentials_are_a_template() {
    let run = task(json!({"Credentials": {"RoleArn": "{% $states.input.role %}"}}))
        .input(json!({"role": "arn:aws:iam::111111111111:role/R"}))
        .task("State", ok(json!(1)))
        .run();
    let expected = json!({"RoleArn": "arn:aws:iam::111111111111:role/R"});
    assert_eq!(run.invocations[0].1.credentials, Some(expected));
}

fn choice(fields: Value) -> Case {
    let rules = json!([
        {"Condition": "{% $states.input.n > 5 %}", "Next": "End", "Output": {"big": "{% $states.input.n %}"}},
        {"Condition": "{% $states.input.n > 2 %}", "Next": "End"},
        {"Condition": false, "Next": "State"},
    ]);
    let fields = with(
        json!({"Type": "Choice", "Choices": rules, "Default": "End"}),
        fields,
    );
    state(fields).state("End", json!({"Type": "Succeed"}))
}

#[test]
fn the_first_condition_that_is_true_is_chosen_with_its_output() {
    choice(json!({}))
        .input(json!({"n": 9}))
        .run()
        .succeeds(json!({"big": 9}));
    choice(json!({}))
        .input(json!({"n": 3}))
        .run()
        .succeeds(json!({"n": 3}));
    choice(json!({}))
        .input(json!({"n": 0}))
        .run()
        .succeeds(json!({"n": 0}));
}

#[test]
fn the_output_of_a_choice_state_is_of_the_case_that_no_rule_matches() {
    let case = || choice(json!({"Output": "none"}));
    case()
        .input(json!({"n": 9}))
        .run()
        .succeeds(json!({"big": 9}));
    case()
        .input(json!({"n": 3}))
        .run()
        .succeeds(json!({"n": 3}));
    case().input(json!({"n": 0})).run().succeeds(json!("none"));
}

#[test]
fn a_choice_state_without_match_and_default_fails() {
    state(json!({"Type": "Choice", "Choices": [{"Condition": false, "Next": "End"}]}))
        .state("End", json!({"Type": "Succeed"}))
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn a_wait_may_be_given_by_expressions() {
    let seconds = |fields: Value| {
        let case = state(with(json!({"Type": "Wait"}), fields));
        case.input(json!({"s": 7, "until": "2024-01-01T00:01:00Z"}))
            .run()
            .seconds
    };
    assert_eq!(seconds(json!({"Seconds": "{% $states.input.s %}"})), 7.0);
    assert_eq!(
        seconds(json!({"Seconds": "{% $states.input.s - 7.0 %}"})),
        0.0
    );
    assert_eq!(
        seconds(json!({"Timestamp": "{% $states.input.until %}"})),
        60.0
    );
}

#[test]
fn a_fail_state_may_be_given_by_expressions() {
    state(json!({"Type": "Fail", "Error": "{% $states.input.e %}", "Cause": "{% 'since ' & $states.input.e %}"}))
        .input(json!({"e": "Late"}))
        .run()
        .fails("Late", "since Late");
}

#[test]
fn branches_are_given_the_arguments() {
    let parallel = |fields: Value| {
        let fields = with(
            json!({"Type": "Parallel", "Branches": [passing(), named("Other")]}),
            fields,
        );
        state(fields).input(json!({"a": 1})).run()
    };
    parallel(json!({})).succeeds(json!([{"a": 1}, {"a": 1}]));
    parallel(json!({"Arguments": "{% $states.input.a %}"})).succeeds(json!([1, 1]));
    let fields = json!({"Arguments": 2, "Output": {"in": "{% $states.input.a %}", "out": "{% $states.result[1] %}"}});
    parallel(fields).succeeds(json!({"in": 1, "out": 2}));
}

fn map(fields: Value) -> Case {
    state(with(
        json!({"Type": "Map", "ItemProcessor": passing()}),
        fields,
    ))
}

#[test]
fn items_are_an_array_of_whatever_form() {
    let items = |items: Value| {
        map(json!({"Items": items}))
            .input(json!({"list": [1, 2], "n": 3}))
            .run()
    };
    items(json!("{% $states.input.list %}")).succeeds(json!([1, 2]));
    items(json!([0, "{% $states.input.n %}"])).succeeds(json!([0, 3]));
    items(json!([])).succeeds(json!([]));
    map(json!({})).input(json!([4])).run().succeeds(json!([4]));
}

#[test]
fn an_item_selector_sees_the_item_and_the_input_of_the_map() {
    let selector = json!({
        "item": "{% $states.context.Map.Item.Value %}",
        "index": "{% $states.context.Map.Item.Index %}",
        "all": "{% $states.input.list %}",
    });
    map(json!({"Items": "{% $states.input.list %}", "ItemSelector": selector, "Output": "{% $states.result[1] %}"}))
        .input(json!({"list": ["a", "b"]}))
        .run()
        .succeeds(json!({"item": "b", "index": 1, "all": ["a", "b"]}));
}

#[test]
fn a_maps_numbers_may_be_expressions() {
    let task = json!({"StartAt": "Item", "States": {"Item": {"Type": "Task", "Resource": TASK, "End": true}}});
    let fields = json!({"Type": "Map", "ItemProcessor": task, "MaxConcurrency": "{% $states.input[0] %}",
        "ToleratedFailureCount": "{% $states.input[0] %}"});
    let run = state(fields)
        .input(json!([1, 2]))
        .task("Item", fail("E", "").after(2))
        .task("Item", ok(json!("b")).after(2))
        .run()
        .succeeds(json!(["b"]));
    assert_eq!(run.invoked_at("Item"), [0.0, 2.0]);
}

#[test]
fn a_map_run_evaluates_its_reader_batcher_and_writer() {
    let processor = with(
        passing(),
        json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}}),
    );
    let run = state(json!({"Type": "Map", "ItemProcessor": processor,
        "ItemReader": {"Resource": "arn:aws:states:::s3:getObject",
            "ReaderConfig": {"InputType": "JSON", "MaxItems": "{% $states.input.max %}"},
            "Arguments": {"Bucket": "{% $states.input.bucket %}", "Key": "in.json"}},
        "ItemBatcher": {"MaxItemsPerBatch": "{% $states.input.max %}", "BatchInput": {"b": "{% $states.input.bucket %}"}},
        "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject",
            "Arguments": {"Bucket": "{% $states.input.bucket %}", "Prefix": "out"}},
        "Output": "{% $states.result.ResultWriterDetails.Bucket %}"}))
    .input(json!({"bucket": "store", "max": 2}))
    .stored(StorageResult::Object(b"[1, 2, 3]".to_vec()))
    .stored(StorageResult::Written)
    .stored(StorageResult::Written)
    .run()
    .succeeds(json!("store"));
    assert_eq!(run.storage_requests[0].bucket, "store");
    assert_eq!(run.children.len(), 1);
    assert_eq!(
        *run.children[0].input,
        json!({"BatchInput": {"b": "store"}, "Items": [1, 2]})
    );
}

#[test]
fn states_of_both_query_languages_follow_each_other() {
    Case::of_state(json!({"Type": "Pass", "Parameters": {"b.$": "$.a"}, "Next": "Jsonata"}))
        .state("Jsonata", json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": {"c": "{% $states.input.b %}"}, "Next": "End"}))
        .state("End", json!({"Type": "Succeed", "OutputPath": "$.c"}))
        .input(json!({"a": 1}))
        .run()
        .succeeds(json!(1));
}
#[test]
fn the_time_of_expressions_is_that_of_the_core() {
    let output = json!({"now": "{% $millis() %}"});
    let run = state(json!({"Type": "Wait", "Seconds": 3, "Output": output}))
        .at(3, Input::TimePassed)
        .run();
    run.succeeds(json!({"now": 1_704_067_203_000_u64}));
}

#[test]
fn the_chance_of_expressions_is_that_of_the_seed() {
    let drawn = |seed: u64| {
        let output = json!({"number": "{% $random() %}", "id": "{% $uuid() %}"});
        state(json!({"Type": "Pass", "Output": output}))
            .starting(|start| start.seed = Some(seed))
            .run()
            .output()
    };
    assert_eq!(drawn(1), drawn(1));
    let (one, other) = (drawn(1), drawn(2));
    assert_ne!(one["number"], other["number"]);
    assert_ne!(one["id"], other["id"]);
}
