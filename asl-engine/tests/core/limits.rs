//! Bounds: payloads, history, depth, transitions and the work of one call.
use crate::case::{Case, fail, never, ok, on_large_stack, start_time, with_fields};
use asl_engine::{ErrorOutput, Execution, Input, Outcome, Output, StorageResult};
use asl_model::Profile;
use serde_json::{Value, json};
use std::sync::Arc;

const KIBIBYTES_256: usize = 262_144;

/// A string whose JSON text has so many bytes.
fn text_of(bytes: usize) -> Value {
    json!("x".repeat(bytes - 2))
}

fn task(fields: Value) -> Case {
    let state = with_fields(
        json!({"Type": "Task", "Resource": "arn:aws:states:::sns:publish"}),
        &fields,
    );
    Case::of_state(state)
}

/// `state` again and again: it leads to "Again", which leads to it, since a machine must be able to end.
fn endless(state: Value) -> Case {
    let rule = json!({"Variable": "$$.Execution.Name", "IsPresent": true, "Next": "State"});
    Case::of_state(state)
        .state(
            "Again",
            json!({"Type": "Choice", "Choices": [rule], "Default": "End"}),
        )
        .state("End", json!({"Type": "Succeed"}))
        // What one call queues is saved with every output taken from it: little is quick.
        .limits(|limits| limits.turn_cost = 5)
}

/// Returns a loop that puts its data into itself once a round.
fn wrapping_loop() -> Case {
    endless(json!({"Type": "Pass", "Parameters": {"a.$": "$"}, "Next": "Again"}))
}

fn endless_loop() -> Case {
    endless(json!({"Type": "Pass", "Next": "Again"}))
}

#[test]
fn a_payload_may_have_as_many_bytes_as_the_limit() {
    let run = |bytes| {
        Case::of_state(json!({"Type": "Pass"}))
            .input(text_of(bytes))
            .run()
    };
    run(KIBIBYTES_256).succeeds(text_of(KIBIBYTES_256));
    run(KIBIBYTES_256 + 1).fails_with("States.DataLimitExceeded");
}

#[test]
fn bytes_are_counted_not_characters() {
    let text = json!("é".repeat(KIBIBYTES_256 / 2));
    Case::of_state(json!({"Type": "Pass"}))
        .input(text)
        .run()
        .fails_with("States.DataLimitExceeded");
}

#[test]
fn without_a_limit_payloads_may_be_large() {
    Case::of_state(json!({"Type": "Pass"}))
        .limits(|limits| limits.max_payload_bytes = None)
        .input(text_of(KIBIBYTES_256 * 2))
        .run()
        .succeeds(text_of(KIBIBYTES_256 * 2));
}

/// A task whose output is not too large, but is together with its input.
fn own_output_too_large(catch: &str) -> Case {
    task(json!({"ResultPath": "$.r", "Catch": [{"ErrorEquals": [catch], "Next": "Caught", "ResultPath": null}]}))
        .caught_by("Caught")
        .input(json!({"a": text_of(200_000)}))
        .task("State", ok(text_of(100_000)))
}

#[test]
fn the_limit_of_a_states_own_output_is_not_caught_by_the_wildcards() {
    own_output_too_large("States.ALL")
        .run()
        .fails_with("States.DataLimitExceeded");
    own_output_too_large("States.TaskFailed")
        .run()
        .fails_with("States.DataLimitExceeded");
}

#[test]
fn the_limit_of_a_states_own_output_is_caught_by_its_name() {
    let input = json!({"a": text_of(200_000)});
    own_output_too_large("States.DataLimitExceeded")
        .run()
        .succeeds(input);
}

#[test]
fn a_result_over_the_limit_is_the_tasks_failure() {
    let catch = |name: &str| json!({"Catch": [{"ErrorEquals": [name], "Next": "Caught", "ResultPath": null}]});
    let case = |name: &str| {
        task(catch(name))
            .caught_by("Caught")
            .task("State", ok(text_of(KIBIBYTES_256 + 1)))
    };
    case("States.ALL").run().succeeds(json!({}));
    case("States.DataLimitExceeded").run().succeeds(json!({}));
    case("States.ALL")
        .profile(Profile::Spec)
        .run()
        .fails_with("States.DataLimitExceeded");
    let run = task(json!({}))
        .task("State", ok(text_of(KIBIBYTES_256 + 1)))
        .run();
    let cause = "The state/task 'sns' returned a result with a size exceeding the maximum number of bytes service limit.";
    run.fails("States.DataLimitExceeded", cause);
    let function = "arn:aws:lambda:us-east-1:123456789012:function:f";
    let cause = format!(
        "The state/task '{function}' returned a result with a size exceeding the maximum number of bytes service limit."
    );
    Case::of_state(json!({"Type": "Task", "Resource": function}))
        .task("State", ok(text_of(KIBIBYTES_256 + 1)))
        .run()
        .fails("States.DataLimitExceeded", &cause);
}

#[test]
fn the_outputs_of_branches_and_iterations_count_together() {
    let pass = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    let parallel = json!({"Type": "Parallel", "Branches": [pass.clone()]});
    let mut two = parallel.clone();
    let mut other = pass.clone();
    other["States"] = json!({"Q": {"Type": "Pass", "End": true}});
    other["StartAt"] = json!("Q");
    two["Branches"] = json!([pass, other]);
    let input = text_of(200_000);
    Case::of_state(parallel)
        .input(input.clone())
        .run()
        .succeeds(json!([input]));
    Case::of_state(two)
        .input(input)
        .run()
        .fails_with("States.DataLimitExceeded");
}

#[test]
fn the_last_event_allowed_is_the_failure_for_reaching_the_limit() {
    let run = endless_loop().run();
    let last = run
        .events
        .last()
        .map(|event| (event.id, event.event_type()));
    assert_eq!(last, Some((25_000, "ExecutionFailed")));
    assert_eq!(run.events.len(), 25_000);
    run.fails(
        "States.Runtime",
        "The execution reached the maximum number of history events (25000).",
    );
}

#[test]
fn events_are_counted_where_they_are_not_recorded() {
    let recorded = endless_loop()
        .limits(|limits| limits.max_history_events = Some(100))
        .run();
    let counted = endless_loop()
        .limits(|limits| limits.max_history_events = Some(100))
        .starting(|start| start.record_history = false)
        .run();
    assert_eq!(recorded.transitions, counted.transitions);
    assert_eq!(recorded.outcome, counted.outcome);
}

#[test]
fn an_express_execution_has_no_limit_of_events() {
    let run = endless_loop()
        .express()
        .starting(|start| start.record_history = false)
        .limits(|limits| limits.max_transitions = Some(30_000))
        .run();
    assert_eq!(run.transitions, 30_001);
}

#[test]
fn the_smallest_limits_of_events_leave_a_history() {
    let history = |max| {
        task(json!({}))
            .limits(|limits| limits.max_history_events = Some(max))
            .run()
            .history()
    };
    assert_eq!(history(1), ["1 <- 0 ExecutionFailed"]);
    assert_eq!(
        history(2),
        ["1 <- 0 ExecutionStarted", "2 <- 1 ExecutionFailed"]
    );
    assert_eq!(
        history(3),
        [
            "1 <- 0 ExecutionStarted",
            "2 <- 0 TaskStateEntered",
            "3 <- 2 ExecutionFailed"
        ]
    );
}

/// Parallel, Map, distributed Map, retries and catches in one machine.
fn all_sorts() -> Case {
    let task = |next: &str| json!({"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "TimeoutSeconds": 9999, "Parameters": {"t.$": "$$.Task.Token"}, "ResultPath": null, "Next": next});
    let mut last = task("");
    last.as_object_mut().expect("a state").shift_remove("Next");
    last["End"] = json!(true);
    let branch = |name: &str| json!({"StartAt": name, "States": {name: last}});
    let distributed = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
        "StartAt": "Child", "States": {"Child": {"Type": "Pass", "End": true}}});
    Case::new(json!({"StartAt": "First", "States": {
        "First": task("Both"),
        "Both": {"Type": "Parallel", "Branches": [branch("A"), branch("B")], "ResultPath": null, "Next": "Each"},
        "Each": {"Type": "Map", "ItemProcessor": branch("Item"), "ItemsPath": "$.items", "ResultPath": null, "Next": "Far"},
        "Far": {"Type": "Map", "ItemProcessor": distributed, "ResultPath": null, "End": true,
            "ItemReader": {"Resource": "arn:aws:states:::s3:getObject", "ReaderConfig": {"InputType": "JSON"}, "Parameters": {"Bucket": "b", "Key": "k"}},
            "ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Bucket": "b", "Prefix": "p"}}},
    }}))
    .input(json!({"items": [1, 2]}))
}

/// Runs with every effect answered well; the texts of all outputs, and how often each effect was cancelled.
fn run_all_sorts(max_history_events: u64) -> Vec<Output> {
    let case = all_sorts().limits(|limits| limits.max_history_events = Some(max_history_events));
    let mut execution = Execution::start(case.program(), case.start());
    let mut outputs = Vec::new();
    let mut now = start_time();
    loop {
        let output = execution.poll_output();
        outputs.push(output.clone());
        now = now.plus_seconds(1);
        let input = match output {
            Output::InvokeTask(task) => Input::TaskSucceeded {
                id: task.id,
                output: json!(1).into(),
            },
            Output::StartChildExecution(child) => Input::ChildExecutionEnded {
                id: child.id,
                outcome: Outcome::Succeeded(json!(1).into()),
            },
            Output::Storage(request) => {
                let result = match request.operation {
                    asl_engine::StorageOperation::PutObject { .. } => StorageResult::Written,
                    _ => StorageResult::Object(b"[1,2]".to_vec()),
                };
                Input::StorageSucceeded {
                    id: request.id,
                    result,
                }
            }
            Output::Done(_) => return outputs,
            Output::Wait { until: None } => panic!("it hangs"),
            _ => continue,
        };
        execution.handle_input(now, input);
    }
}

#[test]
fn wherever_the_limit_of_events_strikes_nothing_is_begun_after_it() {
    let whole = run_all_sorts(1_000);
    assert!(
        matches!(whole.last(), Some(Output::Done(Outcome::Succeeded(_)))),
        "{whole:#?}"
    );
    let whole = whole
        .iter()
        .filter(|output| matches!(output, Output::Event(_)))
        .count() as u64;
    for max in 1..whole {
        let outputs = run_all_sorts(max);
        let failure = outputs.iter().position(|output| matches!(output, Output::Event(event) if event.event_type() == "ExecutionFailed"));
        let failure = failure.expect("it fails");
        let after = &outputs[failure + 1..];
        let begun = after.iter().any(|output| {
            !matches!(
                output,
                Output::CancelTask { .. } | Output::StopChildExecution { .. } | Output::Done(_)
            )
        });
        assert!(!begun, "with {max} events: {after:#?}");
    }
}

#[test]
fn a_task_that_was_answered_is_not_cancelled_wherever_the_limit_of_events_strikes() {
    for max in 1..40 {
        let case = task(json!({})).limits(|limits| limits.max_history_events = Some(max));
        let mut execution = Execution::start(case.program(), case.start());
        let mut answered = false;
        loop {
            match execution.poll_output() {
                Output::InvokeTask(task) => {
                    execution.handle_input(
                        start_time(),
                        Input::TaskSucceeded {
                            id: task.id,
                            output: json!(1).into(),
                        },
                    );
                    answered = true;
                }
                Output::CancelTask { .. } => assert!(!answered, "with {max} events"),
                Output::Done(_) => break,
                _ => {}
            }
        }
    }
}

#[test]
fn a_task_that_times_out_is_cancelled_once_wherever_the_limit_of_events_strikes() {
    for max in 5..8 {
        let run = task(json!({"TimeoutSeconds": 1}))
            .limits(|limits| limits.max_history_events = Some(max))
            .task("State", never())
            .run();
        assert_eq!(
            run.trace,
            ["0 invoke State", "1 cancel State", "1 done FAILED"],
            "with {max} events"
        );
    }
}

#[test]
fn an_execution_may_be_given_a_limit_of_transitions() {
    let run = endless_loop()
        .limits(|limits| limits.max_transitions = Some(50))
        .run();
    assert_eq!(run.transitions, 51);
    run.fails_with("States.Runtime");
}

#[test]
fn retries_are_transitions() {
    let retry = json!([{"ErrorEquals": ["E"], "MaxAttempts": 2}]);
    let run = task(json!({"Retry": retry}))
        .task("State", fail("E", ""))
        .task("State", ok(json!(1)))
        .run();
    assert_eq!(run.transitions, 2);
}

#[test]
fn data_that_a_loop_wraps_once_a_round_ends_at_the_depth_limit() {
    let run = on_large_stack(|| wrapping_loop().run());
    assert_eq!(run.transitions, 1_999);
    let cause = "the data of state 'State' is nested deeper than 1000 levels, the limit on data";
    run.fails("States.Runtime", cause);
}

#[test]
fn the_depth_limit_holds_without_a_limit_of_bytes_too() {
    let without = || wrapping_loop().limits(|limits| limits.max_payload_bytes = None);
    let run = on_large_stack(|| without().run());
    assert_eq!(run.transitions, 1_999);
    let result_path = json!({"Type": "Pass", "ResultPath": "$.a.b", "Next": "Again"});
    let run = endless(result_path)
        .limits(|limits| {
            limits.max_payload_bytes = None;
            limits.max_data_depth = 20;
        })
        .run();
    run.fails_with("States.Runtime");
}

#[test]
fn the_depth_limit_holds_for_branches_and_iterations() {
    let inner = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "End": true}}});
    for state in [
        json!({"Type": "Parallel", "Branches": [inner], "Next": "Again"}),
        json!({"Type": "Map", "ItemProcessor": inner, "Parameters": {"v.$": "$"}, "ItemsPath": "$.items", "ResultPath": "$.items[0]", "Next": "Again"}),
    ] {
        for bytes in [None, Some(262_144)] {
            endless(state.clone())
                .limits(|limits| {
                    limits.max_data_depth = 50;
                    limits.max_payload_bytes = bytes;
                })
                .starting(|start| start.record_history = false)
                .input(json!({"items": [0]}))
                .run()
                .fails_with("States.Runtime");
        }
    }
}

#[test]
fn a_result_deeper_than_the_limit_can_not_be_caught() {
    let deep = (0..1_001).fold(json!(1), |inner, _| json!([inner]));
    let case = task(json!({"Catch": [{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]}))
        .caught_by("Caught")
        .task("State", ok(deep));
    on_large_stack(|| case.run()).fails_with("States.Runtime");
}

#[test]
fn data_as_deep_as_the_limit_passes() {
    let deep = (0..1_000).fold(json!(1), |inner, _| json!([inner]));
    let case = Case::of_state(json!({"Type": "Pass"})).input(deep.clone());
    on_large_stack(|| case.run()).succeeds(deep);
}

#[test]
fn a_call_does_no_more_than_its_budget_and_asks_to_be_called_again() {
    for budget in [1, 7, 100] {
        let case = endless_loop().limits(|limits| {
            limits.turn_cost = budget;
            limits.max_transitions = Some(500);
        });
        let mut execution = Execution::start(case.program(), case.start());
        let mut before = 0;
        loop {
            match execution.poll_output() {
                Output::Wait { until } => {
                    assert_eq!(until, Some(start_time()));
                    let made = execution.transitions() - before;
                    // Data counts too.
                    assert!(
                        (1..=u64::from(budget)).contains(&made),
                        "{made} of {budget}"
                    );
                    before = execution.transitions();
                    execution.handle_input(start_time(), Input::TimePassed);
                }
                Output::Done(_) => break,
                _ => {}
            }
        }
        assert_eq!(execution.transitions(), 501);
    }
}

#[test]
fn the_budget_changes_nothing_but_the_number_of_calls() {
    let trace = |budget| {
        let item = json!({"StartAt": "P", "States": {"P": {"Type": "Pass", "Next": "T"},
            "T": {"Type": "Task", "Resource": "arn:aws:states:::sns:publish", "End": true}}});
        let case =
            Case::of_state(json!({"Type": "Map", "ItemProcessor": item, "MaxConcurrency": 2}))
                .limits(|limits| limits.turn_cost = budget)
                .input(json!([1, 2, 3]));
        let run = (0..3)
            .fold(case, |case, i| case.task("T", ok(json!(i)).after(1)))
            .run();
        (run.outcome.clone(), run.history())
    };
    let usual = trace(10_000);
    for budget in 0..4 {
        assert_eq!(trace(budget), usual, "with a budget of {budget}");
    }
}

#[test]
fn other_inputs_are_heard_while_an_execution_runs_for_ever() {
    let case = endless_loop().limits(|limits| limits.max_history_events = None);
    let mut execution = Execution::start(case.program(), case.start());
    while !matches!(execution.poll_output(), Output::Wait { .. }) {}
    execution.handle_input(start_time(), Input::Stop(ErrorOutput::default()));
    while !matches!(execution.poll_output(), Output::Done(_)) {}
    assert_eq!(execution.outcome().map(Outcome::status), Some("ABORTED"));
}

#[test]
fn a_machine_timeout_ends_an_endless_loop() {
    let case = Case::new(json!({"StartAt": "A", "TimeoutSeconds": 5, "States": {
        "A": {"Type": "Choice", "Choices": [{"Variable": "$", "IsPresent": true, "Next": "A"}], "Default": "B"},
        "B": {"Type": "Succeed"},
    }}))
        .limits(|limits| limits.max_history_events = None);
    let mut execution = Execution::start(case.program(), case.start());
    while !matches!(execution.poll_output(), Output::Wait { .. }) {}
    execution.handle_input(start_time().plus_seconds(5), Input::TimePassed);
    while !matches!(execution.poll_output(), Output::Done(_)) {}
    assert_eq!(execution.outcome(), Some(&Outcome::TimedOut));
}

/// Limits on the evaluation of a JSONPath end the execution wherever a state reads one; nothing catches them.
#[test]
fn a_path_that_takes_too_long_is_a_runtime_error() {
    let path = "$..*..*";
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let catch = json!([{"ErrorEquals": ["States.ALL"], "Next": "Caught"}]);
    let arn = "arn:aws:lambda:us-east-1:111111111111:function:F";
    for state in [
        json!({"Type": "Pass", "InputPath": path}),
        json!({"Type": "Pass", "OutputPath": path}),
        json!({"Type": "Pass", "Parameters": {"a.$": path}}),
        json!({"Type": "Pass", "Parameters": {"a.$": format!("States.ArrayLength({path})")}}),
        json!({"Type": "Task", "Resource": arn, "Parameters": {"a.$": path}, "Catch": catch}),
        json!({"Type": "Fail", "CausePath": format!("States.JsonToString({path})")}),
    ] {
        let mut case = Case::of_state(state.clone()).input(deep.clone());
        if state["Catch"].is_array() {
            case = case.state("Caught", json!({"Type": "Succeed"}));
        }
        let run = case
            .limits(|limits| limits.max_expression_steps = 500)
            .run();
        let failure = run
            .outcome
            .clone()
            .expect("an end")
            .into_result()
            .unwrap_err();
        assert_eq!(failure.error.as_deref(), Some("States.Runtime"), "{state}");
        let cause = failure.cause.unwrap_or_default();
        assert!(
            cause.contains("takes too long: more than 500 steps"),
            "{cause}"
        );
    }
}

#[test]
fn a_task_whose_answer_makes_the_last_event_is_cancelled() {
    let parameters = json!({"QueueUrl": "q", "MessageBody": {"token.$": "$$.Task.Token"}});
    let run = Case::of_state(json!({"Type": "Task", "Parameters": parameters,
        "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken"}))
    .task("State", ok(json!(1)).after(10).submitted(json!({})))
    .limits(|limits| limits.max_history_events = Some(5))
    .run()
    .fails_with("States.Runtime");
    let cancelled = run.trace.iter().filter(|line| line.contains("cancel"));
    assert_eq!(cancelled.count(), 1, "{:?}", run.trace);
}

/// An answer that is refused, or that comes too late, is let go without recursion, however deep it nests.
#[test]
fn an_answer_may_nest_deeper_than_any_stack() {
    let arn = "arn:aws:lambda:us-east-1:111111111111:function:F";
    let case = Case::of_state(json!({"Type": "Task", "Resource": arn}));
    let deep = || (0..200_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
    let mut execution = Execution::start(case.program(), case.start());
    let step = execution.step(start_time(), None);
    let id = step.effects[0].id();
    for _ in 0..2 {
        let output = Arc::new(deep());
        let _ = execution.step(start_time(), Some(Input::TaskSucceeded { id, output }));
    }
    let outcome = execution.outcome().and_then(|outcome| outcome.failure());
    let cause = outcome
        .and_then(|failure| failure.cause)
        .unwrap_or_default();
    assert!(cause.contains("1000"), "{cause}");
}
