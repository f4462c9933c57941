//! Distributed Map States: child executions, readers, batches, writers (2022 specification, Map State).
use crate::case::{Case, fail, never, ok};
use asl_engine::{
    ErrorOutput, Input, Outcome, Output, StorageOperation, StorageResult, StoredObject,
};
use serde_json::{Value, json};

fn map_of(states: Value, fields: Value) -> Case {
    let mut processor = states;
    processor["ProcessorConfig"] = json!({"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"});
    let mut map = json!({"Type": "Map", "ItemProcessor": processor});
    for (name, value) in fields.as_object().expect("fields") {
        map[name] = value.clone();
    }
    Case::of_state(map)
}

fn pass_map(fields: Value) -> Case {
    map_of(
        json!({"StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true}}}),
        fields,
    )
}

fn task_map(fields: Value) -> Case {
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true});
    map_of(json!({"StartAt": "Item", "States": {"Item": task}}), fields)
}

fn reader(fields: Value) -> Value {
    let mut reader = json!({"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"},
        "Parameters": {"Bucket": "bucket", "Key.$": "$.key"}});
    for (name, value) in fields.as_object().expect("fields") {
        reader[name] = value.clone();
    }
    json!({"ItemReader": reader})
}

fn object(text: &str) -> StorageResult {
    StorageResult::Object(text.as_bytes().to_vec())
}

#[test]
fn every_item_is_an_execution_of_its_own_and_outputs_are_in_order() {
    let run = task_map(json!({}))
        .input(json!([1, 2]))
        .task("Item", ok(json!("a")).after(2))
        .task("Item", ok(json!("b")).after(1))
        .run()
        .succeeds(json!(["a", "b"]));
    assert_eq!(run.children.len(), 2);
    let names: Vec<&str> = run
        .children
        .iter()
        .map(|start| start.identity.execution_name())
        .collect();
    assert_ne!(names[0], names[1]);
    assert_eq!(*run.children[1].input, json!(2));
    // Children are no part of the parent's transitions.
    assert_eq!(run.transitions, 1);
}

#[test]
fn a_childs_tasks_have_keys_of_their_own() {
    let run = task_map(json!({}))
        .input(json!([1, 2]))
        .task("Item", ok(json!(1)))
        .task("Item", ok(json!(2)))
        .run();
    let keys: Vec<String> = run
        .invocations
        .iter()
        .map(|(_, task)| task.idempotency_key())
        .collect();
    assert_ne!(keys[0], keys[1]);
}

#[test]
fn no_more_children_run_than_max_concurrency_allows() {
    let case = task_map(json!({"MaxConcurrency": 2})).input(json!([0, 1, 2, 3]));
    let run = (0..4)
        .fold(case, |case, i| case.task("Item", ok(json!(i)).after(5)))
        .run();
    assert_eq!(run.invoked_at("Item"), [0.0, 0.0, 5.0, 5.0]);
}

#[test]
fn the_pairs_of_an_object_are_items_on_the_service() {
    let pairs = json!([{"Key": "a", "Value": 1}, {"Key": "b", "Value": [2]}]);
    let input = json!({"a": 1, "b": [2]});
    pass_map(json!({}))
        .input(input.clone())
        .run()
        .succeeds(pairs.clone());
    pass_map(json!({"ItemsPath": "$.o"}))
        .input(json!({"o": input}))
        .run()
        .succeeds(pairs.clone());
    for items in [
        json!("{% $states.input %}"),
        json!({"a": "{% $states.input.a %}", "b": [2]}),
    ] {
        let fields = json!({"QueryLanguage": "JSONata", "Items": items});
        pass_map(fields)
            .input(input.clone())
            .run()
            .succeeds(pairs.clone());
    }
    let spec = pass_map(json!({})).profile(asl_model::Profile::Spec);
    spec.input(input).run().fails_with("States.Runtime");
}

#[test]
fn the_context_object_names_the_key_of_a_pair() {
    let fields = json!({"ItemSelector": {"item.$": "$$.Map.Item"}});
    let seen = |index: u64, key: &str, value: Value| json!({"item": {"Index": index, "Key": key, "Value": value}});
    pass_map(fields)
        .input(json!({"a": 1, "b": [2]}))
        .run()
        .succeeds(json!([seen(0, "a", json!(1)), seen(1, "b", json!([2]))]));
}

#[test]
fn no_items_make_no_children() {
    let run = pass_map(json!({}))
        .input(json!([]))
        .run()
        .succeeds(json!([]));
    assert!(run.children.is_empty());
}

#[test]
fn item_selector_makes_the_inputs_of_the_children() {
    let selector = json!({"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value", "all.$": "$.n"});
    pass_map(json!({"ItemSelector": selector, "ItemsPath": "$.items"}))
        .input(json!({"n": 7, "items": ["a"]}))
        .run()
        .succeeds(json!([{"i": 0, "v": "a", "all": 7}]));
}

#[test]
fn a_child_sees_its_item_and_its_own_execution_in_the_context_object() {
    let see = json!({"Type": "Pass", "End": true, "Parameters": {
        "i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value", "input.$": "$$.Execution.Input", "name.$": "$$.Execution.Name"}});
    let run = map_of(json!({"StartAt": "See", "States": {"See": see}}), json!({}))
        .input(json!(["a"]))
        .run();
    let name = run.children[0].identity.execution_name().to_owned();
    run.succeeds(json!([{"i": 0, "v": "a", "input": "a", "name": name}]));
}

#[test]
fn a_failed_child_fails_the_state_and_stops_the_others() {
    let run = task_map(json!({}))
        .input(json!([1, 2]))
        .task("Item", never())
        .task("Item", fail("E", "").after(3))
        .run()
        .fails_with("States.ExceedToleratedFailureThreshold");
    let after: Vec<&str> = run
        .trace
        .iter()
        .filter_map(|line| line.strip_prefix("3 "))
        .collect();
    assert_eq!(after, ["stop child 0", "cancel Item", "done FAILED"]);
}

#[test]
fn tolerated_failures_leave_no_output() {
    task_map(json!({"ToleratedFailurePercentage": 50}))
        .input(json!([1, 2]))
        .task("Item", ok(json!("a")))
        .task("Item", fail("E", ""))
        .run()
        .succeeds(json!(["a"]));
}

#[test]
fn even_a_runtime_error_of_a_child_is_tolerated() {
    let broken = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "InputPath": "$.gone", "End": true}}});
    map_of(broken, json!({"ToleratedFailureCount": 1}))
        .input(json!([{}]))
        .run()
        .succeeds(json!([]));
}

#[test]
fn a_failed_map_run_may_be_retried_and_caught() {
    let retry =
        json!([{"ErrorEquals": ["States.ExceedToleratedFailureThreshold"], "MaxAttempts": 1}]);
    let catch = json!([{"ErrorEquals": ["States.ALL"], "Next": "Caught", "ResultPath": null}]);
    let run = task_map(json!({"Retry": retry, "Catch": catch}))
        .caught_by("Caught")
        .input(json!([1]))
        .task("Item", fail("E", ""))
        .task("Item", fail("E", ""))
        .run()
        .succeeds(json!([1]));
    assert_eq!(run.invoked_at("Item"), [0.0, 1.0]);
}

#[test]
fn a_stop_stops_the_children() {
    let run = task_map(json!({}))
        .input(json!([1]))
        .task("Item", never())
        .at(2, Input::Stop(ErrorOutput::default()))
        .run();
    assert_eq!(
        run.trace[2..],
        ["2 stop child 0", "2 cancel Item", "2 done ABORTED"]
    );
}

#[test]
fn the_machines_timeout_is_not_the_childrens() {
    let task = json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true});
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": "Item", "States": {"Item": task}});
    let case = Case::new(json!({"StartAt": "M", "TimeoutSeconds": 10, "States": {"M": {"Type": "Map", "ItemProcessor": processor, "End": true}}}))
        .input(json!([1]));
    let program = case.program();
    let mut parent = asl_engine::Execution::start(program.clone(), case.start());
    let child = loop {
        if let Output::StartChildExecution(child) = parent.poll_output() {
            break child;
        }
    };
    let mut child = asl_engine::Execution::start_child(program, *child, None);
    let last = std::iter::repeat_with(|| child.poll_output())
        .find(|output| matches!(output, Output::Wait { .. }));
    // The end that every execution has is a year away.
    let until = match last {
        Some(Output::Wait { until: Some(until) }) => until,
        other => panic!("{other:?}"),
    };
    assert!(until > case.start().now.plus_seconds(10));
}

#[test]
fn items_are_read_from_an_object_store() {
    let run = pass_map(reader(json!({})))
        .input(json!({"key": "items.json"}))
        .stored(object("[1, {\"a\": 2}]"))
        .run()
        .succeeds(json!([1, {"a": 2}]));
    let request = &run.storage_requests[0];
    let key = "items.json".to_owned();
    assert_eq!(request.bucket, "bucket");
    assert_eq!(
        request.operation,
        StorageOperation::GetObject {
            key,
            version_id: None,
            from: None
        }
    );
}

#[test]
fn no_more_items_are_read_than_max_items_allows() {
    let config = json!({"InputType": "JSON", "MaxItemsPath": "$.max"});
    pass_map(reader(json!({"ReaderConfig": config})))
        .input(json!({"key": "k", "max": 2}))
        .stored(object("[1, 2, 3]"))
        .run()
        .succeeds(json!([1, 2]));
}

/// The service was recorded taking such definitions.
#[test]
fn zero_that_is_written_as_a_number_is_no_limit() {
    let config = json!({"InputType": "JSON", "MaxItems": 0});
    let mut fields = reader(json!({"ReaderConfig": config}));
    fields["ItemBatcher"] = json!({"MaxItemsPerBatch": 0});
    pass_map(fields)
        .input(json!({"key": "k"}))
        .stored(object("[1, 2, 3]"))
        .run()
        .succeeds(json!([{"Items": [1, 2, 3]}]));
}

/// Each case is saved and restored between all calls too.
#[test]
fn datasets_of_many_files_are_read_one_after_the_other() {
    let read = |fields: Value, listed: StorageResult, files: [&str; 2], items: Value| {
        let case = pass_map(reader(fields)).input(json!({"key": "k"}));
        let case = files
            .into_iter()
            .fold(case.stored(listed), |case, file| case.stored(object(file)));
        let run = case.run().succeeds(items);
        assert_eq!(run.storage_requests.len(), 3);
    };
    let inventory = json!({"destinationBucket": "arn:aws:s3:::data", "fileFormat": "CSV", "fileSchema": "a, b",
        "files": [{"key": "1.csv"}, {"key": "2.csv"}]});
    read(
        json!({"ReaderConfig": {"InputType": "MANIFEST"}}),
        object(&inventory.to_string()),
        ["1,x", "2,y"],
        json!([{"a": "1", "b": "x"}, {"a": "2", "b": "y"}]),
    );
    read(
        json!({"ReaderConfig": {"ManifestType": "ATHENA_DATA", "InputType": "JSONL"}}),
        object("s3://data/1\ns3://data/2"),
        ["1\n2", "3"],
        json!([1, 2, 3]),
    );
    let listed = |key: &str| StoredObject {
        key: key.to_owned(),
        size: 1,
        etag: "\"e\"".to_owned(),
        last_modified: 0,
        storage_class: "STANDARD".to_owned(),
    };
    read(
        json!({"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {"Bucket": "bucket"},
            "ReaderConfig": {"InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"], "CSVDelimiter": "TAB",
                "Transformation": "LOAD_AND_FLATTEN"}}),
        StorageResult::Listing(vec![listed("1"), listed("2")]),
        ["1", "2"],
        json!([{"a": "1"}, {"a": "2"}]),
    );
}

#[test]
fn what_cannot_be_read_fails_the_state_catchably() {
    pass_map(reader(json!({})))
        .input(json!({"key": "k"}))
        .storage_fails("no such key")
        .run()
        .fails("States.ItemReaderFailed", "no such key");
    let mut fields = reader(json!({}));
    fields["Catch"] =
        json!([{"ErrorEquals": ["States.ItemReaderFailed"], "Next": "Caught", "ResultPath": null}]);
    pass_map(fields)
        .caught_by("Caught")
        .input(json!({"key": "k"}))
        .stored(object("{"))
        .run()
        .succeeds(json!({"key": "k"}));
}

#[test]
fn a_reader_whose_parameters_find_nothing_fails() {
    pass_map(reader(json!({})))
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn answers_of_another_kind_lose_no_map_run() {
    let wrong = |id| {
        let id = asl_engine::EffectId(id);
        [
            Input::ChildExecutionEnded {
                id,
                outcome: Outcome::TimedOut,
            },
            Input::TaskSucceeded {
                id,
                output: json!(0).into(),
            },
            Input::TaskFailed {
                id,
                error_output: ErrorOutput::default(),
            },
        ]
    };
    let case = pass_map(reader(json!({}))).input(json!({"key": "k"}));
    let mut execution = asl_engine::Execution::start(case.program(), case.start());
    let now = crate::case::start_time();
    let mut answered = 0;
    loop {
        match execution.poll_output() {
            Output::Storage(request) => {
                for input in wrong(request.id.0) {
                    execution.handle_input(now, input);
                }
                execution.handle_input(
                    now,
                    Input::StorageSucceeded {
                        id: request.id,
                        result: object("[1]"),
                    },
                );
                answered += 1;
            }
            Output::StartChildExecution(child) => {
                let (id, result) = (child.id, StorageResult::Written);
                execution.handle_input(now, Input::StorageSucceeded { id, result });
                execution.handle_input(
                    now,
                    Input::StorageFailed {
                        id,
                        cause: String::new(),
                    },
                );
                let outcome = Outcome::Succeeded(json!("done").into());
                execution.handle_input(now, Input::ChildExecutionEnded { id, outcome });
                answered += 1;
            }
            Output::Done(outcome) => {
                break assert_eq!(outcome, Outcome::Succeeded(json!(["done"]).into()));
            }
            Output::Wait { .. } => panic!("it hangs after {answered} answers"),
            _ => {}
        }
    }
}

#[test]
fn items_go_in_batches() {
    let batcher = json!({"MaxItemsPerBatch": 2, "BatchInput": {"n.$": "$.n"}});
    let run = pass_map(json!({"ItemBatcher": batcher, "ItemsPath": "$.items"}))
        .input(json!({"n": 7, "items": [1, 2, 3]}))
        .run();
    let batch = |items: Value| json!({"BatchInput": {"n": 7}, "Items": items});
    assert_eq!(run.children.len(), 2);
    run.succeeds(json!([batch(json!([1, 2])), batch(json!([3]))]));
}

#[test]
fn a_failed_batch_counts_all_its_items() {
    let case = |tolerated: u64| {
        task_map(json!({"ItemBatcher": {"MaxItemsPerBatch": 2}, "ToleratedFailureCount": tolerated, "MaxConcurrency": 1}))
            .input(json!([1, 2, 3]))
            .task("Item", fail("E", ""))
    };
    case(1)
        .run()
        .fails_with("States.ExceedToleratedFailureThreshold");
    case(2)
        .task("Item", ok(json!("b")))
        .run()
        .succeeds(json!(["b"]));
}

fn writer() -> Value {
    json!({"ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "out", "Prefix": "p"}}})
}

fn written(run: &crate::case::Run) -> Vec<&str> {
    let keys = run
        .storage_requests
        .iter()
        .filter_map(|request| match &request.operation {
            StorageOperation::PutObject { key, .. } => key.rsplit('/').next(),
            _ => None,
        });
    keys.collect()
}

#[test]
fn results_are_written_and_the_output_says_where() {
    let run = pass_map(writer())
        .input(json!([1, 2]))
        .stored(StorageResult::Written)
        .stored(StorageResult::Written)
        .run();
    assert_eq!(written(&run), ["SUCCEEDED_0.json", "manifest.json"]);
    assert!(
        run.storage_requests
            .iter()
            .all(|request| request.bucket == "out")
    );
    let Some(Outcome::Succeeded(output)) = &run.outcome else {
        panic!("it should succeed: {:?}", run.outcome);
    };
    assert_eq!(output["ResultWriterDetails"]["Bucket"], "out");
    assert!(output["MapRunArn"].is_string());
}

#[test]
fn results_of_a_failed_map_run_are_written_before_it_fails() {
    let run = task_map(writer())
        .input(json!([1]))
        .task("Item", fail("E", ""))
        .stored(StorageResult::Written)
        .stored(StorageResult::Written)
        .run();
    assert_eq!(written(&run), ["FAILED_0.json", "manifest.json"]);
    run.fails_with("States.ExceedToleratedFailureThreshold");
}

#[test]
fn results_that_cannot_be_written_fail_the_state() {
    pass_map(writer())
        .input(json!([1]))
        .storage_fails("denied")
        .run()
        .fails("States.ResultWriterFailed", "denied");
}

#[test]
fn distributed_maps_nest() {
    let inner = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let outer = json!({"StartAt": "Inner", "States": {"Inner": {"Type": "Map", "ItemProcessor": inner, "End": true}}});
    let run = map_of(outer, json!({}))
        .input(json!([[1, 2], []]))
        .run()
        .succeeds(json!([[1, 2], []]));
    assert_eq!(run.children.len(), 4);
}

/// Recorded from the service.
#[test]
fn a_path_to_max_items_has_bounds() {
    let config = json!({"InputType": "JSON", "MaxItemsPath": "$.max"});
    let reading = |max: Value| {
        let case = pass_map(reader(json!({"ReaderConfig": config})));
        case.input(json!({"key": "k", "max": max}))
    };
    let unlimited = reading(json!(0)).stored(object("[1, 2, 3]"));
    unlimited.run().succeeds(json!([1, 2, 3]));
    let negative = reading(json!(-1)).run();
    let negative = negative.fails("States.ItemReaderFailed", "field MaxItems must be positive");
    assert_eq!(
        negative.history()[3..],
        [
            "4 <- 3 MapRunStarted",
            "5 <- 4 MapRunFailed",
            "6 <- 5 MapStateFailed",
            "7 <- 6 ExecutionFailed"
        ]
    );
    let fraction = reading(json!(1.5)).run().fails_with("States.Runtime");
    assert_eq!(fraction.history()[3..], ["4 <- 3 ExecutionFailed"]);
}
