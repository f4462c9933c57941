//! Inline Map States (2022 specification, Map State).
use crate::case::{Case, Run, fail, never, ok, with_fields};
use asl_model::Profile;
use serde_json::{Value, json};

fn task() -> Value {
    json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true})
}

fn processor(state: Value) -> Value {
    json!({"StartAt": "Item", "States": {"Item": state}})
}

fn map(state: Value, fields: Value) -> Case {
    let map = with_fields(
        json!({"Type": "Map", "ItemProcessor": processor(state)}),
        &fields,
    );
    Case::of_state(map)
}

fn pass_map(fields: Value) -> Case {
    map(json!({"Type": "Pass", "End": true}), fields)
}

/// Returns the most invocations that were under way at the same time: each takes so many seconds.
fn most_at_a_time(run: &Run, seconds: f64) -> usize {
    let times = run.invoked_at("Item");
    let under_way = |now: f64| {
        times
            .iter()
            .filter(|at| **at <= now && now < **at + seconds)
            .count()
    };
    times.iter().map(|at| under_way(*at)).max().unwrap_or(0)
}

#[test]
fn every_item_is_processed_and_the_outputs_are_in_their_order() {
    map(task(), json!({}))
        .input(json!([1, 2, 3]))
        .task("Item", ok(json!("a")).after(3))
        .task("Item", ok(json!("b")).after(1))
        .task("Item", ok(json!("c")).after(2))
        .run()
        .succeeds(json!(["a", "b", "c"]));
}

#[test]
fn without_a_limit_all_iterations_run_at_once() {
    let case = map(task(), json!({})).input(json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    let run = (0..10)
        .fold(case, |case, i| case.task("Item", ok(json!(i)).after(5)))
        .run();
    assert_eq!((most_at_a_time(&run, 5.0), run.seconds), (10, 5.0));
}

#[test]
fn never_more_iterations_run_than_max_concurrency_allows() {
    let case = map(task(), json!({"MaxConcurrency": 3})).input(json!([0, 1, 2, 3, 4, 5, 6, 7]));
    let run = (0..8)
        .fold(case, |case, i| case.task("Item", ok(json!(i)).after(5)))
        .run();
    assert_eq!((most_at_a_time(&run, 5.0), run.seconds), (3, 15.0));
}

#[test]
fn a_place_that_is_free_is_taken_at_once() {
    let case = map(
        task(),
        json!({"MaxConcurrencyPath": "$.n", "ItemsPath": "$.items"}),
    )
    .input(json!({"n": 2, "items": [0, 1, 2, 3]}));
    let run = [10, 1, 2, 3]
        .into_iter()
        .fold(case, |case, s| case.task("Item", ok(json!(s)).after(s)))
        .run();
    assert_eq!(run.invoked_at("Item"), [0.0, 0.0, 1.0, 3.0]);
    run.succeeds(json!([10, 1, 2, 3]));
}

#[test]
fn a_max_concurrency_of_one_makes_it_a_loop() {
    let case = map(task(), json!({"MaxConcurrency": 1})).input(json!([0, 1, 2]));
    let run = (0..3)
        .fold(case, |case, i| case.task("Item", ok(json!(i)).after(2)))
        .run();
    assert_eq!(run.invoked_at("Item"), [0.0, 2.0, 4.0]);
}

#[test]
fn a_max_concurrency_of_the_input_must_be_a_whole_number() {
    for limit in [
        json!(-1),
        json!("one"),
        json!("-1"),
        json!(1.5),
        Value::Null,
    ] {
        pass_map(json!({"MaxConcurrencyPath": "$.n", "ItemsPath": "$.items"}))
            .input(json!({"n": limit, "items": [1]}))
            .run()
            .fails_with("States.Runtime");
    }
}

#[test]
fn a_text_of_the_input_may_be_the_number() {
    let fields = json!({"MaxConcurrencyPath": "$.n", "ToleratedFailurePercentagePath": "$.p", "ItemsPath": "$.items"});
    pass_map(fields)
        .input(json!({"n": "1", "p": "1.5", "items": [1, 2]}))
        .run()
        .succeeds(json!([1, 2]));
}

#[test]
fn the_limits_of_a_batch_are_positive() {
    let processor = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "Item", "States": {"Item": {"Type": "Pass", "End": true}}});
    for (name, fields) in [
        (
            "MaxItemsPerBatch",
            json!({"ItemBatcher": {"MaxItemsPerBatchPath": "$.n"}}),
        ),
        (
            "MaxInputBytesPerBatch",
            json!({"ItemBatcher": {"MaxInputBytesPerBatchPath": "$.n"}}),
        ),
    ] {
        let state = with_fields(
            json!({"Type": "Map", "ItemProcessor": processor, "ItemsPath": "$.items"}),
            &fields,
        );
        let input = json!({"items": [1], "n": 0});
        let run = Case::of_state(state).input(input).run();
        run.fails(
            "States.Runtime",
            &format!("An error occurred while executing the state 'State' (entered at the event id #2). {name} must be a positive integer, but was 0."),
        );
    }
}

#[test]
fn items_path_reads_the_escapes_of_a_reference_path() {
    pass_map(json!({"ItemsPath": r"$.store\.book"}))
        .input(json!({"store.book": [1, 2]}))
        .run()
        .succeeds(json!([1, 2]));
}

#[test]
fn items_path_selects_the_items() {
    pass_map(json!({"ItemsPath": "$.a[-1].b"}))
        .input(json!({"a": [{}, {"b": [1, 2]}]}))
        .run()
        .succeeds(json!([1, 2]));
}

#[test]
fn items_path_applies_to_what_input_path_selects() {
    pass_map(json!({"InputPath": "$.in", "ItemsPath": "$.items"}))
        .input(json!({"in": {"items": [1]}, "items": [2]}))
        .run()
        .succeeds(json!([1]));
}

#[test]
fn items_path_may_select_from_the_context_object() {
    pass_map(json!({"ItemsPath": "$$.Execution.Input.items"}))
        .input(json!({"items": [3]}))
        .run()
        .succeeds(json!([3]));
}

#[test]
fn no_items_make_no_iterations() {
    let run = pass_map(json!({}))
        .input(json!([]))
        .run()
        .succeeds(json!([]));
    assert_eq!(run.transitions, 1);
}

#[test]
fn items_that_are_not_there_are_a_conflict_on_the_service() {
    for (path, input, step) in [
        ("$.items", json!({}), "items"),
        ("$.a.items", json!({"a": {}}), "items"),
        ("$.a.items", json!({}), "a"),
        ("$.a[1]", json!({"a": [0]}), "1"),
    ] {
        let map = || pass_map(json!({"ItemsPath": path})).input(input.clone());
        let run = map().run().fails_with("States.ReferencePathConflict");
        let detail = format!("). Unable to apply step \"{step}\" to input {input}");
        let cause = run.outcome.and_then(|outcome| outcome.failure()?.cause);
        assert!(cause.is_some_and(|cause| cause.ends_with(&detail)));
        map()
            .profile(Profile::Spec)
            .run()
            .fails_with("States.Runtime");
    }
}

#[test]
fn items_that_are_no_array_fail() {
    for input in [json!({"items": {}}), json!({"items": null})] {
        pass_map(json!({"ItemsPath": "$.items"}))
            .input(input)
            .run()
            .fails_with("States.Runtime");
    }
    pass_map(json!({}))
        .input(json!({"a": 1}))
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn item_selector_makes_each_input_of_item_index_and_state_input() {
    let selector = json!({"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value", "all.$": "$.n"});
    pass_map(json!({"ItemSelector": selector, "ItemsPath": "$.items"}))
        .input(json!({"n": 7, "items": ["a", {"b": 1}]}))
        .run()
        .succeeds(json!([{"i": 0, "v": "a", "all": 7}, {"i": 1, "v": {"b": 1}, "all": 7}]));
}

#[test]
fn the_older_names_iterator_and_parameters_mean_the_same() {
    let state = json!({"Type": "Map", "Parameters": {"v.$": "$$.Map.Item.Value"},
        "Iterator": processor(json!({"Type": "Pass", "End": true}))});
    Case::of_state(state)
        .input(json!([1]))
        .run()
        .succeeds(json!([{"v": 1}]));
}

#[test]
fn states_of_an_iteration_see_their_item_in_the_context_object() {
    let item = json!({"Type": "Pass", "End": true, "Parameters": {"i.$": "$$.Map.Item.Index", "v.$": "$$.Map.Item.Value"}});
    map(item, json!({}))
        .input(json!(["a", "b"]))
        .run()
        .succeeds(json!([{"i": 0, "v": "a"}, {"i": 1, "v": "b"}]));
}

#[test]
fn within_nested_maps_the_nearest_item_counts() {
    let see = json!({"Type": "Pass", "End": true, "Parameters": {"v.$": "$$.Map.Item.Value"}});
    // After the inner Map State the outer item counts again.
    let outer = json!({"StartAt": "Inner", "States": {
        "Inner": {"Type": "Map", "ItemProcessor": processor(see), "ResultPath": "$[1]", "Next": "See"},
        "See": {"Type": "Pass", "End": true, "Parameters": {"inner.$": "$[1]", "v.$": "$$.Map.Item.Value"}},
    }});
    Case::of_state(json!({"Type": "Map", "ItemProcessor": outer}))
        .input(json!([[1, 2]]))
        .run()
        .succeeds(json!([{"inner": [{"v": 1}, {"v": 2}], "v": [1, 2]}]));
}

#[test]
fn a_branch_within_an_iteration_sees_the_item() {
    let see = json!({"StartAt": "See", "States": {"See": {"Type": "Pass", "End": true, "Parameters": {"v.$": "$$.Map.Item.Value"}}}});
    let parallel = json!({"Type": "Parallel", "Branches": [see], "End": true});
    map(parallel, json!({}))
        .input(json!([5]))
        .run()
        .succeeds(json!([[{"v": 5}]]));
}

#[test]
fn a_failing_iteration_fails_the_state_and_cancels_the_others() {
    let run = map(task(), json!({"MaxConcurrency": 2}))
        .input(json!([1, 2, 3]))
        .task("Item", never())
        .task("Item", fail("E", "because").after(1))
        .run();
    let expected = [
        "0 invoke Item",
        "0 invoke Item",
        "1 cancel Item",
        "1 done FAILED",
    ];
    assert_eq!(run.trace, expected);
    run.fails("E", "because");
}

#[test]
fn a_failed_map_state_may_be_retried_from_its_first_item() {
    let retry = json!([{"ErrorEquals": ["E"], "IntervalSeconds": 3}]);
    let run = map(task(), json!({"Retry": retry, "MaxConcurrency": 1}))
        .input(json!([1, 2]))
        .task("Item", ok(json!("lost")))
        .task("Item", fail("E", ""))
        .task("Item", ok(json!("a")))
        .task("Item", ok(json!("b")))
        .run()
        .succeeds(json!(["a", "b"]));
    assert_eq!(
        run.payloads("Item"),
        [json!(1), json!(2), json!(1), json!(2)]
    );
}

#[test]
fn a_failed_map_state_may_be_caught() {
    let catch = json!([{"ErrorEquals": ["E"], "Next": "Caught", "ResultPath": "$[0]"}]);
    map(task(), json!({"Catch": catch}))
        .caught_by("Caught")
        .input(json!([1, 2]))
        .task("Item", fail("E", "x"))
        .task("Item", never())
        .run()
        .succeeds(json!([{"Error": "E", "Cause": "x"}, 2]));
}

#[test]
fn an_item_selector_that_fails_later_cancels_the_iterations_before() {
    let run = map(task(), json!({"ItemSelector": {"v.$": "$$.Map.Item.Value.v"}, "Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]}))
        .caught_by("Caught")
        .input(json!([{"v": 1}, {}]))
        .task("Item", never())
        .run()
        .fails_with("States.Runtime");
    assert_eq!(
        run.trace,
        ["0 invoke Item", "0 cancel Item", "0 done FAILED"]
    );
}

#[test]
fn an_item_selector_that_fails_catchably_leaves_nothing_running() {
    let selector = json!({"v.$": "States.StringToJson($$.Map.Item.Value)"});
    let catch =
        json!([{"ErrorEquals": ["States.IntrinsicFailure"], "Next": "After", "ResultPath": null}]);
    let run = map(task(), json!({"ItemSelector": selector, "Catch": catch}))
        .profile(Profile::Spec)
        .state("After", json!({"Type": "Wait", "Seconds": 9, "End": true}))
        .input(json!(["1", "{"]))
        .task("Item", ok(json!("late")).after(5))
        .run()
        .succeeds(json!(["1", "{"]));
    assert_eq!(
        run.trace,
        ["0 invoke Item", "0 cancel Item", "9 done SUCCEEDED"]
    );
}

#[test]
fn tolerated_failures_leave_no_output() {
    map(task(), json!({"ToleratedFailureCount": 1}))
        .input(json!([1, 2, 3]))
        .task("Item", ok(json!("a")))
        .task("Item", fail("E", ""))
        .task("Item", ok(json!("c")))
        .run()
        .succeeds(json!(["a", "c"]));
}

#[test]
fn more_failures_than_tolerated_fail_with_an_error_of_their_own() {
    let run = map(task(), json!({"ToleratedFailureCount": 1}))
        .input(json!([1, 2, 3]))
        .task("Item", fail("E", ""))
        .task("Item", fail("E", "").after(1))
        .task("Item", never())
        .run();
    assert_eq!(run.seconds, 1.0);
    run.fails_with("States.ExceedToleratedFailureThreshold");
}

#[test]
fn tolerated_percentages_are_of_all_items() {
    let case = || {
        map(task(), json!({"ToleratedFailurePercentagePath": "$.p", "ItemsPath": "$.items", "MaxConcurrency": 1}))
            .input(json!({"p": 50, "items": [1, 2, 3, 4]}))
            .task("Item", fail("E", ""))
            .task("Item", fail("E", ""))
    };
    case()
        .task("Item", ok(json!("c")))
        .task("Item", ok(json!("d")))
        .run()
        .succeeds(json!(["c", "d"]));
    case()
        .task("Item", fail("E", ""))
        .run()
        .fails_with("States.ExceedToleratedFailureThreshold");
}

#[test]
fn a_runtime_error_of_an_iteration_is_not_tolerated() {
    let item = json!({"Type": "Pass", "InputPath": "$.gone", "End": true});
    map(item, json!({"ToleratedFailurePercentage": 100}))
        .input(json!([{}]))
        .run()
        .fails_with("States.Runtime");
}

#[test]
fn an_output_may_be_null() {
    // The first output waits for the second, and is saved on the way.
    map(task(), json!({}))
        .input(json!([1, 2]))
        .task("Item", ok(Value::Null))
        .task("Item", ok(json!("b")).after(1))
        .run()
        .succeeds(json!([null, "b"]));
}

#[test]
fn nested_maps_give_nested_arrays() {
    let inner = json!({"Type": "Map", "ItemProcessor": processor(task()), "MaxConcurrency": 1, "End": true});
    let outer = json!({"StartAt": "Inner", "States": {"Inner": inner}});
    let case = Case::of_state(json!({"Type": "Map", "ItemProcessor": outer, "MaxConcurrency": 2}))
        .input(json!([[1, 2], [], [3, 4, 5]]));
    let run = (0..5)
        .fold(case, |case, i| case.task("Item", ok(json!(i)).after(1)))
        .run();
    run.succeeds(json!([[0, 2], [], [1, 3, 4]]));
}

#[test]
fn iterations_start_lazily_so_that_a_failure_leaves_the_rest_alone() {
    let fail_state = json!({"Type": "Fail", "Error": "E"});
    let run = map(fail_state, json!({}))
        .input(json!(vec![0; 1000]))
        .run()
        .fails_with("E");
    assert!(run.transitions < 10, "{}", run.transitions);
}

#[test]
fn a_branch_that_failed_in_an_iteration_is_no_failed_branch_of_the_map() {
    let branch = json!({"StartAt": "F", "States": {"F": {"Type": "Fail", "Error": "E"}}});
    let processor = json!({"StartAt": "P", "States": {
        "P": {"Type": "Parallel", "Branches": [branch], "End": true}}});
    Case::new(json!({"StartAt": "M", "States": {
        "M": {"Type": "Map", "ItemProcessor": processor, "End": true, "Catch": [
            {"ErrorEquals": ["States.BranchFailed"], "Next": "Wrong"},
            {"ErrorEquals": ["E"], "Next": "Right"}]},
        "Wrong": {"Type": "Fail"},
        "Right": {"Type": "Succeed"},
    }}))
    .input(json!([1]))
    .run()
    .succeeds(json!({"Error": "E", "Cause": null}));
}

/// Recorded from the service: it runs at most 40 iterations of an inline Map at a time.
#[test]
fn at_most_so_many_iterations_run_at_a_time_as_the_limits_say() {
    let run = |fields: Value, limit: Option<u64>| {
        let items: Vec<u64> = (0..50).collect();
        let case = map(task(), fields).input(json!(items));
        let case = (0..50).fold(case, |case, i| case.task("Item", ok(json!(i)).after(5)));
        case.limits(|limits| limits.max_inline_iterations = limit)
            .run()
            .succeeds(json!(items))
    };
    let default = asl_engine::Limits::default().max_inline_iterations;
    for (fields, limit, expected) in [
        (json!({}), default, 40),
        (json!({"MaxConcurrency": 45}), default, 40),
        (json!({"MaxConcurrency": 3}), default, 3),
        (json!({}), None, 50),
        (json!({"MaxConcurrency": 45}), None, 45),
        (json!({}), Some(0), 1),
    ] {
        let run = run(fields.clone(), limit);
        assert_eq!(most_at_a_time(&run, 5.0), expected, "{fields} {limit:?}");
    }
    assert_eq!(asl_engine::Limits::unlimited().max_inline_iterations, None);
}
