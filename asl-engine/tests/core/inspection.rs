//! Inspection events of each field of a state, starts at a given state, and updates of a Map Run.
use crate::case::{Case, start_time};
use asl_engine::{
    Effect, ErrorOutput, Execution, Input, InspectedPlace, InspectionEvent, MapRunUpdate,
    MockedChildren, MockedOutcome, Outcome, Output, StartAt, Step,
};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};

fn told(case: &Case) -> (Vec<String>, Option<Outcome>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let mut execution = Execution::start(case.program(), case.start());
    let teller = Arc::clone(&told);
    execution.inspect(Some(Box::new(
        move |place: InspectedPlace<'_>, inspected: InspectionEvent<'_>| {
            let text = match inspected {
                InspectionEvent::Field { field, value } => format!("{field}: {value}"),
                InspectionEvent::Attempt { input, .. } => {
                    format!("{} begins with {input}", place.state)
                }
                InspectionEvent::Left { output, next } => format!("leaves {output} for {next:?}"),
                InspectionEvent::Variable { name, value } => format!("${name} = {value}"),
                other => format!("{other:?}"),
            };
            teller
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(text);
        },
    )));
    let step = execution.step(start_time(), None);
    let outcome = answered(&mut execution, step);
    let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
    (told, outcome)
}

/// Answers one task with what it was given, within an array.
fn answered(execution: &mut Execution, step: Step) -> Option<Outcome> {
    match step.effects.as_slice() {
        [Effect::Task(task)] => {
            let output = Value::from(vec![(*task.payload).clone()]).into();
            let input = Input::TaskSucceeded {
                id: task.id,
                output,
            };
            execution.step(start_time(), Some(input)).outcome
        }
        _ => step.outcome,
    }
}

#[test]
fn each_field_of_a_jsonpath_state_tells_what_it_made() {
    let case = Case::of_state(json!({
        "Type": "Task", "Resource": "arn:aws:lambda:us-east-1:111111111111:function:F",
        "InputPath": "$.a", "Parameters": {"p.$": "$.n"}, "ResultSelector": {"s.$": "$[0].p"},
        "ResultPath": "$.r", "OutputPath": "$.r"}))
    .input(json!({"a": {"n": 1}}));
    let (told, _) = told(&case);
    assert_eq!(
        told,
        [
            r#"State begins with {"a":{"n":1}}"#,
            r#"InputPath: {"n":1}"#,
            r#"Parameters: {"p":1}"#,
            r#"Result: [{"p":1}]"#,
            r#"ResultSelector: {"s":1}"#,
            r#"ResultPath: {"a":{"n":1},"r":{"s":1}}"#,
            r#"OutputPath: {"s":1}"#,
            r#"leaves {"s":1} for None"#,
        ]
    );
}

#[test]
fn what_retries_and_catches_is_told_too() {
    let case = Case::of_state(json!({"Type": "Parallel", "Branches": [{"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "E"}}}],
        "Catch": [{"ErrorEquals": ["Other"], "Next": "End"}, {"ErrorEquals": ["E"], "Next": "End"}]}))
    .caught_by("End");
    let (told, _) = told(&case);
    assert!(
        told.contains(&r#"Error { error: Some("E"), cause: None, place: Some(ErrorPlace { state: "F", field: None }) }"#.to_owned()),
        "{told:#?}"
    );
    assert!(told.contains(&"Catch { index: 1 }".to_owned()), "{told:#?}");
}

#[test]
fn each_test_of_a_choice_rule_that_is_looked_at_is_told() {
    let rules = json!([
        {"And": [{"Variable": "$.n", "NumericLessThan": 9}, {"Not": {"Variable": "$.n", "NumericEqualsPath": "$.m"}}], "Next": "End"},
        {"Or": [{"Variable": "$.n", "IsString": true}, {"Variable": "$.n", "IsNumeric": true}, {"Variable": "$.n", "IsNull": true}], "Next": "End"},
        {"Variable": "$.n", "IsPresent": true, "Next": "End"}]);
    let case = Case::of_state(json!({"Type": "Choice", "Choices": rules}))
        .caught_by("End")
        .input(json!({"n": 3, "m": 3}));
    let (told, _) = told(&case);
    assert_eq!(
        told[1..6],
        [
            r#"Test { rule: 0, test: "/And/0", value: Some(Number(3)), other: None, holds: true }"#,
            r#"Test { rule: 0, test: "/And/1/Not", value: Some(Number(3)), other: Some(Number(3)), holds: true }"#,
            r#"Test { rule: 1, test: "/Or/0", value: Some(Number(3)), other: None, holds: false }"#,
            r#"Test { rule: 1, test: "/Or/1", value: Some(Number(3)), other: None, holds: true }"#,
            "Choice { index: 1 }",
        ]
    );
    let case = Case::of_state(
        json!({"Type": "Choice", "QueryLanguage": "JSONata", "Default": "End",
        "Choices": [{"Condition": "{% $states.input.n > 9 %}", "Next": "End"}]}),
    )
    .caught_by("End")
    .input(json!({"n": 3}));
    let (told, _) = self::told(&case);
    assert_eq!(
        told[1..3],
        [
            r#"Test { rule: 0, test: "", value: Some(Bool(false)), other: None, holds: false }"#,
            "Default",
        ]
    );
}

/// Returns the place at which an execution of this state alone fails.
fn failed_at(state: Value, input: Value) -> Option<String> {
    let is_choice = state["Type"] == "Choice";
    let case = Case::of_state(state).input(input);
    let case = if is_choice {
        case.caught_by("End")
    } else {
        case
    };
    let mut execution = Execution::start(case.program(), case.start());
    let step = execution.step(start_time(), None);
    answered(&mut execution, step);
    let place = execution.failed_at()?;
    Some(format!(
        "{}{}",
        place.state,
        place.field.as_deref().unwrap_or_default()
    ))
}

#[test]
fn an_error_knows_the_field_it_arose_in() {
    let jsonata = |mut state: Value| {
        state["QueryLanguage"] = json!("JSONata");
        state
    };
    let task = "arn:aws:lambda:us-east-1:111111111111:function:F";
    for (state, field) in [
        (
            jsonata(json!({"Type": "Pass", "Output": {"a": [1, "{% $x() %}"]}})),
            "/Output/a/1",
        ),
        (
            jsonata(json!({"Type": "Task", "Resource": task, "Arguments": {"b/c": "{% $y.z %}"}})),
            "/Arguments/b~1c",
        ),
        (
            jsonata(json!({"Type": "Wait", "Seconds": "{% -1 %}"})),
            "/Seconds",
        ),
        (
            jsonata(json!({"Type": "Pass", "Assign": {"v": "{% $y.z %}"}})),
            "/Assign/v",
        ),
        (
            jsonata(
                json!({"Type": "Choice", "Choices": [{"Condition": "{% 1 %}", "Next": "End"}]}),
            ),
            "/Choices/0/Condition",
        ),
        (json!({"Type": "Pass", "InputPath": "$.no"}), "/InputPath"),
        (json!({"Type": "Pass", "OutputPath": "$.no"}), "/OutputPath"),
        (
            json!({"Type": "Pass", "Parameters": {"p": {"q.$": "$.no"}}}),
            "/Parameters/p/q",
        ),
        (
            json!({"Type": "Pass", "Parameters": [{"f.$": "States.ArrayGetItem($.n, 1)"}]}),
            "/Parameters/0/f",
        ),
        (
            json!({"Type": "Pass", "Result": 1, "ResultPath": "$.n.m"}),
            "/ResultPath",
        ),
        (
            json!({"Type": "Wait", "SecondsPath": "$.no"}),
            "/SecondsPath",
        ),
        (
            json!({"Type": "Wait", "TimestampPath": "$.n"}),
            "/TimestampPath",
        ),
        (json!({"Type": "Fail", "CausePath": "$.no"}), "/CausePath"),
        (
            json!({"Type": "Task", "Resource": task, "TimeoutSecondsPath": "$.no"}),
            "/TimeoutSecondsPath",
        ),
        (
            json!({"Type": "Choice", "Choices": [{"Not": {"Variable": "$.no", "IsNull": true}, "Next": "End"}]}),
            "/Choices/0/Not/Variable",
        ),
        (
            json!({"Type": "Map", "ItemsPath": "$.n", "ItemProcessor": {"StartAt": "I", "States": {"I": {"Type": "Succeed"}}}}),
            "/ItemsPath",
        ),
        (json!({"Type": "Fail", "Error": "E"}), ""),
        (
            json!({"Type": "Choice", "Choices": [{"Variable": "$.n", "IsNull": true, "Next": "End"}]}),
            "",
        ),
    ] {
        let expected = format!("State{field}");
        assert_eq!(
            failed_at(state.clone(), json!({"n": 3})),
            Some(expected),
            "{state}"
        );
    }
    let inner = json!({"StartAt": "Inner", "States": {"Inner": {"Type": "Pass", "InputPath": "$.no", "End": true}}});
    let parallel = json!({"Type": "Parallel", "Branches": [inner]});
    assert_eq!(
        failed_at(parallel, json!({})).as_deref(),
        Some("Inner/InputPath")
    );
    assert_eq!(failed_at(json!({"Type": "Succeed"}), json!({})), None);
}

#[test]
fn an_execution_can_be_of_one_state_alone() {
    let case = Case::of_state(json!({"Type": "Pass", "Next": "Asked"}))
        .state("Asked", json!({"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $x + $states.input %}", "Next": "End"}))
        .caught_by("End");
    let program = case.program();
    let state = program.find_state("Asked").expect("it is there");
    assert_eq!(program.find_state("Missing"), None);
    let variables = Map::from_iter([("x".to_owned(), json!(40))]);
    let case = case.input(json!(2)).starting(|start| {
        start.at = Some(Box::new(
            StartAt::new(state)
                .with_variables(variables)
                .with_only(true),
        ));
    });
    let (told, outcome) = told(&case);
    assert_eq!(outcome, Some(Outcome::Succeeded(json!(42).into())));
    assert_eq!(
        told.last().map(String::as_str),
        Some(r#"leaves 42 for Some("End")"#)
    );
}

/// Returns one state alone, with what replaces its children.
fn mocked(state: Value, change: impl FnOnce(&mut StartAt)) -> (Vec<String>, Option<Outcome>) {
    let is_caught = state.get("Catch").is_some();
    let case = Case::of_state(state);
    let case = if is_caught {
        case.caught_by("End")
    } else {
        case
    };
    let reference = case.program().find_state("State").expect("it is there");
    let mut at = StartAt::new(reference)
        .with_only(true)
        .with_children(Some(MockedChildren::new(MockedOutcome::Succeeded(
            json!([10, 20]).into(),
        ))));
    change(&mut at);
    let case = case.input(json!({"items": [1, 2]}));
    told(&case.starting(|start| start.at = Some(Box::new(at))))
}

fn map_state(fields: Value) -> Value {
    let mut state = json!({"Type": "Map", "ItemsPath": "$.items",
        "ItemProcessor": {"StartAt": "F", "States": {"F": {"Type": "Fail"}}}});
    for (name, value) in fields.as_object().expect("fields") {
        state[name] = value.clone();
    }
    state
}

fn failing(children: &mut Option<MockedChildren>, name: &str) {
    let children = children.as_mut().expect("mocked");
    children.outcome = MockedOutcome::Failed(ErrorOutput::new(name, "c"));
}

#[test]
fn something_can_stand_in_for_iterations() {
    let selector =
        json!({"ItemSelector": {"v.$": "$$.Map.Item.Value", "x.$": "$$.Execution.Name"}});
    let (told, outcome) = mocked(map_state(selector), |at| {
        at.context = Some(json!({"Execution": {"Name": "given"}}));
    });
    assert_eq!(outcome, Some(Outcome::Succeeded(json!([10, 20]).into())));
    for expected in [
        "MaxConcurrency: 0",
        r#"ItemSelector: {"v":1,"x":"given"}"#,
        r#"ItemSelector: {"v":2,"x":"given"}"#,
        "Iterations { count: 2 }",
        "Result: [10,20]",
    ] {
        assert!(told.contains(&expected.to_owned()), "{expected}: {told:#?}");
    }
}

#[test]
fn something_can_stand_in_for_the_children_of_a_map_run() {
    let fields = json!({"ItemBatcher": {"MaxItemsPerBatch": 1, "BatchInput": {"b": 1}}, "ToleratedFailureCount": 1,
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "F", "States": {"F": {"Type": "Fail"}}}});
    let (told, outcome) = mocked(map_state(fields.clone()), |_| {});
    assert_eq!(outcome, Some(Outcome::Succeeded(json!([10, 20]).into())));
    let batches =
        r#"ItemBatcher: [{"BatchInput":{"b":1},"Items":[1]},{"BatchInput":{"b":1},"Items":[2]}]"#;
    assert!(told.contains(&batches.to_owned()), "{told:#?}");
    assert!(
        told.contains(&"Iterations { count: 2 }".to_owned()),
        "{told:#?}"
    );

    let failing = |failed| {
        mocked(map_state(fields.clone()), |at| {
            at.children.as_mut().expect("mocked").failed_iterations = failed;
        })
    };
    assert!(matches!(failing(1).1, Some(Outcome::Succeeded(_))));
    let threshold = ErrorOutput::new(
        "States.ExceedToleratedFailureThreshold",
        "The specified tolerated failure threshold was exceeded",
    );
    assert_eq!(failing(2).1, Some(Outcome::Failed(threshold)));
}

#[test]
fn items_that_are_not_given_are_not_read() {
    let fields = json!({"ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
            "Parameters": {"Bucket": "b", "Key": "k"}},
        "ItemProcessor": {"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "F", "States": {"F": {"Type": "Fail"}}}});
    let mut state = map_state(fields);
    state.as_object_mut().expect("a state").remove("ItemsPath");
    let (_, outcome) = mocked(state.clone(), |_| {});
    assert_eq!(outcome, Some(Outcome::Succeeded(json!([10, 20]).into())));
    let (_, outcome) = mocked(state, |at| {
        at.children.as_mut().expect("mocked").reads_items = true;
    });
    assert_eq!(outcome, None, "the object store is asked");
}

#[test]
fn an_error_that_stands_in_for_branches_is_one_of_a_branch() {
    let state = json!({"Type": "Parallel", "Branches": [{"StartAt": "F", "States": {"F": {"Type": "Succeed"}}}],
        "Retry": [{"ErrorEquals": ["E"], "MaxAttempts": 2}],
        "Catch": [{"ErrorEquals": ["States.BranchFailed"], "Next": "End"}]});
    let (told, _) = mocked(state.clone(), |at| {
        failing(&mut at.children, "E");
        at.retry_count = 1;
    });
    let retry = "Retry { index: 0, delay_seconds: 2.0 }".to_owned();
    assert_eq!(told.last(), Some(&retry), "{told:#?}");
    let (told, outcome) = mocked(state, |at| {
        failing(&mut at.children, "E");
        at.retry_count = 2;
    });
    assert!(
        told.contains(&"RetriesExhausted { index: 0 }".to_owned()),
        "{told:#?}"
    );
    assert!(told.contains(&"Catch { index: 0 }".to_owned()), "{told:#?}");
    let output = json!({"Error": "E", "Cause": "c"});
    assert_eq!(outcome, Some(Outcome::Succeeded(output.into())));
}

// Recorded from the service.
#[test]
fn a_path_into_the_context_object_is_shown_with_one_dollar_sign() {
    let (_, outcome) = mocked(
        map_state(json!({"ItemsPath": "$$.Execution.Input"})),
        |_| {},
    );
    let Some(Outcome::Failed(error)) = outcome else {
        panic!("no array is there: {outcome:?}");
    };
    let cause = error.cause.unwrap_or_default();
    assert!(
        cause.ends_with(r#"Reference path "$.Execution.Input" must point to array."#),
        "{cause}"
    );
}

#[test]
fn outputs_are_the_same_whether_anybody_asks() {
    let case = Case::of_state(json!({"Type": "Pass", "Result": 1, "ResultPath": "$.a", "Next": "Choice"}))
        .state("Choice", json!({"Type": "Choice", "Choices": [{"Variable": "$.a", "NumericEquals": 1, "Next": "Last"}]}))
        .state("Last", json!({"Type": "Pass", "Parameters": {"b.$": "$.a"}, "End": true}));
    let (_, inspected) = told(&case);
    let plain = case.run();
    assert_eq!(inspected, plain.outcome);
}

#[test]
fn a_map_run_can_be_changed_while_it_runs() {
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let case = Case::of_state(
        json!({"Type": "Map", "Label": "M", "MaxConcurrency": 1, "ItemProcessor": processor}),
    )
    .input(json!([1, 2, 3, 4]));
    let mut execution = Execution::start(case.program(), case.start());
    let first = execution.step(start_time(), None);
    assert_eq!(first.effects.len(), 1);
    let [run] = execution
        .map_runs()
        .collect::<Vec<_>>()
        .try_into()
        .expect("one");
    assert_eq!(
        (
            run.executions.total,
            run.executions.running,
            run.executions.pending
        ),
        (4, 1, 3)
    );
    let update = MapRunUpdate {
        map_run_arn: run.arn,
        max_concurrency: Some(3),
        tolerated_failure_count: Some(1),
        tolerated_failure_percentage: None,
    };
    let more = execution.step(start_time(), Some(Input::UpdateMapRun(update)));
    assert_eq!(more.effects.len(), 2);
    let failed = Input::ChildExecutionEnded {
        id: first.effects[0].id(),
        outcome: Outcome::TimedOut,
    };
    let step = execution.step(start_time(), Some(failed));
    assert_eq!((step.outcome, step.effects.len()), (None, 1));
    let [run] = execution
        .map_runs()
        .collect::<Vec<_>>()
        .try_into()
        .expect("one");
    assert_eq!(
        (
            run.executions.timed_out,
            run.executions.running,
            run.failed_items
        ),
        (1, 3, 1)
    );
    assert!(matches!(execution.poll_output(), Output::Wait { .. }));
}
