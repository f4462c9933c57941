//! Data that a field only names is passed on as it is: neither copied nor changed.
use crate::case::start_time;
use crate::jsonata::{passing, state};
use crate::samples::options;
use asl_engine::{ErrorOutput, Execution, Outcome, Output, Program, Start, TaskInvocation};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns an execution without history, so that no event has the data too.
fn execution(definition: Value, input: &Arc<Value>) -> Execution {
    let (machine, _) = asl_model::parse_value(&definition, options()).expect("valid");
    let program = Program::compile(&machine).expect("it compiles");
    let mut start = Start::new("execution", Value::Null, start_time());
    start.input = Arc::clone(input);
    Execution::start(Arc::new(program), start)
}

fn output(mut execution: Execution) -> Arc<Value> {
    match execution.poll_output() {
        Output::Done(Outcome::Succeeded(output)) => output,
        other => panic!("it should succeed: {other:?}"),
    }
}

fn invocation(execution: &mut Execution) -> Arc<TaskInvocation> {
    match execution.poll_output() {
        Output::InvokeTask(invocation) => invocation,
        other => panic!("it should invoke a task: {other:?}"),
    }
}

#[test]
fn an_input_that_is_only_named_is_not_copied() {
    let input = Arc::new(json!({"a": [1, 2, 3]}));
    let state = |fields: Value| json!({"StartAt": "S", "QueryLanguage": "JSONata", "States": {"S": fields}});
    for fields in [
        json!({"Type": "Succeed"}),
        json!({"Type": "Succeed", "Output": "{% $states.input %}"}),
        json!({"Type": "Parallel", "Branches": [passing()], "Output": "{% $states.input %}", "End": true}),
    ] {
        let output = output(execution(state(fields), &input));
        assert!(Arc::ptr_eq(&output, &input));
    }
    for arguments in [json!({}), json!({"Arguments": "{% $states.input %}"})] {
        let mut task =
            json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true});
        task.as_object_mut()
            .expect("fields")
            .extend(arguments.as_object().expect("fields").clone());
        let payload = invocation(&mut execution(state(task), &input))
            .payload
            .clone();
        assert!(Arc::ptr_eq(&payload, &input));
    }
}

#[test]
fn fields_that_an_expression_merges_are_set_in_the_states_own_data_alone() {
    let succeed = json!({"Type": "Succeed", "Output": "{% $merge([$states.input, {'b': $states.input.a}]) %}"});
    let machine = json!({"StartAt": "S", "QueryLanguage": "JSONata", "States": {"S": succeed}});
    for (given, expected) in [
        (json!({"a": 1, "c": [2]}), json!({"a": 1, "c": [2], "b": 1})),
        (json!({"b": 0, "a": 1}), json!({"b": 1, "a": 1})),
        // No object: the items are merged, as the function does it.
        (json!([{"a": 1}, {"c": 2}]), json!({"a": 1, "c": 2, "b": 1})),
    ] {
        let input = Arc::new(given.clone());
        let output = output(execution(machine.clone(), &input));
        assert_eq!(output.to_string(), expected.to_string());
        assert_eq!(*input, given);
    }
}

#[test]
fn a_variable_hides_the_function_that_merges() {
    let machine = json!({"StartAt": "A", "QueryLanguage": "JSONata", "States": {
        "A": {"Type": "Pass", "Assign": {"merge": 1}, "Next": "B"},
        "B": {"Type": "Succeed", "Output": "{% $merge([$states.input, {'b': 2}]) %}"},
    }});
    let mut execution = execution(machine, &Arc::new(json!({})));
    match execution.poll_output() {
        Output::Done(Outcome::Failed(ErrorOutput { cause, .. })) => {
            let cause = cause.unwrap_or_default();
            assert!(cause.contains("T1006"), "{cause}");
        }
        other => panic!("it should fail: {other:?}"),
    }
}

#[test]
fn a_variable_that_is_only_named_is_not_copied() {
    let input = Arc::new(json!({"a": [1, 2, 3]}));
    for assign in [
        json!({"Type": "Pass", "Assign": {"x.$": "$"}, "OutputPath": null, "Next": "See"}),
        json!({"Type": "Pass", "QueryLanguage": "JSONata", "Assign": {"x": "{% $states.input %}"}, "Output": 1, "Next": "See"}),
    ] {
        let definition = json!({"StartAt": "Assign", "States": {"Assign": assign,
            "See": {"Type": "Succeed", "QueryLanguage": "JSONata", "Output": "{% $x %}"}}});
        let output = output(execution(definition, &input));
        assert!(Arc::ptr_eq(&output, &input));
    }
}

#[test]
fn iterations_do_not_copy_the_variables_around_them() {
    let marker = "only once";
    let waiting = json!({"StartAt": "W", "States": {
        "W": {"Type": "Wait", "QueryLanguage": "JSONata", "Seconds": 9, "Output": "{% $outer %}", "End": true}}});
    let definition = json!({"StartAt": "Assign", "States": {
        "Assign": {"Type": "Pass", "Assign": {"outer.$": "$$.Execution.Name"}, "Next": "Map"},
        "Map": {"Type": "Map", "ItemProcessor": waiting, "End": true}}});
    let input = Arc::new(json!([1, 2, 3]));
    let (machine, _) = asl_model::parse_value(&definition, options()).expect("valid");
    let program = Program::compile(&machine).expect("it compiles");
    let mut start = Start::new("execution", Value::Null, start_time());
    start.input = input;
    start.context = json!({"Execution": {"Name": marker}})
        .as_object()
        .cloned()
        .unwrap_or_default();
    let mut execution = Execution::start(Arc::new(program), start);
    assert!(matches!(
        execution.poll_output(),
        Output::Wait { until: Some(_) }
    ));
    let saved = serde_json::to_string(&execution.save()).expect("it can be saved");
    // Of the start, and of the variable.
    assert_eq!(saved.matches(marker).count(), 2);
}

fn plain_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("[a-c]", inner), 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// `$states.input` alone is not evaluated; within parentheses it is.
    #[test]
    fn a_value_that_is_named_is_what_its_expression_gives(input in plain_json()) {
        let all = json!({"named": "{% $states.input %}", "evaluated": "{% ($states.input) %}"});
        let run = state(json!({"Type": "Pass", "Output": all, "Assign": {"x": "{% $states.input %}"}, "Next": "See"}))
            .state("See", json!({"Type": "Succeed", "QueryLanguage": "JSONata",
                "Output": ["{% $states.input.named %}", "{% $states.input.evaluated %}", "{% $x %}", "{% ($x) %}"]}))
            .input(input.clone())
            .run();
        run.succeeds(json!([input, input, input, input]));
    }
}
